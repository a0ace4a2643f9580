/* SPDX-License-Identifier: BSD-2-Clause */
/* The listings of report: source text and instructions with counts. */
#ifndef PROFBPF_REPORT_LISTING_H
#define PROFBPF_REPORT_LISTING_H

#include <stdio.h>

struct profile;
struct listing;
struct table_options;

/* More functions that a part of a name may mean are only counted. */
#define LISTING_FUNCTIONS 10

/*
 * Finds what a name stands for with counts by line. Where nothing can be listed, says why and which names
 * are near, and returns -ENOENT; or -ENOMEM.
 */
int report_source_find(const struct profile *p, const char *name, struct listing **l);
/* Writes it; source text is looked for in folder, NULL for none, too. Returns 0 or -errno. */
int report_source_write(const struct profile *p, const struct listing *l, const char *folder,
			const struct table_options *o, FILE *out);

struct report_asm;

/*
 * The same by instruction: disassembles the functions. Says what fails. Returns an exit status, EXIT_DONE
 * with a listing that the caller frees.
 */
int report_asm_new(const struct profile *p, const char *name, struct report_asm **a);
int report_asm_write(const struct report_asm *a, const struct table_options *o, FILE *out);
void report_asm_free(struct report_asm *a);

/* Says that no function has the name, and which are near. */
void report_say_unknown(const struct profile *p, const char *name);

/* Ends a listing: how many functions were left out. Returns 0 or -errno, that of out included. */
struct listing_writer;
int report_listing_end(struct listing_writer *w, const struct listing *l, FILE *out);

#endif
