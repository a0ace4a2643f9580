// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/profbpf.h"
#include "user/capture/threads.h"

/* The kernel hands out no more than it has room for at once, 32 KiB. */
#define READ_AT_ONCE (64 << 10)

struct threads {
	char *bytes;
	size_t n, room;
};

void threads_free(struct threads *t)
{
	if (!t)
		return;
	free(t->bytes);
	free(t);
}

static int read_all(struct threads *t, int fd)
{
	ssize_t got;

	do {
		if (t->room - t->n < READ_AT_ONCE) {
			size_t room = 2 * t->room + READ_AT_ONCE;
			char *bytes = realloc(t->bytes, room);

			if (!bytes)
				return -ENOMEM;
			t->bytes = bytes;
			t->room = room;
		}
		got = read(fd, t->bytes + t->n, READ_AT_ONCE);
		if (got > 0)
			t->n += got;
	} while (got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN)));
	return got < 0 ? -errno : 0;
}

static int read_iterator(struct threads *t, const struct bpf_program *program, pid_t pid)
{
	union bpf_iter_link_info info = { .task.pid = pid };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info,
		    .link_info_len = sizeof(info));
	struct bpf_link *link = bpf_program__attach_iter(program, &options);
	int fd, err;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	err = fd < 0 ? fd : read_all(t, fd);
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}

int threads_new(const struct bpf_program *program, pid_t pid, struct threads **threads)
{
	struct threads *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	err = read_iterator(t, program, pid);
	if (err) {
		threads_free(t);
		return err;
	}
	*threads = t;
	return 0;
}

int threads_each(const struct threads *t, int (*fn)(void *arg, const struct thread_record *r),
		 void *arg)
{
	size_t at = 0, size;
	int err = 0;

	while (!err && t->n - at >= PROFBPF_THREAD_HEADER) {
		const struct thread_record *r = (const struct thread_record *)(t->bytes + at);

		size = PROFBPF_THREAD_HEADER + r->stack.n_frames * sizeof(r->stack.frames[0]);
		if (size > t->n - at)
			return -EIO;
		err = fn(arg, r);
		at += size;
	}
	return err < 0 ? err : 0;
}
