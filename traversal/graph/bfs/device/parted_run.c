/* SPDX-License-Identifier: MIT */
/* Searches of a parted graph: one launch on each device, the summary, and copies of the results. */
#include <string.h>

#include "../../../../kernels/engine/record_words.h"
#include "../../../../kernels/queue/queue_words.h"
#include "../../../../lib/parallel.h"
#include "../../../../lib/poison.h"
#include "parted.h"

enum { alpha = 32, beta = 16 /* direction thresholds (kernels/engine/direction.h) */ };

/* ---- launches ---- */

static gws_status launch(void *context, uint32_t which, struct gws_diagnostic *where)
{
    enum { rows = 4, values = 8, arguments = rows + parted_buffers + gws__parts_arguments_count + values };
    struct gws_bfs_devices *search = context;
    struct gws__parted_part *part = &search->part[which];
    const bool pulls = search->in && search->options.direction == GWS_BFS_AUTO;
    const uint32_t word[] = {search->heavy,
                             pulls ? alpha : 0,
                             pulls ? beta : 0,
                             (uint32_t)search->candidates,
                             search->hubs ? UINT32_MAX : 0,
                             search->result->source};
    struct parted_bounds bounds;
    struct gws_device_argument argument[arguments] = {{.buffer = NULL}};
    uint32_t count = 0;
    for (int i = 0; i < rows; i++) {
        /* Without rows towards the vertices the kernel never pulls. */
        const int array = i >= 2 && !search->in ? i - 2 : i;
        argument[count++].buffer = gws_device_graph_buffer(part->on_device, GWS_ARRAY_OFFSET + array);
    }
    for (int i = 0; i <= parted_stats; i++) argument[count++].buffer = part->buffer[i];
    argument[count++] = gws__device_trace_argument(&part->kernel.trace);
    for (int i = parted_hub; i < parted_exchange; i++) argument[count++].buffer = part->buffer[i];
    gws__parts_arguments(&search->parts, which, &bounds, argument, &count);
    argument[count++] = (struct gws_device_argument){.value = &search->graph->arcs, .bytes = 8};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        argument[count++] = (struct gws_device_argument){.value = &word[i], .bytes = 4};
    return gws__device_kernel_start(&part->kernel, argument, count, where);
}

/* ---- the summary ---- */

static gws_status read_stats(struct gws_bfs_devices *search, struct gws__parted_part *part,
                             struct gws_diagnostic *where)
{
    uint32_t control[PARTED_MAX], result[PARTED_RESULT];
    uint64_t busy = 0, all = 0, *stats = gws_allocate(search->runtime, part->stats_bytes, 1);
    if (!stats) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = gws_device_read(part->buffer[parted_stats], 0, stats, part->stats_bytes, where);
    if (status == GWS_OK)
        status = gws_device_read(part->buffer[parted_control], COUNT_SENT * 4ull, control, sizeof control, where);
    if (status == GWS_OK) status = gws_device_read(part->buffer[parted_result], 0, result, sizeof result, where);
    part->sent = part->gathered = 0;
    for (uint32_t g = 0; g < part->kernel.groups && status == GWS_OK; g++) {
        const uint64_t *group = stats + (uint64_t)g * STATS_STRIDE;
        part->gathered += group[PARTED_GATHERED];
        busy += group[STATS_BUSY];
        all += group[STATS_TIME];
    }
    gws_release(search->runtime, stats, part->stats_bytes, 1);
    if (status != GWS_OK) return status;
    for (uint32_t p = 0; p < search->parts.count; p++) part->sent += control[p];
    part->idle = all > 0 && busy < all ? 1 - (double)busy / (double)all : 0;
    part->reached = result[PARTED_OWN];
    search->result->reached = result[PARTED_REACHED];
    search->result->levels = result[PARTED_LEVELS];
    return GWS_OK;
}

/* Adds the levels, whose records lie on the devices in turn. */
static gws_status read_levels(struct gws_bfs_devices *search, uint32_t levels, uint64_t *record,
                              struct gws_diagnostic *where)
{
    const uint64_t each = levels / search->parts.count + (uint64_t)1;
    gws_status status = GWS_OK;
    uint64_t groups = 0;
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++) {
        status = gws_device_read(search->part[p].buffer[parted_record], 0, record + p * each, each * 8, where);
        groups += search->part[p].kernel.groups;
    }
    for (uint32_t i = 0; i < levels && status == GWS_OK; i++) {
        const uint64_t word = record[i % search->parts.count * each + i / search->parts.count];
        const struct gws_bfs_level level = {
            .size = (uint32_t)word, .bottom_up = word & RECORD_BOTTOM_UP, .workers = (uint32_t)groups};
        status = gws__bfs_level_add(search->result, level, where);
    }
    return status;
}

static gws_status summarise(struct gws_bfs_devices *search, struct gws_diagnostic *where)
{
    struct gws_bfs_result *result = search->result;
    gws_status status = GWS_OK;
    uint64_t sum = 0, arcs = 0;
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++)
        status = read_stats(search, &search->part[p], where);
    if (status != GWS_OK) return status;
    const uint32_t levels = result->levels;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is at least one part */
    const uint64_t words = (levels / search->parts.count + (uint64_t)1) * search->parts.count;
    uint64_t *record = gws_allocate(search->runtime, words, sizeof *record);
    if (!record) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    result->levels = 0; /* gws__bfs_level_add() counts */
    status = read_levels(search, levels, record, where);
    gws_release(search->runtime, record, words, sizeof *record);
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++, sum += arcs)
        status = gws__device_graph_reached_arcs(search->part[p].on_device, search->part[p].buffer[parted_depth], &arcs,
                                                where);
    result->reached_arcs = sum;
    result->depth = result->parent = NULL; /* the scratch still owns the arrays */
    result->narrow = NULL;
    return status;
}

static gws_status bfs_devices_run(struct gws_bfs_devices *search, uint32_t source, struct gws_bfs_result *result,
                                  struct gws_diagnostic *where)
{
    gws_status status = gws_diagnostic_status(where, gws__bfs_prepare(search->runtime, search->graph, result));
    if (status != GWS_OK) return status;
    search->result = result;
    result->source = source;
    status = gws__parts_run(&search->parts, launch, search, &result->ms, where);
    if (status == GWS_OK) status = summarise(search, where);
    if (status == GWS_OK) return GWS_OK;
    gws_bfs_result_clear(result);
    search->result = NULL;
    return status;
}

gws_status gws_bfs_devices_run(struct gws_bfs_devices *search, uint32_t source, struct gws_bfs_result *result,
                               struct gws_diagnostic *where)
{
    if (source >= search->graph->vertices) return gws_diagnostic_status(where, GWS_OUT_OF_RANGE);
    return GWS_CALL(search->runtime, where, bfs_devices_run(search, source, result, where));
}

/* ---- results ---- */

/* Copies an array of a word for each vertex from all owners. */
static gws_status fetch_words(const struct gws_bfs_devices *search, enum gws__parted_buffer which, uint32_t *to,
                              struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++) {
        const uint64_t bytes = gws__parts_size(&search->parts, p) * sizeof *to;
        if (bytes > 0)
            status = gws_device_read(search->part[p].buffer[which], 0, to + search->parts.first[p], bytes, where);
    }
    return status;
}

/* Narrows the depths of a part on its device, and copies them. All parts but the last have whole words. */
static gws_status fetch_narrow_part(struct gws_bfs_devices *search, uint32_t which, struct gws_diagnostic *where)
{
    struct gws__parted_part *part = &search->part[which];
    const struct gws_bfs_result *result = search->result;
    const uint64_t size = part->rows.vertices, bytes = (size * result->narrow_bytes + 3) / 4 * 4;
    gws_status status = GWS_OK;
    if (part->narrow && gws_device_buffer_bytes(part->narrow) < bytes) {
        gws_device_buffer_free(part->narrow);
        part->narrow = NULL;
    }
    if (!part->narrow) status = gws_device_buffer_new(part->kernel.device, bytes, &part->narrow, where);
    if (status == GWS_OK)
        status = gws__device_graph_narrow(part->on_device, part->buffer[parted_depth], part->narrow, size,
                                          result->narrow_bytes, where);
    char *to = (char *)result->scratch->narrow + (uint64_t)search->parts.first[which] * result->narrow_bytes;
    return status == GWS_OK && bytes > 0 ? gws_device_read(part->narrow, 0, to, bytes, where) : status;
}

static gws_status fetch_narrow(struct gws_bfs_devices *search, struct gws_diagnostic *where)
{
    struct gws_bfs_result *result = search->result;
    result->narrow_bytes = gws__narrow_bytes(result->levels);
    const uint64_t bytes = (result->vertices * result->narrow_bytes + 3) / 4 * 4;
    gws_status status = gws_diagnostic_status(where, gws__bfs_reserve_narrow(search->runtime, result, bytes));
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++) status = fetch_narrow_part(search, p, where);
    return status;
}

static gws_status bfs_devices_fetch(struct gws_bfs_devices *search, uint32_t parts, struct gws_bfs_result *result,
                                    struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    if ((parts & ~(uint32_t)(GWS_BFS_DEPTH | GWS_BFS_PARENT | GWS_BFS_NARROW)) || !result || result != search->result ||
        !result->scratch)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "unknown part, or not the result of the last search");
    if (parts & GWS_BFS_DEPTH) status = fetch_words(search, parted_depth, result->scratch->depth, where);
    if (status == GWS_OK && (parts & GWS_BFS_PARENT))
        status = fetch_words(search, parted_parent, result->scratch->parent, where);
    if (status == GWS_OK && (parts & GWS_BFS_NARROW)) status = fetch_narrow(search, where);
    if (status == GWS_OK) gws__bfs_attach_arrays(result, parts);
    return status;
}

gws_status gws_bfs_devices_fetch(struct gws_bfs_devices *search, uint32_t parts, struct gws_bfs_result *result,
                                 struct gws_diagnostic *where)
{
    return GWS_CALL(search->runtime, where, bfs_devices_fetch(search, parts, result, where));
}

static gws_status bfs_devices_poison(struct gws_bfs_devices *search, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++) {
        struct gws_device_buffer *const *buffer = search->part[p].buffer;
        status = gws_buffer_poison(buffer[parted_depth], GWS_POISON, where);
        if (status == GWS_OK) status = gws_buffer_poison(buffer[parted_parent], GWS_POISON, where);
        if (status == GWS_OK) status = gws_buffer_poison(buffer[parted_record], 0, where);
        if (status == GWS_OK) status = gws_buffer_poison(buffer[parted_result], 0, where);
        if (status == GWS_OK) status = gws_device_wait(search->part[p].kernel.device, where);
    }
    return status;
}

gws_status gws_bfs_devices_poison(struct gws_bfs_devices *search, struct gws_diagnostic *where)
{
    return GWS_CALL(search->runtime, where, bfs_devices_poison(search, where));
}

/* ---- parts ---- */

uint32_t gws_bfs_devices_count(const struct gws_bfs_devices *search)
{
    return search->parts.count;
}

void gws_bfs_devices_describe(const struct gws_bfs_devices *search, uint32_t device, struct gws_bfs_devices_part *part)
{
    const struct gws__parted_part *own = &search->part[device];
    *part = (struct gws_bfs_devices_part){.device = own->kernel.device,
                                          .first = search->parts.first[device],
                                          .vertices = own->rows.vertices,
                                          .arcs = own->rows.arcs,
                                          .depth = own->buffer[parted_depth],
                                          .parent = own->buffer[parted_parent],
                                          .bytes = gws_device_memory_held(own->kernel.device),
                                          .upload_ms = gws_device_graph_describe(own->on_device)->upload_ms,
                                          .groups = own->kernel.groups,
                                          .group_size = own->kernel.group_size,
                                          .reached = own->reached,
                                          .sent_bytes = own->sent * 8,
                                          .gathered_bytes = own->gathered * 4,
                                          .idle = own->idle};
}
