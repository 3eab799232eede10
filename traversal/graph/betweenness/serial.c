/* SPDX-License-Identifier: MIT */
/* The method for small graphs. Each worker searches from sources of its own, with arrays of its own, and no worker
 * waits for another worker. For each source a worker runs Brandes' algorithm as published, except that the inward pass
 * pulls (state.h). Between sources the worker resets only the entries of reached vertices. The worker leaves a source
 * with more than GWS__BC_MAX_PATHS paths to some vertex to gws__bc_add_source(). */
#include <string.h>

#include "state.h"

enum { default_memory = 64 << 20, vertices_per_poll = 4096 };

struct serial_worker {
    uint32_t *depth; /* all entries are GWS_NO_VERTEX between sources */
    uint32_t *queue;
    double *value, *centrality;
    double *arc; /* NULL: the caller does not need the values of arcs */
    uint64_t reached;
    uint32_t levels;
    bool begun;
};

struct serial_run {
    struct gws__bc *bc;
    const uint32_t *source;
    struct serial_worker *worker;
    uint32_t workers;
    uint8_t *done;
};

static void begin_worker(const struct gws_graph *graph, struct serial_worker *me)
{
    if (me->begun) return;
    memset(me->depth, 0xff, graph->vertices * sizeof *me->depth);
    memset(me->centrality, 0, graph->vertices * sizeof *me->centrality);
    if (me->arc) memset(me->arc, 0, graph->arcs * sizeof *me->arc);
    me->begun = true;
}

/* Visits the entries begin .. end - 1 of the queue. Returns the new end of the queue. */
static uint64_t visit(const struct gws_graph *graph, struct serial_worker *me, uint64_t begin, uint64_t end,
                      uint64_t tail)
{
    for (uint64_t head = begin; head < end; head++) {
        uint32_t from = me->queue[head], next = me->depth[from] + 1;
        double paths = me->value[from];
        for (uint64_t arc = graph->offset[from]; arc < graph->offset[from + (uint64_t)1]; arc++) {
            uint32_t to = graph->target[arc];
            if (me->depth[to] == GWS_NO_VERTEX) {
                me->depth[to] = next;
                me->value[to] = 0;
                me->queue[tail++] = to;
            }
            if (me->depth[to] == next) me->value[to] += paths;
        }
    }
    return tail;
}

/* Returns the number of vertices in the queue. Both passes ask after some thousand vertices, since one source may take
 * seconds. A cancelled call discards the sums, so both passes may then stop anywhere. */
static uint64_t count_paths(const struct gws__bc *bc, struct serial_worker *me, uint32_t source)
{
    uint64_t tail = 1;
    me->queue[0] = source;
    me->depth[source] = 0;
    me->value[source] = 1;
    for (uint64_t head = 0, end; head < tail && !gws_cancelled(bc->runtime); head = end) {
        end = tail - head < vertices_per_poll ? tail : head + vertices_per_poll;
        tail = visit(bc->graph, me, head, end, tail);
    }
    return tail;
}

static double sum_row(const struct gws_graph *graph, struct serial_worker *me, uint32_t vertex)
{
    uint32_t next = me->depth[vertex] + 1;
    double sum = 0;
    for (uint64_t arc = graph->offset[vertex]; arc < graph->offset[vertex + (uint64_t)1]; arc++) {
        uint32_t to = graph->target[arc];
        if (me->depth[to] != next) continue;
        sum += me->value[to];
        if (me->arc) me->arc[arc] += me->value[vertex] * me->value[to];
    }
    return sum;
}

/* Adds the dependencies of the entries end - 1 down to begin of the queue. */
static void add_range(const struct gws_graph *graph, struct serial_worker *me, uint64_t begin, uint64_t end)
{
    for (uint64_t i = end; i-- > begin;) {
        uint32_t vertex = me->queue[i];
        double dependency = me->value[vertex] * sum_row(graph, me, vertex);
        if (i > 0) me->centrality[vertex] += dependency;
        me->value[vertex] = (1 + dependency) / me->value[vertex];
    }
}

static void add_dependencies(const struct gws__bc *bc, struct serial_worker *me, uint64_t tail)
{
    const uint64_t first = me->arc ? 0 : 1;
    for (uint64_t end = tail, begin; end > first && !gws_cancelled(bc->runtime); end = begin) {
        begin = end - first < vertices_per_poll ? first : end - vertices_per_poll;
        add_range(bc->graph, me, begin, end);
    }
}

static bool overflows(const struct serial_worker *me, uint64_t tail)
{
    bool over = false;
    for (uint64_t i = 0; i < tail; i++) over |= !(me->value[me->queue[i]] <= GWS__BC_MAX_PATHS);
    return over;
}

static void run_sources(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct serial_run *run = context;
    struct serial_worker *me = &run->worker[worker];
    begin_worker(run->bc->graph, me);
    for (uint64_t i = begin; i < end; i++) {
        uint32_t source = run->source ? run->source[i] : (uint32_t)i;
        uint64_t tail = count_paths(run->bc, me, source);
        run->done[i] = !overflows(me, tail);
        if (run->done[i]) {
            add_dependencies(run->bc, me, tail);
            uint32_t levels = me->depth[me->queue[tail - 1]] + 1;
            me->levels = levels > me->levels ? levels : me->levels;
            me->reached += tail;
        }
        for (uint64_t j = 0; j < tail; j++) me->depth[me->queue[j]] = GWS_NO_VERTEX;
    }
}

/* ---- the sum over the workers ---- */

static void add_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct serial_run *run = context;
    for (uint32_t w = 0; w < run->workers; w++)
        for (uint64_t v = begin; v < end && run->worker[w].begun; v++)
            run->bc->centrality[v] += run->worker[w].centrality[v];
}

static void add_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct serial_run *run = context;
    for (uint32_t w = 0; w < run->workers; w++)
        for (uint64_t arc = begin; arc < end && run->worker[w].begun; arc++)
            run->bc->arc[arc] += run->worker[w].arc[arc];
}

static gws_status merge(struct serial_run *run)
{
    struct gws__bc *bc = run->bc;
    struct gws_loop loop = {
        .count = bc->graph->vertices, .grain = 4096, .body = add_vertices, .context = run, .uncounted = true};
    gws_status status = gws_parallel_try(bc->runtime, &loop);
    loop.count = bc->graph->arcs;
    loop.body = add_arcs;
    if (status == GWS_OK && bc->arc) status = gws_parallel_try(bc->runtime, &loop);
    for (uint32_t w = 0; w < run->workers; w++) {
        if (!run->worker[w].begun) continue;
        bc->reached += run->worker[w].reached;
        if (run->worker[w].levels > bc->max_levels) bc->max_levels = run->worker[w].levels;
    }
    return status;
}

/* ---- memory, one block with the arrays of all workers ---- */

static uint64_t bytes_per_worker(const struct gws__bc *bc)
{
    uint64_t doubles = 3 * bc->graph->vertices + 1 + (bc->arc ? bc->graph->arcs : 0);
    return doubles * sizeof(double);
}

static void divide(const struct serial_run *run, char *memory)
{
    uint64_t vertices = run->bc->graph->vertices, bytes = bytes_per_worker(run->bc);
    for (uint32_t w = 0; w < run->workers; w++) {
        double *value = (double *)(void *)(memory + w * bytes);
        run->worker[w] = (struct serial_worker){.value = value, .centrality = value + vertices};
        run->worker[w].depth = (uint32_t *)(value + 2 * vertices);
        run->worker[w].queue = run->worker[w].depth + vertices;
        if (run->bc->arc) run->worker[w].arc = value + 3 * vertices + 1;
    }
}

gws_status gws__bc_add_serial(struct gws__bc *bc, const uint32_t *source, uint64_t sources, uint64_t memory,
                              uint8_t *done)
{
    uint32_t workers = gws_runtime_workers(bc->runtime);
    struct serial_run run = {.bc = bc, .source = source, .workers = workers, .done = done};
    uint64_t bytes = bytes_per_worker(bc);
    if (memory == 0) memory = default_memory;
    if (sources < workers || bytes > memory / workers) return GWS_OK;
    run.worker = gws_allocate(bc->runtime, workers, sizeof *run.worker);
    char *arrays = gws_allocate(bc->runtime, workers, bytes);
    gws_status status = GWS_NO_MEMORY;
    if (run.worker && arrays) {
        struct gws_loop loop = {.count = sources, .chunk = 1, .body = run_sources, .context = &run};
        divide(&run, arrays);
        status = gws_parallel_try(bc->runtime, &loop);
        if (status == GWS_OK) status = merge(&run);
    }
    gws_release(bc->runtime, run.worker, workers, sizeof *run.worker);
    gws_release(bc->runtime, arrays, workers, bytes);
    return status;
}
