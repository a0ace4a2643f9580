// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/ratio.h"

#include <string.h>

const char *ratio_print(unsigned __int128 hundredths, char *buf, unsigned int size)
{
	char *at = buf + size;

	*--at = '\0';
	for (unsigned int digits = 0; digits < 3 || hundredths; digits++) {
		if (digits == 2)
			*--at = '.';
		*--at = (char)('0' + (int)(hundredths % 10));
		hundredths /= 10;
	}
	return memmove(buf, at, (size_t)(buf + size - at));
}
