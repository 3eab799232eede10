/* SPDX-License-Identifier: MIT */
/* Uploads the rows that are split between a device and the host (split_rows.h). */
#include "device_graph.h"
#include "split_rows.h"

enum { staging_bytes = 1 << 24, bound_bytes = sizeof(uint64_t), word_bytes = sizeof(uint32_t) };

/* The content of a buffer. The workers write `bytes` bytes in `units` units of unit_bytes each. The last unit may have
 * another size. */
struct upload_batch {
    const struct gws__split_rows *rows;
    uint32_t
        part; /* gws__row_parts: the bounds, where a unit is a block, and one further bound follows the last block */
    uint64_t units, unit_bytes, bytes;
};

static void make(struct gws_runtime *runtime, const struct upload_batch *batch, uint64_t begin, uint64_t end, void *to)
{
    if (batch->part == gws__row_parts)
        gws__split_rows_bounds(runtime, batch->rows, begin, end, to);
    else
        gws__split_rows_words(runtime, batch->rows, batch->part, begin, end, to);
}

static gws_status write_batch(struct gws_runtime *runtime, const struct upload_batch *batch,
                              struct gws_device_buffer *buffer, void *staging, uint64_t piece,
                              struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint64_t begin = 0; begin < batch->units && status == GWS_OK; begin += piece) {
        uint64_t end = begin + piece < batch->units ? begin + piece : batch->units, at = begin * batch->unit_bytes;
        uint64_t bytes = end < batch->units ? piece * batch->unit_bytes : batch->bytes - at;
        make(runtime, batch, begin, end, staging);
        status = gws_device_write(buffer, at, staging, bytes, where);
    }
    return status;
}

static gws_status upload(struct gws_runtime *runtime, struct gws_device *device, const struct upload_batch *batch,
                         struct gws_device_buffer **buffer, struct gws_diagnostic *where)
{
    uint64_t piece =
        staging_bytes / batch->unit_bytes < batch->units ? staging_bytes / batch->unit_bytes : batch->units;
    uint64_t capacity = piece * batch->unit_bytes + bound_bytes;
    gws_status status = gws_device_buffer_new(device, batch->bytes, buffer, where);
    if (status != GWS_OK) return status;
    void *staging = gws_allocate(runtime, capacity, 1);
    if (!staging) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    status = write_batch(runtime, batch, *buffer, staging, piece, where);
    gws_release(runtime, staging, capacity, 1);
    return status;
}

gws_status gws__split_rows_upload(struct gws_runtime *runtime, struct gws_device *device, struct gws__split_rows *rows,
                                  struct gws_device_buffer *buffer[gws__split_buffers], void **host,
                                  struct gws_diagnostic *where)
{
    gws__split_rows_layout(runtime, rows);
    uint64_t base_bytes = rows->blocks * gws__row_parts * bound_bytes, vertices = rows->graph->vertices;
    uint64_t there = rows->base[rows->blocks * gws__row_parts + gws__row_on_device], here = rows->graph->arcs - there;
    const struct upload_batch bounds = {rows, gws__row_parts, rows->blocks, SPLIT_ROWS_BLOCK * bound_bytes,
                                        (vertices + 1) * bound_bytes};
    const struct upload_batch words = {rows, gws__row_on_device, there, word_bytes, there * word_bytes};
    gws_status status = upload(runtime, device, &bounds, &buffer[gws__split_bound], where);
    if (status == GWS_OK) status = gws_device_buffer_new(device, base_bytes, &buffer[gws__split_base], where);
    if (status == GWS_OK && base_bytes > 0)
        status = gws_device_write(buffer[gws__split_base], 0, rows->base, base_bytes, where);
    if (status == GWS_OK) status = upload(runtime, device, &words, &buffer[gws__split_on_device], where);
    if (status == GWS_OK)
        status = gws_device_shared_new(device, here * word_bytes, &buffer[gws__split_on_host], host, where);
    if (status == GWS_OK) gws__split_rows_words(runtime, rows, gws__row_on_host, 0, here, *host);
    return status;
}
