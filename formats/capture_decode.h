/* SPDX-License-Identifier: BSD-2-Clause */
/* From one decoded slice of a capture to the profile. */
#ifndef PROFBPF_CAPTURE_DECODE_H
#define PROFBPF_CAPTURE_DECODE_H

#include "capture.pb-c.h"

struct profile;
struct intern;

/*
 * Adds a slice to the profile, and its strings to those of the slices before. Every number is
 * checked before it is used. Returns 0; -EBADMSG if it does not fit together; -EPROTONOSUPPORT if it
 * counts what this version does not know; -ENOMEM. On failure a part of it may have been added.
 */
int capture_decode(struct profile *p, struct intern *strings, const Profbpf__Capture__Slice *slice);

#endif
