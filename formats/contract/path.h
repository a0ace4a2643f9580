/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of sources: relative to what they belong to, or not shown. */
#ifndef PROFBPF_CONTRACT_PATH_H
#define PROFBPF_CONTRACT_PATH_H

#include "formats/contract/terms.h"

/*
 * Writes the path without empty and "." components to out, which has room for path.n bytes and is not
 * terminated. Returns the length; 0 for a path that may not be shown: empty, absolute (that of another
 * system too), or with a ".." component.
 */
size_t contract_path_normalise(struct contract_text path, char *out);

#endif
