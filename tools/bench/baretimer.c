// SPDX-License-Identifier: BSD-2-Clause
/*
 * What the timer interrupt alone costs: baretimer RATE samples every CPU RATE times a second and
 * does nothing with the samples, until a signal ends it.
 */
#include "events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int rate = argc == 2 ? atoi(argv[1]) : 0;
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (rate <= 0) {
		fprintf(stderr, "usage: baretimer RATE\n");
		return 2;
	}
	for (long cpu = 0; cpu < cpus; cpu++) {
		int fd = event_open(cpu, rate);

		if (fd < 0 && fd != -ENODEV) { /* not online */
			fprintf(stderr, "baretimer: CPU %ld: %s\n", cpu, strerror(-fd));
			return 1;
		}
	}
	for (;;)
		pause();
}
