// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/collector.h"

#include <stdlib.h>
#include <string.h>

static struct contract_text keep(char **at, struct contract_text text)
{
	struct contract_text kept = { *at, text.n };

	memcpy(*at, text.s, text.n + 1);
	*at += text.n + 1;
	return kept;
}

struct collector *collector_new(const struct contract_config *config)
{
	struct collector *c = calloc(1, sizeof(*c));
	char *at;

	if (!c)
		return NULL;
	c->config = *config;
	c->catalog = catalog_new();
	c->names = malloc(config->backend.n + config->coverage.n + 2);
	if (!c->catalog || !c->names) {
		catalog_free(c->catalog);
		free(c->names);
		free(c);
		return NULL;
	}
	at = c->names;
	c->config.backend = keep(&at, config->backend);
	c->config.coverage = keep(&at, config->coverage);
	cpu_init(&c->cpu, c->catalog, config->budget);
	memory_init(&c->memory, c->catalog, config->budget);
	if (!contract_can(config->mode, config->capabilities))
		collector_note(c, CONTRACT_BACKEND_UNSUPPORTED);
	return c;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	cpu_free(&c->cpu);
	memory_free(&c->memory);
	catalog_free(c->catalog);
	free(c->names);
	free(c);
}

void collector_note(struct collector *c, enum contract_reason reason)
{
	c->reasons |= 1U << reason;
}

int collector_finish(struct collector *c, const struct contract_end *end)
{
	c->end = *end;
	if (end->termination == CONTRACT_INTERRUPTED)
		collector_note(c, CONTRACT_INTERRUPT);
	if (c->config.mode == CONTRACT_MEMORY) {
		memory_finish(&c->memory);
		if (c->memory.budget.spent)
			collector_note(c, CONTRACT_RETENTION_METADATA_LIMIT);
		return 0;
	}
	if (c->cpu.budget.spent)
		collector_note(c, CONTRACT_CPU_METADATA_LIMIT);
	return cpu_finish(&c->cpu);
}

enum contract_reason collector_reason(const struct collector *c)
{
	return c->reasons ? (enum contract_reason)__builtin_ctz(c->reasons) : CONTRACT_NO_REASON;
}

const char *collector_status(const struct collector *c)
{
	switch (collector_reason(c)) {
	case CONTRACT_NO_REASON:
		return "complete";
	case CONTRACT_BACKEND_UNSUPPORTED:
		return "unavailable";
	default:
		return "partial";
	}
}
