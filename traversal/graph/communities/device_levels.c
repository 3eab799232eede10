/* SPDX-License-Identifier: MIT */
/* The steps of communities on a device: communities.c on threads has the same order of steps. The host reads a few
 * words after each step. */
#include <string.h>

#include "device_state.h"

/* ---- a launch ---- */

static void add_rows(const struct gws_communities_device *of, struct gws_device_argument *argument)
{
    const struct communities_rows *level = &of->level;
    struct gws_device_buffer *const rows[] = {level->offset,    level->target, level->weight,
                                              level->in_offset, level->source, level->in_weight};
    for (uint32_t i = 0; i < 6; i++) argument[i].buffer = rows[i];
}

static gws_status launch(struct gws_communities_device *of, struct gws_diagnostic *where)
{
    struct gws_device_buffer *const *buffer = of->buffer;
    struct gws_device_argument argument[6 + COMMUNITIES_BUFFERS + 6] = {{.buffer = NULL}};
    uint32_t at = 6;
    add_rows(of, argument);
    argument[at++].buffer = buffer[COMMUNITIES_NODE];
    argument[at++].buffer = buffer[COMMUNITIES_LABELS];
    argument[at++].buffer = of->level.refined ? of->level.refined : buffer[COMMUNITIES_NODE];
    for (uint32_t i = COMMUNITIES_DEGREE; i <= COMMUNITIES_LONG_ROW; i++) argument[at++].buffer = buffer[i];
    argument[at++].buffer = of->made.offset;
    argument[at++].buffer = of->made.target;
    argument[at++].buffer = of->made.weight;
    for (uint32_t i = COMMUNITIES_TABLE_LABEL; i < COMMUNITIES_BUFFERS; i++) argument[at++].buffer = buffer[i];
    for (uint32_t i = 0; i < at; i++)
        if (!argument[i].buffer) argument[i].buffer = buffer[COMMUNITIES_FOUND]; /* the step does not use it */
    argument[at++] = gws__stop_argument(&of->kernel.stop);
    argument[at++] = (struct gws_device_argument){.value = &of->step, .bytes = sizeof of->step};
    return gws__device_kernel_run(&of->kernel, argument, at, where);
}

/* Runs a step and reads what it has found. */
static gws_status run_step(struct gws_communities_device *of, uint32_t step, struct gws_diagnostic *where)
{
    struct gws_device_buffer *found = of->buffer[COMMUNITIES_FOUND], *tally = of->buffer[COMMUNITIES_TALLY];
    of->step.step = step;
    gws_status status = gws_device_fill(found, 0, 0, COMMUNITIES_COUNTS, where);
    if (status == GWS_OK) status = gws_device_fill(tally, 0, 0, sizeof of->tally / 4, where);
    if (status == GWS_OK) status = launch(of, where);
    if (status == GWS_OK) status = gws_device_read(found, 0, of->found, sizeof of->found, where);
    return status == GWS_OK ? gws_device_read(tally, 0, of->tally, sizeof of->tally, where) : status;
}

/* ---- levels ---- */

static void free_rows(struct communities_rows *rows)
{
    gws_device_buffer_free(rows->offset);
    gws_device_buffer_free(rows->target);
    gws_device_buffer_free(rows->weight);
    gws_device_buffer_free(rows->refined);
    *rows = (struct communities_rows){.target = NULL};
}

static bool is_first(const struct gws_communities_device *of)
{
    return of->level.offset == gws_device_graph_buffer(of->kernel.on_device, GWS_ARRAY_OFFSET);
}

/* Makes the graph the level. */
static void begin_level(struct gws_communities_device *of)
{
    struct gws_device_graph *on_device = of->kernel.on_device;
    const struct gws_graph *graph = of->kernel.info->graph;
    if (!is_first(of)) free_rows(&of->level);
    of->level = (struct communities_rows){.offset = gws_device_graph_buffer(on_device, GWS_ARRAY_OFFSET),
                                          .target = gws_device_graph_buffer(on_device, GWS_ARRAY_TARGET),
                                          .weight = of->weight,
                                          .in_offset = gws_device_graph_buffer(on_device, GWS_ARRAY_IN_OFFSET),
                                          .source = gws_device_graph_buffer(on_device, GWS_ARRAY_SOURCE),
                                          .in_weight = of->in_weight};
    of->step.vertices = of->step.nodes = (uint32_t)graph->vertices;
    of->step.halves = graph->directed ? 2 : 1;
    of->step.weights = of->first_weights;
    of->step.loops_once = !graph->directed;
}

/* Makes the next level the level. */
static void replace_level(struct gws_communities_device *of)
{
    if (!is_first(of)) free_rows(&of->level);
    of->level = of->made;
    of->made = (struct communities_rows){.target = NULL};
    of->step.nodes = of->step.made;
    of->step.halves = 1;
    of->step.weights = of->step.out;
    of->step.loops_once = 0;
}

/* Merges the nodes with the same label. Does nothing if no nodes merge. No weight exceeds the total. */
static gws_status merge_level(struct gws_communities_device *of, struct gws_diagnostic *where)
{
    struct gws_device *device = of->kernel.info->device;
    gws_status status = run_step(of, COMMUNITIES_NUMBER, where);
    uint64_t made = of->step.made = of->found[FOUND_NODES];
    if (status != GWS_OK || made == of->step.nodes) return status;
    of->step.out = of->step.total <= INT32_MAX ? WEIGHT_WORDS : WEIGHT_LONGS;
    status = gws_device_buffer_new(device, (made + 1) * 8, &of->made.offset, where);
    if (status == GWS_OK) status = run_step(of, COMMUNITIES_COUNT, where);
    uint64_t arcs = of->tally[LEVEL_ARCS];
    of->step.longs = of->found[FOUND_LONG];
    if (status == GWS_OK) status = gws_device_buffer_new(device, arcs * 4, &of->made.target, where);
    if (status == GWS_OK)
        status = gws_device_buffer_new(device, arcs * (of->step.out == WEIGHT_LONGS ? 8 : 4), &of->made.weight, where);
    if (status == GWS_OK && of->step.refines)
        status = gws_device_buffer_new(device, made * 4, &of->made.refined, where);
    if (status == GWS_OK) status = run_step(of, COMMUNITIES_WRITE, where);
    if (status == GWS_OK) replace_level(of);
    return status;
}

/* Moves the nodes of the level. *ends: no level follows. */
static gws_status move_level(struct gws_communities_device *of, bool *ends, struct gws_diagnostic *where)
{
    gws_status status = run_step(of, COMMUNITIES_SUM, where);
    of->step.begins = 0;
    of->step.total = of->tally[LEVEL_TOTAL];
    *ends = of->step.total == 0;
    if (status != GWS_OK || *ends) return status;
    status = run_step(of, COMMUNITIES_MOVE, where);
    of->step.round += of->found[FOUND_ROUNDS];
    *ends = of->step.refines ? of->found[FOUND_LABELS] == of->step.nodes : of->tally[LEVEL_MOVES] == 0;
    return status;
}

static gws_status run_levels(struct gws_communities_device *of, uint32_t *levels, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = of->kernel.info->runtime;
    bool ends = false;
    for (uint32_t level = 0;;) {
        uint32_t nodes = of->step.nodes;
        gws_status status = move_level(of, &ends, where);
        gws_report_progress(runtime, "moving vertices", ++*levels, of->options.max_levels);
        if (status != GWS_OK || ++level == of->options.max_levels || ends) return status;
        if (of->step.refines) {
            of->step.round++;
            status = run_step(of, COMMUNITIES_REFINE, where);
        }
        if (status == GWS_OK) status = merge_level(of, where);
        if (status != GWS_OK || of->step.nodes == nodes) return status;
    }
}

/* Sums up the modularity of the labels in node[]. */
static gws_status summarise(struct gws_communities_device *of, struct gws_communities_result *result,
                            struct gws_diagnostic *where)
{
    begin_level(of);
    of->step.summary = 1;
    of->step.begins = 0;
    gws_status status = run_step(of, COMMUNITIES_SUM, where);
    uint64_t inside = of->tally[LEVEL_INSIDE];
    of->step.total = of->tally[LEVEL_TOTAL];
    if (status == GWS_OK) status = run_step(of, COMMUNITIES_SUMMARISE, where);
    of->step.summary = 0;
    result->count = of->found[FOUND_LABELS];
    result->largest = of->found[FOUND_LARGEST];
    result->modularity = gws__modularity(of->options.resolution, inside, of->step.total, of->tally[LEVEL_SQUARES]);
    return status;
}

gws_status gws__communities_device_find(struct gws_communities_device *of, struct gws_communities_result *result,
                                        struct gws_diagnostic *where)
{
    const bool propagates = of->options.method == GWS_COMMUNITIES_CDLP;
    const uint32_t passes = of->options.method == GWS_COMMUNITIES_LEIDEN ? of->options.passes : !propagates;
    gws_status status = GWS_OK;
    of->step.refines = of->options.method == GWS_COMMUNITIES_LEIDEN;
    of->step.round = 0;
    if (propagates) {
        begin_level(of);
        of->step.max = of->options.iterations;
        status = run_step(of, COMMUNITIES_PROPAGATE, where);
        result->levels = of->found[FOUND_ROUNDS];
    }
    for (uint32_t pass = 0; pass < passes && status == GWS_OK; pass++) {
        begin_level(of);
        of->step.begins = pass == 0 ? 1 : 2;
        status = run_levels(of, &result->levels, where);
        if (status == GWS_OK) status = run_step(of, COMMUNITIES_LABEL, where);
    }
    if (status == GWS_OK) status = summarise(of, result, where);
    begin_level(of);
    free_rows(&of->made);
    return status;
}
