// SPDX-License-Identifier: BSD-2-Clause
/* The shape of ELF files, against readelf and against what the kernel mapped. */
#include <elf.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "symbol_fixture.h"

static int read_shape(const char *path, struct elf_shape *shape)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	assert_true(fd >= 0);
	err = elf_shape_read(fd, shape);
	close(fd);
	return err;
}

/* The executable segments and the build id are those that readelf prints. */
static void compare_with_readelf(const char *path)
{
	struct elf_shape shape;
	char *text, *line, *rest;
	unsigned int n = 0;

	assert_int_equal(read_shape(path, &shape), 0);
	text = output_of("readelf -lW %s | awk '$1 == \"LOAD\" && /E +0x[0-9a-f]+$/ "
			 "{ print $2, $3, $5 }'",
			 path);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		uint64_t offset, address, size;

		assert_int_equal(
			sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNx64, &offset, &address, &size),
			3);
		assert_int_equal(shape.segments[n].offset, offset);
		assert_int_equal(shape.segments[n].address, address);
		assert_int_equal(shape.segments[n].size, size);
		n++;
	}
	assert_int_equal(shape.n_segments, n);
	free(text);
	text = output_of(
		"readelf -nW %s 2>/dev/null | sed -n 's/.*Build ID: //p' | tr -d '\\n'; echo",
		path);
	text[strcspn(text, "\n")] = '\0';
	assert_string_equal(shape.build_id, text);
	free(text);
	text = output_of("readelf -SW %s | grep -c ' SYMTAB ' ; true", path);
	assert_int_equal(shape.has_symtab, atoi(text) != 0);
	free(text);
	text = output_of("readelf -SW %s | grep ' .debug_info' | grep -vc NOBITS ; true", path);
	assert_int_equal(shape.has_debug, atoi(text) != 0);
	free(text);
}

static void test_system_files(void **state)
{
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	assert_true(length > 0);
	self[length] = '\0';
	need("readelf");
	compare_with_readelf(self);
	compare_with_readelf("/bin/ls");
	run("cp \"$(ldd /bin/ls | awk '/libc.so/ { print $3 }')\" libc");
	compare_with_readelf("libc");
}

/*
 * A file offset that the kernel maps gives the address that the symbol table has for the code there,
 * however the program is linked.
 */
static void check_mapping(const char *command)
{
	uint64_t here, start, offset, address = 0;
	struct elf_shape shape;
	char *text;

	run("%s -o where " SOURCES "/where.c", command);
	compare_with_readelf("./where");
	assert_int_equal(read_shape("./where", &shape), 0);
	text = output_of("./where");
	assert_int_equal(sscanf(text, "%" SCNx64 " %" SCNx64 " %" SCNx64, &here, &start, &offset),
			 3);
	free(text);
	assert_true(elf_shape_address(&shape, here - start + offset, &address));
	assert_int_equal(address, value_of("./where", "main"));
	assert_true(elf_shape_mapping(&shape, offset, &address));
	assert_int_equal(address + (here - start), value_of("./where", "main"));
	run("rm where");
}

static void test_links(void **state)
{
	need("gcc readelf");
	check_mapping("gcc -g");
	check_mapping("gcc -no-pie");
	check_mapping("gcc -static");
	check_mapping("gcc -static-pie");
	check_mapping("gcc -Wl,-z,noseparate-code");
}

static void test_address_differs_from_offset(void **state)
{
	struct elf_shape shape;

	need("gcc clang ld.lld readelf");
	check_mapping("clang -fuse-ld=lld");
	check_mapping("clang -fuse-ld=lld -no-pie");
	check_mapping("gcc -no-pie -Wl,--section-start=.text=0x8000000");
	run("clang -fuse-ld=lld -o lld " SOURCES "/where.c");
	assert_int_equal(read_shape("lld", &shape), 0);
	assert_int_not_equal(shape.segments[0].offset, shape.segments[0].address);
}

static void test_musl(void **state)
{
	need("musl-gcc readelf");
	check_mapping("musl-gcc -static");
	check_mapping("musl-gcc -static-pie -fPIE");
}

static void test_other_machines(void **state)
{
	struct elf_shape shape;

	need("clang ld.lld readelf");
	run("clang --target=i386-linux-gnu -nostdlib -static -fuse-ld=lld -Wl,--build-id -o i386 " SOURCES
	    "/alone.c");
	compare_with_readelf("i386");
	assert_int_equal(read_shape("i386", &shape), 0);
	assert_false(shape.is_64);
	assert_int_equal(shape.machine, EM_386);
	run("clang --target=aarch64-linux-gnu -nostdlib -static -fuse-ld=lld -Wl,--build-id=md5 -g "
	    "-o arm64 " SOURCES "/alone.c");
	compare_with_readelf("arm64");
	assert_int_equal(read_shape("arm64", &shape), 0);
	assert_true(shape.is_64);
	assert_int_equal(shape.machine, EM_AARCH64);
	run("clang --target=powerpc64-linux-gnu -nostdlib -static -fuse-ld=lld -o big " SOURCES
	    "/alone.c");
	assert_int_equal(read_shape("big", &shape), -ENOEXEC);
}

static void test_outside(void **state)
{
	struct elf_shape shape = {
		.n_segments = 2,
		.segments = { { 0x1000, 0x401000, 0x100 }, { 0x3000, 0x803000, 0x10 } },
	};
	uint64_t address = 1;

	assert_true(elf_shape_address(&shape, 0x10ff, &address));
	assert_int_equal(address, 0x4010ff);
	assert_true(elf_shape_address(&shape, 0x3000, &address));
	assert_int_equal(address, 0x803000);
	address = 1;
	assert_false(elf_shape_address(&shape, 0x1100, &address));
	assert_false(elf_shape_address(&shape, 0xfff, &address));
	assert_false(elf_shape_address(&shape, UINT64_MAX, &address));
	assert_int_equal(address, 1);
}

/* Two executable segments in one page of the file: each is mapped from that page's start. */
static void test_mapping_of_shared_page(void **state)
{
	struct elf_shape shape = {
		.n_segments = 2,
		.segments = { { 0x1000, 0x401000, 0x17c0 }, { 0x27c0, 0x4037c0, 0x9000 } },
	};
	uint64_t address = 1;

	assert_true(elf_shape_mapping(&shape, 0x1000, &address));
	assert_int_equal(address, 0x401000);
	assert_true(elf_shape_mapping(&shape, 0x2000, &address));
	assert_int_equal(address, 0x403000);
	assert_true(elf_shape_mapping(&shape, 0xb000, &address));
	assert_int_equal(address, 0x40c000);
	address = 1;
	assert_false(elf_shape_mapping(&shape, 0xc000, &address));
	assert_false(elf_shape_mapping(&shape, 0, &address));
	assert_int_equal(address, 1);
}

static void test_no_elf(void **state)
{
	struct elf_shape shape, untouched;
	int fd;

	memset(&shape, 0x5a, sizeof(shape));
	untouched = shape;
	run("echo 'no program' > text; : > empty; printf '\\177ELF' > magic");
	assert_int_equal(read_shape("text", &shape), -ENOEXEC);
	assert_int_equal(read_shape("empty", &shape), -ENOEXEC);
	assert_int_equal(read_shape("magic", &shape), -ENOEXEC);
	assert_int_equal(read_shape("/tmp", &shape), -EISDIR);
	fd = memfd_create("closed", 0);
	close(fd);
	assert_int_equal(elf_shape_read(fd, &shape), -EBADF);
	assert_memory_equal(&shape, &untouched, sizeof(shape));
}

static void test_position_is_kept(void **state)
{
	struct elf_shape shape;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_int_equal(lseek(fd, 17, SEEK_SET), 17);
	assert_int_equal(elf_shape_read(fd, &shape), 0);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 17);
	close(fd);
}

static unsigned char *read_whole(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char *bytes;
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	*size = (size_t)st.st_size;
	bytes = malloc(*size);
	assert_non_null(bytes);
	assert_int_equal(read(fd, bytes, *size), *size);
	close(fd);
	return bytes;
}

static int shape_of_bytes(const void *bytes, size_t size, struct elf_shape *shape)
{
	int fd = memfd_create("bytes", MFD_CLOEXEC), err;

	assert_int_equal(write(fd, bytes, size), size);
	err = elf_shape_read(fd, shape);
	close(fd);
	return err;
}

/* Without section headers, as a packer or sstrip leaves a file, nothing that matters is lost. */
static void test_without_section_headers(void **state)
{
	struct elf_shape whole, bare;
	unsigned char *bytes;
	Elf64_Ehdr *header;
	size_t size;

	need("gcc");
	run("gcc -g -o program " SOURCES "/where.c");
	bytes = read_whole("program", &size);
	assert_int_equal(shape_of_bytes(bytes, size, &whole), 0);
	assert_int_equal(strlen(whole.build_id), 40);
	assert_true(whole.has_symtab && whole.has_debug);
	header = (Elf64_Ehdr *)bytes;
	size = header->e_shoff;
	assert_int_equal(shape_of_bytes(bytes, size, &bare), 0); /* they are cut off */
	assert_string_equal(bare.build_id, whole.build_id);
	assert_int_equal(bare.n_segments, whole.n_segments);
	assert_false(bare.has_symtab || bare.has_debug);
	header->e_shoff = 0;
	header->e_shnum = header->e_shstrndx = 0;
	assert_int_equal(shape_of_bytes(bytes, size, &bare), 0);
	assert_string_equal(bare.build_id, whole.build_id);
	assert_memory_equal(bare.segments, whole.segments, sizeof(bare.segments));
	free(bytes);
}

/* Cut anywhere, and with any byte of its headers changed, a file gives a shape or -ENOEXEC. */
static void test_damage(void **state)
{
	struct elf_shape shape;
	unsigned char *bytes;
	size_t size;

	need("gcc");
	run("gcc -o program " SOURCES "/where.c");
	bytes = read_whole("program", &size);
	for (size_t n = 0; n < size; n += n < 1200 ? 1 : 997) {
		int err = shape_of_bytes(bytes, n, &shape);

		assert_true(err == 0 || err == -ENOEXEC);
		if (n < sizeof(Elf64_Ehdr))
			assert_int_equal(err, -ENOEXEC);
	}
	for (size_t at = 0; at < 1024; at++) {
		unsigned char kept = bytes[at];

		for (unsigned int flip = 1; flip < 256; flip *= 4) {
			int err;

			bytes[at] = (unsigned char)(kept ^ (flip * 3));
			err = shape_of_bytes(bytes, size, &shape);
			assert_true(err == 0 || err == -ENOEXEC);
		}
		bytes[at] = kept;
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_system_files),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_address_differs_from_offset),
		cmocka_unit_test(test_musl),
		cmocka_unit_test(test_other_machines),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_mapping_of_shared_page),
		cmocka_unit_test(test_no_elf),
		cmocka_unit_test(test_position_is_kept),
		cmocka_unit_test(test_without_section_headers),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
