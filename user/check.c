// SPDX-License-Identifier: BSD-2-Clause
/* profbpf check: whether this machine and user can profile. */
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "user/arguments.h"
#include "user/message.h"
#include "user/output.h"
#include "user/requirements.h"
#include "user/verb.h"

enum { KEY_JSON = 0x100 };

static const struct argp_option option_table[] = {
	{ "json", KEY_JSON, NULL, 0, "JSON for programs", 0 },
	{ 0 },
};

static const char doc[] =
	"Looks at each kernel feature, privilege and setting that profbpf needs and tells the "
	"remedy for what is missing."
	"\v"
	"Exit status: 0 if recording can work, 3 if something is missing.";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	bool *json = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		argument_state_init(state);
		return 0;
	case ARGP_KEY_ARG:
		return -argument_unexpected(text);
	case KEY_JSON:
		*json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_table(const struct requirements *r)
{
	int name_width = 0, value_width = 0;

	for (size_t i = 0; i < r->n; i++) {
		int name = (int)strlen(r->list[i].name), value = (int)strlen(r->list[i].value);

		name_width = name > name_width ? name : name_width;
		value_width = value > value_width ? value : value_width;
	}
	for (size_t i = 0; i < r->n; i++) {
		const struct requirement *one = &r->list[i];

		printf("%-*s  %-7s  ", name_width, one->name, requirement_state_name(one->state));
		if (*one->remedy)
			printf("%-*s  %s\n", value_width, one->value, one->remedy);
		else
			printf("%s\n", one->value);
	}
	printf("\n%s\n", requirements_met(r) ? "profbpf can record here."
					     : "profbpf cannot record here: see what is missing.");
}

static json_t *to_json(const struct requirements *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n; i++) {
		const struct requirement *one = &r->list[i];

		if (json_array_append_new(
			    list, json_pack("{s:s, s:s, s:s, s:s}", "name", one->name, "state",
					    requirement_state_name(one->state), "value", one->value,
					    "remedy", one->remedy)) < 0) {
			json_decref(list);
			return NULL;
		}
	}
	return json_pack("{s:b, s:o}", "can_record", requirements_met(r), "requirements", list);
}

static int print_json(const struct requirements *r)
{
	json_t *root = to_json(r);
	int err;

	if (!root)
		return -ENOMEM;
	err = json_dumpf(root, stdout, JSON_INDENT(2));
	json_decref(root);
	/* A failed write is told when standard output is closed. */
	if (err == 0)
		putchar('\n');
	return 0;
}

int verb_check(int argc, char **argv)
{
	static const struct argp argp = { .options = option_table,
					  .parser = parse_option,
					  .doc = doc };
	struct requirements r;
	bool json = false;
	int err, status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &json) != 0)
		return EXIT_USAGE;
	err = requirements_probe(&r);
	if (err == 0) {
		if (json)
			err = print_json(&r);
		else
			print_table(&r);
	}
	if (err < 0) {
		error("%s", strerror(-err));
		return EXIT_FAILED;
	}
	status = requirements_met(&r) ? EXIT_DONE : EXIT_UNSUPPORTED;
	requirements_clear(&r);
	return status;
}
