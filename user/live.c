// SPDX-License-Identifier: BSD-2-Clause
#include "user/live.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "user/capture/objects.h"
#include "user/capture/session.h"
#include "user/message.h"
#include "user/requirements.h"
#include "user/verb.h"

static int log_libbpf(enum libbpf_print_level level, const char *format, va_list args)
{
	char text[1024], shown[2048];

	if (level == LIBBPF_DEBUG || message_level() < MESSAGE_VERBOSE)
		return 0;
	vsnprintf(text, sizeof(text), format, args);
	text[strcspn(text, "\n")] = 0;
	detail("%s", printable(text, shown, sizeof(shown)));
	return 0;
}

void live_log_libbpf(void)
{
	libbpf_set_print(log_libbpf);
}

void live_say_gone(pid_t pid, enum target_state state)
{
	if (state == TARGET_ZOMBIE)
		error("process %d has ended (a zombie that its parent has not reaped): choose a "
		      "running process",
		      pid);
	else
		error("there is no process %d: it may have ended; list processes with ps -e", pid);
}

int live_say_failed(const char *what, int err)
{
	error("cannot %s: %s", what, strerror(-err));
	if (requirements_explain())
		return EXIT_UNSUPPORTED;
	return err == -EPERM || err == -EACCES || err == -ENOSYS || err == -EOPNOTSUPP
		       ? EXIT_UNSUPPORTED
		       : EXIT_FAILED;
}

struct naming_source live_object(void *session, uint32_t object)
{
	struct object_file file = session_object(session, object);

	return (struct naming_source){ file.fd, file.path, file.root };
}
