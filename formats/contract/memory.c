// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/memory.h"

#include <errno.h>

#include "formats/contract/catalog.h"
#include "formats/contract/chains.h"

static uint64_t hash_site(const struct catalog *c, const void *entry)
{
	const struct memory_site *site = entry;

	return bucket_mix(2, site->function);
}

static bool equal_sites(const struct catalog *c, const void *entry, const void *key)
{
	const struct memory_site *a = entry, *b = key;

	return a->function == b->function;
}

static const struct bucket_ops site_ops = {
	.size = sizeof(struct memory_site),
	.hash = hash_site,
	.equal = equal_sites,
};

void memory_init(struct memory *m, const struct catalog *c, uint64_t budget)
{
	*m = (struct memory){ .budget.bytes = budget };
	buckets_init(&m->sites, &site_ops, c);
	buckets_init(&m->chains, &chain_ops, c);
}

void memory_free(struct memory *m)
{
	live_free(&m->allocated_now);
	buckets_free(&m->sites);
	buckets_free(&m->chains);
}

/* The site of a stack's leaf; NULL without a stack. */
static int touch_site(struct memory *m, uint32_t stack, struct memory_site **site)
{
	struct memory_site key = { 0 };
	struct contract_stack seen = { 0 };
	void *entry;
	int err;

	*site = NULL;
	if (stack != CONTRACT_NONE)
		seen = catalog_stack(m->sites.catalog, stack);
	if (seen.n == 0)
		return 0;
	key.function = catalog_function_at(m->sites.catalog, stack, seen.n - 1);
	err = buckets_touch(&m->sites, &key, NULL, 0, &entry);
	if (!err)
		*site = entry;
	return err;
}

static struct memory_site *find_site(struct memory *m, uint32_t function)
{
	const struct memory_site key = { .function = function };

	return function == CONTRACT_NONE ? NULL : buckets_find(&m->sites, &key);
}

/* A site's part of the last peak is its live bytes until these first change after it. */
static void settle_peak(struct memory *m, struct memory_site *site)
{
	if (site->peak == m->peaks)
		return;
	site->live_at_peak = site->live;
	site->peak = m->peaks;
}

static void change_live(struct memory *m, struct memory_site *site, uint64_t old_size,
			uint64_t size)
{
	if (site) {
		settle_peak(m, site);
		site->live = site->live - old_size + size;
		if (size < old_size)
			site->freed += old_size - size;
	}
	m->live = m->live - old_size + size;
	if (size < old_size)
		m->freed += old_size - size;
	if (m->live > m->peak_live) {
		m->peak_live = m->live;
		m->peaks++;
	}
}

static int count_chain(struct memory *m, uint32_t stack)
{
	const struct chain key = {
		.stack = stack,
		.n = catalog_stack(m->sites.catalog, stack).n,
	};
	struct chain *chain;
	void *entry;
	int err = buckets_touch(&m->chains, &key, NULL, 0, &entry);

	chain = entry;
	if (!err)
		chain->samples++;
	return err;
}

static int add_bytes(struct memory *m, struct memory_site *site, uint64_t bytes)
{
	if (__builtin_add_overflow(m->allocated, bytes, &m->allocated))
		return -EOVERFLOW;
	if (site) {
		site->allocated += bytes;
		m->attributed += bytes;
	}
	return 0;
}

/* The first allocation that finds no room ends what was known of all of them. */
static int remember(struct memory *m, uint64_t id, uint64_t size, struct memory_site *site)
{
	if (!budget_take(&m->budget, CONTRACT_LIVE_COST)) {
		live_free(&m->allocated_now);
		return 0;
	}
	change_live(m, site, 0, size);
	return live_add(&m->allocated_now, id, size, site ? site->function : CONTRACT_NONE);
}

int memory_allocate(struct memory *m, uint64_t id, uint64_t size, uint32_t stack)
{
	struct memory_site *site;
	int err;

	if (m->allocations && id <= m->last_id)
		return -EEXIST;
	err = touch_site(m, stack, &site);
	if (!err)
		err = add_bytes(m, site, size);
	if (err)
		return err;
	m->last_id = id;
	m->allocations++;
	if (site) {
		site->allocations++;
		err = count_chain(m, stack);
	}
	return err ? err : remember(m, id, size, site);
}

/* NULL in *a once the budget is spent: then nothing is known of any. */
static int look_up(struct memory *m, uint64_t id, uint64_t old_size, struct allocation **a)
{
	*a = NULL;
	if (m->budget.spent)
		return 0;
	*a = live_find(&m->allocated_now, id);
	if (!*a)
		return -ENOENT;
	return (*a)->size == old_size ? 0 : -EBADMSG;
}

int memory_resize(struct memory *m, uint64_t id, uint64_t old_size, uint64_t size, uint32_t stack)
{
	struct memory_site *site;
	struct allocation *a;
	int err = look_up(m, id, old_size, &a);

	if (!err)
		err = touch_site(m, stack, &site);
	if (!err)
		err = add_bytes(m, site, size > old_size ? size - old_size : 0);
	if (err)
		return err;
	m->resizes++;
	if (site)
		site->resizes++;
	if (a) {
		change_live(m, find_site(m, a->site), old_size, size);
		a->size = size;
	}
	return 0;
}

int memory_release(struct memory *m, uint64_t id, uint64_t old_size)
{
	struct allocation *a;
	int err = look_up(m, id, old_size, &a);

	if (err || !a)
		return err;
	change_live(m, find_site(m, a->site), old_size, 0);
	live_remove(&m->allocated_now, a);
	m->budget.used -= CONTRACT_LIVE_COST;
	return 0;
}

void memory_finish(struct memory *m)
{
	for (uint32_t i = 0; i < m->sites.n; i++)
		settle_peak(m, buckets_at(&m->sites, i));
}
