// SPDX-License-Identifier: BSD-2-Clause
/* Files behind mappings: real files, mapped by this process or a child, then deleted or replaced. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "formats/profile.h"
#include "user/capture/objects.h"
#include "user/capture/procfs.h"

static char folder[64];

static int enter_folder(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/profbpf-objects-XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

/* A copy of a small ELF file with a mark behind its end, that tells which copy was opened. */
static void copy_program(const char *name, const char *program, const char *mark)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "cp --remove-destination %s copy && "
		 "printf %%s %s >> copy",
		 program, mark);
	assert_int_equal(system(command), 0);
	assert_int_equal(rename("copy", name), 0);
}

static void make_copy(const char *name, const char *mark)
{
	copy_program(name, "/bin/true", mark);
}

static void *map_code(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	void *code;

	assert_true(fd >= 0);
	code = mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 4096);
	assert_ptr_not_equal(code, MAP_FAILED);
	close(fd);
	return code;
}

/* What /proc says of the mapping at an address. */
struct sighted {
	uintptr_t at;
	struct object_sighting s;
	char path[4200];
	uint64_t offset;
	bool found;
};

static int take_sighting(void *arg, const struct proc_mapping *m)
{
	struct sighted *seen = arg;

	if (m->start > seen->at || seen->at >= m->end)
		return 0;
	seen->found = true;
	seen->offset = m->offset;
	snprintf(seen->path, sizeof(seen->path), "%s", m->path);
	seen->s = (struct object_sighting){ seen->s.pid, m->start, m->end,
					    m->device,	 m->inode, seen->path };
	return 0;
}

static void see(struct sighted *seen, pid_t pid, const void *at)
{
	*seen = (struct sighted){ .at = (uintptr_t)at, .s.pid = pid };
	assert_int_equal(proc_maps_read(pid, take_sighting, seen), 0);
	assert_true(seen->found);
}

/* Only some may open the mapped file itself; others have the path alone. */
static void need_map_files(const struct sighted *seen)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/map_files/%" PRIx64 "-%" PRIx64, seen->s.start,
		 seen->s.end);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		print_message("no right to open /proc/PID/map_files: skipped\n");
		skip();
	}
	close(fd);
}

struct fixture {
	struct objects *objects;
	struct profile *profile;
};

static void set_up(struct fixture *f)
{
	f->objects = objects_new();
	f->profile = profile_new();
	assert_non_null(f->objects);
	assert_non_null(f->profile);
}

static void tear_down(struct fixture *f)
{
	objects_free(f->objects);
	profile_free(f->profile);
}

static struct object *find(struct fixture *f, const struct sighted *seen)
{
	struct object *object = NULL;

	assert_int_equal(objects_find(f->objects, &seen->s, &object), 0);
	return object;
}

static uint32_t locate(struct fixture *f, struct object *object, uint64_t offset, uint64_t *address)
{
	uint32_t id;

	assert_int_equal(object_locate(object, f->profile, offset, &id, address), 0);
	return id;
}

/* The last bytes of the object's file are the mark. */
static void expect_mark(struct fixture *f, struct object *object, const char *mark)
{
	char tail[64] = "";
	size_t len = strlen(mark);
	uint64_t address;
	struct object_file file = objects_file(f->objects, locate(f, object, 0x1000, &address));
	struct stat st;

	assert_true(file.fd >= 0);
	assert_int_equal(fstat(file.fd, &st), 0);
	assert_int_equal(pread(file.fd, tail, len, st.st_size - len), len);
	assert_string_equal(tail, mark);
}

static void test_address(void **state)
{
	struct fixture f;
	struct sighted seen;
	struct object *object;
	const Elf64_Ehdr *elf = (const void *)getauxval(AT_PHDR);
	uint64_t address, code = (uintptr_t)&test_address;
	uint32_t id;

	/* This program's own load address: where its ELF header is mapped. */
	elf = (const void *)((uintptr_t)elf & ~4095ul);
	assert_memory_equal(elf->e_ident, ELFMAG, SELFMAG);
	assert_int_equal(elf->e_type, ET_DYN);
	set_up(&f);
	see(&seen, getpid(), &test_address);
	object = find(&f, &seen);
	id = locate(&f, object, code - seen.s.start + seen.offset, &address);
	assert_int_equal(address, code - (uintptr_t)elf);
	assert_int_equal(profile_object(f.profile, id)->kind, PROFILE_OBJECT_FILE);
	assert_string_equal(profile_object(f.profile, id)->path, seen.path);
	assert_int_equal(profile_object(f.profile, id)->device, seen.s.device);
	assert_int_equal(profile_object(f.profile, id)->inode, seen.s.inode);
	assert_false(profile_object(f.profile, id)->unopened);
	assert_ptr_equal(find(&f, &seen), object);
	assert_int_equal(locate(&f, object, 0, &address), id);
	assert_int_equal(profile_n_objects(f.profile), 1);
	assert_int_equal(objects_unopened(f.objects), 0);
	tear_down(&f);
}

static void test_deleted(void **state)
{
	struct fixture f;
	struct sighted seen;
	struct object *object;
	uint64_t address;
	void *code;

	make_copy("thing", "first");
	code = map_code("thing");
	unlink("thing");
	see(&seen, getpid(), code);
	need_map_files(&seen);
	set_up(&f);
	object = find(&f, &seen);
	expect_mark(&f, object, "first");
	/* The mark that the kernel puts behind the path is not part of it. */
	assert_non_null(strstr(seen.path, " (deleted)"));
	*strrchr(seen.path, ' ') = 0;
	assert_string_equal(profile_object(f.profile, locate(&f, object, 0, &address))->path,
			    seen.path);
	munmap(code, 8192);
	tear_down(&f);
}

/* An upgrade puts another file under the path while the old one runs on. */
static void test_replaced_on_disk(void **state)
{
	struct fixture f;
	struct sighted old_seen, new_seen;
	struct object *old, *new;
	void *old_code, *new_code;

	make_copy("thing", "older");
	old_code = map_code("thing");
	copy_program("thing", "/bin/false", "newer");
	new_code = map_code("thing");
	see(&old_seen, getpid(), old_code);
	see(&new_seen, getpid(), new_code);
	need_map_files(&old_seen);
	set_up(&f);
	new = find(&f, &new_seen);
	old = find(&f, &old_seen);
	assert_ptr_not_equal(old, new);
	expect_mark(&f, new, "newer");
	expect_mark(&f, old, "older");
	munmap(old_code, 8192);
	munmap(new_code, 8192);
	tear_down(&f);
}

/* Only the path is left, and it names another file: that one's names would be lies. */
static void test_unmapped_and_replaced(void **state)
{
	struct fixture f;
	struct sighted seen;
	struct object *object;
	uint64_t address;
	uint32_t id;
	void *code;

	set_up(&f);
	make_copy("thing", "older");
	code = map_code("thing");
	see(&seen, getpid(), code);
	munmap(code, 8192);
	/* The first stays on disk, so that its inode is not given to the second. */
	assert_int_equal(link("thing", "kept"), 0);
	make_copy("thing", "newer");
	object = find(&f, &seen);
	assert_non_null(object);
	assert_int_equal(objects_unopened(f.objects), 1);
	id = locate(&f, object, 0x1234, &address);
	assert_int_equal(address, 0x1234);
	assert_true(profile_object(f.profile, id)->unopened);
	assert_int_equal(objects_file(f.objects, id).fd, -1);
	tear_down(&f);
}

/* A file that came too late the first time may be there when another process maps it. */
static void test_opened_later(void **state)
{
	struct fixture f;
	struct sighted seen;
	struct object *object;
	uint64_t address;
	uint32_t unopened, id;
	void *code;

	set_up(&f);
	make_copy("thing", "late");
	code = map_code("thing");
	see(&seen, getpid(), code);
	assert_int_equal(rename("thing", "elsewhere"), 0);
	munmap(code, 8192);
	object = find(&f, &seen);
	assert_int_equal(objects_unopened(f.objects), 1);
	unopened = locate(&f, object, 0x1234, &address);
	code = map_code("elsewhere");
	see(&seen, getpid(), code);
	object = find(&f, &seen);
	expect_mark(&f, object, "late");
	id = locate(&f, object, 0x1234, &address);
	assert_int_not_equal(id, unopened);
	assert_false(profile_object(f.profile, id)->unopened);
	assert_true(profile_object(f.profile, unopened)->unopened);
	assert_int_equal(objects_file(f.objects, unopened).fd, -1);
	munmap(code, 8192);
	tear_down(&f);
}

static void test_odd_paths(void **state)
{
	static const char *const names[] = { "with space  two", "line\nbreak",	 "\xff\xfe\x80",
					     "back\\012slash",	"tab\t;(x) [y]", " (deleted)" };
	struct fixture f;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct sighted seen;
		void *code;

		make_copy(names[i], "odd");
		code = map_code(names[i]);
		see(&seen, getpid(), code);
		need_map_files(&seen);
		set_up(&f);
		expect_mark(&f, find(&f, &seen), "odd");
		assert_int_equal(objects_unopened(f.objects), 0);
		munmap(code, 8192);
		tear_down(&f);
	}
}

/* The path has become a fifo, which would block whoever opens it, or leads to a device. */
static void test_fifo_and_device(void **state)
{
	struct fixture f;
	struct sighted seen;
	void *code;

	set_up(&f);
	make_copy("thing", "fifo");
	code = map_code("thing");
	see(&seen, getpid(), code);
	munmap(code, 8192);
	unlink("thing");
	assert_int_equal(mkfifo("thing", 0600), 0);
	assert_non_null(find(&f, &seen));
	assert_int_equal(objects_unopened(f.objects), 1);
	unlink("thing");
	assert_int_equal(symlink("/dev/zero", "thing"), 0);
	seen.s.inode++;
	assert_non_null(find(&f, &seen));
	assert_int_equal(objects_unopened(f.objects), 2);
	tear_down(&f);
}

static void test_gone_process(void **state)
{
	struct fixture f;
	struct sighted seen;
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	set_up(&f);
	see(&seen, getpid(), &test_gone_process);
	seen.s.pid = child;
	/* The path leads to the file in our namespace too. */
	assert_non_null(find(&f, &seen));
	assert_int_equal(objects_unopened(f.objects), 0);
	seen.s.path = "/nonexistent/thing";
	seen.s.inode++;
	assert_non_null(find(&f, &seen));
	assert_int_equal(objects_unopened(f.objects), 1);
	tear_down(&f);
}

static void test_anonymous_and_vdso(void **state)
{
	struct fixture f;
	struct sighted seen;
	struct object *object;
	char magic[SELFMAG];
	uint64_t address;
	uint32_t id;
	int on_stack;

	set_up(&f);
	see(&seen, getpid(), &on_stack);
	assert_null(find(&f, &seen));
	see(&seen, getpid(), (void *)getauxval(AT_SYSINFO_EHDR));
	assert_string_equal(seen.path, "[vdso]");
	object = find(&f, &seen);
	assert_non_null(object);
	id = locate(&f, object, 0x123, &address);
	assert_int_equal(address, 0x123); /* the image is linked at 0 */
	assert_int_equal(profile_object(f.profile, id)->kind, PROFILE_OBJECT_VDSO);
	assert_int_not_equal(*profile_object(f.profile, id)->build_id, 0);
	assert_int_equal(pread(objects_file(f.objects, id).fd, magic, SELFMAG, 0), SELFMAG);
	assert_memory_equal(magic, ELFMAG, SELFMAG);
	tear_down(&f);
}

static void test_before_it_is_mapped(void **state)
{
	struct fixture f;
	struct sighted seen;
	struct object *expected = NULL, *vdso = NULL, *none = NULL;
	void *code;

	set_up(&f);
	make_copy("program", "mark");
	assert_int_equal(objects_find_file(f.objects, "program", &expected), 0);
	expect_mark(&f, expected, "mark");
	code = map_code("program");
	see(&seen, getpid(), code);
	assert_ptr_equal(find(&f, &seen), expected);
	munmap(code, 8192);
	assert_int_equal(objects_find_file(f.objects, "[vdso]", &vdso), 0);
	see(&seen, getpid(), (void *)getauxval(AT_SYSINFO_EHDR));
	assert_ptr_equal(find(&f, &seen), vdso);
	assert_int_equal(mkfifo("fifo", 0700), 0);
	assert_int_equal(objects_find_file(f.objects, "fifo", &none), -ENOENT);
	assert_int_equal(objects_find_file(f.objects, "nothing", &none), -ENOENT);
	assert_null(none);
	tear_down(&f);
}

/* A child with a mount namespace of its own, in which the path is another file than here. */
static pid_t start_in_namespace(int tell, uintptr_t *code)
{
	pid_t child = fork();

	if (child)
		return child;
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", folder, "tmpfs", 0, NULL) || chdir(folder))
		_exit(77);
	make_copy("thing", "inside");
	*code = (uintptr_t)map_code("thing");
	if (write(tell, code, sizeof(*code)) != sizeof(*code))
		_exit(1);
	pause();
	_exit(0);
}

static void test_other_namespace(void **state)
{
	struct fixture f;
	struct sighted seen;
	struct object *object;
	uintptr_t code;
	int ends[2];
	pid_t child;

	make_copy("thing", "outside");
	assert_int_equal(pipe(ends), 0);
	child = start_in_namespace(ends[1], &code);
	close(ends[1]);
	if (read(ends[0], &code, sizeof(code)) != sizeof(code)) {
		close(ends[0]);
		waitpid(child, NULL, 0);
		print_message("no right to make a mount namespace: skipped\n");
		skip();
	}
	close(ends[0]);
	set_up(&f);
	see(&seen, child, (void *)code);
	/* Not even the mapping's own link: only the path in the child's namespace is left. */
	seen.s.start++;
	object = find(&f, &seen);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	expect_mark(&f, object, "inside");
	tear_down(&f);
}

/* Descriptors are kept for others: outputs, /proc, the debug files. */
static void test_descriptors_run_out(void **state)
{
	struct fixture f;
	struct rlimit old, few;
	unsigned int i, before;
	int fd;

	set_up(&f);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = (struct rlimit){ 256, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (i = 0; i < 300; i++) {
		struct sighted seen;
		char name[32];
		void *code;

		snprintf(name, sizeof(name), "thing%u", i);
		fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		assert_int_equal(ftruncate(fd, 16384), 0);
		close(fd);
		code = map_code(name);
		see(&seen, getpid(), code);
		assert_non_null(find(&f, &seen));
		munmap(code, 8192);
	}
	before = objects_unopened(f.objects);
	assert_in_range(before, 300 - 256, 299);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
	setrlimit(RLIMIT_NOFILE, &old);
	tear_down(&f);
}

static unsigned int open_descriptors(void)
{
	unsigned int fd, n = 0;

	for (fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Of files that come and go, those in use and those in the profile stay open, no others. */
static void test_unused_are_dropped(void **state)
{
	struct fixture f;
	struct sighted seen;
	struct object *sampled = NULL, *in_use = NULL, *object;
	unsigned int i, before = open_descriptors();
	uint64_t address;

	set_up(&f);
	assert_false(objects_many(f.objects));
	for (i = 0; i < 100; i++) {
		void *code;

		make_copy("thing", i == 40 ? "sampled" : "other");
		code = map_code("thing");
		see(&seen, getpid(), code);
		object = find(&f, &seen);
		if (i == 40) {
			sampled = object;
			locate(&f, sampled, 0x1000, &address);
		} else if (i == 50) {
			in_use = object;
		}
		munmap(code, 8192);
	}
	assert_int_equal(open_descriptors(), before + 100);
	assert_true(objects_many(f.objects));
	object_mark(in_use);
	objects_drop_unmarked(f.objects);
	assert_false(objects_many(f.objects));
	assert_int_equal(open_descriptors(), before + 2);
	expect_mark(&f, sampled, "sampled");
	/* A mark counts once. */
	objects_drop_unmarked(f.objects);
	assert_int_equal(open_descriptors(), before + 1);
	assert_int_equal(objects_unopened(f.objects), 0);
	tear_down(&f);
	assert_int_equal(open_descriptors(), before);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_address),
		IN_FOLDER(test_deleted),
		IN_FOLDER(test_replaced_on_disk),
		IN_FOLDER(test_unmapped_and_replaced),
		IN_FOLDER(test_opened_later),
		IN_FOLDER(test_odd_paths),
		IN_FOLDER(test_fifo_and_device),
		IN_FOLDER(test_gone_process),
		IN_FOLDER(test_anonymous_and_vdso),
		IN_FOLDER(test_before_it_is_mapped),
		IN_FOLDER(test_other_namespace),
		IN_FOLDER(test_descriptors_run_out),
		IN_FOLDER(test_unused_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
