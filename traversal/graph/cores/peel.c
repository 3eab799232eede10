/* SPDX-License-Identifier: MIT */
/* Coreness by peeling. For k = 0, 1, ... the workers remove all vertices of degree k, and each vertex whose degree
 * these removals lower to k. The degree of a removed vertex stays k, its coreness. Removals of one k may happen in
 * any order, so a vertex is an immediate task; the worker that lowers a degree from k + 1 to k removes the vertex
 * (Kabir, Madduri, 2017, PKC). A runtime with one worker needs neither tasks nor atomic operations; `roots` is then a
 * stack. The vertices that remain are listed, in no order, each time that a quarter of them has gone. */
#include <string.h>

#include "../../../lib/tasks.h"
#include "cores_state.h"

enum {
    chunk = 256, /* number of vertices of a root task */
    batch = 64,
    buffered = 256,
    ahead = 8,         /* prefetch distance in vertices */
    ahead_in_row = 24, /* prefetch distance in arcs */
};

/* A vertex, or `count` vertices from list[first] on. */
struct removal {
    uint32_t first, count;
};

struct peeling {
    struct gws__cores *cores;
    uint32_t k;
    uint32_t *roots;            /* vertices + 1 entries; the last one absorbs a store without effect */
    uint32_t *remaining, *next; /* vertices entries each; remaining is NULL at the start, when all vertices remain */
    uint64_t listed;            /* number of entries of remaining; some of these vertices have been removed */
    bool lists;                 /* true if divide() also writes next */
    _Atomic uint64_t root_count, next_count; /* next_count: number of vertices of degree above k */
    _Atomic uint32_t smallest;               /* the smallest degree above k */
};

/* ---- the vertices of degree k ---- */

struct buffer {
    uint32_t count, vertex[buffered];
};

static void flush(struct buffer *buffer, uint32_t *list, _Atomic uint64_t *count)
{
    /* relaxed: the addition only reserves entries; other workers read the list after the loop's barrier. */
    uint64_t at = atomic_fetch_add_explicit(count, buffer->count, memory_order_relaxed);
    for (uint32_t i = 0; i < buffer->count; i++) list[at + i] = buffer->vertex[i];
    buffer->count = 0;
}

static void put(struct buffer *buffer, uint32_t vertex, uint32_t *list, _Atomic uint64_t *count)
{
    buffer->vertex[buffer->count++] = vertex;
    if (buffer->count == buffered) flush(buffer, list, count);
}

static void divide(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct peeling *peeling = context;
    struct buffer roots = {.count = 0}, next = {.count = 0};
    uint32_t smallest = UINT32_MAX;
    uint64_t above = 0;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t v = peeling->remaining ? peeling->remaining[i] : (uint32_t)i,
                 degree = gws__cores_at(peeling->cores, v);
        if (degree < peeling->k) continue;
        if (degree == peeling->k) {
            put(&roots, v, peeling->roots, &peeling->root_count);
        } else {
            above++;
            if (peeling->lists) put(&next, v, peeling->next, &peeling->next_count);
            smallest = degree < smallest ? degree : smallest;
        }
    }
    flush(&roots, peeling->roots, &peeling->root_count);
    if (peeling->lists) flush(&next, peeling->next, &peeling->next_count);
    /* relaxed: the caller reads the sum after the loop's barrier. */
    if (!peeling->lists) atomic_fetch_add_explicit(&peeling->next_count, above, memory_order_relaxed);
    /* relaxed: the caller reads the value after the loop's barrier. */
    uint32_t known = atomic_load_explicit(&peeling->smallest, memory_order_relaxed);
    while (smallest < known && !atomic_compare_exchange_weak_explicit(&peeling->smallest, &known, smallest,
                                                                      memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* ---- removal by one worker ---- */

/* Removes v. Adds the neighbours whose degree falls to k to the stack, and returns its new top. The loop has no branch
 * on a degree, because such branches are hard to predict. relaxed: no other worker accesses the degrees. */
static inline uint32_t *remove_alone(const struct gws__cores *cores, const bool simple, const uint32_t k,
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
        top = remove_alone(cores, simple, k, vertex[i], top);
    }
    return top;
}

static void remove_all_alone(struct peeling *peeling)
{
    const struct gws__cores *cores = peeling->cores;
    uint32_t *top = peeling->roots + peeling->root_count;
    while (top > peeling->roots) {
        const uint64_t left = (uint64_t)(top - peeling->roots), count = left < batch ? left : batch;
        if (cores->simple)
            top = remove_batch(cores, true, peeling->k, top, count);
        else
            top = remove_batch(cores, false, peeling->k, top, count);
    }
}

/* ---- removal by tasks ---- */

/* Removes v. Then removes a neighbour whose degree falls to k by this removal, and so on. Spawns a task for each other
 * neighbour of this kind. relaxed: exactly one worker lowers the degree from k + 1 to k, and this worker needs no data
 * that other workers have written. */
static void remove_vertex(struct peeling *peeling, struct gws_task_worker *self, uint32_t v)
{
    const struct gws_graph *graph = peeling->cores->graph;
    _Atomic uint32_t *degree = peeling->cores->core;
    const bool simple = peeling->cores->simple;
    for (uint32_t next = v; next != GWS_NO_VERTEX;) {
        v = next;
        next = GWS_NO_VERTEX;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++) {
            uint32_t to = graph->target[a];
            if (!gws__cores_counts(graph, simple, v, a) || gws__cores_at(peeling->cores, to) <= peeling->k) continue;
            uint32_t before = atomic_fetch_sub_explicit(&degree[to], 1, memory_order_relaxed);
            if (before <= peeling->k) { /* a worker has removed the neighbour in the meantime */
                atomic_fetch_add_explicit(&degree[to], 1, memory_order_relaxed);
            } else if (before == peeling->k + 1) {
                if (next != GWS_NO_VERTEX) gws_spawn(self, &(struct removal){.first = next});
                next = to;
            }
        }
    }
}

static void run_removals(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    struct peeling *peeling = context;
    const struct removal *removal = task;
    (void)worker;
    for (uint32_t i = 0; i < count; i++) {
        if (removal[i].count == 0) remove_vertex(peeling, self, removal[i].first);
        for (uint32_t r = 0; r < removal[i].count; r++)
            remove_vertex(peeling, self, peeling->roots[removal[i].first + r]);
    }
}

static gws_status remove_roots(struct peeling *peeling, struct removal *task)
{
    uint64_t roots = peeling->root_count;
    if (gws_runtime_workers(peeling->cores->runtime) == 1) {
        remove_all_alone(peeling);
        return GWS_OK;
    }
    struct gws_tasks tasks = {.bytes = sizeof *task, .batch = batch, .root = task, .run = run_removals};
    tasks.context = peeling;
    tasks.roots = (roots + chunk - 1) / chunk;
    for (uint64_t i = 0; i < tasks.roots; i++) {
        uint64_t left = roots - i * chunk;
        task[i] = (struct removal){.first = (uint32_t)(i * chunk), .count = left < chunk ? (uint32_t)left : chunk};
    }
    return gws_tasks_run(peeling->cores->runtime, &tasks);
}

static gws_status peel(struct peeling *peeling, uint32_t *lists[2], struct removal *task)
{
    gws_status status = GWS_OK;
    uint64_t left = peeling->listed;
    for (peeling->k = 1; status == GWS_OK && left > 0;) {
        atomic_init(&peeling->root_count, 0);
        atomic_init(&peeling->next_count, 0);
        atomic_init(&peeling->smallest, UINT32_MAX);
        peeling->next = lists[peeling->remaining == lists[0]];
        gws_report_progress(peeling->cores->runtime, "peeling", peeling->k, 0);
        if (gws_cancelled(peeling->cores->runtime)) return GWS_CANCELLED;
        peeling->lists = left <= peeling->listed / 4 * 3;
        gws_parallel_for(peeling->cores->runtime, peeling->listed, 1 << 12, divide, peeling);
        left = peeling->next_count;
        if (peeling->lists) {
            peeling->remaining = peeling->next;
            peeling->listed = left;
        }
        if (peeling->root_count == 0) {
            peeling->k = peeling->smallest; /* no removal has lowered `smallest` since */
            continue;
        }
        status = remove_roots(peeling, task);
        peeling->cores->rounds++;
        peeling->k++;
    }
    return status;
}

gws_status gws__cores_peel(struct gws__cores *cores)
{
    uint64_t vertices = cores->graph->vertices, tasks = vertices / chunk + 1;
    struct peeling peeling = {.cores = cores, .listed = vertices};
    uint32_t *lists[2];
    peeling.roots = gws_allocate(cores->runtime, vertices + 1, sizeof *peeling.roots);
    for (int i = 0; i < 2; i++) lists[i] = gws_allocate(cores->runtime, vertices, sizeof *lists[i]);
    struct removal *task = gws_allocate(cores->runtime, tasks, sizeof *task);
    gws_status status = peeling.roots && lists[0] && lists[1] && task ? peel(&peeling, lists, task) : GWS_NO_MEMORY;
    gws_release(cores->runtime, task, tasks, sizeof *task);
    for (int i = 0; i < 2; i++) gws_release(cores->runtime, lists[i], vertices, sizeof *lists[i]);
    gws_release(cores->runtime, peeling.roots, vertices + 1, sizeof *peeling.roots);
    return status;
}
