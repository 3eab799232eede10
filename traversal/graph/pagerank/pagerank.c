/* SPDX-License-Identifier: MIT */
/* PageRank on threads: Jacobi's iteration, pulling along the incoming arcs. state.h says how state is encoded and how
 * work is divided.
 *
 * The mass that does not follow arcs, 1 - damping * given, restarts. This mass consists of the fraction 1 - damping of
 * all mass, and of the remaining mass of dangling vertices. So ranks sum to 1 after every iteration, even if shares
 * lost mass by rounding. */
#include <math.h>
#include <string.h>

#include "state.h"

static const double default_damping = 0.85, default_tolerance = 1e-6, float_tolerance = 2.5e-7;
enum { default_iterations = 1000, grain = 4096 };

static bool is_valid(const struct gws_pagerank_options *options)
{
    if (!(options->damping >= 0 && options->damping < 1) || isnan(options->tolerance)) return false;
    if (options->precision < GWS_PAGERANK_AUTO || options->precision > GWS_PAGERANK_DOUBLE) return false;
    return !options->source || (options->sources > 0 && options->sources <= UINT32_MAX);
}

gws_status gws__pagerank_options(const struct gws_graph *graph, const struct gws_pagerank_options *options,
                                 struct gws_pagerank_options *all)
{
    *all = options ? *options : (struct gws_pagerank_options){0};
    if (!is_valid(all)) return GWS_INVALID;
    for (uint64_t i = 0; all->source && i < all->sources; i++)
        if (all->source[i] >= graph->vertices) return GWS_OUT_OF_RANGE;
    if (all->damping == 0) all->damping = default_damping;
    if (all->tolerance == 0) all->tolerance = default_tolerance;
    if (all->max_iterations == 0) all->max_iterations = default_iterations;
    if (all->precision == GWS_PAGERANK_AUTO)
        all->precision = all->tolerance >= float_tolerance ? GWS_PAGERANK_FLOAT : GWS_PAGERANK_DOUBLE;
    return graph->directed && !graph->reverse ? GWS_NEEDS_REVERSE : GWS_OK;
}

/* ---- the arrays ---- */

static uint64_t share_bytes(const struct gws_pagerank_options *options)
{
    return options->precision == GWS_PAGERANK_FLOAT ? sizeof(float) : sizeof(double);
}

/* If the vertices are not renumbered, shares in double use the memory of the ranks. */
static bool shares_in_ranks(const struct gws__pagerank *run, const struct gws_pagerank_options *options)
{
    return options->precision == GWS_PAGERANK_DOUBLE && !run->number;
}

static gws_status set_restarts(struct gws__pagerank *run, const struct gws_pagerank_options *options)
{
    run->entries = (double)run->vertices;
    if (!options->source) return GWS_OK;
    run->restarts = gws_allocate(run->runtime, run->vertices, sizeof *run->restarts);
    if (!run->restarts) return GWS_NO_MEMORY;
    memset(run->restarts, 0, run->vertices * sizeof *run->restarts);
    for (uint64_t i = 0; i < options->sources; i++)
        run->restarts[run->number ? run->number[options->source[i]] : options->source[i]]++;
    run->entries = (double)options->sources;
    return GWS_OK;
}

static void set_rows(struct gws__pagerank *run, const struct gws_graph *graph, const struct gws_pagerank_index *index)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    run->vertices = graph->vertices;
    run->arcs = in->arcs;
    run->offset = in->offset;
    run->source = in->target;
    run->out = graph->offset;
    if (!index || index->graph != graph) return;
    run->offset = index->offset;
    run->source = index->source;
    run->degree = index->degree;
    run->number = index->number;
}

static gws_status open_run(struct gws__pagerank *run, const struct gws_pagerank_options *options)
{
    const uint64_t bytes = share_bytes(options);
    run->memory[0] = gws_allocate(run->runtime, run->vertices, bytes);
    if (!shares_in_ranks(run, options)) run->memory[1] = gws_allocate(run->runtime, run->vertices, bytes);
    run->now = run->memory[0];
    run->next = shares_in_ranks(run, options) ? run->rank : run->memory[1];
    gws_status status = run->now && run->next ? set_restarts(run, options) : GWS_NO_MEMORY;
    return status == GWS_OK ? gws__pagerank_plan(run) : status;
}

static void close_run(struct gws__pagerank *run, const struct gws_pagerank_options *options)
{
    gws__pagerank_plan_free(run);
    gws_release(run->runtime, run->restarts, run->vertices, sizeof *run->restarts);
    const uint64_t bytes = share_bytes(options);
    for (int i = 0; i < 2; i++) gws_release(run->runtime, run->memory[i], run->vertices, bytes);
}

/* ---- iterations ---- */

/* Adds the sums of all tasks, always in the same order. */
static void add_tasks(const struct gws__pagerank *run, struct gws__pagerank_sums *sums)
{
    for (uint64_t task = 0; task < run->plan.tasks; task++) {
        sums->error += run->plan.sums[task].error;
        sums->given += run->plan.sums[task].given;
        sums->total += run->plan.sums[task].total;
    }
}

/* *all: in, the mass that arcs carry (given); out, all sums of the iteration. */
static gws_status iterate(struct gws__pagerank *run, const struct gws__pagerank_loops *loops,
                          struct gws__pagerank_sums *all)
{
    const struct gws_loop pull = {.count = run->plan.pieces + run->plan.tasks, .body = loops->pull, .context = run};
    struct gws__pagerank_sums sums = {0};
    run->restart = (1 - run->damping * all->given) / run->entries;
    run->all = run->now;
    gws_status status = gws_parallel_try(run->runtime, &pull);
    if (status != GWS_OK) return status;
    loops->heavy(run, &sums);
    add_tasks(run, &sums);
    void *now = run->now;
    run->now = run->next;
    run->next = now;
    *all = sums;
    return GWS_OK;
}

static gws_status run_all(struct gws__pagerank *run, const struct gws_pagerank_options *options,
                          struct gws_pagerank_result *result)
{
    const struct gws__pagerank_loops *loops =
        options->precision == GWS_PAGERANK_FLOAT ? &gws__pagerank_float : &gws__pagerank_double;
    struct gws__pagerank_sums sums = {0};
    run->restart = 1 / run->entries;
    gws_status status = gws_parallel_try_for(run->runtime, run->plan.tasks, 1, loops->begin, run);
    if (status != GWS_OK) return status;
    add_tasks(run, &sums);
    do {
        status = iterate(run, loops, &sums);
        if (status != GWS_OK) return status;
        gws_report_progress(run->runtime, "ranking", ++result->iterations, 0);
    } while (!(sums.error <= options->tolerance) && result->iterations < options->max_iterations);
    run->scale = 1 / sums.total;
    result->error = sums.error;
    result->converged = sums.error <= options->tolerance;
    return gws_parallel_try_for(run->runtime, run->vertices, grain, loops->write, run);
}

static gws_status pagerank(struct gws_runtime *runtime, const struct gws_graph *graph,
                           const struct gws_pagerank_options *options, struct gws_pagerank_result *result)
{
    struct gws_pagerank_options all;
    double began = gws_clock_ms();
    gws_status status = gws__pagerank_options(graph, options, &all);
    if (status != GWS_OK) return status;
    struct gws_pagerank_result made = {.vertices = graph->vertices, .allocator = *gws_runtime_allocator(runtime)};
    bool reuses = result->rank && result->vertices == graph->vertices;
    if (reuses) made.allocator = result->allocator;
    made.rank = reuses ? result->rank : gws_allocate(runtime, graph->vertices, sizeof *made.rank);
    if (!made.rank) return GWS_NO_MEMORY;
    struct gws__pagerank run = {.runtime = runtime, .damping = all.damping, .rank = made.rank};
    set_rows(&run, graph, all.index);
    status = open_run(&run, &all);
    if (status == GWS_OK && graph->vertices > 0) status = run_all(&run, &all, &made);
    close_run(&run, &all);
    if (status != GWS_OK) {
        if (!reuses) gws_release(runtime, made.rank, graph->vertices, sizeof *made.rank);
        return status;
    }
    if (graph->vertices == 0) made.converged = true;
    if (!reuses) gws_pagerank_result_clear(result);
    made.ms = gws_clock_ms() - began;
    *result = made;
    return GWS_OK;
}

gws_status gws_pagerank(struct gws_runtime *runtime, const struct gws_graph *graph,
                        const struct gws_pagerank_options *options, struct gws_pagerank_result *result)
{
    return GWS_CALL(runtime, NULL, pagerank(runtime, graph, options, result));
}

gws_status gws__pagerank_reserve(struct gws_runtime *runtime, uint64_t vertices, struct gws_pagerank_result *result)
{
    if (result->rank && result->vertices == vertices) return GWS_OK;
    struct gws_pagerank_result made = *result;
    made.vertices = vertices;
    made.allocator = *gws_runtime_allocator(runtime);
    made.rank = gws_allocate(runtime, vertices, sizeof *made.rank);
    if (!made.rank) return GWS_NO_MEMORY;
    gws_pagerank_result_clear(result);
    *result = made;
    return GWS_OK;
}

void gws_pagerank_result_clear(struct gws_pagerank_result *result)
{
    if (!result) return;
    uint64_t bytes = result->vertices * sizeof *result->rank;
    if (result->rank) result->allocator.release(result->allocator.context, result->rank, bytes > 0 ? (size_t)bytes : 1);
    *result = (struct gws_pagerank_result){0};
}
