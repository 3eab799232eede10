/* SPDX-License-Identifier: MIT */
#include "batch_device.h"

#include "../../kernels/graph/bfs_batch_words.h"

enum { push_fraction = 16 }; /* a level pushes if its frontier has at most this fraction of all vertices and arcs */

gws_status gws__batch_device_open(struct gws__batch_device *batch, struct gws_device_graph *on_device,
                                  struct gws_diagnostic *where)
{
    gws_status status = gws__device_kernel_open(on_device, "graph_bfs_batch", "graph_bfs_batch", &batch->kernel, where);
    if (status != GWS_OK || !batch->kernel.info->graph->directed) return status;
    return gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, where);
}

/* Returns the bytes for each vertex: two arrays of bits, two lists, and with several words the stamps. */
static uint64_t vertex_bytes(uint32_t words)
{
    return UINT64_C(2) * 8 * words + 2 * 4 + (words > 1 ? 4 : 0);
}

static uint32_t choose_words(const struct gws__batch_device *batch, uint64_t sources)
{
    const struct gws_device_graph_info *info = batch->kernel.info;
    uint64_t left = info->memory > info->bytes ? info->memory - info->bytes : 0;
    return sources > 64 && info->graph->vertices * vertex_bytes(BATCH_WORDS) <= left ? BATCH_WORDS : 1;
}

/* The sizes of the buffers of pieces suffice, since a long row has at least BATCH_PIECE arcs. */
gws_status gws__batch_device_reserve(struct gws__batch_device *batch, uint64_t sources, bool listed,
                                     struct gws_diagnostic *where)
{
    const struct gws_graph *graph = batch->kernel.info->graph;
    const uint64_t vertices = graph->vertices, pieces = 2 * (graph->arcs / BATCH_PIECE) + 1;
    batch->words = choose_words(batch, sources);
    const uint64_t bits = vertices * batch->words * 8;
    const uint64_t bytes[BATCH_BUFFERS] = {[BATCH_SOURCE_LIST] = listed ? sources * 4 : 4,
                                           [BATCH_SEEN] = bits,
                                           [BATCH_BEFORE] = bits,
                                           [BATCH_MARK] = batch->words > 1 ? vertices * 4 : 4,
                                           [BATCH_LIST] = vertices * 4,
                                           [BATCH_TOUCHED_LIST] = vertices * 4,
                                           [BATCH_PIECES] = pieces * 8,
                                           [BATCH_PIECES_IN] = pieces * 8,
                                           [BATCH_REACHED] = sources * 4,
                                           [BATCH_ECCENTRICITY] = sources * 4,
                                           [BATCH_TOTAL] = sources * 8,
                                           [BATCH_HARMONIC] = sources * 8,
                                           [BATCH_COUNT] = BATCH_COUNTS * 4,
                                           [BATCH_ARCS] = BATCH_SLOTS * 8,
                                           [BATCH_ARRIVED] = 8};
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < BATCH_BUFFERS && status == GWS_OK; i++)
        if (i != BATCH_PAIRS && i != BATCH_DISTANCE)
            status = gws_device_buffer_new(batch->kernel.info->device, bytes[i], &batch->buffer[i], where);
    return status == GWS_OK ? gws_device_fill(batch->buffer[BATCH_ARRIVED], 0, 0, 2, where) : status;
}

void gws__batch_device_close(struct gws__batch_device *batch)
{
    for (uint32_t i = 0; i < BATCH_BUFFERS; i++) gws_device_buffer_free(batch->buffer[i]);
    gws__device_kernel_close(&batch->kernel);
}

/* Sets the arguments of the rows. Distances to a vertex are those from it in the reverse graph. */
static uint32_t add_rows(const struct gws__batch_device *batch, bool outgoing, struct gws_device_argument *argument)
{
    static const enum gws_device_graph_array rows[] = {GWS_ARRAY_OFFSET, GWS_ARRAY_TARGET, GWS_ARRAY_IN_OFFSET,
                                                       GWS_ARRAY_SOURCE};
    for (uint32_t i = 0; i < 4; i++)
        argument[i] = (struct gws_device_argument){
            .buffer = gws_device_graph_buffer(batch->kernel.on_device, rows[outgoing ? i : (i + 2) % 4])};
    return 4;
}

gws_status gws__batch_device_launch(struct gws__batch_device *batch, const struct gws__batch_launch *what,
                                    struct gws_diagnostic *where)
{
    static const void *const none;
    const struct gws_graph *graph = batch->kernel.info->graph;
    const uint64_t limit = (graph->vertices + graph->arcs) / push_fraction;
    const uint32_t word[] = {(uint32_t)graph->vertices,
                             what->listed,
                             what->first,
                             what->sources,
                             batch->words,
                             what->width,
                             what->max_depth};
    enum { words = sizeof word / sizeof *word };
    struct gws_device_argument argument[4 + BATCH_BUFFERS + 2 + words];
    uint32_t at = add_rows(batch, what->outgoing, argument);
    for (uint32_t i = 0; i < BATCH_BUFFERS; i++) {
        struct gws_device_buffer *buffer = batch->buffer[i];
        argument[at++] = buffer ? (struct gws_device_argument){.buffer = buffer}
                                : (struct gws_device_argument){.value = &none, .bytes = sizeof none};
    }
    argument[at++] = gws__stop_argument(&batch->kernel.stop);
    argument[at++] = (struct gws_device_argument){.value = &limit, .bytes = sizeof limit};
    for (uint32_t i = 0; i < words; i++)
        argument[at++] = (struct gws_device_argument){.value = &word[i], .bytes = sizeof word[i]};
    gws_status status = gws_device_fill(batch->buffer[BATCH_COUNT], 0, 0, BATCH_COUNTS, where);
    if (status == GWS_OK) status = gws_device_fill(batch->buffer[BATCH_ARCS], 0, 0, 2 * BATCH_SLOTS, where);
    return status == GWS_OK ? gws__device_kernel_run(&batch->kernel, argument, at, where) : status;
}
