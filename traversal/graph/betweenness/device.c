/* SPDX-License-Identifier: MIT */
/* Betweenness centrality on a device: the host's side of kernels/graph/betweenness.cl. */
#include "device_state.h"

enum {
    narrow_items = 256, /* max vertices of a narrow level, if a group has one item */
    dense_spread = 8,   /* batches that a warp shall find in a level of a dense graph */
    values = 8,         /* values among the kernel's arguments */
};

static gws_status betweenness_device_open(struct gws_device_graph *on_device,
                                          struct gws_betweenness_device **betweenness, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    if (info->graph->directed && !info->graph->reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    struct gws_betweenness_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_betweenness_device){.buffer = {NULL}};
    gws_status status =
        gws__device_kernel_open(on_device, "graph_betweenness", "graph_betweenness", &made->kernel, where);
    if (status == GWS_OK && info->graph->directed)
        status = gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, where);
    made->rows = info->graph->arcs / BC_HEAVY + 1;
    made->pieces = 2 * (info->graph->arcs / BC_PIECE + made->rows);
    if (status == GWS_OK) status = gws__bc_open_buffers(made, 1, where);
    if (status == GWS_OK)
        *betweenness = made;
    else
        gws_betweenness_device_close(made);
    return status;
}

gws_status gws_betweenness_device_open(struct gws_device_graph *on_device, struct gws_betweenness_device **betweenness,
                                       struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    betweenness_device_open(on_device, betweenness, where));
}

void gws_betweenness_device_close(struct gws_betweenness_device *betweenness)
{
    if (!betweenness) return;
    gws__bc_free_buffers(betweenness);
    gws_device_buffer_free(betweenness->buffer[centrality]);
    gws__device_kernel_close(&betweenness->kernel);
    gws_release(betweenness->kernel.info->runtime, betweenness, 1, sizeof *betweenness);
}

/* Launches the kernel for `sources` sources, and reads the reports. */
static gws_status launch(struct gws_betweenness_device *betweenness, const uint32_t *source, uint32_t sources,
                         uint32_t *reports, struct gws_diagnostic *where)
{
    struct gws__device_kernel *kernel = &betweenness->kernel;
    const struct gws_graph *graph = kernel->info->graph;
    const bool mesh = gws__bc_is_mesh(graph);
    const uint32_t narrow = kernel->group_size > 1 ? kernel->group_size : narrow_items;
    const uint32_t word[values] = {(uint32_t)graph->vertices,   sources,
                                   betweenness->teams,          betweenness->scaled,
                                   mesh ? narrow : 0,           mesh ? 1 : dense_spread,
                                   (uint32_t)betweenness->rows, (uint32_t)betweenness->pieces};
    static const enum gws_device_graph_array rows[] = {GWS_ARRAY_OFFSET, GWS_ARRAY_TARGET, GWS_ARRAY_IN_OFFSET,
                                                       GWS_ARRAY_SOURCE};
    const uint64_t arcs = betweenness->arcs ? graph->arcs : 0;
    struct gws_device_argument argument[4 + buffers + 1 + values + 1];
    uint32_t arguments = 0;
    for (uint32_t i = 0; i < 4; i++)
        argument[arguments++] =
            (struct gws_device_argument){.buffer = gws_device_graph_buffer(kernel->on_device, rows[i])};
    for (uint32_t i = 0; i < buffers; i++)
        argument[arguments++] = (struct gws_device_argument){.buffer = betweenness->buffer[i]};
    argument[arguments++] = gws__stop_argument(&kernel->stop);
    for (uint32_t i = 0; i < values; i++)
        argument[arguments++] = (struct gws_device_argument){.value = &word[i], .bytes = sizeof word[i]};
    argument[arguments++] = (struct gws_device_argument){.value = &arcs, .bytes = sizeof arcs};
    gws_status status = gws_device_write(betweenness->buffer[root], 0, source, sources * sizeof *source, where);
    if (status == GWS_OK) status = gws__device_kernel_run(kernel, argument, arguments, where);
    if (status != GWS_OK) return status;
    return gws_device_read(betweenness->buffer[report], 0, reports, sources * 2 * sizeof *reports, where);
}

/* Sums up the reports of a launch. Moves the sources whose numbers of paths have overflowed to the front of source.
 * Returns their number. */
static uint32_t add_reports(uint32_t *source, uint32_t sources, const uint32_t *reports,
                            struct gws_betweenness_result *result)
{
    uint32_t overflowed = 0;
    for (uint32_t i = 0; i < sources; i++) {
        const uint32_t levels = reports[2 * i];
        if (levels == 0) {
            source[overflowed++] = source[i];
            continue;
        }
        result->reached += reports[2 * i + 1];
        if (levels > result->levels) result->levels = levels;
    }
    return overflowed;
}

/* Adds the dependencies of `sources` sources from number begin on, at most team_sources for each team. */
static gws_status add_sources(struct gws_betweenness_device *betweenness, uint64_t begin, uint32_t sources,
                              uint32_t *memory, struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    uint32_t *source = memory, *reports = memory + sources;
    for (uint32_t i = 0; i < sources; i++) source[i] = result->source ? result->source[begin + i] : (uint32_t)begin + i;
    gws_status status = launch(betweenness, source, sources, reports, where);
    if (status != GWS_OK) return status;
    uint32_t again = add_reports(source, sources, reports, result);
    if (again == 0) return GWS_OK;
    if (!betweenness->scaled) {
        status = gws__bc_add_scale(betweenness, where);
        if (status == GWS_OK) status = launch(betweenness, source, again, reports, where);
        if (status == GWS_OK) again = add_reports(source, again, reports, result);
    }
    return status == GWS_OK && again > 0 ? gws_diagnostic_status(where, GWS_TOO_LARGE) : status;
}

/* Prepares the arrays of the run's teams. */
static gws_status prepare(struct gws_betweenness_device *betweenness, const struct gws_betweenness_options *options,
                          struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    const double began = gws_clock_ms();
    gws_status status = GWS_OK;
    betweenness->arcs = options->arcs;
    if (options->arcs && !betweenness->with_arcs) {
        betweenness->with_arcs = true;
        betweenness->capacity = 0;
    }
    betweenness->teams = gws__bc_choose_teams(betweenness, options->memory, result->sources);
    if (betweenness->teams > betweenness->capacity)
        status = gws__bc_open_buffers(betweenness, betweenness->teams, where);
    const uint64_t arrivals = 2 * BC_ARRIVED * (uint64_t)betweenness->teams;
    if (status == GWS_OK) status = gws_device_fill(betweenness->buffer[arrived], 0, 0, arrivals, where);
    result->prepare_ms = gws_clock_ms() - began;
    return status;
}

/* Adds `count` sums of each of the other teams to those of the first one. */
static gws_status add_sums(struct gws_betweenness_device *betweenness, enum buffer sums, enum buffer of_others,
                           uint64_t count, struct gws_diagnostic *where)
{
    struct gws__device_kernel kernel = betweenness->kernel;
    const struct gws_device_argument argument[] = {{.buffer = betweenness->buffer[sums]},
                                                   {.buffer = betweenness->buffer[of_others]},
                                                   {.value = &count, .bytes = sizeof count},
                                                   {.value = &betweenness->teams, .bytes = sizeof betweenness->teams}};
    kernel.kernel = "graph_betweenness_add";
    return betweenness->teams > 1 && count > 0 ? gws__device_kernel_run(&kernel, argument, 4, where) : GWS_OK;
}

static gws_status add_teams(struct gws_betweenness_device *betweenness, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = betweenness->kernel.info->graph;
    gws_status status = add_sums(betweenness, centrality, others, graph->vertices, where);
    if (status != GWS_OK || !betweenness->arcs) return status;
    return add_sums(betweenness, arc, other_arcs, graph->arcs, where);
}

/* Clears the `count` sums of every team. */
static gws_status clear_sums(struct gws_betweenness_device *betweenness, enum buffer sums, enum buffer of_others,
                             uint64_t count, struct gws_diagnostic *where)
{
    const uint64_t words = 2 * count, more = words * (betweenness->teams - 1);
    gws_status status = words > 0 ? gws_device_fill(betweenness->buffer[sums], 0, 0, words, where) : GWS_OK;
    if (status != GWS_OK || more == 0) return status;
    return gws_device_fill(betweenness->buffer[of_others], 0, 0, more, where);
}

/* Runs all sources, some in each launch. */
static gws_status run_sources(struct gws_betweenness_device *betweenness, struct gws_betweenness_result *result,
                              struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = betweenness->kernel.info;
    const uint32_t step = betweenness->teams * team_sources;
    uint32_t *memory = gws_allocate(info->runtime, 3 * (uint64_t)step, sizeof *memory);
    gws_status status = memory ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
    if (status == GWS_OK) status = clear_sums(betweenness, centrality, others, info->graph->vertices, where);
    if (status == GWS_OK && betweenness->arcs)
        status = clear_sums(betweenness, arc, other_arcs, info->graph->arcs, where);
    for (uint64_t i = 0; i < result->sources && status == GWS_OK; i += step) {
        const uint64_t rest = result->sources - i;
        status = add_sources(betweenness, i, rest < step ? (uint32_t)rest : step, memory, result, where);
        gws_report_progress(info->runtime, "betweenness", rest < step ? result->sources : i + step, result->sources);
    }
    gws_release(info->runtime, memory, 3 * (uint64_t)step, sizeof *memory);
    return status == GWS_OK ? add_teams(betweenness, where) : status;
}

static gws_status check_options(const struct gws_graph *graph, const struct gws_betweenness_options *options,
                                struct gws_diagnostic *where)
{
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        if (options->source[i] >= graph->vertices) return gws_diagnostic_status(where, GWS_OUT_OF_RANGE);
    return GWS_OK;
}

static gws_status betweenness_device_run(struct gws_betweenness_device *betweenness,
                                         const struct gws_betweenness_options *options,
                                         struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    static const struct gws_betweenness_options defaults;
    const struct gws_device_graph_info *info = betweenness->kernel.info;
    if (!options) options = &defaults;
    gws_status status = check_options(info->graph, options, where);
    if (status != GWS_OK) return status;
    status = gws__bc_open_scratch(info->runtime, &result->scratch);
    if (status == GWS_OK) status = gws__bc_list_sources(info->runtime, info->graph, options, result);
    (void)gws_diagnostic_status(where, status);
    if (status == GWS_OK) status = prepare(betweenness, options, result, where);
    double began = gws_clock_ms();
    result->reached = result->levels = 0;
    if (status == GWS_OK) status = run_sources(betweenness, result, where);
    result->ms = gws_clock_ms() - began;
    betweenness->factors = gws__bc_factors_of(info->graph, options, result);
    if (status != GWS_OK) gws_betweenness_result_clear(result);
    return status;
}

gws_status gws_betweenness_device_run(struct gws_betweenness_device *betweenness,
                                      const struct gws_betweenness_options *options,
                                      struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(betweenness->kernel.info->runtime, where,
                    betweenness_device_run(betweenness, options, result, where));
}

struct gws_device_buffer *gws_betweenness_device_buffer(const struct gws_betweenness_device *betweenness)
{
    return betweenness->buffer[centrality];
}

struct gws_device_buffer *gws_betweenness_device_arcs(const struct gws_betweenness_device *betweenness)
{
    return betweenness->arcs ? betweenness->buffer[arc] : NULL;
}

/* Copies `count` sums to values, which is NULL if memory is short. */
static gws_status fetch_sums(const struct gws_betweenness_device *betweenness, enum buffer sums, uint64_t count,
                             double *values, struct gws_diagnostic *where)
{
    if (!values) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    return count > 0 ? gws_device_read(betweenness->buffer[sums], 0, values, count * sizeof *values, where) : GWS_OK;
}

static gws_status betweenness_device_fetch(struct gws_betweenness_device *betweenness,
                                           struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = betweenness->kernel.info;
    const uint64_t vertices = info->graph->vertices, arcs = info->graph->arcs;
    double began = gws_clock_ms();
    if (!result->scratch) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the result is not the last run's");
    struct gws_betweenness_result fetched = *result;
    gws_status status =
        fetch_sums(betweenness, centrality, vertices,
                   fetched.centrality = gws__bc_array_of(result->scratch, GWS__BC_CENTRALITY, vertices, 8), where);
    fetched.arc = NULL;
    if (status == GWS_OK && betweenness->arcs)
        status = fetch_sums(betweenness, arc, arcs,
                            fetched.arc = gws__bc_array_of(result->scratch, GWS__BC_ARC, arcs, 8), where);
    if (status != GWS_OK) return status;
    status = gws__bc_scale(info->runtime, info->graph, &betweenness->factors, &fetched);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    fetched.vertices = vertices;
    fetched.arcs = arcs;
    *result = fetched;
    result->fetch_ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_betweenness_device_fetch(struct gws_betweenness_device *betweenness,
                                        struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(betweenness->kernel.info->runtime, where, betweenness_device_fetch(betweenness, result, where));
}
