/* SPDX-License-Identifier: MIT */
/* One shared counter from which every worker takes its next chunk: perfect balance, one contended word.
 *
 * State: the counter and, beside it, what it counts to. */
#include <stdalign.h>
#include <stdatomic.h>

#include "container.h"

struct cursor {
    alignas(128) _Atomic uint64_t next; /* first index not handed out; may pass count */
    alignas(128) uint64_t count;
    uint32_t chunk;
};

static uint32_t cursor_fill(void *state, const struct gws_cut *cut)
{
    struct cursor *q = state;
    atomic_store_explicit(&q->next, 0, memory_order_relaxed);
    q->count = cut->count;
    q->chunk = cut->chunk;
    return cut->workers;
}

static enum gws_grab cursor_pop(void *state, uint32_t worker, struct gws_range *out)
{
    (void)worker;
    struct cursor *q = state;
    /* Looked at first, so that workers who find nothing do not push the counter on for ever. */
    if (atomic_load_explicit(&q->next, memory_order_relaxed) >= q->count) return GWS_GRAB_EMPTY;
    uint64_t begin = atomic_fetch_add_explicit(&q->next, q->chunk, memory_order_relaxed);
    if (begin >= q->count) return GWS_GRAB_EMPTY;
    uint64_t left = q->count - begin;
    *out = (struct gws_range){begin, begin + (left < q->chunk ? left : q->chunk)};
    return GWS_GRAB_TOOK;
}

const struct gws_container gws__container_cursor = {false, sizeof(struct cursor), 0, cursor_fill, cursor_pop, NULL};
