// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/path.h"

#include <stdbool.h>
#include <string.h>

static bool is_separator(char c)
{
	return c == '/' || c == '\\';
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_absolute(struct contract_text path)
{
	if (path.n > 0 && is_separator(path.s[0]))
		return true;
	return path.n > 2 && is_letter(path.s[0]) && path.s[1] == ':' && is_separator(path.s[2]);
}

static bool leads_upwards(const char *s, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		bool begins = i == 0 || is_separator(s[i - 1]);
		bool ends = i + 2 == n || is_separator(s[i + 2]);

		if (s[i] == '.' && s[i + 1] == '.' && begins && ends)
			return true;
	}
	return false;
}

size_t contract_path_normalise(struct contract_text path, char *out)
{
	size_t used = 0;

	if (is_absolute(path) || leads_upwards(path.s, path.n))
		return 0;
	for (size_t at = 0; at < path.n;) {
		const char *component = path.s + at;
		const char *slash = memchr(component, '/', path.n - at);
		size_t n = slash ? (size_t)(slash - component) : path.n - at;

		at += n + 1;
		if (n == 0 || (n == 1 && component[0] == '.'))
			continue;
		if (used > 0)
			out[used++] = '/';
		memcpy(out + used, component, n);
		used += n;
	}
	return used;
}
