/* SPDX-License-Identifier: MIT */
/* The host's side of kernels/engine/rounds.cl. */
#include "device_run.h"

#include <string.h>

#include "../../kernels/engine/engine_words.h"
#include "../../lib/parallel.h"

enum {
    pull_size = 4,    /* an argument of DIRECTION_ROUNDS */
    min_heavy = 512,  /* min arcs of a row that all groups share, unless heavy_means gives more */
    heavy_means = 16, /* all groups share a row of this many times the mean degree */
    data_arrays = gws__device_run_arrays,
    words = 4,
};

/* control, sums and queue depend on the kernel's groups. A run borrows all other buffers from its lender. */
enum buffer { visited, next, far, list, control, sums, queue, segments, buffers = gws__device_run_buffers };

static bool is_borrowed(const struct gws__device_run *run, enum buffer which)
{
    return run->lender && which != control && which != sums && which != queue;
}

static gws_status open_buffers(struct gws__device_run *run, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = run->kernel.info->graph;
    uint64_t vertices = graph->vertices, heavy = vertices ? heavy_means * (graph->arcs / vertices) : 0;
    run->heavy = heavy < min_heavy ? min_heavy : heavy < UINT32_MAX ? (uint32_t)heavy : UINT32_MAX;
    const uint64_t bytes[buffers] = {
        [visited] = (vertices + 31) / 32 * 4, [next] = (vertices + 31) / 32 * 4,
        [far] = (vertices + 31) / 32 * 4,     [list] = vertices * 8,
        [control] = ENGINE_CONTROL_WORDS * 4, [sums] = ENGINE_SUM_WORDS * 8,
        [queue] = run->kernel.groups * 8,     [segments] = (graph->arcs / run->heavy + 1) * 16};
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < buffers && status == GWS_OK; i++)
        if (is_borrowed(run, i))
            run->buffer[i] = run->lender->buffer[i];
        else
            status = gws_device_buffer_new(run->kernel.device, bytes[i], &run->buffer[i], where);
    if (status == GWS_OK) status = gws_device_fill(run->buffer[control], 0, 0, ENGINE_CONTROL_WORDS, where);
    return status == GWS_OK ? gws_device_fill(run->buffer[sums], 0, 0, ENGINE_SUM_WORDS * 2, where) : status;
}

static gws_status open_arrays(struct gws__device_run *run, bool hybrid, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = run->kernel.info;
    struct gws_device_sharing sharing = gws_device_sharing(info->device, NULL);
    bool in_place = sharing.memory && sharing.fine_grained;
    uint64_t bytes = info->graph->vertices * 4;
    gws_status status = GWS_OK;
    if (run->lender) run->data[0] = run->lender->data[0];
    if (run->lender) run->weight = run->lender->weight;
    for (uint32_t i = run->lender ? 1 : 0; i < run->arrays && status == GWS_OK; i++)
        status = hybrid ? gws__mirror_open(info->runtime, info->device, bytes, in_place, &run->data[i], where)
                        : gws_device_buffer_new(info->device, bytes, &run->data[i].buffer, where);
    return status;
}

gws_status gws__device_run_weigh(struct gws_device_graph *on_device, const uint32_t *word,
                                 struct gws_device_buffer **weight, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    uint64_t bytes = info->graph->arcs * sizeof *word;
    gws_status status = gws_device_buffer_new(info->device, bytes, weight, where);
    return status == GWS_OK && bytes > 0 ? gws_device_write(*weight, 0, word, bytes, where) : status;
}

gws_status gws__device_run_open(struct gws_device_graph *on_device, const char *program, uint32_t arrays,
                                const struct gws__device_run *lender, bool hybrid, struct gws__device_run **run,
                                struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    struct gws__device_run *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws__device_run){.arrays = arrays, .lender = lender};
    gws_status status = gws__device_kernel_open(on_device, program, hybrid ? "engine_rounds_handoff" : "engine_rounds",
                                                &made->kernel, where);
    if (status == GWS_OK) status = open_buffers(made, where);
    if (status == GWS_OK) status = open_arrays(made, hybrid, where);
    if (status == GWS_OK)
        *run = made;
    else
        gws__device_run_close(made);
    return status;
}

gws_status gws__device_run_resize(struct gws__device_run *run, uint64_t bytes, struct gws_diagnostic *where)
{
    gws__mirror_close(run->kernel.info->runtime, &run->data[0]);
    return gws_device_buffer_new(run->kernel.info->device, bytes, &run->data[0].buffer, where);
}

void gws__device_run_close(struct gws__device_run *run)
{
    if (!run) return;
    for (uint32_t i = 0; i < buffers; i++)
        if (!is_borrowed(run, i)) gws_device_buffer_free(run->buffer[i]);
    for (uint32_t i = run->lender ? 1 : 0; i < run->arrays; i++)
        gws__mirror_close(run->kernel.info->runtime, &run->data[i]);
    gws__device_kernel_close(&run->kernel);
    gws_release(run->kernel.info->runtime, run, 1, sizeof *run);
}

enum { max_arguments = 5 + data_arrays + buffers + 2 + 4 + words + gws__device_run_extras };

/* Appends the kernel's arguments in order. If the operator lacks an array, the function passes any other buffer. own:
 * four values that outlive the arguments. Returns their number. */
static uint32_t list_arguments(const struct gws__device_run *run, const uint32_t word[words], uint32_t own[4],
                               const struct gws_device_argument *extra, uint32_t extras,
                               struct gws_device_argument argument[max_arguments])
{
    struct gws_device_buffer *in_offset = gws_device_graph_buffer(run->kernel.on_device, GWS_ARRAY_IN_OFFSET);
    struct gws_device_buffer *offset = gws_device_graph_buffer(run->kernel.on_device, GWS_ARRAY_OFFSET);
    struct gws_device_buffer *target = gws_device_graph_buffer(run->kernel.on_device, GWS_ARRAY_TARGET);
    struct gws_device_buffer *source = gws_device_graph_buffer(run->kernel.on_device, GWS_ARRAY_SOURCE);
    const uint32_t value[] = {(uint32_t)run->kernel.info->graph->vertices, run->heavy, SCHEDULE_STEAL,
                              in_offset ? pull_size : 0};
    uint32_t count = 0;
    memcpy(own, value, sizeof value);
    struct gws_device_buffer *const rows[] = {offset, target, in_offset ? in_offset : offset,
                                              in_offset ? source : target, run->weight ? run->weight : target};
    for (uint32_t i = 0; i < 5; i++) argument[count++] = (struct gws_device_argument){.buffer = rows[i]};
    for (uint32_t i = 0; i < data_arrays; i++)
        argument[count++] = (struct gws_device_argument){.buffer = run->data[i < run->arrays ? i : 0].buffer};
    for (uint32_t i = 0; i < buffers; i++) argument[count++] = (struct gws_device_argument){.buffer = run->buffer[i]};
    argument[count++] = gws__device_trace_argument(&run->kernel.trace);
    argument[count++] = gws__stop_argument(&run->kernel.stop);
    for (uint32_t i = 0; i < 4; i++) argument[count++] = (struct gws_device_argument){.value = &own[i], .bytes = 4};
    for (uint32_t i = 0; i < words; i++)
        argument[count++] = (struct gws_device_argument){.value = &word[i], .bytes = 4};
    for (uint32_t i = 0; i < extras; i++) argument[count++] = extra[i];
    return count;
}

gws_status gws__device_run_start(const struct gws__device_run *run, const uint32_t word[words],
                                 const struct gws_device_argument *extra, uint32_t extras, struct gws_diagnostic *where)
{
    struct gws_device_argument argument[max_arguments];
    uint32_t own[4];
    return gws__device_kernel_start(&run->kernel, argument, list_arguments(run, word, own, extra, extras, argument),
                                    where);
}

gws_status gws__device_run_launch(struct gws__device_run *run, const uint32_t word[words],
                                  const struct gws_device_argument *extra, uint32_t extras,
                                  struct gws_diagnostic *where)
{
    struct gws_device_argument argument[max_arguments];
    uint32_t own[4];
    return gws__device_kernel_run(&run->kernel, argument, list_arguments(run, word, own, extra, extras, argument),
                                  where);
}

gws_status gws__device_run_counted(const struct gws__device_run *run, uint64_t *counted, struct gws_diagnostic *where)
{
    return gws_device_read(run->buffer[sums], SUM_COUNTED * 8, counted, sizeof *counted, where);
}

gws_status gws__device_run_read(const struct gws__device_run *run, uint32_t *count, uint64_t *sum,
                                struct gws_diagnostic *where)
{
    gws_status status = gws_device_read(run->buffer[control], 0, count, ENGINE_CONTROL_WORDS * 4ull, where);
    return status == GWS_OK ? gws_device_read(run->buffer[sums], 0, sum, ENGINE_SUM_WORDS * 8ull, where) : status;
}

gws_status gws__device_run_go(struct gws__device_run *run, const uint32_t word[words],
                              struct gws__device_run_report *report, struct gws_diagnostic *where)
{
    uint32_t counts[ENGINE_CONTROL_WORDS];
    uint64_t sum[ENGINE_SUM_WORDS];
    struct gws__device_run_report made = {.ms = gws_clock_ms()};
    gws_status status = gws__device_run_launch(run, word, NULL, 0, where);
    made.ms = gws_clock_ms() - made.ms;
    if (status == GWS_OK) status = gws__device_run_read(run, counts, sum, where);
    if (status != GWS_OK) return status;
    made.counted = sum[SUM_COUNTED];
    made.rounds = counts[COUNT_REPORT_LEVELS];
    made.pulls = counts[COUNT_PULLS];
    made.threshold = counts[COUNT_REPORT_THRESHOLD];
    *report = made;
    return GWS_OK;
}

gws_status gws__device_run_fetch(struct gws__device_run *run, uint32_t array, void *into, struct gws_diagnostic *where)
{
    uint64_t bytes = gws_device_buffer_bytes(run->data[array].buffer);
    return bytes > 0 ? gws_device_read(run->data[array].buffer, 0, into, bytes, where) : GWS_OK;
}
