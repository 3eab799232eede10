/* SPDX-License-Identifier: MIT */
/* How much memory there is for a tool. */
#ifndef TOOLS_COMMON_MEMORY_H
#define TOOLS_COMMON_MEMORY_H

#include <stdint.h>

/* Bytes that this process can take before the system kills something: what the machine has available, and no more than
 * what is free in its control groups (versions 1 and 2), less a sixteenth for what nobody counts. 0: not known. */
uint64_t memory_available(void);

#endif
