/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * verify OBJECT: loads the kernel programs of an object file with the verifier's statistics on, and
 * prints them as JSON: instructions looked at and time, a program, and the time of the whole load. On a
 * refusal, libbpf's messages with the verifier's log.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LOG_BYTES = 1 << 16,
	LOG_STATS = 4, /* BPF_LOG_STATS, include/linux/bpf_verifier.h */
	MAX_PROGRAMS = 32,
};

static char logs[MAX_PROGRAMS][LOG_BYTES];

static int print_warning(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

static long long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static long number_after(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtol(at + strlen(word), NULL, 10) : -1;
}

static int log_into(struct bpf_object *object)
{
	struct bpf_program *program;
	size_t n = 0;

	bpf_object__for_each_program(program, object)
	{
		if (n == MAX_PROGRAMS)
			return -E2BIG;
		bpf_program__set_log_level(program, LOG_STATS);
		bpf_program__set_log_buf(program, logs[n++], LOG_BYTES);
	}
	return 0;
}

static void print_programs(const struct bpf_object *object)
{
	struct bpf_program *program;
	size_t n = 0;

	bpf_object__for_each_program(program, object)
	{
		printf("%s{\"name\":\"%s\",\"instructions\":%zu,\"processed\":%ld,\"us\":%ld}",
		       n ? "," : "", bpf_program__name(program), bpf_program__insn_cnt(program),
		       number_after(logs[n], "processed "),
		       number_after(logs[n], "verification time "));
		n++;
	}
}

/* Loads once more as libbpf does by itself: only then it shows the log of the program that was refused. */
static void show_refusal(const char *path)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);

	libbpf_set_print(print_warning);
	if (object)
		bpf_object__load(object);
	bpf_object__close(object);
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	long long start;
	int err;

	if (argc != 2) {
		fprintf(stderr, "usage: verify OBJECT\n");
		return 2;
	}
	libbpf_set_print(NULL);
	object = bpf_object__open_file(argv[1], NULL);
	if (!object) {
		fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	err = log_into(object);
	start = now_us();
	err = err ? err : bpf_object__load(object);
	if (err) {
		show_refusal(argv[1]);
		fprintf(stderr, "%s: %s\n", argv[1], strerror(-err));
	} else {
		printf("{\"load_us\":%lld,\"programs\":[", now_us() - start);
		print_programs(object);
		printf("]}\n");
	}
	bpf_object__close(object);
	return err ? 1 : 0;
}
