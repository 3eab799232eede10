/* SPDX-License-Identifier: MIT */
/* Poison values for results. A verified run first overwrites its outputs with them. A run that writes nothing thus
 * cannot pass with the results of the previous run. The value is no valid depth, vertex or key. As a float or a double
 * it is NaN. */
#ifndef GWS_POISON_H
#define GWS_POISON_H

#include "device.h"

enum { GWS_POISON = 0x7fffdead };

/* Fills all words of a buffer, which may be NULL. The call does not wait. */
static inline gws_status gws_buffer_poison(struct gws_device_buffer *buffer, uint32_t word,
                                           struct gws_diagnostic *where)
{
    return buffer ? gws_device_fill(buffer, 0, word, gws_device_buffer_bytes(buffer) / sizeof word, where) : GWS_OK;
}

/* Fills host memory; bytes is a multiple of four. NULL is allowed. */
static inline void gws_memory_poison(void *memory, uint64_t bytes)
{
    uint32_t *word = (uint32_t *)memory;
    for (uint64_t i = 0; word && i < bytes / sizeof *word; i++) word[i] = GWS_POISON;
}

#endif
