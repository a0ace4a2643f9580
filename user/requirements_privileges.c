// SPDX-License-Identifier: BSD-2-Clause
/* Capabilities, lockdown and limits of the process. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/resource.h>
#include <unistd.h>

#include "user/requirements_list.h"

#define USE_SUDO "run with sudo"

/* For libcap versions that do not know the later ones; numbers from linux/capability.h. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#ifndef CAP_BPF
#define CAP_BPF 39
#endif
#ifndef CAP_CHECKPOINT_RESTORE
#define CAP_CHECKPOINT_RESTORE 40
#endif

/* What each capability is for; CAP_SYS_ADMIN stands for those that were split off from it. */
static const struct {
	const char *name;
	cap_value_t value;
	bool admin_will_do, vital;
	const char *remedy;
} capabilities[] = {
	{ "CAP_BPF", CAP_BPF, true, true, USE_SUDO },
	{ "CAP_PERFMON", CAP_PERFMON, true, true, USE_SUDO },
	{ "CAP_SYS_PTRACE", CAP_SYS_PTRACE, false, false,
	  USE_SUDO ": without it other users' processes have no names" },
	{ "CAP_CHECKPOINT_RESTORE", CAP_CHECKPOINT_RESTORE, true, false,
	  USE_SUDO ": without it files that were deleted have no names" },
	{ "CAP_SYSLOG", CAP_SYSLOG, true, false,
	  USE_SUDO ": without it kernel functions have no names" },
};

static bool is_effective(cap_t caps, cap_value_t value)
{
	cap_flag_value_t set = CAP_CLEAR;

	return caps && cap_get_flag(caps, value, CAP_EFFECTIVE, &set) == 0 && set == CAP_SET;
}

static int probe_capabilities(struct requirements *r)
{
	cap_t caps = cap_get_proc();
	int err = 0;

	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]) && err == 0; i++) {
		enum requirement_state state = REQUIREMENT_OK;
		const char *value = "held";

		if (!is_effective(caps, capabilities[i].value)) {
			if (capabilities[i].admin_will_do && is_effective(caps, CAP_SYS_ADMIN)) {
				value = "held as CAP_SYS_ADMIN";
			} else {
				value = "not held";
				state = capabilities[i].vital ? REQUIREMENT_MISSING
							      : REQUIREMENT_NOTE;
			}
		}
		err = requirement_add(r, capabilities[i].name, state, capabilities[i].remedy, "%s",
				      value);
	}
	cap_free(caps);
	return err;
}

/* "none [integrity] confidentiality": the chosen one in brackets. Only confidentiality forbids BPF
 * programs to read memory (kernel_lockdown(7)). */
static int probe_lockdown(struct requirements *r)
{
	char line[96], *begin, *end;
	enum requirement_state state = REQUIREMENT_OK;

	if (read_line("/sys/kernel/security/lockdown", line, sizeof(line)) < 0)
		return requirement_add(r, "lockdown", REQUIREMENT_OK, NULL, "not in use");
	begin = strchr(line, '[');
	end = begin ? strchr(begin, ']') : NULL;
	if (!end)
		return requirement_add(r, "lockdown", REQUIREMENT_NOTE, NULL, "unknown");
	*end = '\0';
	if (strcmp(begin + 1, "confidentiality") == 0)
		state = REQUIREMENT_MISSING;
	return requirement_add(r, "lockdown", state,
			       "start the kernel with lockdown=integrity or without lockdown", "%s",
			       begin + 1);
}

/* A descriptor each for maps, programs, CPUs' events, and every object that is kept for its names. */
static int probe_open_files(struct requirements *r)
{
	static const char name[] = "open files";
	rlim_t least = 48 + 4 * (rlim_t)sysconf(_SC_NPROCESSORS_CONF), plenty = 4096;
	enum requirement_state state = REQUIREMENT_OK;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return requirement_add(r, name, REQUIREMENT_NOTE, NULL, "unknown");
	if (limit.rlim_max == RLIM_INFINITY)
		return requirement_add(r, name, REQUIREMENT_OK, NULL, "unlimited");
	if (limit.rlim_max < least)
		state = REQUIREMENT_MISSING;
	else if (limit.rlim_max < plenty)
		state = REQUIREMENT_NOTE;
	return requirement_add(r, name, state,
			       "raise it: ulimit -Hn 65536; few files can be kept for names", "%ju",
			       (uintmax_t)limit.rlim_max);
}

int probe_privileges(struct requirements *r)
{
	int err =
		requirement_add(r, "user", REQUIREMENT_OK, NULL, "uid %u", (unsigned int)geteuid());

	if (err == 0)
		err = probe_capabilities(r);
	if (err == 0)
		err = probe_lockdown(r);
	if (err == 0)
		err = probe_open_files(r);
	return err;
}
