// SPDX-License-Identifier: BSD-2-Clause
#include "user/report_contract.h"

#include <errno.h>
#include <string.h>

#include "user/arguments.h"
#include "user/message.h"

static int refuse_without(const struct report_contract *c)
{
	const char *option = c->format_name	       ? "--format"
			     : c->options.control      ? c->options.control
			     : c->options.project_root ? "--project-root"
						       : NULL;

	if (!option)
		return 0;
	error("%s: needs --contract: give both", option);
	return -EINVAL;
}

int report_contract_check(struct report_contract *c, const char *output, bool json)
{
	const char *name = c->format_name;
	int err;

	if (!c->wanted)
		return refuse_without(c);
	if (json && name) {
		error("--json and --format exclude each other: give one of them");
		return -EINVAL;
	}
	if (json)
		name = "json";
	else if (!name && strcmp(output, "-") == 0)
		name = "text";
	err = argument_format(output, name, &c->format);
	if (err)
		return err;
	if (c->format != OUTPUT_TABLE && !output_format_is_report(c->format)) {
		error("--contract: its forms are text (.txt), toon and json");
		return -EINVAL;
	}
	return 0;
}

int report_contract_write(const struct report_contract *c, const struct profile *p, FILE *out)
{
	struct contract_options options = c->options;
	const struct output_options form = { .contract = &options };

	options.cpu = true; /* so that text is the report's */
	return output_profile(p, c->format, &form, out);
}
