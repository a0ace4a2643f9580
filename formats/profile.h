/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The profile model: the one representation that every reader fills and every writer reads.
 *
 * Everything is interned: adding an equal thing twice gives the same id. Ids are dense, from 0, in
 * order of first appearance, and never change, so a writer that remembers how many of each it has
 * written can append only what is new. Sample values add up.
 *
 * Strings passed in are copied. Strings and structs handed out belong to the profile and live until
 * it is freed; pointers into its tables (not strings) are valid until the next call that adds to the
 * same table. Functions return 0 or an id on success and -ENOMEM, -EINVAL or -EOVERFLOW on failure;
 * nothing is changed then. Strings may hold any bytes but NUL: making them fit a format is the
 * writer's work.
 */
#ifndef PROFBPF_PROFILE_H
#define PROFBPF_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile;

/* Stands where there is no id: a location in code without a file has no object. */
#define PROFILE_NONE UINT32_MAX
#define PROFILE_MAX_VALUES 4

/* What a sample value counts, as pprof names it: {"samples","count"}, {"cpu","nanoseconds"}. */
struct profile_value_type {
	const char *type;
	const char *unit;
};

enum profile_object_kind {
	PROFILE_OBJECT_FILE,
	PROFILE_OBJECT_VDSO,
	PROFILE_OBJECT_KERNEL, /* one for the kernel proper, one a module */
};

/*
 * An executable file. Its addresses are those of its own address space (ELF p_vaddr), except where
 * the file could not be opened (unopened): there they are file offsets.
 */
struct profile_object {
	enum profile_object_kind kind;
	const char *path; /* as the process saw it; "[kernel]", "[vdso]", a module as "[ext4]" */
	const char *build_id; /* lower-case hexadecimal, "" if none */
	uint64_t device, inode; /* 0 where unknown; they tell files without a build id apart */
	bool unopened;
	/* The executable part, in the object's own address space, and where it lies in the file.
	 * Not part of the identity: the first addition's values stay. */
	uint64_t start, limit, file_offset;
	uint64_t modified_ns; /* the file's last change, CLOCK_REALTIME, 0: unknown; as above */
};

enum profile_location_flags {
	PROFILE_LOCATION_KERNEL = 1 << 0, /* a kernel address */
	PROFILE_LOCATION_JIT = 1 << 1, /* generated code: an absolute address without object */
	PROFILE_LOCATION_GUESS = 1 << 2, /* reached by a step that may be wrong */
	PROFILE_LOCATION_TRUNCATED = 1 << 3, /* the marker for frames left out of a deep stack */
};

/*
 * A place in code. For return addresses the address is already moved back into the call (pc - 1).
 * Identity: object, address, flags.
 */
struct profile_location {
	uint32_t object; /* PROFILE_NONE: absolute address (code without a file), or a marker */
	uint32_t flags;
	uint64_t address;
	/* Filled by profile_set_lines; innermost inlined function first, the physical one last. */
	uint32_t n_lines; /* 0: unnamed */
	const struct profile_line *lines;
	bool symbolized; /* looked at, whether or not a name was found */
};

struct profile_line {
	uint32_t function;
	uint32_t line; /* 0: unknown */
	uint32_t column; /* 0: unknown */
	uint32_t
		discriminator; /* of the blocks of code that the line has, 0: the only one, or unknown */
};

struct profile_function {
	const char *name; /* for people: demangled */
	const char *system_name; /* the linkage name */
	const char *file; /* "" if unknown */
	uint32_t start_line; /* line of the declaration, 0 if unknown */
};

/* What the debug data of an object know of a source file. Identity: object and file. */
struct profile_source {
	uint32_t object;
	const char *file; /* as in profile_function */
	const char *md5; /* of its contents when it was compiled, lower-case hexadecimal */
};

/*
 * A process instance between two execs: a program. An exec makes a new one with the same pid and
 * start, so samples before and after it belong to the right program.
 */
struct profile_process {
	uint32_t pid;
	uint64_t start_ns; /* CLOCK_BOOTTIME, start of the process; with pid the instance */
	uint64_t epoch; /* number of the exec within the instance, as the kernel counts */
	/* Not part of the identity; profile_set_process changes them. */
	uint32_t parent_pid;
	const char *name; /* the process's name (comm of its main thread) */
	const char *exe; /* path of its program, "" if unknown */
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC; 0: before, or after, the recording */
};

/* A thread under one name; renamed, it is another. Identity: all of it. */
struct profile_thread {
	uint32_t process;
	uint32_t tid;
	const char *name;
};

/* Frames leaf first. Identity: all of it. */
struct profile_stack {
	uint32_t end; /* enum profile_end, or a newer version's code */
	uint32_t n;
	const uint32_t *locations;
};

struct profile_sample {
	uint32_t thread;
	uint32_t stack;
	uint64_t values[PROFILE_MAX_VALUES];
};

/*
 * Every reason a tick of the target can be dropped for, one table for names and codes. Append only:
 * the codes are in captures.
 */
#define PROFILE_DROPS(X)                                                                           \
	X(STACK_RING, "stack_ring_full", "the ring buffer for new stacks was full")                \
	X(COUNTER_TABLE, "counter_table_full", "the table of sample counters was full")            \
	X(STACK_LOST, "stack_lost", "the sample's stack did not arrive in user space")

/* Why a user stack ends where it does. Append only. */
#define PROFILE_ENDS(X)                                                                            \
	X(ROOT, "root", "the thread's outermost frame was reached")                                \
	X(NO_USER, "no_user_stack", "a kernel thread, or a process within exec or exit")           \
	X(UNREADABLE, "unreadable_memory", "a frame could not be read")                            \
	X(BROKEN, "broken_frame_pointer", "the frame pointer does not lead to a frame")            \
	X(TOO_DEEP, "too_deep", "the stack has more frames than a walk visits")                    \
	X(COMPAT, "32_bit", "32-bit code: only the innermost frame is known")                      \
	X(NO_RULE, "no_rule", "code without unwind table, and no frame pointer leads on")          \
	X(UNMAPPED, "unmapped_code", "the program counter is in no known mapping")                 \
	X(NO_REGISTER, "register_unknown", "the frame's rule needs a register that is not known")  \
	X(PROBED, "probe", "a probe took the return address's place, and what it was is not known")

#define PROFILE_ENUM(name, id, text) PROFILE_DROP_##name,
enum profile_drop { PROFILE_DROPS(PROFILE_ENUM) PROFILE_N_DROPS };
#undef PROFILE_ENUM
#define PROFILE_ENUM(name, id, text) PROFILE_END_##name,
enum profile_end { PROFILE_ENDS(PROFILE_ENUM) PROFILE_N_ENDS };
#undef PROFILE_ENUM

/* Identifier and explanation of a code; "unknown" for a code from a newer version. */
const char *profile_drop_id(unsigned int drop);
const char *profile_drop_text(unsigned int drop);
const char *profile_end_id(unsigned int end);
const char *profile_end_text(unsigned int end);

/*
 * requested = recorded + coalesced + all dropped, for the target's ticks. requested is counted
 * apart from the others, so that the equation can be checked.
 */
struct profile_accounting {
	uint64_t requested, recorded, coalesced;
	uint64_t dropped[PROFILE_N_DROPS];
	/* Ticks, missed ones included, of other processes, of idle CPUs, and of time that a hypervisor took
	 * from CPUs that were not idle. */
	uint64_t other, idle, stolen;
	uint64_t ends[PROFILE_N_ENDS]; /* recorded samples by the end of their user stack */
	uint64_t truncated_stacks; /* recorded samples whose stack lost frames in the middle */
	uint64_t lost_records; /* mapping and name records lost in the kernel's buffers */
	uint64_t lost_events; /* process events (fork, exec, exit) lost likewise */
	uint64_t unopened_objects; /* files gone before they could be opened */
	uint64_t unmapped_frames; /* user frames in no known mapping, by samples */
	uint64_t early_samples; /* recorded ones with a frame whose table was not there yet */
	bool has_times; /* the scheduler was watched; if not, these are 0: */
	uint64_t
		waiting_ticks; /* blocked time of the target's threads, in ticks; in no other number */
	uint64_t cpu_ns; /* time that they were on a CPU */
};

/* What became of a target. Append only: the codes are in captures. */
enum profile_ending {
	PROFILE_LIVES_ON, /* beyond the recording, or nobody knows */
	PROFILE_RETURNED,
	PROFILE_KILLED, /* by a signal, or by an error of which its runtime told */
	PROFILE_INTERRUPTED, /* the recording was, and the command with it */
	PROFILE_N_ENDINGS,
};

/* How the profile was made. Times are in nanoseconds. */
struct profile_config {
	uint64_t period_ns; /* between ticks of one CPU */
	uint64_t time_ns; /* wall clock at the start, CLOCK_REALTIME */
	uint64_t duration_ns; /* from start to stop, never 0 for a profile that was recorded */
	const char *target; /* for people: "pid 1234", "command ls -l", "all" */
	const char *host, *kernel, *arch; /* nodename, release, machine of uname(2) */
	const char *version; /* of the profbpf that recorded it */
	const char *notes; /* warnings for the reader, one a line, "" if none */
	enum profile_ending ending;
	bool failed; /* the clock died before the end: the numbers are of what came before */
};

struct profile *profile_new(void);
void profile_free(struct profile *p);

/* The types of the values in every sample; once, before the first sample. The last is the default. */
int profile_set_types(struct profile *p, const struct profile_value_type *types, unsigned int n);
unsigned int profile_n_types(const struct profile *p);
struct profile_value_type profile_type(const struct profile *p, unsigned int i);

/* The strings of config are copied. */
int profile_set_config(struct profile *p, const struct profile_config *config);
const struct profile_config *profile_config(const struct profile *p);
void profile_set_accounting(struct profile *p, const struct profile_accounting *a);
const struct profile_accounting *profile_accounting(const struct profile *p);

/* Each gives the id of an equal thing that is there already, or of a new one. */
int profile_add_object(struct profile *p, const struct profile_object *object, uint32_t *id);
int profile_add_function(struct profile *p, const struct profile_function *f, uint32_t *id);
/* Only object, flags and address are read. */
int profile_add_location(struct profile *p, uint32_t object, uint32_t flags, uint64_t address,
			 uint32_t *id);
/* The first addition's MD5 stays. */
int profile_add_source(struct profile *p, const struct profile_source *source, uint32_t *id);
int profile_add_process(struct profile *p, const struct profile_process *process, uint32_t *id);
int profile_add_thread(struct profile *p, const struct profile_thread *thread, uint32_t *id);
int profile_add_stack(struct profile *p, const uint32_t *locations, uint32_t n, uint32_t end,
		      uint32_t *id);
/* Adds values (profile_n_types of them) to the sample of this thread and stack. */
int profile_add_sample(struct profile *p, uint32_t thread, uint32_t stack, const uint64_t *values);

/* Changes what is not part of a process's identity. */
int profile_set_process(struct profile *p, uint32_t id, const struct profile_process *process);
/* Names a location and marks it symbolized; n = 0 marks it as looked at without a name. */
int profile_set_lines(struct profile *p, uint32_t location, const struct profile_line *lines,
		      uint32_t n);

uint32_t profile_n_objects(const struct profile *p);
uint32_t profile_n_functions(const struct profile *p);
uint32_t profile_n_locations(const struct profile *p);
uint32_t profile_n_sources(const struct profile *p);
uint32_t profile_n_processes(const struct profile *p);
uint32_t profile_n_threads(const struct profile *p);
uint32_t profile_n_stacks(const struct profile *p);
uint32_t profile_n_samples(const struct profile *p);

/* An id out of range is a programming error: it aborts. */
const struct profile_object *profile_object(const struct profile *p, uint32_t id);
const struct profile_function *profile_function(const struct profile *p, uint32_t id);
const struct profile_location *profile_location(const struct profile *p, uint32_t id);
const struct profile_source *profile_source(const struct profile *p, uint32_t id);
/* That of an object and file; NULL if there is none. */
const struct profile_source *profile_find_source(const struct profile *p, uint32_t object,
						 const char *file);
const struct profile_process *profile_process(const struct profile *p, uint32_t id);
const struct profile_thread *profile_thread(const struct profile *p, uint32_t id);
struct profile_stack profile_stack(const struct profile *p, uint32_t id);
const struct profile_sample *profile_sample(const struct profile *p, uint32_t i);

/*
 * Samples in a canonical order (process, thread, stack by content, not by id), for writers: the same
 * samples added in another order are written alike. Returns a malloc'd array of profile_n_samples
 * indices that the caller frees, NULL when out of memory.
 */
uint32_t *profile_sorted_samples(const struct profile *p);

/* Sum of one value over all samples. */
uint64_t profile_total(const struct profile *p, unsigned int value);

/*
 * The name of a line of a location (index 0 the innermost inlined), or for an unnamed location
 * (index 0) "libfoo.so+0x1234", "[kernel]+0x…", "0x7f…" for code without a file, or
 * "<truncated-stack>". Written to buf and cut to size, always terminated; returns buf.
 */
const char *profile_line_name(const struct profile *p, uint32_t location, uint32_t line, char *buf,
			      size_t size);

/*
 * Adds all of src to dst: samples add up, accounting adds up, the window becomes the union. The
 * value types must be equal (-EINVAL, and nothing is changed) unless one has none. After -ENOMEM dst
 * is left with a part of src.
 */
int profile_merge(struct profile *dst, const struct profile *src);

#endif
