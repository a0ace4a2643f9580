/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/intern.h"
#include "formats/profile.h"

/* Deeper stacks or longer strings come from damaged input, not from a walk. */
#define MAX_FRAMES (1U << 16)
#define MAX_LINES (1U << 16)
#define MAX_STRING (1U << 24)

/*
 * A table of each kind of thing; the key is what makes two things equal, with strings as their ids,
 * and the record is what is handed out. Keys are compared as bytes, so they have no padding.
 */
struct profile {
	struct intern *strings, *objects, *functions, *locations, *processes, *threads, *stacks;
	struct intern *sources, *samples;
	struct profile_value_type types[PROFILE_MAX_VALUES];
	unsigned int n_types;
	struct profile_config config;
	struct profile_accounting accounting;
};

struct object_key {
	uint32_t kind, unopened, path, build_id;
	uint64_t device, inode;
};

struct function_key {
	uint32_t name, system_name, file, start_line;
};

struct location_key {
	uint32_t object, flags;
	uint64_t address;
};

struct source_key {
	uint32_t object, file;
};

struct process_key {
	uint32_t pid, zero;
	uint64_t start_ns, epoch;
};

struct thread_key {
	uint32_t process, tid, name;
};

struct sample_key {
	uint32_t thread, stack;
};

struct profile *profile_new(void)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->strings = intern_new(0);
	p->objects = intern_new(sizeof(struct profile_object));
	p->functions = intern_new(sizeof(struct profile_function));
	p->locations = intern_new(sizeof(struct profile_location));
	p->processes = intern_new(sizeof(struct profile_process));
	p->threads = intern_new(sizeof(struct profile_thread));
	p->stacks = intern_new(0);
	p->sources = intern_new(sizeof(struct profile_source));
	p->samples = intern_new(sizeof(struct profile_sample));
	p->config = (struct profile_config){
		.target = "", .host = "", .kernel = "", .arch = "", .version = "", .notes = ""
	};
	if (!p->strings || !p->objects || !p->functions || !p->locations || !p->processes ||
	    !p->threads || !p->stacks || !p->sources || !p->samples) {
		profile_free(p);
		return NULL;
	}
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	intern_free(p->strings);
	intern_free(p->objects);
	intern_free(p->functions);
	intern_free(p->locations);
	intern_free(p->processes);
	intern_free(p->threads);
	intern_free(p->stacks);
	intern_free(p->sources);
	intern_free(p->samples);
	free(p);
}

/* The profile's own copy of a string; NULL stands for "". */
static int keep_string(struct profile *p, const char *s, const char **kept, uint32_t *id)
{
	uint32_t string;
	int err;

	if (!s)
		s = "";
	if (strnlen(s, MAX_STRING) == MAX_STRING)
		return -EOVERFLOW;
	err = intern_add_string(p->strings, s, &string);
	if (err < 0)
		return err;
	*kept = intern_key(p->strings, string);
	if (id)
		*id = string;
	return 0;
}

int profile_set_types(struct profile *p, const struct profile_value_type *types, unsigned int n)
{
	struct profile_value_type kept[PROFILE_MAX_VALUES];

	if (n == 0 || n > PROFILE_MAX_VALUES || p->n_types)
		return -EINVAL;
	for (unsigned int i = 0; i < n; i++) {
		int err = keep_string(p, types[i].type, &kept[i].type, NULL);

		if (!err)
			err = keep_string(p, types[i].unit, &kept[i].unit, NULL);
		if (err)
			return err;
	}
	memcpy(p->types, kept, n * sizeof(kept[0]));
	p->n_types = n;
	return 0;
}

unsigned int profile_n_types(const struct profile *p)
{
	return p->n_types;
}

struct profile_value_type profile_type(const struct profile *p, unsigned int i)
{
	if (i >= p->n_types)
		abort();
	return p->types[i];
}

int profile_set_config(struct profile *p, const struct profile_config *config)
{
	struct profile_config kept = *config;
	const char **strings[] = { &kept.target, &kept.host,	&kept.kernel,
				   &kept.arch,	 &kept.version, &kept.notes };

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		int err = keep_string(p, *strings[i], strings[i], NULL);

		if (err)
			return err;
	}
	p->config = kept;
	return 0;
}

const struct profile_config *profile_config(const struct profile *p)
{
	return &p->config;
}

void profile_set_accounting(struct profile *p, const struct profile_accounting *a)
{
	p->accounting = *a;
}

const struct profile_accounting *profile_accounting(const struct profile *p)
{
	return &p->accounting;
}

int profile_add_object(struct profile *p, const struct profile_object *object, uint32_t *id)
{
	struct profile_object kept = *object;
	struct object_key key = { .kind = object->kind, .unopened = object->unopened };
	int err;

	err = keep_string(p, object->path, &kept.path, &key.path);
	if (!err)
		err = keep_string(p, object->build_id, &kept.build_id, &key.build_id);
	if (err)
		return err;
	/* Copies of a file on two file systems or machines are one object if a build id says so. */
	if (!*kept.build_id) {
		key.device = object->device;
		key.inode = object->inode;
	}
	err = intern_add(p->objects, &key, sizeof(key), id);
	if (err > 0)
		*(struct profile_object *)intern_record(p->objects, *id) = kept;
	return err < 0 ? err : 0;
}

int profile_add_function(struct profile *p, const struct profile_function *f, uint32_t *id)
{
	struct profile_function kept = *f;
	struct function_key key = { .start_line = f->start_line };
	int err;

	err = keep_string(p, f->name, &kept.name, &key.name);
	if (!err)
		err = keep_string(p, f->system_name, &kept.system_name, &key.system_name);
	if (!err)
		err = keep_string(p, f->file, &kept.file, &key.file);
	if (err)
		return err;
	err = intern_add(p->functions, &key, sizeof(key), id);
	if (err > 0)
		*(struct profile_function *)intern_record(p->functions, *id) = kept;
	return err < 0 ? err : 0;
}

int profile_add_location(struct profile *p, uint32_t object, uint32_t flags, uint64_t address,
			 uint32_t *id)
{
	struct location_key key = { .object = object, .flags = flags, .address = address };
	int err;

	if (object != PROFILE_NONE && object >= intern_count(p->objects))
		return -EINVAL;
	err = intern_add(p->locations, &key, sizeof(key), id);
	if (err > 0)
		*(struct profile_location *)intern_record(p->locations, *id) =
			(struct profile_location){ .object = object,
						   .flags = flags,
						   .address = address };
	return err < 0 ? err : 0;
}

int profile_add_source(struct profile *p, const struct profile_source *source, uint32_t *id)
{
	struct profile_source kept = *source;
	struct source_key key = { .object = source->object };
	int err;

	if (source->object >= intern_count(p->objects))
		return -EINVAL;
	err = keep_string(p, source->file, &kept.file, &key.file);
	if (!err)
		err = keep_string(p, source->md5, &kept.md5, NULL);
	if (err)
		return err;
	err = intern_add(p->sources, &key, sizeof(key), id);
	if (err > 0)
		*(struct profile_source *)intern_record(p->sources, *id) = kept;
	return err < 0 ? err : 0;
}

int profile_add_process(struct profile *p, const struct profile_process *process, uint32_t *id)
{
	struct profile_process kept = *process;
	struct process_key key = { .pid = process->pid,
				   .start_ns = process->start_ns,
				   .epoch = process->epoch };
	int err;

	err = keep_string(p, process->name, &kept.name, NULL);
	if (!err)
		err = keep_string(p, process->exe, &kept.exe, NULL);
	if (err)
		return err;
	err = intern_add(p->processes, &key, sizeof(key), id);
	if (err > 0)
		*(struct profile_process *)intern_record(p->processes, *id) = kept;
	return err < 0 ? err : 0;
}

int profile_set_process(struct profile *p, uint32_t id, const struct profile_process *process)
{
	struct profile_process *own, kept = *process;
	int err;

	if (id >= intern_count(p->processes))
		return -EINVAL;
	err = keep_string(p, process->name, &kept.name, NULL);
	if (!err)
		err = keep_string(p, process->exe, &kept.exe, NULL);
	if (err)
		return err;
	own = intern_record(p->processes, id);
	kept.pid = own->pid;
	kept.start_ns = own->start_ns;
	kept.epoch = own->epoch;
	*own = kept;
	return 0;
}

int profile_add_thread(struct profile *p, const struct profile_thread *thread, uint32_t *id)
{
	struct profile_thread kept = *thread;
	struct thread_key key = { .process = thread->process, .tid = thread->tid };
	int err;

	if (thread->process >= intern_count(p->processes))
		return -EINVAL;
	err = keep_string(p, thread->name, &kept.name, &key.name);
	if (err)
		return err;
	err = intern_add(p->threads, &key, sizeof(key), id);
	if (err > 0)
		*(struct profile_thread *)intern_record(p->threads, *id) = kept;
	return err < 0 ? err : 0;
}

int profile_add_stack(struct profile *p, const uint32_t *locations, uint32_t n, uint32_t end,
		      uint32_t *id)
{
	uint32_t *key;
	int err;

	if (n > MAX_FRAMES)
		return -EOVERFLOW;
	for (uint32_t i = 0; i < n; i++) {
		if (locations[i] >= intern_count(p->locations))
			return -EINVAL;
	}
	key = malloc((n + (size_t)1) * sizeof(*key));
	if (!key)
		return -ENOMEM;
	key[0] = end;
	if (n)
		memcpy(key + 1, locations, n * sizeof(*key));
	err = intern_add(p->stacks, key, (n + (size_t)1) * sizeof(*key), id);
	free(key);
	return err < 0 ? err : 0;
}

int profile_add_sample(struct profile *p, uint32_t thread, uint32_t stack, const uint64_t *values)
{
	struct sample_key key = { .thread = thread, .stack = stack };
	struct profile_sample *sample;
	uint32_t id;
	int err;

	if (!p->n_types || thread >= intern_count(p->threads) || stack >= intern_count(p->stacks))
		return -EINVAL;
	err = intern_add(p->samples, &key, sizeof(key), &id);
	if (err < 0)
		return err;
	sample = intern_record(p->samples, id);
	sample->thread = thread;
	sample->stack = stack;
	for (unsigned int i = 0; i < p->n_types; i++)
		sample->values[i] += values[i];
	return 0;
}

int profile_set_lines(struct profile *p, uint32_t location, const struct profile_line *lines,
		      uint32_t n)
{
	struct profile_location *l;
	struct profile_line *copy;

	if (location >= intern_count(p->locations))
		return -EINVAL;
	if (n > MAX_LINES)
		return -EOVERFLOW;
	for (uint32_t i = 0; i < n; i++) {
		if (lines[i].function >= intern_count(p->functions))
			return -EINVAL;
	}
	copy = NULL;
	if (n) {
		copy = intern_alloc(p->locations, n * sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		memcpy(copy, lines, n * sizeof(*copy));
	}
	l = intern_record(p->locations, location);
	l->lines = copy;
	l->n_lines = n;
	l->symbolized = true;
	return 0;
}

uint32_t profile_n_objects(const struct profile *p)
{
	return intern_count(p->objects);
}

uint32_t profile_n_functions(const struct profile *p)
{
	return intern_count(p->functions);
}

uint32_t profile_n_locations(const struct profile *p)
{
	return intern_count(p->locations);
}

uint32_t profile_n_sources(const struct profile *p)
{
	return intern_count(p->sources);
}

uint32_t profile_n_processes(const struct profile *p)
{
	return intern_count(p->processes);
}

uint32_t profile_n_threads(const struct profile *p)
{
	return intern_count(p->threads);
}

uint32_t profile_n_stacks(const struct profile *p)
{
	return intern_count(p->stacks);
}

uint32_t profile_n_samples(const struct profile *p)
{
	return intern_count(p->samples);
}

const struct profile_object *profile_object(const struct profile *p, uint32_t id)
{
	return intern_record(p->objects, id);
}

const struct profile_function *profile_function(const struct profile *p, uint32_t id)
{
	return intern_record(p->functions, id);
}

const struct profile_location *profile_location(const struct profile *p, uint32_t id)
{
	return intern_record(p->locations, id);
}

const struct profile_source *profile_source(const struct profile *p, uint32_t id)
{
	return intern_record(p->sources, id);
}

const struct profile_source *profile_find_source(const struct profile *p, uint32_t object,
						 const char *file)
{
	struct source_key key = { .object = object };
	uint32_t id;

	if (intern_find(p->strings, file, strlen(file) + 1, &key.file) ||
	    intern_find(p->sources, &key, sizeof(key), &id))
		return NULL;
	return intern_record(p->sources, id);
}

const struct profile_process *profile_process(const struct profile *p, uint32_t id)
{
	return intern_record(p->processes, id);
}

const struct profile_thread *profile_thread(const struct profile *p, uint32_t id)
{
	return intern_record(p->threads, id);
}

struct profile_stack profile_stack(const struct profile *p, uint32_t id)
{
	const uint32_t *key = intern_key(p->stacks, id);

	return (struct profile_stack){ .end = key[0],
				       .n = intern_key_size(p->stacks, id) / sizeof(*key) - 1,
				       .locations = key + 1 };
}

const struct profile_sample *profile_sample(const struct profile *p, uint32_t i)
{
	return intern_record(p->samples, i);
}

uint64_t profile_total(const struct profile *p, unsigned int value)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < profile_n_samples(p); i++)
		total += profile_sample(p, i)->values[value];
	return total;
}
