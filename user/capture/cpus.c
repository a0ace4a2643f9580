// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "user/capture/cpus.h"
#include "user/capture/procfs.h"

static int parse_number(const char **text, unsigned long *value)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	*value = strtoul(*text, &end, 10);
	*text = end;
	return *value < CPUS_MAX ? 0 : -EINVAL;
}

int cpus_parse(const char *text, struct cpus *cpus)
{
	struct cpus c = { .limit = 0 };

	do {
		unsigned long first, last;

		if (parse_number(&text, &first))
			return -EINVAL;
		last = first;
		if (*text == '-') {
			text++;
			if (parse_number(&text, &last) || last < first)
				return -EINVAL;
		}
		for (; first <= last; first++)
			c.set[first / 8] |= 1 << (first % 8);
		if (last + 1 > c.limit)
			c.limit = last + 1;
	} while (*text++ == ',');
	if (text[-1] && text[-1] != '\n')
		return -EINVAL;
	*cpus = c;
	return 0;
}

static int read_list(const char *path, struct cpus *cpus)
{
	char *text = proc_read(path);
	int err = text ? cpus_parse(text, cpus) : -errno;

	free(text);
	return err;
}

int cpus_online(struct cpus *cpus)
{
	return read_list("/sys/devices/system/cpu/online", cpus);
}

int cpus_possible(struct cpus *cpus)
{
	return read_list("/sys/devices/system/cpu/possible", cpus);
}
