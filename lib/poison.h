/* SPDX-License-Identifier: MIT */
/* What results are overwritten with before a run that is to be verified, so that a run that writes nothing cannot pass
 * for right by what the run before has left: no depth, no vertex, no key; as a float or a double it is not a number. */
#ifndef GWS_POISON_H
#define GWS_POISON_H

#include "device.h"

enum { GWS_POISON = 0x7fffdead };

/* All words of a buffer, which may be NULL. Does not wait. */
static inline gws_status gws_buffer_poison(struct gws_device_buffer *buffer, uint32_t word,
                                           struct gws_diagnostic *where)
{
    return buffer ? gws_device_fill(buffer, 0, word, gws_device_buffer_bytes(buffer) / sizeof word, where) : GWS_OK;
}

/* bytes of the host's memory, a multiple of four; NULL is allowed. */
static inline void gws_memory_poison(void *memory, uint64_t bytes)
{
    uint32_t *word = (uint32_t *)memory;
    for (uint64_t i = 0; word && i < bytes / sizeof *word; i++) word[i] = GWS_POISON;
}

#endif
