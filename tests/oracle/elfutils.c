// SPDX-License-Identifier: BSD-2-Clause
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/elfutils.h"

struct elfutils {
	pid_t pid;
	Dwfl *dwfl;
	bool attached;
	const struct stop *stop;
	char object[256];
};

static const Dwfl_Callbacks files = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
};

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	struct elfutils *e = arg;

	if (*thread)
		return 0;
	*thread = e;
	return e->stop->tid;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *value, void *arg)
{
	struct elfutils *e = arg;

	return stop_read(e->stop->tid, address, value, sizeof(*value));
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct user_regs_struct *r = &((struct elfutils *)arg)->stop->regs;
	/* By DWARF number (System V ABI, figure 3.36). */
	Dwarf_Word values[17] = { r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi,
				  r->rbp, r->rsp, r->r8,  r->r9,  r->r10, r->r11,
				  r->r12, r->r13, r->r14, r->r15, r->rip };

	return dwfl_thread_state_registers(thread, 0, 17, values);
}

static const Dwfl_Thread_Callbacks threads = {
	.next_thread = next_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

int elfutils_map(struct elfutils *e)
{
	int err;

	dwfl_report_begin(e->dwfl);
	err = dwfl_linux_proc_report(e->dwfl, e->pid);
	if (dwfl_report_end(e->dwfl, NULL, NULL) || err)
		return err > 0 ? -err : -ENOEXEC;
	if (!e->attached)
		e->attached = dwfl_attach_state(e->dwfl, NULL, e->pid, &threads, e);
	return e->attached ? 0 : -ENOEXEC;
}

struct elfutils *elfutils_new(pid_t pid)
{
	struct elfutils *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->pid = pid;
	e->dwfl = dwfl_begin(&files);
	if (!e->dwfl) {
		free(e);
		return NULL;
	}
	return e;
}

void elfutils_free(struct elfutils *e)
{
	if (!e)
		return;
	dwfl_end(e->dwfl);
	free(e);
}

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct chain *chain = arg;
	bool activation;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, &activation) || chain->n == CHAIN_MAX)
		return DWARF_CB_ABORT;
	chain->pc[chain->n++] = activation ? pc : pc - 1;
	return DWARF_CB_OK;
}

void elfutils_walk(struct elfutils *e, const struct stop *stop, struct chain *chain)
{
	chain->n = chain->guesses = 0;
	e->stop = stop;
	chain->end =
		dwfl_getthread_frames(e->dwfl, stop->tid, take_frame, chain) ? dwfl_errno() : 0;
	chain->kept = chain->n;
}

void elfutils_name(struct elfutils *e, uint64_t address, const char **object, const char **function)
{
	Dwfl_Module *module = dwfl_addrmodule(e->dwfl, address);
	const char *name, *path;

	*object = *function = "?";
	if (!module)
		return;
	path = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	if (path) {
		const char *slash = strrchr(path, '/');

		*object = slash ? slash + 1 : path;
	}
	name = dwfl_module_addrname(module, address);
	if (name)
		*function = name;
}
