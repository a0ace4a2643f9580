// SPDX-License-Identifier: BSD-2-Clause
#include "user/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/capture.h"
#include "user/arguments.h"
#include "user/message.h"

static void say_failed(const char *path, int err, const struct capture_info *info)
{
	switch (err) {
	case -ENOENT:
		if (strcmp(path, DEFAULT_CAPTURE) == 0)
			error("no %s here: name a capture, or make one: sudo profbpf --pid PID",
			      path);
		else
			error("%s: no such file: name a capture that profbpf has written", path);
		return;
	case -EACCES:
		error("%s: you may not read it: ask its owner, or use sudo", path);
		return;
	case -EISDIR:
		error("%s: is a folder: name a capture in it", path);
		return;
	case -EINVAL:
		error("%s: not a capture of profbpf: name a .profbpf file", path);
		return;
	case -ENODATA:
		error("%s: empty, or cut off before its first samples: record again", path);
		return;
	case -EPROTONOSUPPORT:
		error("%s: a capture of format version %" PRIu32 ", which this profbpf (%s) does "
		      "not know: use the one that recorded it",
		      path, info->version, PROFBPF_VERSION);
		return;
	case -EBADMSG:
		error("%s: damaged: copy it again from where it was recorded, or record again",
		      path);
		return;
	default:
		error("%s: %s", path, strerror(-err));
		return;
	}
}

int input_open(const char *path, FILE **file)
{
	struct stat st;
	FILE *f;

	if (strcmp(path, "-") == 0) {
		*file = stdin;
		return 0;
	}
	f = fopen(path, "re");
	if (!f)
		return -errno;
	if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(f);
		return -EISDIR;
	}
	*file = f;
	return 0;
}

int input_read(const char *path, struct profile **p)
{
	struct capture_info info = { 0 };
	char shown[512];
	FILE *file = NULL;
	int err = input_open(path, &file);

	if (err == 0) {
		err = capture_read(file, p, &info);
		if (file != stdin)
			fclose(file);
	}
	if (strcmp(path, "-") == 0)
		path = "standard input";
	path = printable(path, shown, sizeof(shown));
	if (err < 0) {
		say_failed(path, err, &info);
		return err;
	}
	if (!info.complete)
		warning("%s: cut off: %" PRIu32 " whole slices were read, %" PRIu64
			" bytes after them are lost, and so are names that were to follow",
			path, info.slices, info.ignored_bytes);
	else if (info.ignored_bytes > 0)
		warning("%s: %" PRIu64 " bytes after its end were ignored", path,
			info.ignored_bytes);
	return 0;
}
