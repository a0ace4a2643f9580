/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdbool.h>
#include <string.h>

#include <bpf/btf.h>

#include "user/capture/stolen.h"

#ifdef __x86_64__
#include <cpuid.h>

#define HYPERVISOR (1u << 31) /* ecx of leaf 1 */
/* Documentation/virt/kvm/x86/cpuid.rst. Where KVM acts like another hypervisor, too, its own leaves come after
 * that one's. */
#define FIRST_LEAF 0x40000000u
#define LAST_LEAF 0x40010000u
#define LEAVES 0x100
#define KVM_STEAL_TIME (1u << 5) /* eax of the second leaf */

static bool kvm_tells(void)
{
	unsigned int leaf, a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & HYPERVISOR))
		return false;
	for (leaf = FIRST_LEAF; leaf < LAST_LEAF; leaf += LEAVES) {
		__cpuid(leaf, a, b, c, d);
		if (memcmp(&b, "KVMK", 4) || memcmp(&c, "VMKV", 4) || memcmp(&d, "M\0\0", 4))
			continue;
		__cpuid(leaf + 1, a, b, c, d);
		return a & KVM_STEAL_TIME;
	}
	return false;
}
#else
static bool kvm_tells(void)
{
	return false;
}
#endif

/* Not by the addresses of symbols: many kernels do not tell those of variables. */
static int64_t variable_offset(const struct btf *btf, const struct btf_type *section,
			       const char *name)
{
	const struct btf_var_secinfo *v = btf_var_secinfos(section);
	int i;

	for (i = 0; i < btf_vlen(section); i++) {
		const struct btf_type *variable = btf__type_by_id(btf, v[i].type);

		if (!strcmp(btf__name_by_offset(btf, variable->name_off), name))
			return v[i].offset;
	}
	return -1;
}

int64_t stolen_place(void)
{
	struct btf *btf = kvm_tells() ? btf__load_vmlinux_btf() : NULL;
	int id = btf ? btf__find_by_name_kind(btf, ".data..percpu", BTF_KIND_DATASEC) : -1;
	int64_t queue = -1, told = -1;

	if (id > 0) {
		queue = variable_offset(btf, btf__type_by_id(btf, id), "runqueues");
		told = variable_offset(btf, btf__type_by_id(btf, id), "steal_time");
	}
	btf__free(btf);
	return queue < 0 || told < 0 ? 0 : told - queue;
}
