// SPDX-License-Identifier: BSD-2-Clause
/* The bytes are a list of kernel symbols; its own addresses are looked up in it. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbolize/symbolize.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzzed", MFD_CLOEXEC);
	struct kernel_symbols *k = NULL;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!kernel_symbols_new(path, &k)) {
		for (size_t i = 0; i + 8 <= size && i < 512; i++) {
			const char *name = NULL, *module = NULL;
			uint64_t address, start = 0;

			memcpy(&address, data + i, sizeof(address));
			address = i % 2 ? address : 0xffffffff81000000 + i;
			if (kernel_symbols_find(k, address, &name, &module, &start) &&
			    (start > address || !*name || strlen(module) > size))
				abort();
		}
	}
	kernel_symbols_free(k);
	close(fd);
	return 0;
}
