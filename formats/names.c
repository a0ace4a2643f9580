/* SPDX-License-Identifier: BSD-2-Clause */
/* Names: of a location's lines, and of the codes that account for ticks and stacks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/profile.h"

struct code_name {
	const char *id, *text;
};

#define CODE_NAME(name, id, text) { id, text },
static const struct code_name drops[] = { PROFILE_DROPS(CODE_NAME) };
static const struct code_name ends[] = { PROFILE_ENDS(CODE_NAME) };
#undef CODE_NAME

static const struct code_name unknown = { "unknown", "a reason that this version does not know" };

static const struct code_name *drop_name(unsigned int drop)
{
	return drop < PROFILE_N_DROPS ? &drops[drop] : &unknown;
}

static const struct code_name *end_name(unsigned int end)
{
	return end < PROFILE_N_ENDS ? &ends[end] : &unknown;
}

const char *profile_drop_id(unsigned int drop)
{
	return drop_name(drop)->id;
}

const char *profile_drop_text(unsigned int drop)
{
	return drop_name(drop)->text;
}

const char *profile_end_id(unsigned int end)
{
	return end_name(end)->id;
}

const char *profile_end_text(unsigned int end)
{
	return end_name(end)->text;
}

/* The last component, or the whole where there is none ("/", "dir/"). */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *profile_line_name(const struct profile *p, uint32_t location, uint32_t line, char *buf,
			      size_t size)
{
	const struct profile_location *l = profile_location(p, location);

	if (line < l->n_lines) {
		const char *name = profile_function(p, l->lines[line].function)->name;

		if (*name) {
			snprintf(buf, size, "%s", name);
			return buf;
		}
	}
	if (l->flags & PROFILE_LOCATION_TRUNCATED)
		snprintf(buf, size, "<truncated-stack>");
	else if (l->object != PROFILE_NONE)
		snprintf(buf, size, "%s+0x%" PRIx64, base_name(profile_object(p, l->object)->path),
			 l->address);
	else if (l->flags & PROFILE_LOCATION_KERNEL)
		snprintf(buf, size, "[kernel]+0x%" PRIx64, l->address);
	else
		snprintf(buf, size, "0x%" PRIx64, l->address);
	return buf;
}
