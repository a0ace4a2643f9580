// SPDX-License-Identifier: BSD-2-Clause
#include "user/naming_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/cache_dir.h"
#include "user/message.h"

#define SERVERS_VARIABLE "DEBUGINFOD_URLS"

enum {
	KEY_DEBUG_DIR = 0x100,
	KEY_FULL_NAMES,
	KEY_DEBUGINFOD,
};

static const struct argp_option option_table[] = {
	{ NULL, 0, NULL, 0, "Names:", 5 },
	{ "debug-dir", KEY_DEBUG_DIR, "DIR", 0,
	  "Look for debug files here too, as in /usr/lib/debug; may be repeated", 5 },
	{ "debuginfod", KEY_DEBUGINFOD, "URL[,URL...]", OPTION_ARG_OPTIONAL,
	  "Fetch debug files that are not here from these servers, or those of " SERVERS_VARIABLE
	  ", which are asked without the option too if it is set",
	  5 },
	{ "full-names", KEY_FULL_NAMES, NULL, 0,
	  "Show parameters, template arguments and compiler suffixes", 5 },
	{ 0 },
};

static int add_debug_dir(struct naming_options *o, const char *dir)
{
	const char **grown = reallocarray(o->debug_dirs, o->n_debug_dirs + 2, sizeof(*grown));

	if (!grown)
		return ENOMEM;
	grown[o->n_debug_dirs++] = dir;
	grown[o->n_debug_dirs] = NULL;
	o->debug_dirs = grown;
	return 0;
}

static bool is_url(const char *s, size_t length)
{
	static const char *const schemes[] = { "http://", "https://", "file://" };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t n = strlen(schemes[i]);

		if (length > n && !strncmp(s, schemes[i], n))
			return true;
	}
	return false;
}

/* URLs with one comma or space between them. */
static bool is_url_list(const char *at)
{
	while (true) {
		size_t length = strcspn(at, ", ");

		if (!is_url(at, length))
			return false;
		at += length;
		if (!*at)
			return true;
		at++;
	}
}

static int check_servers(const char *servers)
{
	char shown[256];

	if (is_url_list(servers))
		return 0;
	error("--debuginfod: '%s' is no list of URLs: give http://SERVER:PORT, separated by commas",
	      printable(servers, shown, sizeof(shown)));
	return EINVAL;
}

static int choose_servers(struct naming_options *o)
{
	const char *variable = getenv(SERVERS_VARIABLE);

	if (o->servers)
		return 0;
	if (variable && variable[strspn(variable, " ")])
		o->servers = variable;
	if (o->servers || !o->servers_wanted)
		return 0;
	error("--debuginfod: no server is known: give --debuginfod=URL, or set " SERVERS_VARIABLE
	      " (sudo drops it unless told --preserve-env=" SERVERS_VARIABLE ")");
	return EINVAL;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct naming_options *o = state->input;

	switch (key) {
	case KEY_DEBUG_DIR:
		return add_debug_dir(o, text);
	case KEY_FULL_NAMES:
		o->full_names = true;
		return 0;
	case KEY_DEBUGINFOD:
		o->servers_wanted = true;
		o->servers = text;
		return text ? check_servers(text) : 0;
	case ARGP_KEY_END:
		return choose_servers(o);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp naming_argp = { .options = option_table, .parser = parse_option };

struct symbolizer_options naming_options_symbolizer(const struct naming_options *options)
{
	return (struct symbolizer_options){
		.debug_dirs = (const char *const *)options->debug_dirs,
		.full_names = options->full_names,
		.downloads.urls = options->servers,
		.cache_dir = cache_dir(),
	};
}

void naming_options_done(struct naming_options *options)
{
	free(options->debug_dirs);
	options->debug_dirs = NULL;
}
