/* SPDX-License-Identifier: MIT */
/* Strong components by trimming, a forward and a backward search, and colouring (Slota, Rajamanickam, Madduri, "BFS and
 * coloring-based parallel algorithms for strongly connected components and related problems", IPDPS 2014, algorithms 1
 * to 4; Fleischer, Hendrickson, Pinar 2000; Orzan 2004).
 *
 * Trimming closes vertices without an open successor or without an open predecessor. A forward and a backward search
 * from one vertex of high degree find the component of this vertex, which is often the giant component. Colouring finds
 * many components at once. The colour of a vertex is the largest vertex that reaches it. A vertex whose colour is its
 * own number is the root of a component. A backward search within the colour finds this component. When few vertices
 * are open, when colouring finds few, or when colours rise too often, one worker closes the rest by Tarjan's algorithm.
 *
 * All operations on the arrays are relaxed. A worker claims a word by a compare-and-exchange, or raises it by an atomic
 * maximum. The barriers of the loops publish the lists and the writes of other workers. */
#include "strong.h"

enum {
    serial_rest = 1 << 14, /* max open vertices that one worker handles faster than all workers */
    min_progress = 8       /* a method continues while a pass closes at least 1 / min_progress of the open vertices */
};

/* ---- trimming ---- */

static bool has_open(const struct gws__strong *strong, const struct gws_graph *rows, uint32_t vertex)
{
    for (uint64_t arc = rows->offset[vertex]; arc < rows->offset[vertex + (uint64_t)1]; arc++) {
        uint32_t to = rows->target[arc];
        if (to != vertex && gws__strong_component(strong, to) == GWS_NO_VERTEX) return true;
    }
    return false;
}

static void trim_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t vertex = strong->active[i];
        if (has_open(strong, strong->graph, vertex) && has_open(strong, strong->reverse, vertex)) continue;
        atomic_store_explicit(&strong->component[vertex], vertex, memory_order_relaxed);
    }
}

/* Trims while a pass closes many vertices. */
static void trim(struct gws__strong *strong)
{
    for (uint64_t before = UINT64_MAX; strong->actives < before - before / min_progress;) {
        before = strong->actives;
        gws__strong_loop(strong, strong->actives, gws__strong_grain, trim_range);
        gws__strong_compact(strong);
    }
}

/* ---- the giant component ---- */

static void find_pivot(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    uint64_t best = 0;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t vertex = strong->active[i];
        uint64_t out = gws_graph_degree(strong->graph, vertex), in = gws_graph_degree(strong->reverse, vertex);
        uint64_t product = out < 1 << 16 && in < 1 << 16 ? out * in : UINT32_MAX;
        if (product > UINT32_MAX) product = UINT32_MAX;
        if ((product << 32 | vertex) > best) best = product << 32 | vertex;
    }
    uint64_t now = gws__strong_load64(&strong->best);
    while (now < best && !atomic_compare_exchange_weak_explicit(&strong->best, &now, best, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
}

static void close_giant(struct gws__strong *strong)
{
    if (strong->actives == 0) return;
    atomic_store_explicit(&strong->best, 0, memory_order_relaxed);
    gws__strong_loop(strong, strong->actives, gws__strong_grain, find_pivot);
    uint32_t pivot = (uint32_t)gws__strong_load64(&strong->best);
    atomic_store_explicit(&strong->colour[pivot], pivot, memory_order_relaxed);
    strong->queue[0][0] = pivot;
    gws__strong_search(strong, GWS__STRONG_FORWARD, 1);
    atomic_store_explicit(&strong->component[pivot], pivot, memory_order_relaxed);
    strong->queue[0][0] = pivot;
    gws__strong_search(strong, GWS__STRONG_BACKWARD, 1);
    gws__strong_compact(strong);
}

/* ---- colouring ---- */

static void colour_own(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t vertex = strong->queue[0][i] = strong->active[i];
        atomic_store_explicit(&strong->colour[vertex], vertex, memory_order_relaxed);
    }
}

/* Returns false, without a result, if colouring gave up. */
static bool close_colours(struct gws__strong *strong)
{
    gws__strong_loop(strong, strong->actives, gws__strong_grain, colour_own);
    if (!gws__strong_search(strong, GWS__STRONG_COLOUR, strong->actives)) return false;
    gws__strong_search(strong, GWS__STRONG_BACKWARD, gws__strong_roots(strong));
    gws__strong_compact(strong);
    return true;
}

static gws_status close_all(struct gws__strong *strong)
{
    trim(strong);
    close_giant(strong);
    trim(strong);
    for (uint64_t before = UINT64_MAX; strong->actives > serial_rest &&
                                       strong->actives <= before - before / min_progress &&
                                       !gws_cancelled(strong->runtime);) {
        before = strong->actives;
        if (!close_colours(strong)) break;
        trim(strong);
    }
    gws_report_progress(strong->runtime, "closing components", 1, 2);
    if (gws_cancelled(strong->runtime)) return GWS_CANCELLED; /* the search may have stopped early */
    return strong->actives > 0 ? gws__strong_finish(strong) : GWS_OK;
}

/* ---- all ---- */

static void open_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        atomic_init(&strong->component[v], GWS_NO_VERTEX);
        atomic_init(&strong->colour[v], GWS_NO_VERTEX);
        atomic_init(&strong->stamp[v], 0);
        strong->active[v] = (uint32_t)v;
    }
}

/* Lowers the name of a component, which the entry of one member holds, to the smallest member. */
static void lower_names(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        _Atomic uint32_t *name = &strong->stamp[gws__strong_load(&strong->component[v])];
        uint32_t now = gws__strong_load(name);
        while (now > v && !atomic_compare_exchange_weak_explicit(name, &now, (uint32_t)v, memory_order_relaxed,
                                                                 memory_order_relaxed)) {
        }
    }
}

static void clear_names(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++)
        atomic_store_explicit(&strong->stamp[v], GWS_NO_VERTEX, memory_order_relaxed);
}

static void write_names(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    uint64_t components = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t name = gws__strong_load(&strong->stamp[gws__strong_load(&strong->component[v])]);
        atomic_store_explicit(&strong->component[v], name, memory_order_relaxed);
        components += name == v;
    }
    /* relaxed: the caller reads the sum after the loop's barrier. */
    atomic_fetch_add_explicit(&strong->tail, components, memory_order_relaxed);
}

/* Renames all components from one of their members to the smallest member. Returns the number of components. */
static uint64_t name_all(struct gws__strong *strong)
{
    const uint64_t vertices = strong->graph->vertices;
    atomic_store_explicit(&strong->tail, 0, memory_order_relaxed);
    gws__strong_loop(strong, vertices, 1 << 12, clear_names);
    gws__strong_loop(strong, vertices, 1 << 12, lower_names);
    gws__strong_loop(strong, vertices, 1 << 12, write_names);
    return gws__strong_load64(&strong->tail);
}

gws_status gws__strong_components(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *component,
                                  uint64_t *components)
{
    enum { arrays = 5 };
    const uint64_t vertices = graph->vertices;
    uint32_t *memory = gws_allocate(runtime, vertices, arrays * sizeof *memory);
    if (!memory) return GWS_NO_MEMORY;
    struct gws__strong strong = {.runtime = runtime,
                                 .graph = graph,
                                 .reverse = graph->reverse,
                                 .component = (_Atomic uint32_t *)component, /* atomic and plain words have one size */
                                 .colour = (_Atomic uint32_t *)memory,
                                 .stamp = (_Atomic uint32_t *)(memory + vertices),
                                 .queue = {memory + 2 * vertices, memory + 3 * vertices},
                                 .active = memory + 4 * vertices,
                                 .actives = vertices};
    gws__strong_loop(&strong, vertices, 1 << 12, open_range);
    gws_status status = strong.status == GWS_OK ? close_all(&strong) : strong.status;
    const uint64_t named = status == GWS_OK ? name_all(&strong) : 0;
    if (status == GWS_OK) status = strong.status;
    if (status == GWS_OK) *components = named;
    gws_release(runtime, memory, vertices, arrays * sizeof *memory);
    return status;
}
