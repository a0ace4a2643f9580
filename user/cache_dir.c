// SPDX-License-Identifier: BSD-2-Clause
#include "user/cache_dir.h"

#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE_DIR "/var/cache/profbpf"

const char *cache_dir(void)
{
	struct stat st;

	mkdir(CACHE_DIR, 0755);
	if (lstat(CACHE_DIR, &st) || !S_ISDIR(st.st_mode) ||
	    (st.st_uid && st.st_uid != geteuid()) || st.st_mode & (S_IWGRP | S_IWOTH) ||
	    access(CACHE_DIR, W_OK))
		return NULL;
	return CACHE_DIR;
}
