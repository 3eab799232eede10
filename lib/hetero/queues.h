/* SPDX-License-Identifier: MIT */
/* Queues of level tasks that CPU workers and work-groups share (Abdelmageed's thesis, chapter 3), as CPU workers see
 * them: the device's own texts, kernels/queue/queue_*.cl and take.cl, compiled for threads. A source that includes
 * queues_body.h makes a table of them, in the memory orders that it is compiled with. */
#ifndef GWS_LIB_HETERO_QUEUES_H
#define GWS_LIB_HETERO_QUEUES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* queue and stats are those of the first worker that the level is cut for. */
struct gws__queue_calls {
    void (*fill)(_Atomic uint64_t *queue, uint32_t part, uint32_t parts, uint64_t count, uint64_t chunk);
    uint64_t (*given)(_Atomic uint64_t *queue, uint32_t part);
    /* Whether its owner would still get something. */
    bool (*left)(_Atomic uint64_t *queue, uint32_t part);
    /* The next range for self, whose statistics these are; empty when there is none. */
    void (*take)(_Atomic uint64_t *queue, uint64_t *stats, uint32_t self, uint32_t workers, uint32_t gpu, bool steals,
                 uint64_t *range);
};

#endif
