// SPDX-License-Identifier: BSD-2-Clause
/* The bytes are what an earlier run left: first a trail of files, as long as the first number tells, then answers. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "symbolize/answers.h"
#include "symbolize/symbolize.h"
#include "symbolize/trail.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nothing of the machine's is looked at. */
static bool look(const char *root, const char *path, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	return strlen(root) + strlen(path) > 8;
}

/* Touches all that is told, so that the sanitizers see it. */
static size_t ask(struct answers *answers, uint64_t address)
{
	const struct symbol_frame *frames;
	size_t n, length = 0;

	if (!answers_find(answers, address, &frames, &n))
		return 0;
	for (size_t i = 0; i < n; i++)
		length += strlen(frames[i].name) + strlen(frames[i].linkage_name) +
			  strlen(frames[i].file);
	return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct answers *answers, *more;
	uint16_t trail;
	void *copy;

	if (size < sizeof(trail))
		return 0;
	memcpy(&trail, data, sizeof(trail));
	data += sizeof(trail);
	size -= sizeof(trail);
	if (trail > size)
		trail = (uint16_t)size;
	if (trail_holds(data, trail, "/root", look)) {
		struct trail again = { 0 };

		trail_merge(&again, data, trail);
		if (!trail_holds(again.bytes, again.size, "/root", look) || again.size > trail)
			abort();
		trail_free(&again);
	}
	data += trail;
	size -= trail;
	copy = malloc(size + 1); /* aligned, as a mapped file is */
	if (!copy)
		abort();
	memcpy(copy, data, size);
	if (!answers_unpack(copy, size, &answers)) {
		more = answers_new();
		if (!more)
			abort();
		for (uint64_t address = 0; address < 256; address++)
			ask(answers, address);
		if (!answers_merge(more, answers))
			for (uint64_t address = 0; address < 256; address++)
				if (ask(more, address) != ask(answers, address))
					abort();
		answers_free(more);
		answers_free(answers);
	}
	free(copy);
	return 0;
}
