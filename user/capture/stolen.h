/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PROFBPF_STOLEN_H
#define PROFBPF_STOLEN_H

#include <stdint.h>

/*
 * Where KVM tells a guest how long it took the CPU away (Documentation/virt/kvm/x86/msr.rst,
 * MSR_KVM_STEAL_TIME): a variable of each CPU. Returns how many bytes it lies behind the scheduler's
 * queue of the same CPU, whose address a kernel program can find; 0 on other machines.
 */
int64_t stolen_place(void);

#endif
