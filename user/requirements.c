// SPDX-License-Identifier: BSD-2-Clause
#include "user/requirements.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "user/message.h"
#include "user/requirements_list.h"

int requirement_add(struct requirements *r, const char *name, enum requirement_state state,
		    const char *remedy, const char *value, ...)
{
	struct requirement *added;
	va_list args;

	if (r->n == r->capacity) {
		size_t capacity = r->capacity ? 2 * r->capacity : 32;

		added = reallocarray(r->list, capacity, sizeof(*r->list));
		if (!added)
			return -ENOMEM;
		r->list = added;
		r->capacity = capacity;
	}
	added = &r->list[r->n++];
	added->name = name;
	added->state = state;
	va_start(args, value);
	vsnprintf(added->value, sizeof(added->value), value, args);
	va_end(args);
	snprintf(added->remedy, sizeof(added->remedy), "%s",
		 remedy && state != REQUIREMENT_OK ? remedy : "");
	return 0;
}

int read_line(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");
	int err = 0;

	if (!f)
		return -errno;
	errno = 0;
	if (!fgets(buf, (int)size, f))
		err = errno ? -errno : -ENODATA;
	else
		buf[strcspn(buf, "\n")] = '\0';
	fclose(f);
	return err;
}

/* 5.17 brought bpf_loop, the youngest thing that the kernel programs need. */
static int probe_kernel(struct requirements *r)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	if (uname(&name) < 0 || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return requirement_add(r, "kernel", REQUIREMENT_NOTE, NULL, "unknown");
	return requirement_add(
		r, "kernel",
		major > 5 || (major == 5 && minor >= 17) ? REQUIREMENT_OK : REQUIREMENT_MISSING,
		"use Linux 5.17 or later; 6.1 is tested", "%s %s", name.release, name.machine);
}

int requirements_probe(struct requirements *r)
{
	int (*const parts[])(struct requirements *) = { probe_kernel, probe_privileges, probe_bpf,
							probe_perf, probe_settings };
	int err = 0;

	*r = (struct requirements){ 0 };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && err == 0; i++)
		err = parts[i](r);
	if (err < 0)
		requirements_clear(r);
	return err;
}

void requirements_clear(struct requirements *r)
{
	free(r->list);
	*r = (struct requirements){ 0 };
}

const char *requirement_state_name(enum requirement_state state)
{
	static const char *const names[] = { "ok", "note", "missing" };

	return names[state];
}

bool requirements_met(const struct requirements *r)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->list[i].state == REQUIREMENT_MISSING)
			return false;
	}
	return true;
}

size_t requirements_explain(void)
{
	struct requirements r;
	size_t missing = 0;

	if (requirements_probe(&r) < 0)
		return 0;
	for (size_t i = 0; i < r.n; i++) {
		const struct requirement *one = &r.list[i];

		if (one->state != REQUIREMENT_MISSING)
			continue;
		missing++;
		error("missing: %s (%s): %s", one->name, one->value, one->remedy);
	}
	requirements_clear(&r);
	return missing;
}
