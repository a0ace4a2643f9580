/* SPDX-License-Identifier: BSD-2-Clause */
/* What the verbs that look at live processes have in common. */
#ifndef PROFBPF_LIVE_H
#define PROFBPF_LIVE_H

#include <stdint.h>
#include <sys/types.h>

#include "user/capture/target.h"
#include "user/naming.h"

struct session;

/* Makes libbpf say what it has to say with -v only. */
void live_log_libbpf(void);

/* Says why a pid is no target: of the states TARGET_MISSING and TARGET_ZOMBIE. */
void live_say_gone(pid_t pid, enum target_state state);

/* Says that a session could not be opened, with the remedy if one is known; what and err are those
 * of session_new. Returns the exit status. */
int live_say_failed(const char *what, int err);

/* A naming_lookup; its argument is the session. */
struct naming_source live_object(void *session, uint32_t object);

#endif
