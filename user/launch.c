// SPDX-License-Identifier: BSD-2-Clause
#include "user/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/arguments.h"

struct launch {
	pid_t pid;
	int pidfd;
	int go; /* a byte starts the program, the end of file ends the child */
	int result; /* errno of a failed exec, end of file after a good one */
	bool started, ended;
	int status; /* as wait(2) gives it */
};

/* Who the command runs as. */
struct identity {
	bool change;
	uid_t uid;
	gid_t gid;
	char *name; /* NULL: a user without an entry */
	char *home;
};

static void identity_clear(struct identity *id)
{
	free(id->name);
	free(id->home);
}

/* The user who called sudo(8), from the variables that it sets. */
static int identity_of_caller(struct identity *id)
{
	const char *uid_text = getenv("SUDO_UID"), *gid_text = getenv("SUDO_GID");
	const struct passwd *entry;
	uint64_t uid, gid;

	if (geteuid() != 0 || !uid_text || !gid_text ||
	    number_parse(uid_text, 0, UINT32_MAX - 1, &uid) < 0 ||
	    number_parse(gid_text, 0, UINT32_MAX - 1, &gid) < 0)
		return 0;
	id->change = true;
	id->uid = (uid_t)uid;
	id->gid = (gid_t)gid;
	entry = getpwuid(id->uid);
	if (!entry)
		return 0;
	id->name = strdup(entry->pw_name);
	id->home = strdup(entry->pw_dir);
	return id->name && id->home ? 0 : -ENOMEM;
}

static int become(const struct identity *id)
{
	int err;

	if (!id->change)
		return 0;
	err = id->name ? initgroups(id->name, id->gid) : setgroups(1, &id->gid);
	if (err < 0 || setresgid(id->gid, id->gid, id->gid) < 0 ||
	    setresuid(id->uid, id->uid, id->uid) < 0)
		return -errno;
	if (id->name && (setenv("USER", id->name, 1) < 0 || setenv("LOGNAME", id->name, 1) < 0 ||
			 setenv("HOME", id->home, 1) < 0))
		return -errno;
	return 0;
}

/* As the shell would have started the command: what is ignored stays so, save for SIGPIPE, which
 * this program ignores for itself. */
static void reset_signals(void)
{
	struct sigaction action;
	sigset_t none;

	for (int number = 1; number < NSIG; number++) {
		if (sigaction(number, NULL, &action) < 0)
			continue;
		if (action.sa_handler == SIG_IGN && number != SIGPIPE)
			continue;
		signal(number, SIG_DFL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Under its number, with the owner that lets the command open /dev/stderr and the like. */
static int give(int fd, int number, const struct identity *id)
{
	if (id->change && fchown(fd, id->uid, id->gid) < 0)
		return -errno;
	return dup2(fd, number) < 0 ? -errno : 0;
}

/* The lowest number that the command would not find open: shells redirect to one digit only. Ours but two
 * are of no use any more. */
static int free_number(int used, int other)
{
	for (int fd = STDERR_FILENO + 1;; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags < 0 || (flags & FD_CLOEXEC && fd != used && fd != other))
			return fd;
	}
}

static int give_outputs(const struct launch_outputs *outputs, const struct identity *id, int result)
{
	char number[16];
	int run, err;

	if (!outputs)
		return 0;
	err = give(outputs->out, STDOUT_FILENO, id);
	if (!err)
		err = give(outputs->err, STDERR_FILENO, id);
	run = free_number(outputs->run, result);
	if (!err)
		err = give(outputs->run, run, id);
	if (err)
		return err;
	snprintf(number, sizeof(number), "%d", run);
	return setenv(LAUNCH_RUN_VARIABLE, number, 1) < 0 ? -errno : 0;
}

/* What the child is made from. */
struct plan {
	char *const *argv;
	const struct launch_outputs *outputs;
	struct identity id;
};

__attribute__((noreturn)) static void run_child(const struct plan *plan, int go, int result)
{
	char byte;
	int err;
	ssize_t n;

	reset_signals();
	do {
		n = read(go, &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(EXIT_FAILURE);
	err = -give_outputs(plan->outputs, &plan->id, result);
	if (err == 0)
		err = -become(&plan->id);
	if (err == 0) {
		execvp(plan->argv[0], plan->argv);
		err = errno;
	}
	while (write(result, &err, sizeof(err)) < 0 && errno == EINTR)
		;
	_exit(launch_failure_status(-err));
}

static void close_pair(int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

static int open_pidfd(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd >= 0 ? fd : -errno;
}

/* The child's side never returns. */
static int fork_child(struct launch *l, const struct plan *plan)
{
	int go[2] = { -1, -1 }, result[2] = { -1, -1 };
	int err;

	if (pipe2(go, O_CLOEXEC) < 0 || pipe2(result, O_CLOEXEC) < 0) {
		err = -errno;
		goto fail;
	}
	l->pid = fork();
	if (l->pid < 0) {
		err = -errno;
		goto fail;
	}
	if (l->pid == 0) {
		/* Its own copy of this end would keep the end of file from coming. */
		close(go[1]);
		close(result[0]);
		run_child(plan, go[0], result[1]);
	}
	close(go[0]);
	close(result[1]);
	l->go = go[1];
	l->result = result[0];
	return 0;
fail:
	close_pair(go);
	close_pair(result);
	return err;
}

int launch_prepare(char *const argv[], const struct launch_outputs *outputs, struct launch **launch)
{
	struct plan plan = { .argv = argv, .outputs = outputs };
	struct launch *l = calloc(1, sizeof(*l));
	int err;

	if (!l)
		return -ENOMEM;
	l->go = l->result = l->pidfd = -1;
	err = identity_of_caller(&plan.id);
	if (err == 0)
		err = fork_child(l, &plan);
	identity_clear(&plan.id);
	if (err < 0) {
		free(l);
		return err;
	}
	l->pidfd = open_pidfd(l->pid);
	if (l->pidfd < 0) {
		err = l->pidfd;
		launch_free(l);
		return err;
	}
	*launch = l;
	return 0;
}

pid_t launch_pid(const struct launch *launch)
{
	return launch->pid;
}

int launch_pidfd(const struct launch *launch)
{
	return launch->pidfd;
}

int launch_start(struct launch *launch)
{
	int failure = 0;
	ssize_t n;

	/* If the child was killed while it waited, this end is broken; its status tells the rest. */
	while (write(launch->go, "", 1) < 0) {
		if (errno == EPIPE)
			break;
		if (errno != EINTR)
			return -errno;
	}
	launch->started = true;
	do {
		n = read(launch->result, &failure, sizeof(failure));
	} while (n < 0 && errno == EINTR);
	if (n != sizeof(failure))
		return 0;
	launch_wait(launch);
	return -failure;
}

int launch_failure_status(int error)
{
	return error == -ENOENT ? 127 : 126;
}

static int wait_for(struct launch *launch, int options)
{
	pid_t pid;

	if (launch->ended)
		return 1;
	do {
		pid = waitpid(launch->pid, &launch->status, options);
	} while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return -errno;
	launch->ended = pid == launch->pid;
	return launch->ended;
}

int launch_try_wait(struct launch *launch)
{
	return wait_for(launch, WNOHANG);
}

int launch_wait(struct launch *launch)
{
	int ended = wait_for(launch, 0);

	return ended < 0 ? ended : 0;
}

int launch_signal(struct launch *launch, int number)
{
	if (launch->ended)
		return 0;
	return kill(launch->pid, number) < 0 ? -errno : 0;
}

int launch_exit_status(const struct launch *launch)
{
	if (WIFSIGNALED(launch->status))
		return 128 + WTERMSIG(launch->status);
	return WEXITSTATUS(launch->status);
}

int launch_signal_ended(const struct launch *launch)
{
	return WIFSIGNALED(launch->status) ? WTERMSIG(launch->status) : 0;
}

void launch_free(struct launch *launch)
{
	if (!launch)
		return;
	if (launch->go >= 0)
		close(launch->go);
	if (!launch->started)
		launch_wait(launch);
	if (launch->result >= 0)
		close(launch->result);
	if (launch->pidfd >= 0)
		close(launch->pidfd);
	free(launch);
}
