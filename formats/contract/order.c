// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/order.h"

#include <string.h>

#include "formats/contract/catalog.h"
#include "formats/contract/chains.h"

static int order_texts(struct contract_text a, struct contract_text b)
{
	int order = memcmp(a.s, b.s, a.n < b.n ? a.n : b.n);

	return order ? order : order_numbers(a.n, b.n);
}

static int order_sources(const struct catalog *c, uint32_t a, uint32_t b)
{
	struct contract_source of_a, of_b;

	if (a == b)
		return 0;
	if (a == CONTRACT_NONE || b == CONTRACT_NONE)
		return a == CONTRACT_NONE ? 1 : -1;
	of_a = catalog_source(c, a);
	of_b = catalog_source(c, b);
	if (of_a.origin != of_b.origin)
		return order_numbers(of_a.origin, of_b.origin);
	return order_texts(of_a.path, of_b.path);
}

int order_functions(const struct catalog *c, uint32_t a, uint32_t b)
{
	struct contract_function of_a, of_b;
	int order;

	if (a == b)
		return 0;
	of_a = catalog_function(c, a);
	of_b = catalog_function(c, b);
	order = order_texts(of_a.name_space, of_b.name_space);
	if (!order)
		order = order_texts(of_a.name, of_b.name);
	if (!order)
		order = order_sources(c, of_a.source, of_b.source);
	/* What is not known is the greatest number. */
	if (!order)
		order = order_numbers(of_a.declaration.start, of_b.declaration.start);
	if (!order)
		order = order_numbers(of_a.declaration.end, of_b.declaration.end);
	return order ? order : order_numbers(a, b);
}

int order_chains(const struct catalog *c, const struct chain *a, const struct chain *b)
{
	for (uint32_t i = 0; i < a->n && i < b->n; i++) {
		int order = order_functions(c, catalog_function_at(c, a->stack, i),
					    catalog_function_at(c, b->stack, i));

		if (order)
			return order;
	}
	return order_numbers(a->n, b->n);
}
