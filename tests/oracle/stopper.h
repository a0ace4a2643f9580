/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Halts a program's threads at random instructions: after a random while of its run, and then often
 * at each of the next few instructions, so that the ends of functions, linkage tables and signal
 * frames have their turn. Children of vfork and posix_spawn are halted too, until they execute
 * another program; those of fork are left alone.
 */
#ifndef PROFBPF_ORACLE_STOPPER_H
#define PROFBPF_ORACLE_STOPPER_H

#include "tests/oracle/stop.h"

struct stopper;

/* Starts a program, whose end is the stopper's, or attaches to one. 0, -errno. */
int stopper_start(char **argv, unsigned int seed, struct stopper **stopper);
int stopper_attach(pid_t pid, unsigned int seed, struct stopper **stopper);

/* Ends a program that was started; a program that was attached to goes on. */
void stopper_free(struct stopper *s);

/* Lets the halted thread go on, and halts one. 1; 0: the program has ended; -errno. */
int stopper_next(struct stopper *s, struct stop *stop);

#endif
