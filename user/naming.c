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

/* One run over the locations that are not looked at yet. */
struct naming {
	struct profile *profile;
	struct symbolizer *symbolizer;
	bool full_names;
	naming_lookup lookup;
	void *lookup_arg;
	struct naming_result result;

	struct place {
		uint32_t object, location;
		uint64_t address;
	} * places; /* by object and address */
	size_t n_places;
	uint64_t *addresses; /* scratch, n_places of them */

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

static int name_file(struct naming *n, const struct place *places, size_t n_places)
{
	uint32_t object = places[0].object;
	struct naming_source found = n->lookup(n->lookup_arg, object);
	const struct symbol_source source = {
		.fd = found.fd,
		.path = found.path,
		.root = found.root ? found.root : "",
	};
	char shown[256];
	int err;

	if (found.fd < 0)
		return 0;
	for (size_t i = 0; i < n_places; i++)
		n->addresses[i] = places[i].address;
	n->group = places;
	err = symbolizer_object(n->symbolizer, &source, n->addresses, n_places, take_frames, n);
	if (err == -ENOMEM)
		return err;
	if (err < 0)
		detail("%s: not named: %s",
		       printable(profile_object(n->profile, object)->path, shown, sizeof(shown)),
		       strerror(-err));
	return 0;
}

static int name_kernel(struct naming *n, const struct kernel_symbols *symbols,
		       const struct place *places, size_t n_places)
{
	int err = grow_lines(n, 1);

	for (size_t i = 0; i < n_places && err == 0; i++) {
		struct profile_function function = { .file = "" };
		const char *name, *module;
		char *readable;
		uint64_t start;

		if (!kernel_symbols_find(symbols, places[i].address, &name, &module, &start))
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

/* The kernel's symbols, read when the first kernel location comes up; NULL if they are hidden. */
static int open_kernel(struct naming *n, bool *opened, struct kernel_symbols **symbols)
{
	int err;

	if (*opened)
		return 0;
	*opened = true;
	err = kernel_symbols_new(NULL, symbols);
	if (err == -EPERM)
		n->result.kernel_hidden = true;
	return err == -ENOMEM ? err : 0;
}

static int name_groups(struct naming *n)
{
	struct kernel_symbols *symbols = NULL;
	bool opened = false;
	size_t size;
	int err = 0;

	for (size_t i = 0; i < n->n_places && err == 0; i += size) {
		const struct place *places = &n->places[i];
		char shown[128];

		size = group_size(n, i);
		if (is_kernel(n, places)) {
			err = open_kernel(n, &opened, &symbols);
			if (err == 0 && symbols)
				err = name_kernel(n, symbols, places, size);
		} else if (places->object != PROFILE_NONE) {
			const char *path = profile_object(n->profile, places->object)->path;

			progress("naming: %zu of %zu places, %s", i, n->n_places,
				 printable(path, shown, sizeof(shown)));
			err = name_file(n, places, size);
		}
		if (err == 0)
			err = mark_rest(n, places, size);
	}
	kernel_symbols_free(symbols);
	return err;
}

int naming_run(struct profile *p, const struct symbolizer_options *options, naming_lookup lookup,
	       void *arg, struct naming_result *result)
{
	struct symbolizer_options own = options ? *options : (struct symbolizer_options){ 0 };
	struct naming n = { .profile = p, .lookup = lookup, .lookup_arg = arg };
	int err = -ENOMEM;

	own.downloads.go_on = show_download;
	own.downloads.note = say_download;
	own.downloads.arg = &n;
	n.full_names = own.full_names;
	n.symbolizer = symbolizer_new(&own);
	if (!n.symbolizer)
		goto out;
	err = collect_places(&n);
	if (err == 0)
		err = name_groups(&n);
	progress_clear();
	if (err == 0)
		*result = n.result;
out:
	symbolizer_free(n.symbolizer);
	free(n.places);
	free(n.addresses);
	free(n.lines);
	/* What naming took is of no use to what comes then. */
	malloc_trim(0);
	return err;
}
