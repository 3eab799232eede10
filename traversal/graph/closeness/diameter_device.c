/* SPDX-License-Identifier: MIT */
/* The diameter on a device: breadth-first searches of bfs_device.h, and between them launches of
 * kernels/graph/diameter.cl. diameter.c is the same method on threads. */
#include "../../../kernels/graph/diameter_words.h"
#include "../../../lib/parallel.h"
#include "../../bfs_device.h"
#include "../../closeness_device.h"
#include "../../components.h"
#include "../../engine/device_kernel.h"
#include "../../engine/device_symmetric.h"

enum { SIZE, LOWER, UPPER, BEST, FOUND, ARRIVED, BUFFERS };

struct gws_diameter_device {
    struct gws_runtime *runtime;
    struct gws__device_symmetric symmetric;
    struct gws_bfs_device *bfs;
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[BUFFERS];
    double prepare_ms;
};

/* ---- launches ---- */

struct step {
    uint32_t which, last, largest; /* see the kernel */
    struct gws_device_buffer *component, *depth;
};

static gws_status launch(struct gws_diameter_device *of, const struct step *step, struct gws_diagnostic *where)
{
    static const void *const none;
    const struct gws_device_argument null = {.value = &none, .bytes = sizeof none};
    const uint32_t word[] = {(uint32_t)of->kernel.info->graph->vertices, step->which, step->last, step->largest};
    enum { words = sizeof word / sizeof *word };
    struct gws_device_argument argument[3 + BUFFERS + words] = {
        {.buffer = gws_device_graph_buffer(of->symmetric.on_device, GWS_ARRAY_OFFSET)}};
    argument[1] = step->component ? (struct gws_device_argument){.buffer = step->component} : null;
    argument[2] = step->depth ? (struct gws_device_argument){.buffer = step->depth} : null;
    for (uint32_t i = 0; i < BUFFERS; i++) argument[3 + i] = (struct gws_device_argument){.buffer = of->buffer[i]};
    for (uint32_t i = 0; i < words; i++)
        argument[3 + BUFFERS + i] = (struct gws_device_argument){.value = &word[i], .bytes = sizeof word[i]};
    gws_status status = gws_device_fill(of->buffer[BEST], 0, UINT32_MAX, 4, where);
    if (status == GWS_OK) status = gws_device_fill(of->buffer[FOUND], 0, UINT32_MAX, DIAMETER_FOUND, where);
    return status == GWS_OK ? gws__device_kernel_run(&of->kernel, argument, 3 + BUFFERS + words, where) : status;
}

/* ---- opening ---- */

/* Finds the number of vertices in the component of each vertex. */
static gws_status measure(struct gws_diameter_device *made, struct gws_diagnostic *where)
{
    struct gws_components_device *components = NULL;
    struct gws_components_result result = {0};
    gws_status status = gws_components_device_open(made->symmetric.on_device, &components, where);
    if (status == GWS_OK) status = gws_components_device_run(components, &result, where);
    const struct step sizes = {.which = DIAMETER_SIZES,
                               .component = components ? gws_components_device_buffer(components) : NULL};
    if (status == GWS_OK) status = launch(made, &sizes, where);
    gws_components_device_close(components);
    return status;
}

static gws_status open_on(struct gws_diameter_device *made, struct gws_device_graph *on_device,
                          struct gws_diagnostic *where)
{
    const double began = gws_clock_ms();
    gws_status status = gws__device_symmetric_open(on_device, &made->symmetric, where);
    if (status == GWS_OK)
        status = gws__device_kernel_open(made->symmetric.on_device, "graph_diameter", "graph_diameter", &made->kernel,
                                         where);
    if (status != GWS_OK) return status;
    const uint64_t words = made->kernel.info->graph->vertices * 4;
    const uint64_t bytes[BUFFERS] = {
        [SIZE] = words, [LOWER] = words, [UPPER] = words, [BEST] = 16, [FOUND] = DIAMETER_FOUND * 4, [ARRIVED] = 8};
    status = gws__device_kernel_buffers(&made->kernel, bytes, BUFFERS, made->buffer, where);
    if (status == GWS_OK) status = gws_device_fill(made->buffer[ARRIVED], 0, 0, 2, where);
    if (status == GWS_OK && words > 0) status = measure(made, where);
    made->prepare_ms = gws_clock_ms() - began;
    if (status != GWS_OK || words == 0) return status;
    return gws_bfs_device_open(made->symmetric.on_device, NULL, &made->bfs, where);
}

static gws_status diameter_device_open(struct gws_device_graph *on_device, struct gws_diameter_device **diameter,
                                       struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = gws_device_graph_describe(on_device)->runtime;
    struct gws_diameter_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_diameter_device){.runtime = runtime};
    gws_status status = open_on(made, on_device, where);
    if (status == GWS_OK)
        *diameter = made;
    else
        gws_diameter_device_close(made);
    return status;
}

gws_status gws_diameter_device_open(struct gws_device_graph *on_device, struct gws_diameter_device **diameter,
                                    struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    diameter_device_open(on_device, diameter, where));
}

void gws_diameter_device_close(struct gws_diameter_device *diameter)
{
    if (!diameter) return;
    gws_bfs_device_close(diameter->bfs);
    for (uint32_t i = 0; i < BUFFERS; i++) gws_device_buffer_free(diameter->buffer[i]);
    gws__device_kernel_close(&diameter->kernel);
    gws__device_symmetric_close(&diameter->symmetric);
    gws_release(diameter->runtime, diameter, 1, sizeof *diameter);
}

struct gws_device_buffer *gws_diameter_device_buffer(const struct gws_diameter_device *diameter,
                                                     enum gws_diameter_array array)
{
    return diameter->buffer[array == GWS_DIAMETER_LOWER ? LOWER : UPPER];
}

/* ---- runs ---- */

static gws_status step_and_read(struct gws_diameter_device *of, const struct step *step, uint32_t *found,
                                struct gws_diagnostic *where)
{
    gws_status status = launch(of, step, where);
    if (status != GWS_OK) return status;
    return gws_device_read(of->buffer[FOUND], 0, found, DIAMETER_FOUND * sizeof *found, where);
}

/* Searches from a vertex, applies the search to the bounds, and finds the next candidates. */
static gws_status search_from(struct gws_diameter_device *of, uint32_t from, struct gws_bfs_result *bfs,
                              struct gws_diameter_result *made, uint32_t *found, struct gws_diagnostic *where)
{
    gws_status status = gws_bfs_device_run(of->bfs, from, bfs, where);
    if (status != GWS_OK) return status;
    const uint32_t last = bfs->levels - 1;
    const bool larger = last > made->diameter;
    struct step step = {.which = DIAMETER_BOUND, .last = last, .largest = larger ? last : made->diameter};
    step.depth = gws_bfs_device_buffer(of->bfs, GWS_BFS_DEPTH);
    if (!step.depth)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "the depths of a search are not on the device");
    made->searches++;
    gws_report_progress(of->runtime, "bounding the diameter", made->searches, 0);
    status = step_and_read(of, &step, found, where);
    if (status != GWS_OK || !larger) return status;
    made->diameter = last;
    made->from = from;
    made->to = found[DIAMETER_FARTHEST];
    return GWS_OK;
}

/* Searches in the order of diameter.c. */
static gws_status search(struct gws_diameter_device *of, struct gws_diameter_result *made, struct gws_diagnostic *where)
{
    const struct step begin = {.which = DIAMETER_BEGIN};
    struct gws_bfs_result bfs = {0};
    uint32_t found[DIAMETER_FOUND];
    gws_status status = step_and_read(of, &begin, found, where);
    while (status == GWS_OK && found[DIAMETER_HIGH] != GWS_NO_VERTEX) {
        uint32_t from = found[made->searches < 2 || made->searches % 2 ? DIAMETER_HIGH : DIAMETER_LOW];
        status = search_from(of, from, &bfs, made, found, where);
    }
    gws_bfs_result_clear(&bfs);
    return status;
}

static gws_status diameter_device_run(struct gws_diameter_device *of, struct gws_diameter_result *result,
                                      struct gws_diagnostic *where)
{
    const uint64_t vertices = of->kernel.info->graph->vertices;
    const uint32_t first = vertices ? 0 : GWS_NO_VERTEX;
    const double began = gws_clock_ms();
    struct gws_diameter_result made = {.vertices = vertices, .from = first, .to = first, .prepare_ms = of->prepare_ms};
    gws_status status = vertices ? search(of, &made, where) : GWS_OK;
    if (status != GWS_OK) return status;
    made.ms = gws_clock_ms() - began;
    *result = made;
    return GWS_OK;
}

gws_status gws_diameter_device_run(struct gws_diameter_device *diameter, struct gws_diameter_result *result,
                                   struct gws_diagnostic *where)
{
    return GWS_CALL(diameter->runtime, where, diameter_device_run(diameter, result, where));
}
