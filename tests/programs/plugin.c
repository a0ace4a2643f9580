/* SPDX-License-Identifier: BSD-2-Clause */
/* One source for both libraries of dlopener: the same code at the same place under another name. */
#include "common.h"

HOT_FUNCTION(PLUGIN_WORK, 3)
