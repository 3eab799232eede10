/* SPDX-License-Identifier: MIT */
/* A path on a device: a search of bfs_device.h or sssp_device.h, and kernels/graph/path.cl, which reads the path from
 * its parents. */
#include <string.h>

#include "../../../kernels/graph/path_words.h"
#include "../../bfs_device.h"
#include "../../engine/device_kernel.h"
#include "../../path_device.h"
#include "../../sssp_device.h"
#include "side.h"

enum { VERTEX, DISTANCE, LENGTH, BUFFERS };

enum { min_capacity = 4096 };

struct gws_path_device {
    struct gws__device_kernel kernel;
    struct gws_bfs_device *bfs;   /* NULL: by weights */
    struct gws_sssp_device *sssp; /* NULL: by hops */
    bool hops;
    struct gws_device_buffer *buffer[BUFFERS];
    uint32_t capacity;               /* vertices of a path that fit */
    bool ran;                        /* the path is complete ... */
    uint32_t source, target, length; /* ... between these vertices */
    uint64_t reached;
};

/* ---- opening ---- */

/* Makes buffers for a path of at least `length` vertices. */
static gws_status reserve_buffers(struct gws_path_device *of, uint32_t length, struct gws_diagnostic *where)
{
    struct gws_device *device = of->kernel.info->device;
    for (uint32_t i = VERTEX; i <= DISTANCE; i++) {
        gws_device_buffer_free(of->buffer[i]);
        of->buffer[i] = NULL;
    }
    of->capacity = length < min_capacity ? min_capacity : length;
    gws_status status =
        gws_device_buffer_new(device, of->capacity * (uint64_t)sizeof(uint32_t), &of->buffer[VERTEX], where);
    if (status != GWS_OK) return status;
    return gws_device_buffer_new(device, of->capacity * (uint64_t)sizeof(uint64_t), &of->buffer[DISTANCE], where);
}

static gws_status open_on(struct gws_path_device *made, struct gws_device_graph *on_device,
                          struct gws_diagnostic *where)
{
    const struct gws_graph *graph = gws_device_graph_describe(on_device)->graph;
    gws_status status = gws__device_kernel_open(on_device, "graph_path", "graph_path", &made->kernel, where);
    if (status != GWS_OK) return status;
    made->kernel.groups = 1;
    status = gws_device_buffer_new(made->kernel.info->device, sizeof(uint32_t), &made->buffer[LENGTH], where);
    if (status == GWS_OK) status = reserve_buffers(made, 0, where);
    if (status != GWS_OK || graph->vertices == 0) return status;
    return made->hops || (!graph->weight && !graph->real_weight)
               ? gws_bfs_device_open(on_device, NULL, &made->bfs, where)
               : gws_sssp_device_open(on_device, NULL, &made->sssp, where);
}

static gws_status path_device_open(struct gws_device_graph *on_device, const struct gws_path_options *options,
                                   struct gws_path_device **path, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    struct gws_path_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_path_device){.hops = options && options->hops};
    made->kernel.info = info;
    gws_status status = open_on(made, on_device, where);
    if (status == GWS_OK)
        *path = made;
    else
        gws_path_device_close(made);
    return status;
}

gws_status gws_path_device_open(struct gws_device_graph *on_device, const struct gws_path_options *options,
                                struct gws_path_device **path, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    path_device_open(on_device, options, path, where));
}

void gws_path_device_close(struct gws_path_device *path)
{
    if (!path) return;
    struct gws_runtime *runtime = path->kernel.info->runtime;
    gws_bfs_device_close(path->bfs);
    gws_sssp_device_close(path->sssp);
    for (uint32_t i = 0; i < BUFFERS; i++) gws_device_buffer_free(path->buffer[i]);
    gws__device_kernel_close(&path->kernel);
    gws_release(runtime, path, 1, sizeof *path);
}

/* ---- runs ---- */

static gws_status search(struct gws_path_device *of, uint32_t source, struct gws_diagnostic *where)
{
    struct gws_bfs_result bfs = {0};
    struct gws_sssp_result sssp = {0};
    gws_status status = of->bfs ? gws_bfs_device_run(of->bfs, source, &bfs, where)
                                : gws_sssp_device_run(of->sssp, source, &sssp, where);
    of->reached = of->bfs ? bfs.reached : sssp.reached;
    gws_bfs_result_clear(&bfs);
    gws_sssp_result_clear(&sssp);
    of->source = source;
    return status;
}

/* Reads the path from the parents of the last search. */
static gws_status follow(struct gws_path_device *of, uint32_t target, struct gws_diagnostic *where)
{
    const uint64_t vertices = of->kernel.info->graph->vertices;
    struct gws_device_buffer *parent =
        of->bfs ? gws_bfs_device_buffer(of->bfs, GWS_BFS_PARENT) : gws_sssp_device_parents(of->sssp);
    struct gws_device_buffer *distance =
        of->bfs ? gws_bfs_device_buffer(of->bfs, GWS_BFS_DEPTH) : gws_sssp_device_distances(of->sssp);
    if (!parent || !distance)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "the parents of a search are not on the device");
    const bool is_long = !of->bfs && gws_device_buffer_bytes(distance) >= vertices * sizeof(uint64_t);
    const uint32_t word[] = {of->source, target, (uint32_t)vertices, of->capacity, is_long ? PATH_LONGS : PATH_WORDS};
    const struct gws_device_argument argument[] = {{.buffer = parent},
                                                   {.buffer = distance},
                                                   {.buffer = of->buffer[VERTEX]},
                                                   {.buffer = of->buffer[DISTANCE]},
                                                   {.buffer = of->buffer[LENGTH]},
                                                   {.value = &word[0], .bytes = sizeof *word},
                                                   {.value = &word[1], .bytes = sizeof *word},
                                                   {.value = &word[2], .bytes = sizeof *word},
                                                   {.value = &word[3], .bytes = sizeof *word},
                                                   {.value = &word[4], .bytes = sizeof *word}};
    gws_status status = gws__device_kernel_run(&of->kernel, argument, sizeof argument / sizeof *argument, where);
    return status == GWS_OK ? gws_device_read(of->buffer[LENGTH], 0, &of->length, sizeof of->length, where) : status;
}

static void write_result(const struct gws_path_device *of, double began, struct gws_path_result *result)
{
    const uint64_t vertices = of->kernel.info->graph->vertices;
    *result = (struct gws_path_result){.vertices = vertices, .source = of->source, .target = of->target};
    result->hops = of->hops;
    result->length = of->length;
    result->visited = of->reached;
    result->ms = gws_clock_ms() - began;
}

static gws_status path_device_run(struct gws_path_device *of, uint32_t source, uint32_t target,
                                  struct gws_path_result *result, struct gws_diagnostic *where)
{
    const uint64_t vertices = of->kernel.info->graph->vertices;
    const double began = gws_clock_ms();
    gws_path_result_clear(result);
    if (source >= vertices || target >= vertices)
        return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "the source or the target is not a vertex");
    of->ran = false;
    gws_status status = search(of, source, where);
    if (status == GWS_OK) status = follow(of, target, where);
    if (status == GWS_OK && of->length > of->capacity) {
        status = reserve_buffers(of, of->length, where);
        if (status == GWS_OK) status = follow(of, target, where);
    }
    if (status != GWS_OK) return status;
    of->ran = true;
    of->target = target;
    write_result(of, began, result);
    return GWS_OK;
}

gws_status gws_path_device_run(struct gws_path_device *path, uint32_t source, uint32_t target,
                               struct gws_path_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(path->kernel.info->runtime, where, path_device_run(path, source, target, result, where));
}

struct gws_device_buffer *gws_path_device_buffer(const struct gws_path_device *path, enum gws_path_array array)
{
    return path->buffer[array == GWS_PATH_VERTICES ? VERTEX : DISTANCE];
}

/* ---- results on the host ---- */

static gws_status reserve_arrays(const struct gws_path_device *of, struct gws_path_result *result)
{
    struct gws_runtime *runtime = of->kernel.info->runtime;
    if (!result->scratch) {
        struct gws__path_scratch *scratch = gws_allocate(runtime, 1, sizeof *scratch);
        if (!scratch) return GWS_NO_MEMORY;
        memset(scratch, 0, sizeof *scratch);
        scratch->allocator = *gws_runtime_allocator(runtime);
        result->scratch = scratch;
    }
    return gws__path_reserve(result->scratch, of->length);
}

static gws_status path_device_fetch(struct gws_path_device *of, struct gws_path_result *result,
                                    struct gws_diagnostic *where)
{
    const struct gws_graph *graph = of->kernel.info->graph;
    if (!of->ran || result->vertices != graph->vertices || result->source != of->source ||
        result->target != of->target || result->length != of->length)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the result is not the last run's");
    if (of->length == 0) return GWS_OK;
    gws_status status = reserve_arrays(of, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    struct gws__path_scratch *scratch = result->scratch;
    status = gws_device_read(of->buffer[VERTEX], 0, scratch->vertex, of->length * sizeof *scratch->vertex, where);
    if (status == GWS_OK)
        status =
            gws_device_read(of->buffer[DISTANCE], 0, scratch->distance, of->length * sizeof *scratch->distance, where);
    if (status != GWS_OK) return status;
    const bool is_real = graph->real_weight && !of->hops;
    result->vertex = scratch->vertex;
    result->distance = is_real ? NULL : scratch->distance;
    result->real_distance = is_real ? (double *)(void *)scratch->distance : NULL;
    return GWS_OK;
}

gws_status gws_path_device_fetch(struct gws_path_device *path, struct gws_path_result *result,
                                 struct gws_diagnostic *where)
{
    return GWS_CALL(path->kernel.info->runtime, where, path_device_fetch(path, result, where));
}
