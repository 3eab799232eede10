/* SPDX-License-Identifier: MIT */
/* Shortest paths on a graph that is parted among devices: two runs of kernels/engine/rounds_parted.cl over the same
 * distances, by the operators sssp.cl and sssp_parents.cl. Distances lie in the exchange buffers. As on one device,
 * integers begin with 32 bits, and a search whose distances do not fit starts again with 64. */
#include "../../sssp_devices.h"

#include "../../../kernels/engine/engine_words.h"
#include "../../../kernels/engine/parted_words.h"
#include "../../../lib/parallel.h"
#include "../../engine/parts.h"
#include "device.h"

enum { vertex_cost = 4 /* the cost of a vertex in a search, in arcs */ };

enum pass { distances, parents, passes };

static const char *const program[][passes] = {
    [SSSP_WORD] = {"engine_sssp_parted", "engine_sssp_parents_parted"},
    [SSSP_LONG] = {"engine_sssp_long_parted", "engine_sssp_long_parents_parted"},
    [SSSP_DOUBLE] = {"engine_sssp_double_parted", "engine_sssp_double_parents_parted"}};

struct sssp_part {
    struct gws_graph rows; /* of all vertices; those of other parts are empty */
    uint64_t *bounds;
    struct gws_device_graph *on_device;
    struct gws_device_buffer *weight;
    struct gws__device_run *run[passes];
    uint64_t sent, idle, ticks; /* of the last run */
};

struct gws_sssp_devices {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    struct gws__parts parts[passes]; /* they differ in the kernels alone */
    struct sssp_part part[PARTED_MAX];
    enum gws__sssp_form form;
    double wanted; /* the wanted width of a bucket; 0: a computed one */
    uint32_t word[2];
    double delta;
    enum pass pass; /* that runs */
    bool ran;
    uint32_t source;  /* of the last run */
    uint64_t too_far; /* vertices whose distances do not fit, in the last run */
};

/* ---- opening and closing ---- */

static gws_status open_run(struct gws_sssp_devices *search, uint32_t which, enum pass pass,
                           struct gws_diagnostic *where)
{
    struct sssp_part *part = &search->part[which];
    struct gws__device_run *lender = pass == parents ? part->run[distances] : NULL, **run = &part->run[pass];
    const struct gws__parts *parts = &search->parts[pass];
    const uint64_t inboxes = gws__parts_size(parts, which) * (parts->count - 1);
    gws_status status =
        gws__device_run_open(part->on_device, program[search->form][pass], lender ? 3 : 1, lender, false, run, where);
    if (status == GWS_OK && !lender)
        status = gws__device_run_resize(*run, (PARTED_POSTS + search->graph->vertices + inboxes) * 8, where);
    if (status != GWS_OK) return status;
    (*run)->weight = part->weight;
    return gws__parts_add(&search->parts[pass], which, &(*run)->kernel, (*run)->data[0].buffer, where);
}

static gws_status open_part(struct gws_sssp_devices *search, uint32_t which, struct gws_device *device,
                            struct gws_diagnostic *where)
{
    const struct gws_device_graph_options options = {.placement = GWS_PLACE_DEVICE};
    struct sssp_part *part = &search->part[which];
    gws_status status = gws_diagnostic_status(
        where, gws__parts_all_rows(search->runtime, search->parts, which, search->graph, &part->bounds, &part->rows));
    if (status == GWS_OK)
        status = gws_device_graph_open(search->runtime, device, &part->rows, &options, &part->on_device, where);
    if (status == GWS_OK) status = gws__sssp_device_weigh(part->on_device, &part->weight, where);
    return status;
}

static void close_runs(struct gws_sssp_devices *search)
{
    for (uint32_t p = 0; p < search->parts->count; p++)
        for (enum pass pass = passes; pass-- > 0;) {
            gws__device_run_close(search->part[p].run[pass]);
            search->part[p].run[pass] = NULL;
        }
}

/* Opens all runs for distances of the search's form. After an error, none is open. All devices use the same width of
 * buckets, that of one of them: wider ones relax more arcs again. */
static gws_status open_runs(struct gws_sssp_devices *search, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < search->parts->count * passes && status == GWS_OK; i++)
        status = open_run(search, i / passes, (enum pass)(i % passes), where);
    for (uint32_t p = 0; p < search->parts->count && status == GWS_OK; p++)
        status = gws_device_wait(search->parts->kernel[p]->device, where);
    if (status == GWS_OK) {
        const struct gws__device_kernel *kernel = search->parts->kernel[0];
        search->delta = gws__sssp_device_delta(search->graph, search->form, search->wanted, kernel->groups,
                                               kernel->group_size, search->word);
    } else {
        close_runs(search);
    }
    return status;
}

static gws_status sssp_devices_open(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                    const struct gws_graph *graph, const struct gws_sssp_options *options,
                                    struct gws_sssp_devices **search, struct gws_diagnostic *where)
{
    gws_status status = gws__parts_connect(device, devices, where);
    if (status != GWS_OK) return status;
    if (graph->vertices == 0) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the graph has no vertices");
    if (graph->vertices >> 31) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    status = gws__sssp_device_check(runtime, graph, options, where);
    if (status != GWS_OK) return status;
    struct gws_sssp_devices *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_sssp_devices){.runtime = runtime, .graph = graph, .wanted = options ? options->delta : 0};
    made->form = graph->real_weight ? SSSP_DOUBLE : SSSP_WORD;
    made->parts[distances] = (struct gws__parts){.count = devices, .post_words = PARTED_POSTS};
    gws__parts_divide(made->parts, graph, NULL, vertex_cost);
    made->parts[parents] = made->parts[distances];
    for (uint32_t p = 0; p < devices && status == GWS_OK; p++) status = open_part(made, p, device[p], where);
    if (status == GWS_OK) status = open_runs(made, where);
    if (status == GWS_OK)
        *search = made;
    else
        gws_sssp_devices_close(made);
    return status;
}

gws_status gws_sssp_devices_open(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                 const struct gws_graph *graph, const struct gws_sssp_options *options,
                                 struct gws_sssp_devices **search, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, sssp_devices_open(runtime, device, devices, graph, options, search, where));
}

void gws_sssp_devices_close(struct gws_sssp_devices *search)
{
    if (!search) return;
    close_runs(search);
    for (uint32_t p = 0; p < search->parts->count; p++) {
        struct sssp_part *part = &search->part[p];
        gws_device_buffer_free(part->weight);
        gws_device_graph_close(part->on_device);
        gws_release(search->runtime, part->bounds, search->graph->vertices + 1, sizeof *part->bounds);
    }
    gws_release(search->runtime, search, 1, sizeof *search);
}

/* ---- runs ---- */

/* The run passes the word that ends the kernel, which is the first argument of all parts. */
static gws_status launch(void *context, uint32_t which, struct gws_diagnostic *where)
{
    const struct gws_sssp_devices *search = context;
    const uint32_t word[4] = {search->source, 0, search->word[0], search->word[1]};
    struct gws_device_argument argument[gws__parts_arguments_count];
    struct parted_bounds bounds;
    uint32_t count = 0;
    gws__parts_arguments(&search->parts[search->pass], which, &bounds, argument, &count);
    return gws__device_run_start(search->part[which].run[search->pass], word, argument + 1, count - 1, where);
}

/* All devices have the same number of rounds. */
static gws_status read_part(struct gws_sssp_devices *search, uint32_t which, struct gws_sssp_result *made,
                            struct gws_diagnostic *where)
{
    struct sssp_part *part = &search->part[which];
    uint32_t count[ENGINE_CONTROL_WORDS];
    uint64_t sum[ENGINE_SUM_WORDS];
    gws_status status = gws__device_run_read(part->run[search->pass], count, sum, where);
    if (status != GWS_OK) return status;
    if (which == 0) made->rounds += count[COUNT_REPORT_LEVELS];
    if (search->pass == distances)
        made->reached += sum[SUM_COUNTED];
    else
        search->too_far += sum[SUM_COUNTED];
    const uint64_t distance = search->form == SSSP_WORD ? 4 : 8; /* which the owner reads */
    part->sent += sum[SUM_SENT] * (search->pass == distances ? 8 + distance : 8);
    part->idle += sum[SUM_IDLE];
    part->ticks += sum[SUM_TICKS];
    return GWS_OK;
}

static gws_status run_pass(struct gws_sssp_devices *search, enum pass pass, struct gws_sssp_result *made,
                           struct gws_diagnostic *where)
{
    double ms = 0;
    search->pass = pass;
    gws_status status = gws__parts_run(&search->parts[pass], launch, search, &ms, where);
    for (uint32_t p = 0; p < search->parts->count && status == GWS_OK; p++) status = read_part(search, p, made, where);
    made->ms += ms;
    return status;
}

/* Runs both passes, and opens them before if they are not open. Adds to made->ms. */
static gws_status run_passes(struct gws_sssp_devices *search, struct gws_sssp_result *made,
                             struct gws_diagnostic *where)
{
    gws_status status = search->part[0].run[distances] ? GWS_OK : open_runs(search, where);
    for (uint32_t p = 0; p < search->parts->count; p++)
        search->part[p].sent = search->part[p].idle = search->part[p].ticks = 0;
    search->too_far = 0;
    *made = (struct gws_sssp_result){
        .source = search->source, .vertices = search->graph->vertices, .delta = search->delta, .ms = made->ms};
    gws_report_progress(search->runtime, "relaxing arcs", 0, 0);
    for (enum pass pass = 0; pass < passes && status == GWS_OK; pass++) status = run_pass(search, pass, made, where);
    return status;
}

static gws_status sssp_devices_run(struct gws_sssp_devices *search, uint32_t source, struct gws_sssp_result *result,
                                   struct gws_diagnostic *where)
{
    struct gws_sssp_result made = {0};
    if (source >= search->graph->vertices)
        return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "the source is not a vertex of the graph");
    search->ran = false;
    search->source = source;
    gws_status status = run_passes(search, &made, where);
    if (status == GWS_OK && search->too_far > 0) {
        close_runs(search);
        search->form = SSSP_LONG;
        status = run_passes(search, &made, where);
    }
    if (status != GWS_OK) return status;
    gws_sssp_result_clear(result);
    *result = made;
    search->ran = true;
    return GWS_OK;
}

gws_status gws_sssp_devices_run(struct gws_sssp_devices *search, uint32_t source, struct gws_sssp_result *result,
                                struct gws_diagnostic *where)
{
    return GWS_CALL(search->runtime, where, sssp_devices_run(search, source, result, where));
}

/* ---- results ---- */

static gws_status read_both(void *context, void *distance, uint32_t *parent, struct gws_diagnostic *where)
{
    const struct gws_sssp_devices *search = context;
    gws_status status = GWS_OK;
    for (uint32_t p = 0; p < search->parts->count && status == GWS_OK; p++) {
        const uint64_t first = search->parts->first[p], size = gws__parts_size(search->parts, p);
        const uint64_t bytes = search->form == SSSP_WORD ? 4 : 8;
        struct gws__device_run *const *run = search->part[p].run;
        if (size == 0) continue;
        status = gws_device_read(run[distances]->data[0].buffer, PARTED_POSTS * 8 + first * bytes,
                                 (char *)distance + first * bytes, size * bytes, where);
        if (status == GWS_OK)
            status = gws_device_read(run[parents]->data[1].buffer, first * 4, parent + first, size * 4, where);
    }
    if (status == GWS_OK && search->form == SSSP_WORD) gws__sssp_device_widen(distance, search->graph->vertices);
    return status;
}

static gws_status sssp_devices_fetch(struct gws_sssp_devices *search, struct gws_sssp_result *result,
                                     struct gws_diagnostic *where)
{
    if (!search->ran || result->vertices != search->graph->vertices || result->source != search->source ||
        result->scratch)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the result is not the last run's");
    return gws__sssp_device_fetch(search->runtime, search->graph, read_both, search, result, where);
}

gws_status gws_sssp_devices_fetch(struct gws_sssp_devices *search, struct gws_sssp_result *result,
                                  struct gws_diagnostic *where)
{
    return GWS_CALL(search->runtime, where, sssp_devices_fetch(search, result, where));
}

/* ---- parts ---- */

uint32_t gws_sssp_devices_count(const struct gws_sssp_devices *search)
{
    return search->parts->count;
}

void gws_sssp_devices_describe(const struct gws_sssp_devices *search, uint32_t device,
                               struct gws_sssp_devices_part *part)
{
    const struct sssp_part *own = &search->part[device];
    const struct gws__device_kernel *kernel = &own->run[distances]->kernel;
    *part = (struct gws_sssp_devices_part){.device = kernel->device,
                                           .first = search->parts->first[device],
                                           .vertices = gws__parts_size(search->parts, device),
                                           .arcs = own->rows.arcs,
                                           .bytes = gws_device_memory_held(kernel->device),
                                           .upload_ms = gws_device_graph_describe(own->on_device)->upload_ms,
                                           .groups = kernel->groups,
                                           .group_size = kernel->group_size,
                                           .sent_bytes = own->sent,
                                           .idle = own->ticks > 0 ? (double)own->idle / (double)own->ticks : 0};
}
