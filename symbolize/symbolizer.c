// SPDX-License-Identifier: BSD-2-Clause
/*
 * One object at a time: its distinct addresses in ascending order, the symbol of each, then what
 * DWARF knows.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "symbolize/answers.h"
#include "symbolize/debugfile.h"
#include "symbolize/debuginfod.h"
#include "symbolize/dwarf.h"
#include "symbolize/eh_starts.h"
#include "symbolize/gopclntab.h"
#include "symbolize/image.h"
#include "symbolize/minidebug.h"
#include "symbolize/names.h"
#include "symbolize/names_cache.h"
#include "symbolize/plt.h"
#include "symbolize/symbolize.h"
#include "symbolize/symbols.h"
#include "symbolize/trail.h"

#define MAX_GO_FRAMES 256
#define MAX_PATH (16 * 1024) /* with its directory twice; longer ones are damage */

struct symbolizer {
	const char **debug_dirs; /* NULL-terminated */
	struct debug_places places;
	char *cache_dir; /* NULL: none */
	bool full_names;
};

/* A string made once of a key: a readable name of the linkage name, a path of a directory and a path. */
struct made {
	UT_hash_handle hh;
	char *text;
	char key[];
};

struct address {
	uint64_t value;
	size_t index; /* in what the caller asked */
};

struct symbol_answers {
	struct address *addresses; /* all that were asked, sorted by value */
	size_t n_addresses;
	struct answers *found; /* of this run */
	struct answers *kept; /* of earlier ones, or NULL; the cache's */
	struct names_cache *cache;
};

struct work {
	const struct symbolizer *s;
	struct image *object;
	/* NULL where there is none: a separate file, what that shares with others, what is compressed
	 * in the object. */
	struct image *debug, *shared, *mini;
	struct symbol_table *symbols;
	uint64_t *starts; /* NULL, or of functions that have no symbol */
	struct gopclntab *go; /* made when first needed */
	bool is_go; /* Go's names are readable, and may end like a compiler's suffix */

	struct address *addresses; /* all, sorted by value */
	size_t n_addresses;
	uint64_t *distinct; /* those that the cache does not know */
	struct symbol_hit *hits;
	bool *told;
	size_t n_distinct;

	struct made *names, *paths, *linkages;
	struct symbol_frame *frames;
	size_t frames_capacity;
	struct trail trail;
	struct answers *answers; /* of this run */
	struct answers *kept; /* of earlier ones, or NULL */
};

struct symbolizer *symbolizer_new(const struct symbolizer_options *options)
{
	struct symbolizer *s = calloc(1, sizeof(*s));
	size_t n = 0;

	if (!s || elf_version(EV_CURRENT) == EV_NONE)
		goto fail;
	s->full_names = options && options->full_names;
	if (options && options->cache_dir) {
		s->cache_dir = strdup(options->cache_dir);
		if (!s->cache_dir)
			goto fail;
	}
	while (options && options->debug_dirs && options->debug_dirs[n])
		n++;
	s->debug_dirs = calloc(n + 1, sizeof(*s->debug_dirs));
	if (!s->debug_dirs)
		goto fail;
	for (size_t i = 0; i < n; i++) {
		s->debug_dirs[i] = strdup(options->debug_dirs[i]);
		if (!s->debug_dirs[i])
			goto fail;
	}
	s->places.dirs = s->debug_dirs;
	if (options && options->downloads.urls) {
		s->places.servers = debuginfod_new(&options->downloads);
		if (!s->places.servers)
			goto fail;
	}
	return s;
fail:
	symbolizer_free(s);
	return NULL;
}

void symbolizer_free(struct symbolizer *s)
{
	if (!s)
		return;
	for (const char **dir = s->debug_dirs; dir && *dir; dir++)
		free((char *)*dir);
	free(s->debug_dirs);
	debuginfod_free(s->places.servers);
	free(s->cache_dir);
	free(s);
}

static void free_made(struct made **table)
{
	struct made *m, *next;

	HASH_ITER(hh, *table, m, next) {
		HASH_DEL(*table, m);
		free(m->text);
		free(m);
	}
}

/* The entry of a key, made with NULL text if it is new. NULL when out of memory. */
static struct made *made_of(struct made **table, const void *key, size_t length)
{
	struct made *m;

	HASH_FIND(hh, *table, key, length, m);
	if (m)
		return m;
	m = calloc(1, sizeof(*m) + length + 1);
	if (!m)
		return NULL;
	memcpy(m->key, key, length);
	HASH_ADD_KEYPTR(hh, *table, m->key, length, m);
	if (!m->hh.tbl) {
		free(m);
		return NULL;
	}
	return m;
}

/* These return NULL when out of memory only; the strings live as long as the work. */
static const char *readable(struct work *w, const char *linkage)
{
	struct made *m = made_of(&w->names, linkage, strlen(linkage));

	if (!m)
		return NULL;
	if (!m->text)
		m->text = w->is_go && strncmp(linkage, "_Z", 2) && strncmp(linkage, "_R", 2)
				  ? strdup(linkage)
				  : demangle(linkage, w->s->full_names);
	if (!m->text)
		m->text = strdup(linkage);
	return m->text;
}

static const char *path_of(struct work *w, const char *directory, const char *path)
{
	size_t length = path && directory ? strlen(directory) + 1 : 0;
	char key[2 * MAX_PATH];
	struct made *m;
	size_t size;

	if (!path)
		return "";
	size = length + strlen(path);
	if (length > MAX_PATH || size > sizeof(key))
		return "";
	memcpy(key, directory ? directory : "", length);
	memcpy(key + length, path, size - length);
	m = made_of(&w->paths, key, size);
	if (m && !m->text)
		m->text = path_normalize(directory, path);
	return m ? m->text : NULL;
}

/* Two strings as one. */
static const char *joined(struct work *w, const char *first, size_t length, const char *second)
{
	struct made *m;
	char *key;
	int size = asprintf(&key, "%.*s%s", (int)length, first, second);

	if (size < 0)
		return NULL;
	m = made_of(&w->linkages, key, (size_t)size);
	free(key);
	return m ? m->key : NULL;
}

/* A name of the debug data, which may be of any length, as long as those of symbols at most. */
static const char *bounded(struct work *w, const char *name)
{
	return name && strnlen(name, NAME_LIMIT + 1) > NAME_LIMIT
		       ? joined(w, name, NAME_LIMIT, "...")
		       : name;
}

static const char *linkage_of(struct work *w, const struct symbol_hit *hit)
{
	return joined(w, hit->name, hit->length, hit->stub ? NAME_OF_STUB : "");
}

static int tell(struct work *w, size_t at, const struct symbol_frame *frames, size_t n)
{
	w->told[at] = true;
	return answers_add(w->answers, w->distinct[at], frames, n);
}

static int tell_symbol(struct work *w, size_t at, const struct dwarf_place *place)
{
	const struct symbol_hit *hit = &w->hits[at];
	struct symbol_frame frame = {
		.file = place ? path_of(w, place->directory, place->file) : "",
		.md5 = place ? place->md5 : NULL,
		.line = place ? place->line : 0,
		.column = place ? place->column : 0,
		.discriminator = place ? place->discriminator : 0,
	};

	if (!hit->name)
		return tell(w, at, NULL, 0);
	frame.linkage_name = linkage_of(w, hit);
	frame.name = frame.linkage_name ? readable(w, frame.linkage_name) : NULL;
	if (!frame.name || !frame.file)
		return -ENOMEM;
	return tell(w, at, &frame, 1);
}

static bool is_mangled(const char *name)
{
	return !strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2);
}

/*
 * Whether the symbol at a physical function says more than DWARF does: it is a clone of the function
 * (foo.constprop.0 of foo), or has the mangled name that DWARF lacks, or is Go's, which spells some
 * names otherwise for its linker.
 */
static bool prefer_symbol(const struct work *w, const struct symbol_hit *hit,
			  const struct dwarf_frame *frame)
{
	const char *name = frame->linkage ? frame->linkage : frame->name;
	size_t length = strlen(name);

	if (hit->length > length && hit->name[length] == '.' && !memcmp(hit->name, name, length))
		return true;
	if (frame->linkage || !(w->is_go || (hit->length > 2 && is_mangled(hit->name))))
		return false;
	return dwarf_function_contains(frame->function, hit->start);
}

/* Fills one frame. hit is the symbol of a physical function. False when out of memory. */
static bool make_frame(struct work *w, const struct dwarf_place *place,
		       const struct dwarf_frame *from, const struct symbol_hit *hit,
		       struct symbol_frame *out)
{
	const char *linkage = from->linkage ? from->linkage : from->name;
	bool by_symbol = hit && hit->name && (!linkage || prefer_symbol(w, hit, from));

	if (by_symbol)
		linkage = linkage_of(w, hit);
	else
		linkage = linkage ? bounded(w, linkage) : "<unnamed>";
	if (!linkage)
		return false;
	*out = (struct symbol_frame){
		.linkage_name = linkage,
		.name = from->scope && !by_symbol
				? bounded(w, joined(w, from->scope, strlen(from->scope), linkage))
				: readable(w, linkage),
		.file = path_of(w, place->directory, from->file),
		.md5 = from->md5,
		.line = from->line,
		.column = from->column,
		.discriminator = from->discriminator,
		.start_line = from->start_line,
	};
	return out->name && out->file;
}

static bool has_frames(struct work *w, size_t n)
{
	struct symbol_frame *more;

	if (n <= w->frames_capacity)
		return true;
	more = reallocarray(w->frames, n, sizeof(*more));
	if (!more)
		return false;
	w->frames = more;
	w->frames_capacity = n;
	return true;
}

static int take_place(void *arg, size_t at, const struct dwarf_place *place)
{
	struct work *w = arg;

	if (!place->n)
		return tell_symbol(w, at, place);
	if (!has_frames(w, place->n))
		return -ENOMEM;
	for (size_t i = 0; i < place->n; i++)
		if (!make_frame(w, place, &place->frames[i],
				i + 1 == place->n ? &w->hits[at] : NULL, &w->frames[i]))
			return -ENOMEM;
	return tell(w, at, w->frames, place->n);
}

/* Tells what Go's own table says of an address, if anything; its linker spells some names otherwise. */
static int tell_go(struct work *w, size_t at)
{
	struct gopclntab_frame found[MAX_GO_FRAMES];
	const struct symbol_hit *hit = &w->hits[at];
	uint64_t start;
	size_t n = gopclntab_frames(w->go, w->distinct[at], found, MAX_GO_FRAMES, &start);

	if (!n)
		return 0;
	if (!has_frames(w, n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		bool by_symbol = i + 1 == n && hit->name && !hit->stub && hit->start == start;
		const char *linkage = by_symbol ? linkage_of(w, hit) : found[i].name;

		if (!linkage)
			return -ENOMEM;
		w->frames[i] = (struct symbol_frame){
			.linkage_name = linkage,
			.name = readable(w, linkage),
			.file = path_of(w, NULL, found[i].file),
			.line = found[i].line,
			.start_line = found[i].start_line,
		};
		if (!w->frames[i].name || !w->frames[i].file)
			return -ENOMEM;
	}
	return tell(w, at, w->frames, n);
}

/* Tells of what DWARF does not cover. */
static int tell_rest(struct work *w, const struct symbol_source *source)
{
	bool look = w->is_go;
	int err = 0;

	for (size_t i = 0; i < w->n_distinct && !err; i++) {
		if (w->told[i])
			continue;
		if (look && !w->go) {
			err = gopclntab_read(source->fd, &w->go);
			if (err == -ENOMEM)
				return err;
			look = !err;
		}
		err = w->go ? tell_go(w, i) : 0;
		if (!err && !w->told[i])
			err = tell_symbol(w, i, NULL);
	}
	return err;
}

static int by_value(const void *a, const void *b)
{
	const struct address *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static bool is_kept(struct work *w, uint64_t address)
{
	const struct symbol_frame *frames;
	size_t n;

	return w->kept && answers_find(w->kept, address, &frames, &n);
}

static int sort_addresses(struct work *w, const uint64_t *addresses, size_t n)
{
	w->addresses = calloc(n, sizeof(*w->addresses));
	w->distinct = calloc(n, sizeof(*w->distinct));
	w->hits = calloc(n, sizeof(*w->hits));
	w->told = calloc(n, sizeof(*w->told));
	if (!w->addresses || !w->distinct || !w->hits || !w->told)
		return -ENOMEM;
	w->n_addresses = n;
	for (size_t i = 0; i < n; i++)
		w->addresses[i] = (struct address){ addresses[i], i };
	qsort(w->addresses, n, sizeof(*w->addresses), by_value);
	for (size_t i = 0; i < n; i++) {
		uint64_t value = w->addresses[i].value;

		if (!(i && value == w->addresses[i - 1].value) && !is_kept(w, value))
			w->distinct[w->n_distinct++] = value;
	}
	return 0;
}

/* Whether the file has a section of a name that begins so, with contents. */
static bool has_section(Elf *elf, const char *prefix)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr h;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;

		if (name && h.sh_type != SHT_NOBITS && !strncmp(name, prefix, strlen(prefix)))
			return true;
	}
	return false;
}

static int open_debug_file(struct work *w, const struct symbol_source *source)
{
	int fd = debug_file_open(source, image_elf(w->object), &w->s->places);
	int err = fd < 0 ? fd : image_load(fd, &w->debug);

	if (fd >= 0)
		close(fd);
	return err == -ENOMEM ? err : 0;
}

static int add_dwarf(struct work *w, const struct symbol_source *source, Elf *elf)
{
	struct dwarf_files files = {
		.elf = elf,
		.object = image_elf(w->object),
		.source = source,
		.debug_dirs = w->s->places.dirs,
	};
	int fd = debug_shared_open(source, elf, &w->s->places);
	int err = fd < 0 ? fd : image_load(fd, &w->shared);

	if (fd >= 0)
		close(fd);
	if (err == -ENOMEM)
		return err;
	files.shared = w->shared ? image_elf(w->shared) : NULL;
	return dwarf_names(&files, w->distinct, w->n_distinct, take_place, w);
}

static long add_mini_symbols(struct work *w)
{
	int err = minidebug_load(image_elf(w->object), &w->mini);

	if (err)
		return err == -ENOMEM ? err : 0;
	return symbol_table_add(w->symbols, image_elf(w->mini), SHT_SYMTAB);
}

static int add_starts(struct work *w)
{
	size_t n;
	int err = eh_starts_read(image_elf(w->object), &w->starts, &n);

	if (!err)
		symbol_table_set_starts(w->symbols, w->starts, n);
	return err == -ENOMEM ? err : 0;
}

static int load_symbols(struct work *w)
{
	long n;

	w->symbols = symbol_table_new();
	if (!w->symbols)
		return -ENOMEM;
	n = symbol_table_add(w->symbols, image_elf(w->object), SHT_SYMTAB);
	if (!n && w->debug)
		n = symbol_table_add(w->symbols, image_elf(w->debug), SHT_SYMTAB);
	if (!n)
		n = add_mini_symbols(w);
	if (!n)
		n = add_starts(w);
	if (n >= 0)
		n = symbol_table_add(w->symbols, image_elf(w->object), SHT_DYNSYM);
	if (n >= 0)
		n = plt_add(w->symbols, image_elf(w->object));
	if (n < 0)
		return (int)n;
	return symbol_table_find(w->symbols, w->distinct, w->n_distinct, w->hits);
}

static int name_all(struct work *w, const struct symbol_source *source)
{
	Elf *elf = image_elf(w->object);
	bool has_lines = has_section(elf, ".debug_info");
	int err = has_lines ? 0 : open_debug_file(w, source);

	if (!err)
		err = load_symbols(w);
	w->is_go = has_section(elf, ".gopclntab") || has_section(elf, ".go.buildinfo") ||
		   (!err && symbol_table_is_llgo(w->symbols));
	if (!err && (has_lines || w->debug))
		err = add_dwarf(w, source, has_lines ? elf : image_elf(w->debug));
	return err ? err : tell_rest(w, source);
}

static void work_done(struct work *w)
{
	symbol_table_free(w->symbols);
	free(w->starts);
	gopclntab_free(w->go);
	image_free(w->mini);
	image_free(w->shared);
	image_free(w->debug);
	image_free(w->object);
	free_made(&w->names);
	free_made(&w->paths);
	free_made(&w->linkages);
	free(w->addresses);
	free(w->distinct);
	free(w->hits);
	free(w->told);
	free(w->frames);
	trail_free(&w->trail);
	answers_free(w->answers);
}

/* Names what is not known from earlier runs, and keeps it for later ones. */
static int name_rest(struct work *w, const struct symbol_source *source, struct names_cache *cache)
{
	int err = image_load(source->fd, &w->object);

	if (!err)
		err = name_all(w, source);
	if (!err && cache && w->kept)
		err = answers_merge(w->answers, w->kept);
	if (!err && cache)
		names_cache_write(cache, &w->trail, w->answers);
	return err;
}

int symbolizer_ask(struct symbolizer *s, const struct symbol_source *source,
		   const uint64_t *addresses, size_t n, struct symbol_answers **answers)
{
	struct work w = { .s = s, .answers = answers_new() };
	struct symbol_answers *out = calloc(1, sizeof(*out));
	struct symbol_source traced = *source;
	const struct names_options options = { s->debug_dirs, s->full_names };
	struct names_cache *cache = NULL;
	int err = w.answers && out ? 0 : -ENOMEM;

	traced.trail = &w.trail;
	/* What servers have, and when, is not known. */
	if (n && s->cache_dir && !s->places.servers)
		cache = names_cache_new(s->cache_dir, source, &options);
	if (cache)
		w.kept = names_cache_read(cache, debug_file_look);
	if (n && !err)
		err = sort_addresses(&w, addresses, n);
	if (w.n_distinct && !err)
		err = name_rest(&w, &traced, cache);
	if (!err) {
		*out = (struct symbol_answers){
			.addresses = w.addresses,
			.n_addresses = w.n_addresses,
			.found = w.answers,
			.kept = w.kept,
			.cache = cache,
		};
		*answers = out;
		out = NULL;
		cache = NULL;
		w.addresses = NULL;
		w.answers = NULL;
	}
	work_done(&w);
	names_cache_free(cache);
	free(out);
	return err;
}

/* The order is that of the addresses, wherever the answers are from. */
int symbol_answers_tell(struct symbol_answers *answers, symbol_sink sink, void *arg)
{
	int err = 0;

	for (size_t i = 0; i < answers->n_addresses && err >= 0; i++) {
		const struct address *a = &answers->addresses[i];
		const struct symbol_frame *frames;
		size_t n;

		if (!answers_find(answers->found, a->value, &frames, &n) &&
		    !(answers->kept && answers_find(answers->kept, a->value, &frames, &n)))
			return -ENOMEM;
		err = sink(arg, a->index, frames, n);
	}
	return err < 0 ? err : 0;
}

void symbol_answers_free(struct symbol_answers *answers)
{
	if (!answers)
		return;
	free(answers->addresses);
	answers_free(answers->found);
	names_cache_free(answers->cache);
	free(answers);
}

int symbolizer_object(struct symbolizer *s, const struct symbol_source *source,
		      const uint64_t *addresses, size_t n, symbol_sink sink, void *arg)
{
	struct symbol_answers *answers;
	int err = symbolizer_ask(s, source, addresses, n, &answers);

	if (err)
		return err;
	err = symbol_answers_tell(answers, sink, arg);
	symbol_answers_free(answers);
	return err;
}

int symbolizer_extents(struct symbolizer *s, const struct symbol_source *source,
		       const uint64_t *addresses, size_t n, struct symbol_extent *extents)
{
	struct work w = { .s = s };
	int err;

	if (!n)
		return 0;
	err = image_load(source->fd, &w.object);
	if (!err)
		err = sort_addresses(&w, addresses, n);
	if (!err && !has_section(image_elf(w.object), ".debug_info"))
		err = open_debug_file(&w, source);
	if (!err)
		err = load_symbols(&w);
	for (size_t i = 0, at = 0; !err && i < n; i++) {
		at += w.addresses[i].value != w.distinct[at];
		extents[w.addresses[i].index] =
			(struct symbol_extent){ w.hits[at].start, w.hits[at].end };
	}
	work_done(&w);
	return err;
}
