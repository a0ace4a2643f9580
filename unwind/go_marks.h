/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of Go's runtime where a stack is left, entered or ends, which call frame information
 * does not describe: a walker steps over them by the runtime's own rules.
 */
#ifndef PROFBPF_UNWIND_GO_MARKS_H
#define PROFBPF_UNWIND_GO_MARKS_H

#include <stdint.h>

enum unwind_go_mark {
	/* Switch from a goroutine's stack to the thread's, and back. */
	UNWIND_GO_SYSTEMSTACK,
	UNWIND_GO_SYSTEMSTACK_SWITCH,
	UNWIND_GO_ASMCGOCALL,
	UNWIND_GO_MCALL,
	UNWIND_GO_MORESTACK,
	UNWIND_GO_GOGO,
	UNWIND_GO_CROSSCALL2, /* what C calls to call Go */
	/* Nothing called these. */
	UNWIND_GO_GOEXIT,
	UNWIND_GO_RT0_GO,
	UNWIND_GO_MSTART,
	/* Signals: the handler's entry, and what the handler returns to. */
	UNWIND_GO_SIGTRAMP,
	UNWIND_GO_CGO_SIGTRAMP,
	UNWIND_GO_SIGRETURN,
	/* Where its code begins and ends, be there C code beside it. */
	UNWIND_GO_TEXT,
	UNWIND_GO_ETEXT,
	/* Functions with a frame of their own that go to another stack, or align the one they are on. */
	UNWIND_GO_CGOCALLBACK, /* C calls Go: back to the goroutine's stack */
	UNWIND_GO_FIRST_FRAMED = UNWIND_GO_CGOCALLBACK,
	UNWIND_GO_ASMCGOCALL_NO_G,
	UNWIND_GO_CALL_CGO_MMAP,
	UNWIND_GO_CALL_CGO_MUNMAP,
	UNWIND_GO_CALL_CGO_SIGACTION,
	/* They call the vDSO. */
	UNWIND_GO_NANOTIME1,
	UNWIND_GO_WALLTIME,
	UNWIND_GO_TIME_NOW,
	UNWIND_GO_VGETRANDOM1,
	/* A handler of signals put them in the way of the interrupted code, as if that had called them. */
	UNWIND_GO_ASYNC_PREEMPT,
	UNWIND_GO_FIRST_INJECTED = UNWIND_GO_ASYNC_PREEMPT,
	UNWIND_GO_SIGPANIC,
	UNWIND_GO_MARKS,
};

/* Addresses in the object's own address space; zeros where the symbol is missing. */
struct unwind_go_marks {
	struct unwind_go_range {
		uint64_t start, end;
	} mark[UNWIND_GO_MARKS];
};

/*
 * Reads them from the symbols of an open ELF file, or where it is stripped from what Go's runtime has of
 * its own. -ENOENT: no Go in it; -ENOEXEC: no ELF file; -ENOMEM; -errno. The descriptor stays the caller's.
 */
int unwind_go_marks(int fd, struct unwind_go_marks *marks);

struct unwind_table;

/*
 * Puts what the marks tell into the table of a Go object: where a goroutine's or a thread's stack begins,
 * where another stack goes on, where a signal returns. Go's own entries say nothing of it. *table is
 * replaced if the object has marks. 0 or -ENOMEM.
 */
int unwind_go_apply(int fd, struct unwind_table **table);

#endif
