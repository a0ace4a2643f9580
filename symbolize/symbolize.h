/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From addresses in an object to functions, lines and inlined calls. Knows nothing of samples.
 */
#ifndef PROFBPF_SYMBOLIZE_H
#define PROFBPF_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- the shape of an ELF file, read early and kept --- */

#define ELF_SHAPE_SEGMENTS 16

/* What the capture needs of a file while sampling: its build id and its loadable segments. */
struct elf_shape {
	char build_id[2 * 64 + 1]; /* lower-case hexadecimal, "" if none */
	unsigned int n_segments; /* executable PT_LOAD only */
	struct elf_segment {
		uint64_t offset, address, size; /* p_offset, p_vaddr, p_filesz */
	} segments[ELF_SHAPE_SEGMENTS];
	bool is_64, has_symtab, has_debug;
	uint16_t machine; /* e_machine */
};

/*
 * Reads the shape from an open file; reads only headers and notes, works without section headers.
 * The descriptor's position is not used or changed. Returns 0, -ENOEXEC (not ELF, or damaged),
 * -errno.
 */
int elf_shape_read(int fd, struct elf_shape *shape);

/* The address in the object's own address space of a file offset; false if no executable segment
 * covers it. */
bool elf_shape_address(const struct elf_shape *shape, uint64_t offset, uint64_t *address);

/* The same for the file offset at which an executable mapping starts. That is a page's, so the start may
 * be before the segment that is mapped, in what another one covers too. */
bool elf_shape_mapping(const struct elf_shape *shape, uint64_t offset, uint64_t *address);

/* --- names --- */

/* One function at a place, and the line in it that was executing or calling. */
struct symbol_frame {
	const char *name; /* for people: demangled; never NULL */
	const char *linkage_name; /* as in the object; never NULL */
	const char *file; /* "" if unknown; as recorded in the debug data, made absolute */
	const unsigned char
		*md5; /* of the file's contents, 16 bytes, as DWARF 5 has it; NULL: unknown */
	uint32_t line, column; /* 0: unknown */
	uint32_t
		discriminator; /* of the blocks of code that the line has, 0: the only one, or unknown */
	uint32_t start_line; /* of the function's declaration, 0: unknown */
};

/*
 * Called once for each address asked for, with its frames: the innermost inlined function first,
 * the physical function last; n = 0 if nothing is known. index is that in the array of addresses.
 * The frames are valid during the call only. A negative return value stops the work and is returned.
 */
typedef int (*symbol_sink)(void *arg, size_t index, const struct symbol_frame *frames, size_t n);

struct symbolizer;

/*
 * Debug files from servers that speak debuginfod's protocol: where, and what is told on the way. Calls
 * come during symbolizer_object.
 */
struct symbolizer_downloads {
	const char *urls; /* separated by spaces or commas; NULL: no server is asked */
	/* Called about each second, with the bytes that came and are to come (0: unknown); false ends
	 * it, and nothing more is asked of a server. May be NULL. */
	bool (*go_on)(void *arg, uint64_t got, uint64_t size);
	/* Called with a line on what went wrong, for people; may hold anything. May be NULL. */
	void (*note)(void *arg, const char *text);
	void *arg;
};

struct symbolizer_options {
	/* Further folders with separate debug files (laid out as /usr/lib/debug), NULL-terminated;
	 * may be NULL. /usr/lib/debug is always looked at. */
	const char *const *debug_dirs;
	bool full_names; /* with parameters and the suffixes of compilers' clones and parts */
	struct symbolizer_downloads downloads;
	/* Where results are kept for the next run, a folder that only root or the user can write to; NULL:
	 * nowhere. They are the same with it and without. */
	const char *cache_dir;
};

struct symbolizer *symbolizer_new(const struct symbolizer_options *options);
void symbolizer_free(struct symbolizer *s);

struct trail;

struct symbol_source {
	int fd; /* the object itself, open for reading; stays the caller's */
	const char *path; /* as the process saw it: a debug file is looked for beside it */
	const char *root; /* prefix to path and debug folders for another mount namespace
			   * ("/proc/PID/root"), "" for ours; tried first */
	struct trail *trail; /* NULL: the symbolizer's own */
};

/*
 * Names n addresses of one object (in its own address space) in one pass: its symbols and debug
 * data are read, each compile unit is looked at once, each distinct address once, and all is
 * let go again, so that memory is bound by the largest object. Addresses are told in ascending order, equal ones
 * in that in which they were given.
 *
 * DWARF, the object's own or else a separate debug file's (by build id, by debuglink with its CRC
 * checked), with what dwz took out of it and with split units (.dwo, .dwp, by their ids), gives lines,
 * inlined calls and the names of the functions that it covers. What a Go program's own table knows of the same comes next. Symbols name the rest: .symtab, where the object has
 * none the debug file's or what is compressed in .gnu_debugdata, and .dynsym; sizes are honoured, so that
 * a gap between symbols has no name. A stub of a procedure linkage table is "function@plt". Files are
 * only opened if they are regular ones.
 *
 * Returns 0 also if nothing was found; -ENOEXEC if the object is no ELF file; -errno; the sink's
 * value.
 */
int symbolizer_object(struct symbolizer *s, const struct symbol_source *source,
		      const uint64_t *addresses, size_t n, symbol_sink sink, void *arg);

/*
 * The same in two steps, where the first need not be the caller's: several threads may ask at once, of one
 * symbolizer, where it asks no servers, and of the same files. What an object takes is let go by the thread that asked,
 * and what it found can be told by another one, as symbolizer_object tells it. The answers are the caller's, set if 0 is
 * returned, and not bound to the source, nor to the symbolizer.
 */
struct symbol_answers;
int symbolizer_ask(struct symbolizer *s, const struct symbol_source *source,
		   const uint64_t *addresses, size_t n, struct symbol_answers **answers);
int symbol_answers_tell(struct symbol_answers *answers, symbol_sink sink, void *arg);
/* Accepts NULL. */
void symbol_answers_free(struct symbol_answers *answers);

struct symbol_extent {
	uint64_t start, end; /* both 0: no symbol covers the address; equal: one without a size */
};

/*
 * Finds the extents of the symbols that cover n addresses of one object, in its own address space, by
 * the same symbols as above. Returns 0; -ENOEXEC if the object is no ELF file; -errno.
 */
int symbolizer_extents(struct symbolizer *s, const struct symbol_source *source,
		       const uint64_t *addresses, size_t n, struct symbol_extent *extents);

/* --- the kernel's names --- */

struct kernel_symbols;

/*
 * Reads the kernel's symbols from /proc/kallsyms (path NULL) or a file of that form. Returns 0;
 * -EPERM if the addresses are hidden (kernel.kptr_restrict, or missing CAP_SYSLOG): all are zero
 * then; -errno.
 */
int kernel_symbols_new(const char *path, struct kernel_symbols **symbols);
void kernel_symbols_free(struct kernel_symbols *k);

/*
 * The function at an address. name and module belong to k; module is "" for the kernel proper.
 * Returns false where no symbol covers the address.
 */
bool kernel_symbols_find(const struct kernel_symbols *k, uint64_t address, const char **name,
			 const char **module, uint64_t *start);

/* --- demangling --- */

/*
 * The readable form of a linkage name: C++ without parameters, Rust v0 and legacy without hashes,
 * and any name without the suffix of a compiler's clone or part (".constprop.0", ".cold"); full
 * keeps parameters and suffixes. "@plt" stays at the end. malloc'd, the caller frees it; NULL if the name is readable as it
 * is, does not demangle, is longer than 4,096 bytes, or out of memory: it is then shown as it is.
 */
char *demangle(const char *name, bool full);

#endif
