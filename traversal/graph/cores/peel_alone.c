/* SPDX-License-Identifier: MIT */
/* Coreness by peeling on one worker, without atomic operations. For k = 1, 2, ... the caller removes all vertices of
 * degree k, and each vertex whose degree these removals lower to k (Batagelj, Zaversnik, 2003). The degree of a removed
 * vertex stays k, its coreness. Removals of one k may happen in any order, so a stack has the vertices to remove. */
#include <string.h>

#include "cores_state.h"

enum {
    batch = 64,
    batches_per_poll = 256,
    ahead = 8,         /* prefetch distance in vertices */
    ahead_in_row = 24, /* prefetch distance in arcs */
};

struct peeling {
    struct gws__cores *cores;
    uint32_t k;
    uint32_t *stack;     /* vertices + 1 entries; the last one absorbs a store without effect */
    uint32_t *remaining; /* vertices entries, of which `count` are in use; some of these vertices have been removed */
    uint64_t count;
    uint32_t smallest; /* the smallest degree above k */
};

/* Moves the vertices of degree k from the list to the stack, and drops removed ones. Returns the top of the stack. */
static uint32_t *divide(struct peeling *peeling)
{
    uint32_t *top = peeling->stack;
    uint64_t left = 0;
    peeling->smallest = UINT32_MAX;
    for (uint64_t i = 0; i < peeling->count; i++) {
        const uint32_t v = peeling->k > 1 ? peeling->remaining[i] : (uint32_t)i;
        const uint32_t degree = gws__cores_at(peeling->cores, v);
        if (degree == peeling->k) *top++ = v;
        if (degree <= peeling->k) continue;
        peeling->remaining[left++] = v;
        if (degree < peeling->smallest) peeling->smallest = degree;
    }
    peeling->count = left;
    return top;
}

/* ---- removal ---- */

/* Removes v. Adds the neighbours whose degree falls to k to the stack, and returns its new top. The loop has no branch
 * on a degree, because such branches are hard to predict. relaxed: no other thread accesses the degrees. */
static inline uint32_t *remove_vertex(const struct gws__cores *cores, const bool simple, const uint32_t k,
                                      const uint32_t v, uint32_t *top)
{
    _Atomic uint32_t *degree = cores->core;
    const uint32_t *target = cores->graph->target;
    const uint64_t end = cores->graph->offset[v + (uint64_t)1];
    for (uint64_t a = cores->graph->offset[v]; a < end; a++) {
        const uint32_t to = target[a];
        if (a + ahead_in_row < end) __builtin_prefetch((const void *)&degree[target[a + ahead_in_row]]);
        if (!gws__cores_counts(cores->graph, simple, v, a)) continue;
        const uint32_t before = atomic_load_explicit(&degree[to], memory_order_relaxed);
        atomic_store_explicit(&degree[to], before - (before > k), memory_order_relaxed);
        *top = to;
        top += before == k + 1;
    }
    return top;
}

/* Removes the last `count` vertices of the stack. Returns its new top. */
static inline uint32_t *remove_batch(const struct gws__cores *cores, const bool simple, const uint32_t k, uint32_t *top,
                                     uint64_t count)
{
    const uint64_t *offset = cores->graph->offset;
    uint32_t vertex[batch];
    top -= count;
    memcpy(vertex, top, count * sizeof *vertex);
    for (uint64_t i = 0; i < count && i < 2 * (uint64_t)ahead; i++) __builtin_prefetch(&offset[vertex[i]]);
    for (uint64_t i = 0; i < count; i++) {
        if (i + 2 * ahead < count) __builtin_prefetch(&offset[vertex[i + 2 * ahead]]);
        if (i + ahead < count) __builtin_prefetch(&cores->graph->target[offset[vertex[i + ahead]]]);
        top = remove_vertex(cores, simple, k, vertex[i], top);
    }
    return top;
}

/* Removes the vertices on the stack and those that they add to it. Returns false if the call is cancelled. */
static bool remove_all(const struct peeling *peeling, uint32_t *top)
{
    const struct gws__cores *cores = peeling->cores;
    for (uint32_t batches = 0; top > peeling->stack; batches++) {
        const uint64_t left = (uint64_t)(top - peeling->stack), count = left < batch ? left : batch;
        if (batches % batches_per_poll == 0 && gws_cancelled(cores->runtime)) return false;
        if (cores->simple)
            top = remove_batch(cores, true, peeling->k, top, count);
        else
            top = remove_batch(cores, false, peeling->k, top, count);
    }
    return true;
}

static gws_status peel(struct peeling *peeling)
{
    for (peeling->k = 1; peeling->count > 0;) {
        uint32_t *top = divide(peeling);
        gws_report_progress(peeling->cores->runtime, "peeling", peeling->k, 0);
        if (gws_cancelled(peeling->cores->runtime)) return GWS_CANCELLED;
        if (top == peeling->stack) {
            peeling->k = peeling->smallest;
            continue;
        }
        if (!remove_all(peeling, top)) return GWS_CANCELLED;
        peeling->cores->rounds++;
        peeling->k++;
    }
    return GWS_OK;
}

gws_status gws__cores_peel_alone(struct gws__cores *cores)
{
    const uint64_t vertices = cores->graph->vertices;
    struct peeling peeling = {.cores = cores, .count = vertices};
    peeling.stack = gws_allocate(cores->runtime, vertices + 1, sizeof *peeling.stack);
    peeling.remaining = gws_allocate(cores->runtime, vertices, sizeof *peeling.remaining);
    gws_status status = peeling.stack && peeling.remaining ? peel(&peeling) : GWS_NO_MEMORY;
    gws_release(cores->runtime, peeling.remaining, vertices, sizeof *peeling.remaining);
    gws_release(cores->runtime, peeling.stack, vertices + 1, sizeof *peeling.stack);
    return status;
}
