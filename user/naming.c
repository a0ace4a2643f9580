// SPDX-License-Identifier: BSD-2-Clause
#include "user/naming.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/profile.h"
#include "symbolize/symbolize.h"
#include "user/message.h"
#include "user/name_jobs.h"

#define NO_JOB SIZE_MAX

struct place {
	uint32_t object, location;
	uint64_t address;
};

/* The places of one object. */
struct group {
	const struct place *places;
	size_t n_places;
	size_t job; /* that finds their names, NO_JOB: they have none. The kernel's groups share one. */
};

/* One run over the locations that are not looked at yet. */
struct naming {
	struct profile *profile;
	struct symbolizer *symbolizer;
	bool full_names;
	naming_lookup lookup;
	void *lookup_arg;
	struct naming_result result;

	struct place *places; /* by object and address */
	uint64_t *addresses; /* theirs */
	size_t n_places;
	struct group *groups;
	size_t n_groups;
	struct name_job *list;
	size_t n_jobs;
	struct name_jobs *jobs;

	/* While one object is named: its part of places. */
	const struct place *group;
	struct profile_line *lines; /* scratch */
	size_t lines_size;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->location < b->location ? -1 : a->location > b->location;
}

static int collect_places(struct naming *n)
{
	uint32_t n_locations = profile_n_locations(n->profile);

	n->places = calloc((size_t)n_locations + 1, sizeof(*n->places));
	n->addresses = calloc((size_t)n_locations + 1, sizeof(*n->addresses));
	if (!n->places || !n->addresses)
		return -ENOMEM;
	for (uint32_t i = 0; i < n_locations; i++) {
		const struct profile_location *l = profile_location(n->profile, i);

		if (l->symbolized)
			continue;
		n->places[n->n_places++] = (struct place){
			.object = l->object,
			.location = i,
			.address = l->address,
		};
	}
	qsort(n->places, n->n_places, sizeof(*n->places), compare_places);
	for (size_t i = 0; i < n->n_places; i++)
		n->addresses[i] = n->places[i].address;
	return 0;
}

static int set_lines(struct naming *n, uint32_t location, uint32_t n_lines)
{
	int err = profile_set_lines(n->profile, location, n->lines, n_lines);

	if (err < 0)
		return err;
	if (n_lines > 0)
		n->result.named++;
	else
		n->result.unnamed++;
	return 0;
}

static int grow_lines(struct naming *n, size_t size)
{
	struct profile_line *grown;

	if (size <= n->lines_size)
		return 0;
	grown = reallocarray(n->lines, size, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	n->lines = grown;
	n->lines_size = size;
	return 0;
}

static int add_line(struct naming *n, size_t i, const struct profile_function *function,
		    const struct symbol_frame *frame)
{
	n->lines[i].line = frame->line;
	n->lines[i].column = frame->column;
	n->lines[i].discriminator = frame->discriminator;
	return profile_add_function(n->profile, function, &n->lines[i].function);
}

static int add_source(struct naming *n, uint32_t object, const struct symbol_frame *frame)
{
	char md5[2 * 16 + 1];
	const struct profile_source source = { object, frame->file, md5 };
	uint32_t id;

	if (!frame->md5 || !*frame->file)
		return 0;
	for (size_t i = 0; i < 16; i++)
		snprintf(md5 + 2 * i, 3, "%02x", frame->md5[i]);
	return profile_add_source(n->profile, &source, &id);
}

static int take_frames(void *arg, size_t index, const struct symbol_frame *frames, size_t n_frames)
{
	struct naming *n = arg;
	int err = grow_lines(n, n_frames);

	for (size_t i = 0; i < n_frames && err == 0; i++) {
		const struct profile_function function = {
			.name = frames[i].name,
			.system_name = frames[i].linkage_name,
			.file = frames[i].file,
			.start_line = frames[i].start_line,
		};

		err = add_line(n, i, &function, &frames[i]);
		if (err == 0)
			err = add_source(n, n->group[index].object, &frames[i]);
	}
	if (err < 0)
		return err;
	return set_lines(n, n->group[index].location, (uint32_t)n_frames);
}

static bool is_stop_wanted(void)
{
	sigset_t pending;

	/* While signals are blocked; otherwise they end the program at once. */
	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
		sigismember(&pending, SIGHUP) == 1);
}

static bool show_download(void *arg, uint64_t got, uint64_t size)
{
	const struct naming *n = arg;
	char shown[128], total[32] = "";

	if (size)
		snprintf(total, sizeof(total), " of %.1f", (double)size / 1e6);
	progress("debuginfod: %.1f%s MB for %s; Ctrl-C ends it", (double)got / 1e6, total,
		 printable(profile_object(n->profile, n->group->object)->path, shown,
			   sizeof(shown)));
	return !is_stop_wanted();
}

static void say_download(void *arg, const char *text)
{
	char shown[1024];

	warning("%s", printable(text, shown, sizeof(shown)));
}

/* Whatever could not be named is marked as looked at. */
static int mark_rest(struct naming *n, const struct place *places, size_t n_places)
{
	int err = 0;

	for (size_t i = 0; i < n_places && err == 0; i++) {
		if (!profile_location(n->profile, places[i].location)->symbolized)
			err = set_lines(n, places[i].location, 0);
	}
	return err;
}

static int name_file(struct naming *n, const struct group *g)
{
	struct name_job *job = &n->list[g->job];
	char shown[256];
	int err = job->err;

	if (!err)
		err = symbol_answers_tell(job->answers, take_frames, n);
	symbol_answers_free(job->answers);
	job->answers = NULL;
	if (err == -ENOMEM)
		return err;
	if (err < 0)
		detail("%s: not named: %s",
		       printable(profile_object(n->profile, g->places->object)->path, shown,
				 sizeof(shown)),
		       strerror(-err));
	return 0;
}

static int name_kernel(struct naming *n, const struct group *g)
{
	const struct name_job *job = &n->list[g->job];
	const struct place *places = g->places;
	int err = job->err;

	n->result.kernel_hidden = err == -EPERM;
	if (err)
		return err == -ENOMEM ? err : 0;
	err = grow_lines(n, 1);
	for (size_t i = 0; i < g->n_places && err == 0; i++) {
		struct profile_function function = { .file = "" };
		const char *name, *module;
		char *readable;
		uint64_t start;

		if (!kernel_symbols_find(job->kernel, places[i].address, &name, &module, &start))
			continue;
		readable = demangle(name, n->full_names);
		function.name = readable ? readable : name;
		function.system_name = name;
		err = add_line(n, 0, &function, &(const struct symbol_frame){ 0 });
		free(readable);
		if (err == 0)
			err = set_lines(n, places[i].location, 1);
	}
	return err;
}

static bool is_kernel(const struct naming *n, const struct place *place)
{
	if (profile_location(n->profile, place->location)->flags & PROFILE_LOCATION_KERNEL)
		return true;
	return place->object != PROFILE_NONE &&
	       profile_object(n->profile, place->object)->kind == PROFILE_OBJECT_KERNEL;
}

static size_t group_size(const struct naming *n, size_t first)
{
	size_t i = first;

	while (i < n->n_places && n->places[i].object == n->places[first].object)
		i++;
	return i - first;
}

static bool is_file(struct naming *n, const struct place *place, struct symbol_source *source)
{
	struct naming_source found;

	if (place->object == PROFILE_NONE)
		return false;
	found = n->lookup(n->lookup_arg, place->object);
	source->fd = found.fd;
	source->path = found.path;
	source->root = found.root ? found.root : "";
	return found.fd >= 0;
}

/* Gives a group a job of its own, or the kernel's. */
static void choose_job(struct naming *n, struct group *g, size_t *kernel)
{
	struct name_job *job = &n->list[n->n_jobs];

	g->job = NO_JOB;
	job->is_kernel = is_kernel(n, g->places);
	if (job->is_kernel && *kernel != NO_JOB) {
		n->list[*kernel].n_addresses += g->n_places;
		g->job = *kernel;
		return;
	}
	if (!job->is_kernel && !is_file(n, g->places, &job->source))
		return;
	job->addresses = &n->addresses[g->places - n->places];
	job->n_addresses = g->n_places;
	g->job = n->n_jobs++;
	if (job->is_kernel)
		*kernel = g->job;
}

static int make_jobs(struct naming *n)
{
	size_t kernel = NO_JOB;

	n->groups = calloc(n->n_places + 1, sizeof(*n->groups));
	n->list = calloc(n->n_places + 1, sizeof(*n->list));
	if (!n->groups || !n->list)
		return -ENOMEM;
	for (size_t i = 0; i < n->n_places; i += n->groups[n->n_groups++].n_places) {
		struct group *g = &n->groups[n->n_groups];

		g->places = &n->places[i];
		g->n_places = group_size(n, i);
		choose_job(n, g, &kernel);
	}
	return 0;
}

static void show_progress(void *arg)
{
	const struct naming *n = arg;
	uint32_t object = n->group->object;
	char shown[128];

	if (name_jobs_threads(n->jobs))
		progress("naming: %zu of %zu places in %zu files", name_jobs_done(n->jobs),
			 n->n_places, n->n_jobs);
	else if (object != PROFILE_NONE)
		progress("naming: %zu of %zu places, %s", name_jobs_done(n->jobs), n->n_places,
			 printable(profile_object(n->profile, object)->path, shown, sizeof(shown)));
}

/* In the order of places, whoever found what first: so functions have the same numbers each time. */
static int take_groups(struct naming *n)
{
	int err = 0;

	for (size_t i = 0; i < n->n_groups && err == 0; i++) {
		const struct group *g = &n->groups[i];

		n->group = g->places;
		if (g->job != NO_JOB) {
			name_jobs_wait(n->jobs, g->job, show_progress, n);
			err = n->list[g->job].is_kernel ? name_kernel(n, g) : name_file(n, g);
		}
		if (err == 0)
			err = mark_rest(n, g->places, g->n_places);
	}
	return err;
}

static int name_groups(struct naming *n, unsigned int threads)
{
	int err;

	n->jobs = name_jobs_new(n->symbolizer, n->list, n->n_jobs, threads);
	if (!n->jobs)
		return -ENOMEM;
	if (name_jobs_threads(n->jobs))
		detail("naming: %u threads for %zu files", name_jobs_threads(n->jobs), n->n_jobs);
	err = take_groups(n);
	name_jobs_free(n->jobs);
	return err;
}

static void free_naming(struct naming *n)
{
	symbolizer_free(n->symbolizer);
	free(n->list);
	free(n->groups);
	free(n->places);
	free(n->addresses);
	free(n->lines);
	/* What naming took is of no use to what comes then. */
	malloc_trim(0);
}

int naming_run(struct profile *p, const struct symbolizer_options *options, unsigned int threads,
	       naming_lookup lookup, void *arg, struct naming_result *result)
{
	struct symbolizer_options own = options ? *options : (struct symbolizer_options){ 0 };
	struct naming n = { .profile = p, .lookup = lookup, .lookup_arg = arg };
	int err = -ENOMEM;

	own.downloads.go_on = show_download;
	own.downloads.note = say_download;
	own.downloads.arg = &n;
	n.full_names = own.full_names;
	n.symbolizer = symbolizer_new(&own);
	if (n.symbolizer)
		err = collect_places(&n);
	if (err == 0)
		err = make_jobs(&n);
	/* Servers are asked on this thread, for one file after the other. */
	if (err == 0)
		err = name_groups(&n, own.downloads.urls ? 1 : threads);
	progress_clear();
	if (err == 0)
		*result = n.result;
	free_naming(&n);
	return err;
}
