/* SPDX-License-Identifier: BSD-2-Clause */
/* What /proc tells of a process. Parsers take any bytes: names in /proc are a target's to choose. */
#ifndef PROFBPF_PROCFS_H
#define PROFBPF_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proc_stat {
	char comm[64]; /* threads of the kernel have names over 15 bytes */
	char state; /* R, S, Z … */
	uint32_t ppid;
	uint32_t flags; /* PF_… of include/linux/sched.h */
	uint64_t start_ticks; /* since boot, of sysconf(_SC_CLK_TCK) a second */
};

/* Parses the content of /proc/PID/stat; text is terminated. -EINVAL if it is none. */
int proc_stat_parse(const char *text, struct proc_stat *stat);
int proc_stat_read(uint32_t pid, struct proc_stat *stat);

struct proc_mapping {
	uint64_t start, end, offset;
	uint64_t device, inode; /* device as makedev() */
	bool executable;
	const char *path; /* "" for anonymous memory; valid until all have been read */
};

/* A negative value stops and is returned. */
typedef int (*proc_mapping_fn)(void *arg, const struct proc_mapping *mapping);

/* Calls fn for each line of /proc/PID/maps; lines that make no sense are passed over. text is
 * changed. */
int proc_maps_parse(char *text, proc_mapping_fn fn, void *arg);
int proc_maps_read(uint32_t pid, proc_mapping_fn fn, void *arg);

/* A line of /proc/PID/status such as "Tgid"; the number after it. */
int proc_status_number(uint32_t pid, const char *field, uint64_t *value);

/* Calls fn for every process, in the order of their pids. A negative value stops and is returned. */
int proc_each(int (*fn)(void *arg, uint32_t pid), void *arg);

/* The same for every thread of a process; -ENOENT if that has gone. */
int proc_each_thread(uint32_t pid, int (*fn)(void *arg, uint32_t tid), void *arg);

/* Reads a whole file into a new string that the caller frees; NULL and errno on failure. */
char *proc_read(const char *path);

/* Where the link leads, in buf, terminated; -errno. */
int proc_link(const char *path, char *buf, size_t size);

#endif
