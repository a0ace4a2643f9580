// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/oracle/stopper.h"

#define MAX_THREADS 1024
#define OPTIONS (PTRACE_O_TRACECLONE | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC)
#define WAIT_NS 30000
#define PATIENCE 2000 /* waits for a thread to stop */

struct thread {
	pid_t tid, tgid;
	bool halted; /* by us, it goes on when we say so */
	int signal; /* to be delivered when it goes on */
};

struct stopper {
	pid_t pid;
	bool started;
	unsigned int seed;
	struct thread threads[MAX_THREADS];
	size_t n;
	pid_t current; /* the thread last halted, 0: none */
	unsigned int steps; /* to go */
};

static void wait_ns(long ns)
{
	struct timespec t = { .tv_nsec = ns };

	nanosleep(&t, NULL);
}

/* xorshift: the same seed gives the same choices. */
static unsigned int random_below(struct stopper *s, unsigned int n)
{
	s->seed ^= s->seed << 13;
	s->seed ^= s->seed >> 17;
	s->seed ^= s->seed << 5;
	return s->seed % n;
}

static struct thread *find(struct stopper *s, pid_t tid)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->threads[i].tid == tid)
			return &s->threads[i];
	return NULL;
}

static pid_t tgid_of(pid_t tid)
{
	char path[64], line[128];
	int tgid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	f = fopen(path, "re");
	while (f && !tgid && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %d", &tgid) != 1)
			tgid = 0;
	if (f)
		fclose(f);
	return tgid;
}

static struct thread *add(struct stopper *s, pid_t tid)
{
	if (s->n == MAX_THREADS)
		return NULL;
	s->threads[s->n] = (struct thread){ .tid = tid, .tgid = tgid_of(tid) };
	return &s->threads[s->n++];
}

static void forget(struct stopper *s, pid_t tid)
{
	struct thread *t = find(s, tid);

	if (t)
		*t = s->threads[--s->n];
	if (s->current == tid)
		s->current = 0;
}

static void go_on(struct thread *t, bool step)
{
	int signal = t->signal;

	t->halted = false;
	t->signal = 0;
	ptrace(step ? PTRACE_SINGLESTEP : PTRACE_CONT, t->tid, 0, signal);
}

/*
 * Takes note of what waitpid told. A thread that reports anything else than what it was asked for goes
 * on at once, unless it is the one that is wanted.
 */
static void take_note(struct stopper *s, pid_t tid, int status, pid_t wanted)
{
	struct thread *t = find(s, tid);
	int event = status >> 16, signal;

	if (!WIFSTOPPED(status)) {
		forget(s, tid);
		return;
	}
	if (!t)
		t = add(s, tid);
	if (!t)
		return;
	signal = WSTOPSIG(status);
	if (event == PTRACE_EVENT_EXEC && t->tgid != s->pid) {
		ptrace(PTRACE_DETACH, tid, 0, 0);
		forget(s, tid);
		return;
	}
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP && tid != wanted) {
		ptrace(PTRACE_LISTEN, tid, 0, 0);
		return;
	}
	/* The trap of a step may come late; the program has none of its own. */
	if (!event && signal != SIGTRAP)
		t->signal = signal;
	t->halted = true;
	if (tid != wanted || event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_VFORK)
		go_on(t, false);
}

/* Waits until a thread halts. False: it has gone, or takes too long. */
static bool wait_for(struct stopper *s, pid_t tid)
{
	for (int patience = PATIENCE; patience && find(s, tid);) {
		int status;
		pid_t got = waitpid(-1, &status, __WALL | WNOHANG);

		if (got < 0)
			return false;
		if (got > 0) {
			take_note(s, got, status, tid);
			if (got == tid && find(s, tid) && find(s, tid)->halted)
				return true;
			continue;
		}
		patience--;
		wait_ns(WAIT_NS);
	}
	return false;
}

static bool is_running(const struct thread *t)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", t->tid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);
	return state == 'R';
}

/* One that runs, for sleeping threads have one stack only; of several any. */
static struct thread *choose(struct stopper *s)
{
	size_t first = random_below(s, s->n);

	if (random_below(s, 16))
		for (size_t i = 0; i < s->n; i++) {
			struct thread *t = &s->threads[(first + i) % s->n];

			if (is_running(t))
				return t;
		}
	return &s->threads[first];
}

static bool halt(struct stopper *s)
{
	struct thread *t = choose(s);
	pid_t tid = t->tid;

	if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) || !wait_for(s, tid))
		return false;
	s->current = tid;
	s->steps = random_below(s, 4) ? 0 : 1 + random_below(s, 24);
	return true;
}

static bool step(struct stopper *s)
{
	pid_t tid = s->current;

	s->steps--;
	go_on(find(s, tid), true);
	if (wait_for(s, tid))
		return true;
	/* It sleeps in a system call. */
	s->steps = 0;
	s->current = 0;
	return false;
}

static void drain(struct stopper *s)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
		take_note(s, tid, status, 0);
}

int stopper_next(struct stopper *s, struct stop *stop)
{
	while (s->n) {
		bool halted;

		if (s->current && s->steps) {
			halted = step(s);
		} else {
			if (s->current)
				go_on(find(s, s->current), false);
			s->current = 0;
			wait_ns(50000 + random_below(s, 1950) * 1000l);
			drain(s);
			halted = s->n && halt(s);
		}
		if (!halted || ptrace(PTRACE_GETREGS, s->current, 0, &stop->regs))
			continue;
		stop->tid = s->current;
		stop->pid = s->pid;
		return 1;
	}
	return 0;
}

static int start_child(struct stopper *s, char **argv)
{
	int gate[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char byte = 0;

	if (null < 0 || pipe2(gate, O_CLOEXEC))
		return -errno;
	s->pid = fork();
	if (s->pid < 0)
		return -errno;
	if (!s->pid) {
		close(gate[1]);
		/* Standard output is for the findings. */
		if (dup2(null, 1) == 1 && read(gate[0], &byte, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	close(gate[0]);
	close(null);
	if (ptrace(PTRACE_SEIZE, s->pid, 0, OPTIONS | PTRACE_O_EXITKILL) ||
	    write(gate[1], &byte, 1) != 1)
		return -errno;
	close(gate[1]);
	return add(s, s->pid) ? 0 : -ENOMEM;
}

static struct stopper *create(unsigned int seed)
{
	struct stopper *s = calloc(1, sizeof(*s));

	if (s)
		s->seed = seed ? seed : 1;
	return s;
}

int stopper_start(char **argv, unsigned int seed, struct stopper **stopper)
{
	struct stopper *s = create(seed);
	int err;

	if (!s)
		return -ENOMEM;
	s->started = true;
	err = start_child(s, argv);
	if (err)
		stopper_free(s);
	else
		*stopper = s;
	return err;
}

int stopper_attach(pid_t pid, unsigned int seed, struct stopper **stopper)
{
	struct stopper *s = create(seed);
	char path[64];
	struct dirent *entry;
	DIR *tasks;

	if (!s)
		return -ENOMEM;
	s->pid = pid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks)) != NULL) {
		pid_t tid = atoi(entry->d_name);

		if (tid && !ptrace(PTRACE_SEIZE, tid, 0, OPTIONS))
			add(s, tid);
	}
	if (tasks)
		closedir(tasks);
	if (!s->n) {
		free(s);
		return -ESRCH;
	}
	*stopper = s;
	return 0;
}

/* A process's end is told when those of all its threads have been heard of. */
static void end_all(struct stopper *s)
{
	for (size_t i = 0; i < s->n; i++)
		kill(s->threads[i].tgid, SIGKILL);
	kill(s->pid, SIGKILL);
	while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
		;
}

static void leave_all(struct stopper *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->threads[i].tid != s->current)
			ptrace(PTRACE_INTERRUPT, s->threads[i].tid, 0, 0);
	for (size_t i = 0; i < s->n; i++) {
		struct thread *t = &s->threads[i];

		if (t->tid == s->current || waitpid(t->tid, NULL, __WALL) == t->tid)
			ptrace(PTRACE_DETACH, t->tid, 0, t->signal);
	}
}

void stopper_free(struct stopper *s)
{
	if (!s)
		return;
	if (s->started && s->pid > 0)
		end_all(s);
	else
		leave_all(s);
	free(s);
}
