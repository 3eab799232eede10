/* SPDX-License-Identifier: MIT */
/* A graph's arrays on a device, and the graph's indexes. ../device_graph.h documents each array. A table has one row
 * for each index. The build time of an index includes waiting for the kernels, but not compiling them. */
#include "device_graph.h"

#include "../../lib/parallel.h"
#include "mesh_rows.h"

enum { search_bytes = 32 /* device memory of a search, per vertex */, margin_bytes = 1 << 20 };

/* Creates the buffer of an array. */
static gws_status make(struct gws_device_graph *on_device, enum gws_device_graph_array which, uint64_t bytes,
                       struct gws_diagnostic *where)
{
    return gws_device_buffer_new(on_device->info.device, bytes, &on_device->array[which], where);
}

/* ---- rows ---- */

static uint64_t row_bytes(const struct gws_graph *graph)
{
    return (graph->vertices + 1) * 8 + graph->arcs * 4;
}

/* Creates an array with the given content, unless the array exists. */
static gws_status bring(struct gws_device_graph *on_device, enum gws_device_graph_array which, const void *from,
                        uint64_t bytes, struct gws_diagnostic *where)
{
    struct gws_device_buffer **buffer = &on_device->array[which];
    if (*buffer) return GWS_OK;
    gws_status status = make(on_device, which, bytes, where);
    if (status == GWS_OK && bytes > 0) status = gws_device_write(*buffer, 0, from, bytes, where);
    if (status == GWS_OK) return GWS_OK;
    gws_device_buffer_free(*buffer);
    *buffer = NULL;
    return status;
}

/* Creates an array of the rows, unless the array exists, and adds its size to the info of the device graph. */
static gws_status bring_rows(struct gws_device_graph *on_device, enum gws_device_graph_array which, const void *from,
                             uint64_t bytes, struct gws_diagnostic *where)
{
    if (on_device->array[which]) return GWS_OK;
    double began = gws_clock_ms();
    gws_status status = bring(on_device, which, from, bytes, where);
    if (status != GWS_OK) return status;
    on_device->info.upload_ms += gws_clock_ms() - began;
    on_device->info.bytes += bytes;
    return GWS_OK;
}

gws_status gws__device_graph_bounds(struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = on_device->info.graph;
    return bring_rows(on_device, GWS_ARRAY_OFFSET, graph->offset, (graph->vertices + 1) * 8, where);
}

static gws_status device_graph_upload(struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = on_device->info.graph;
    if (on_device->info.placement == GWS_PLACE_HOST)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "the rows are in the host's memory");
    gws_status status = gws__device_graph_bounds(on_device, where);
    return status == GWS_OK ? bring_rows(on_device, GWS_ARRAY_TARGET, graph->target, graph->arcs * 4, where) : status;
}

gws_status gws_device_graph_upload(struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    return GWS_CALL(on_device->info.runtime, where, device_graph_upload(on_device, where));
}

/* ---- reverse ---- */

static bool may_reverse(struct gws_device_graph *on_device)
{
    return on_device->info.graph->directed && on_device->info.graph->reverse;
}

static gws_status build_reverse(struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    const struct gws_graph *reverse = on_device->info.graph->reverse;
    gws_status status = bring(on_device, GWS_ARRAY_IN_OFFSET, reverse->offset, (reverse->vertices + 1) * 8, where);
    return status == GWS_OK ? bring(on_device, GWS_ARRAY_SOURCE, reverse->target, reverse->arcs * 4, where) : status;
}

/* ---- hubs ---- */

static bool may_hubs(struct gws_device_graph *on_device)
{
    return !on_device->info.graph->directed || gws_device_graph_may(on_device, GWS_INDEX_REVERSE);
}

static gws_status translate_hubs(struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    gws_status status = gws_device_graph_upload(on_device, where);
    if (status == GWS_OK) status = gws__device_graph_program(on_device, where);
    if (status != GWS_OK || !on_device->info.graph->directed) return status;
    return gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, where);
}

static gws_status build_hubs(struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    uint64_t vertices = on_device->info.graph->vertices;
    const uint32_t count = (uint32_t)vertices, first = 0;
    gws_status status = make(on_device, GWS_ARRAY_HUB, vertices * 4, where);
    if (status == GWS_OK) status = make(on_device, GWS_ARRAY_ISOLATED, (vertices + 31) / 32 * 4, where);
    if (status == GWS_OK) status = gws_device_fill(on_device->sum, 0, 0, 2, where);
    const struct gws_device_argument argument[] = {{.value = &count, .bytes = sizeof count},
                                                   {.value = &first, .bytes = sizeof first},
                                                   {.buffer = on_device->array[GWS_ARRAY_OFFSET]},
                                                   {.buffer = gws_device_graph_buffer(on_device, GWS_ARRAY_IN_OFFSET)},
                                                   {.buffer = gws_device_graph_buffer(on_device, GWS_ARRAY_SOURCE)},
                                                   {.buffer = on_device->array[GWS_ARRAY_HUB]},
                                                   {.buffer = on_device->array[GWS_ARRAY_ISOLATED]},
                                                   {.buffer = on_device->sum}};
    if (status == GWS_OK)
        status = gws__device_graph_launch(on_device, "index_hubs", argument, sizeof argument / sizeof *argument, where);
    return status == GWS_OK ? gws_device_read(on_device->sum, 0, &on_device->candidates, 8, where) : status;
}

/* ---- mesh rows ---- */

static bool may_mesh(struct gws_device_graph *on_device)
{
    if (!on_device->mesh_known) on_device->mesh = gws__mesh_rows_count(on_device->info.graph, &on_device->mesh_rows);
    on_device->mesh_known = true;
    return on_device->mesh;
}

static gws_status build_mesh(struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = on_device->info.runtime;
    uint64_t count = on_device->mesh_rows;
    gws__mesh_row *row = gws_allocate(runtime, count, sizeof *row);
    struct gws__mesh_rows rows = {.on_device = row, .device_rows = count};
    gws_status status = row ? gws__mesh_rows_write(runtime, on_device->info.graph, &rows) : GWS_NO_MEMORY;
    status = gws_diagnostic_status(where, status);
    if (status == GWS_OK) status = bring(on_device, GWS_ARRAY_MESH, row, count * sizeof *row, where);
    gws_release(runtime, row, count, sizeof *row);
    return status;
}

/* ---- indexes ---- */

static const struct index_row {
    const char *name, *about;
    enum gws_device_graph_array first;
    uint32_t arrays;
    bool (*may)(struct gws_device_graph *on_device);
    gws_status (*translate)(struct gws_device_graph *on_device,
                            struct gws_diagnostic *where); /* NULL: the index has no kernel */
    gws_status (*build)(struct gws_device_graph *on_device, struct gws_diagnostic *where);
} indexes[GWS_INDEXES] = {
    {"reverse", "the rows of arcs towards each vertex", GWS_ARRAY_IN_OFFSET, 2, may_reverse, NULL, build_reverse},
    {"hubs", "each vertex's neighbour of highest degree, and a bitmap of vertices without arcs", GWS_ARRAY_HUB, 2,
     may_hubs, translate_hubs, build_hubs},
    {"mesh", "rows of four targets without bounds", GWS_ARRAY_MESH, 1, may_mesh, NULL, build_mesh},
};

bool gws_device_graph_may(struct gws_device_graph *on_device, enum gws_device_index index)
{
    if ((unsigned)index >= GWS_INDEXES || (on_device->without & GWS_INDEX_SET(index))) return false;
    return on_device->info.placement == GWS_PLACE_DEVICE && indexes[index].may(on_device);
}

static gws_status build(struct gws_device_graph *on_device, enum gws_device_index index, struct gws_diagnostic *where)
{
    const struct index_row *row = &indexes[index];
    gws_status status = row->translate ? row->translate(on_device, where) : GWS_OK;
    double began = gws_clock_ms();
    if (status == GWS_OK) status = row->build(on_device, where);
    on_device->prepare_ms[index] = gws_clock_ms() - began;
    on_device->built[index] = status == GWS_OK;
    for (uint32_t i = 0; i < row->arrays && status != GWS_OK; i++) {
        gws_device_buffer_free(on_device->array[row->first + i]);
        on_device->array[row->first + i] = NULL;
    }
    return status;
}

static gws_status device_graph_prepare(struct gws_device_graph *on_device, enum gws_device_index index,
                                       struct gws_diagnostic *where)
{
    if (!gws_device_graph_may(on_device, index))
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "index %s is excluded or not available for this graph",
                                  (unsigned)index < GWS_INDEXES ? indexes[index].name : "?");
    return on_device->built[index] ? GWS_OK : build(on_device, index, where);
}

gws_status gws_device_graph_prepare(struct gws_device_graph *on_device, enum gws_device_index index,
                                    struct gws_diagnostic *where)
{
    return GWS_CALL(on_device->info.runtime, where, device_graph_prepare(on_device, index, where));
}

bool gws_device_graph_index(const struct gws_device_graph *on_device, enum gws_device_index index,
                            struct gws_device_index_info *info)
{
    if ((unsigned)index >= GWS_INDEXES || !on_device->built[index]) return false;
    const struct index_row *row = &indexes[index];
    *info = (struct gws_device_index_info){row->name, row->about, on_device->prepare_ms[index], 0};
    for (uint32_t i = 0; i < row->arrays; i++) info->bytes += gws_device_buffer_bytes(on_device->array[row->first + i]);
    return true;
}

/* ---- opening and closing ---- */

static enum gws_placement place(const struct gws_device_graph *on_device)
{
    const struct gws_graph *graph = on_device->info.graph;
    bool reversed = graph->directed && graph->reverse && !(on_device->without & GWS_INDEX_SET(GWS_INDEX_REVERSE));
    uint64_t bytes = row_bytes(graph) + (reversed ? row_bytes(graph->reverse) : 0);
    bool fits = bytes + graph->vertices * search_bytes + margin_bytes <= on_device->info.memory;
    return fits || gws_device_describe(on_device->info.device)->svm < GWS_SVM_FINE ? GWS_PLACE_DEVICE : GWS_PLACE_HOST;
}

static gws_status device_graph_open(struct gws_runtime *runtime, struct gws_device *device,
                                    const struct gws_graph *graph, const struct gws_device_graph_options *options,
                                    struct gws_device_graph **on_device, struct gws_diagnostic *where)
{
    static const struct gws_device_graph_options usual = {.without = 0};
    if (!options) options = &usual;
    if ((unsigned)options->placement > GWS_PLACE_HOST || (options->without & ~GWS_INDEX_ALL))
        return gws_diagnostic_status(where, GWS_INVALID);
    struct gws_device_graph *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    uint64_t memory = gws_device_describe(device)->memory;
    *made = (struct gws_device_graph){
        .without = options->without,
        .info = {.runtime = runtime,
                 .device = device,
                 .graph = graph,
                 .placement = options->placement,
                 .chosen = options->placement == GWS_PLACE_AUTO,
                 .limited = options->memory > 0,
                 .memory = options->memory > 0 && options->memory < memory ? options->memory : memory}};
    if (made->info.chosen) made->info.placement = place(made);
    *on_device = made;
    return GWS_OK;
}

gws_status gws_device_graph_open(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph,
                                 const struct gws_device_graph_options *options, struct gws_device_graph **on_device,
                                 struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, device_graph_open(runtime, device, graph, options, on_device, where));
}

void gws_device_graph_close(struct gws_device_graph *on_device)
{
    if (!on_device) return;
    for (int i = 0; i < GWS_ARRAYS; i++) gws_device_buffer_free(on_device->array[i]);
    gws_device_buffer_free(on_device->sum);
    gws_device_program_free(on_device->program);
    gws_release(on_device->info.runtime, on_device, 1, sizeof *on_device);
}

/* ---- queries ---- */

const struct gws_device_graph_info *gws_device_graph_describe(const struct gws_device_graph *on_device)
{
    return &on_device->info;
}

struct gws_device_buffer *gws_device_graph_buffer(const struct gws_device_graph *on_device,
                                                  enum gws_device_graph_array array)
{
    bool towards = array == GWS_ARRAY_IN_OFFSET || array == GWS_ARRAY_SOURCE;
    if (towards && !on_device->info.graph->directed) return on_device->array[array - GWS_ARRAY_IN_OFFSET];
    return (unsigned)array < GWS_ARRAYS ? on_device->array[array] : NULL;
}

uint64_t gws_device_graph_candidates(const struct gws_device_graph *on_device)
{
    return on_device->built[GWS_INDEX_HUBS] ? on_device->candidates : on_device->info.graph->vertices;
}
