/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Mappings of which user space has not told yet, for the current process: found in the kernel's own tree
 * of them, which is read as it is, without a lock. A tick runs with interrupts off, so that nothing
 * that it reads is freed meanwhile, but all may be changing.
 */
#ifndef PROFBPF_MAPPING_H
#define PROFBPF_MAPPING_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/profbpf.h"
#include "bpf/walk/walk.h"

static __always_inline int maple_read(void *to, __u32 size, __u64 address)
{
	return bpf_probe_read_kernel(to, size, (const void *)address);
}

#include "bpf/walk/maple.h"

#define MAPPING_EXECUTABLE 4 /* VM_EXEC, include/linux/mm.h */
#define MAPPING_PAGE_SHIFT 12

/* Of all files whose tables were asked for; user space fills it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct unwind_file_key);
	__type(value, struct unwind_file);
} files SEC(".maps");

/* Not on the stack: 512 bytes are all that functions which call each other may have. */
struct mapping_search {
	struct maple_search tree;
	struct unwind_file_key key;
	struct unwind_range range; /* what is found */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct mapping_search);
} mapping_searches SEC(".maps");

static __always_inline struct mapping_search *mapping_search(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&mapping_searches, &zero);
}

static long mapping_descend(__u32 level, void *unused)
{
	struct mapping_search *s = mapping_search();

	return s ? maple_descend(level, &s->tree) : 1;
}

/* The mapping that holds pc, NULL if there is none. */
static __always_inline struct vm_area_struct *mapping_at(struct mapping_search *s,
							 struct mm_struct *mm, __u64 pc)
{
	if (pc >> 63)
		return NULL;
	s->tree.index = pc;
	BPF_CORE_READ_INTO(&s->tree.at, mm, mm_mt.ma_root);
	if (!maple_is_node(s->tree.at))
		return NULL;
	bpf_loop(MAPLE_LEVELS, mapping_descend, NULL, 0);
	return (struct vm_area_struct *)s->tree.at;
}

/* FMODE_BACKING, include/linux/fs.h: the one bit before Linux 6.14, the other since. */
#define MAPPING_BACKING (3 << 24)

/* Since Linux 6.8; the end of the name is not looked at. */
struct backing_file___profbpf {
	struct file file;
	struct path user_path;
} __attribute__((preserve_access_index));

static __always_inline const struct unwind_file *mapping_by_inode(struct mapping_search *s,
								  struct inode *inode)
{
	s->key.device = BPF_CORE_READ(inode, i_sb, s_dev);
	BPF_CORE_READ_INTO(&s->key.inode, inode, i_ino);
	return bpf_map_lookup_elem(&files, &s->key);
}

/*
 * The vDSO has no file, and no numbers. What an overlay maps is the file that lies below, while all that
 * user space is told are the overlay's own numbers.
 */
static __always_inline const struct unwind_file *mapping_file(struct mapping_search *s,
							      struct file *file)
{
	struct backing_file___profbpf *backing = (void *)file;
	const struct unwind_file *found;

	if (!file) {
		s->key.device = s->key.inode = 0;
		return bpf_map_lookup_elem(&files, &s->key);
	}
	found = mapping_by_inode(s, BPF_CORE_READ(file, f_inode));
	if (found || !bpf_core_field_exists(backing->user_path) ||
	    !(BPF_CORE_READ(file, f_mode) & MAPPING_BACKING))
		return found;
	return mapping_by_inode(s, BPF_CORE_READ(backing, user_path.dentry, d_inode));
}

/* Gives the range its object if the segment holds the offset. */
static __always_inline void mapping_try(const struct unwind_file *f, __u32 i, __u64 offset,
					__u64 bias, struct unwind_range *range)
{
	if (offset - f->segments[i].offset >= f->segments[i].size)
		return;
	range->object = f->object;
	range->bias = f->segments[i].bias + bias;
}

/*
 * Makes w->range the executable mapping of the current process that holds pc. 0 if there is none. Not
 * static and not inlined: the verifier looks at such a function by itself.
 */
__attribute__((noinline)) int mapping_ask(struct walk *w, __u64 pc)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	struct mapping_search *s = mapping_search();
	const struct unwind_file *known;
	struct vm_area_struct *vma;
	struct file *file;
	__u64 bias;
	__u32 i;

	if (!w || !mm || !s)
		return 0;
	vma = mapping_at(s, mm, pc);
	if (!vma)
		return 0;
	BPF_CORE_READ_INTO(&s->range.start, vma, vm_start);
	BPF_CORE_READ_INTO(&s->range.end, vma, vm_end);
	s->range.bias = 0;
	s->range.object = UNWIND_NO_OBJECT;
	s->range.asked = 1;
	if (pc < s->range.start || pc >= s->range.end || BPF_CORE_READ(vma, vm_mm) != mm ||
	    !(BPF_CORE_READ(vma, vm_flags) & MAPPING_EXECUTABLE))
		return 0;
	file = BPF_CORE_READ(vma, vm_file);
	if (file || (__u64)BPF_CORE_READ(mm, context.vdso) == s->range.start) {
		known = mapping_file(s, file);
		bias = (BPF_CORE_READ(vma, vm_pgoff) << MAPPING_PAGE_SHIFT) - s->range.start;
		if (!known)
			s->range.object = UNWIND_NEW_OBJECT;
		for (i = 0; known && i < UNWIND_FILE_SEGMENTS; i++)
			mapping_try(known, i, pc + bias, bias, &s->range);
	}
	w->range = s->range;
	return 1;
}

static __always_inline int walk_ask(struct walk *w, __u64 pc)
{
	return mapping_ask(w, pc);
}

#endif
