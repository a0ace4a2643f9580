// SPDX-License-Identifier: BSD-2-Clause
/*
 * Halts a real program at random instructions and compares, frame by frame, the stacks that the
 * kernel programs' walker and elfutils find. Prints one JSON object.
 *
 *	oracle [-n STOPS] [-s SEED] [-v] [-d FOLDER] (-p PID | COMMAND [ARG…])
 *
 * With a folder, the first stop of each cause is left there as a core file.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/oracle/causes.h"
#include "tests/oracle/core.h"
#include "tests/oracle/elfutils.h"
#include "tests/oracle/stopper.h"
#include "tests/oracle/walker.h"

struct oracle {
	unsigned int wanted;
	bool verbose;
	const char *folder; /* NULL: no core files */
	struct stopper *stopper;
	struct walker *walker;
	struct elfutils *elfutils;
	char *maps; /* as last read */
	struct causes causes;
	unsigned int stops, agreed, rooted, guessed;
	unsigned long frames;
};

static char *read_maps(pid_t pid)
{
	char path[64], *text = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return NULL;
	if (getdelim(&text, &size, 0, f) < 0) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

/* Brings both to the mappings of now. */
static int follow_maps(struct oracle *o, pid_t pid)
{
	char *maps = read_maps(pid);
	int err;

	if (!maps)
		return -ESRCH;
	if (o->maps && !strcmp(maps, o->maps)) {
		free(maps);
		return 0;
	}
	free(o->maps);
	o->maps = maps;
	if (!o->elfutils)
		o->elfutils = elfutils_new(pid);
	if (!o->elfutils)
		return -ENOMEM;
	err = walker_map(o->walker, pid, maps);
	return err ? err : elfutils_map(o->elfutils);
}

static void print_chain(struct oracle *o, const char *whose, const struct chain *c)
{
	fprintf(stderr, "  %s: %u frames\n", whose, c->n);
	for (uint32_t i = 0; i < c->kept; i++) {
		const char *object, *function;

		elfutils_name(o->elfutils, c->pc[i], &object, &function);
		fprintf(stderr, "    %016lx %s %s\n", c->pc[i], object, function);
	}
}

static void show(struct oracle *o, const struct cause *c, const struct stop *stop)
{
	fprintf(stderr, "%s: %s in %s, frame %u, end %s, pc %llx sp %llx bp %llx\n",
		difference_name(c->difference), c->function, c->object, c->same, c->end,
		stop->regs.rip, stop->regs.rsp, stop->regs.rbp);
	print_chain(o, "ours", &c->ours);
	print_chain(o, "elfutils", &c->theirs);
}

static int keep_core(struct oracle *o, struct cause *c, const struct stop *stop)
{
	snprintf(c->core, sizeof(c->core), "%s/%zu.core", o->folder, o->causes.n);
	return core_write(c->core, stop, o->maps);
}

static int sort(struct oracle *o, const struct stop *stop, const struct chain *ours,
		const struct chain *theirs, enum difference difference, uint32_t same)
{
	const char *object, *function;
	struct cause *cause;

	elfutils_name(o->elfutils, ours->pc[same ? same - 1 : 0], &object, &function);
	cause = causes_find(&o->causes, difference, object, function, walker_end(ours->end));
	if (!cause)
		return -ENOMEM;
	if (cause->stops++)
		return 0;
	cause->same = same;
	cause->ours = *ours;
	cause->theirs = *theirs;
	if (o->verbose)
		show(o, cause, stop);
	return o->folder ? keep_core(o, cause, stop) : 0;
}

static int compare(struct oracle *o, const struct stop *stop)
{
	static struct chain ours, theirs;
	enum difference difference;
	uint32_t same;

	walker_walk(o->walker, stop, &ours);
	elfutils_walk(o->elfutils, stop, &theirs);
	o->stops++;
	o->frames += ours.n;
	o->rooted += !ours.end;
	o->guessed += ours.guesses > 0;
	difference = chain_compare(&ours, &theirs, &same);
	if (difference == DIFFERENCE_NONE)
		o->agreed++;
	if (difference == DIFFERENCE_NONE && ours.end == 0)
		return 0;
	return sort(o, stop, &ours, &theirs, difference, same);
}

static int run(struct oracle *o)
{
	struct stop stop;
	int err = 0;

	while (!err && o->stops < o->wanted) {
		int got = stopper_next(o->stopper, &stop);

		if (got <= 0)
			return got;
		err = follow_maps(o, stop.pid);
		if (err == -ESRCH) /* it is about to end */
			err = 0;
		else if (!err)
			err = compare(o, &stop);
	}
	return err;
}

static json_t *as_list(const struct chain *c)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < c->kept; i++)
		json_array_append_new(list, json_integer((json_int_t)c->pc[i]));
	return list;
}

static int print(const struct oracle *o)
{
	json_t *causes = json_array(), *result;

	for (size_t i = 0; i < o->causes.n; i++) {
		const struct cause *c = &o->causes.list[i];

		json_t *entry = json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:o, s:o}",
					  "difference", difference_name(c->difference), "object",
					  c->object, "function", c->function, "end", c->end,
					  "stops", c->stops, "same", c->same, "core", c->core,
					  "ours", as_list(&c->ours), "theirs", as_list(&c->theirs));

		json_array_append_new(causes, entry);
	}
	result = json_pack("{s:i, s:i, s:i, s:i, s:I, s:o}", "stops", o->stops, "agreed", o->agreed,
			   "rooted", o->rooted, "guessed", o->guessed, "frames",
			   (json_int_t)o->frames, "causes", causes);
	if (!result || json_dumpf(result, stdout, JSON_INDENT(1)))
		return -ENOMEM;
	putchar('\n');
	json_decref(result);
	return 0;
}

int main(int argc, char **argv)
{
	struct oracle o = { .wanted = 300 };
	unsigned int seed = 1;
	pid_t pid = 0;
	int c, err;

	while ((c = getopt(argc, argv, "+n:s:p:d:v")) != -1) {
		if (c == 'n')
			o.wanted = strtoul(optarg, NULL, 10);
		else if (c == 's')
			seed = strtoul(optarg, NULL, 10);
		else if (c == 'p')
			pid = atoi(optarg);
		else if (c == 'd')
			o.folder = optarg;
		else if (c == 'v')
			o.verbose = true;
		else
			return 2;
	}
	if (!pid && optind == argc)
		return 2;
	o.walker = walker_new();
	err = !o.walker ? -ENOMEM
	      : pid	? stopper_attach(pid, seed, &o.stopper)
			: stopper_start(argv + optind, seed, &o.stopper);
	if (!err)
		err = run(&o);
	if (!err)
		err = print(&o);
	if (err)
		fprintf(stderr, "oracle: %s\n", strerror(-err));
	stopper_free(o.stopper);
	walker_free(o.walker);
	elfutils_free(o.elfutils);
	causes_free(&o.causes);
	free(o.maps);
	return err ? 1 : 0;
}
