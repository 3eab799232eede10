/* SPDX-License-Identifier: MIT */
/* Argument checks of device memory and copies for all kinds, and access to buffers in host memory. The kind's functions
 * do the rest. */
#include <inttypes.h>
#include <string.h>

#include "kind.h"

/* ---- allocation ---- */

static gws_status check_size(struct gws_device *device, uint64_t bytes, struct gws_diagnostic *where)
{
    gws_status status = gws__device_alive(device, where);
    if (status != GWS_OK || bytes <= device->info.max_buffer) return status;
    return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                              "%s: a buffer of %" PRIu64 " bytes; the device allows at most %" PRIu64,
                              device->info.address, bytes, device->info.max_buffer);
}

gws_status gws__device_buffer_new(struct gws_device *device, uint64_t bytes, bool by_workers,
                                  gws_status (*make)(struct gws_device_buffer *buffer, struct gws_diagnostic *where),
                                  struct gws_device_buffer **buffer, struct gws_diagnostic *where)
{
    const uint64_t size = device->call->buffer_bytes;
    struct gws_device_buffer *made = gws__device_object(device->runtime, size, device->info.address, where);
    if (!made) return GWS_NO_MEMORY;
    made->device = device;
    made->bytes = bytes;
    made->by_workers = by_workers;
    gws_status status = make(made, where);
    if (status == GWS_OK)
        *buffer = made;
    else
        gws_release(device->runtime, made, size, 1);
    return status;
}

void gws__device_buffer_free(struct gws_device_buffer *buffer)
{
    struct gws_device *device = buffer->device;
    device->call->buffer_free(buffer);
    gws_release(device->runtime, buffer, device->call->buffer_bytes, 1);
}

gws_status gws_device_buffer_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                 struct gws_diagnostic *where)
{
    gws_status status = check_size(device, bytes, where);
    if (status == GWS_OK)
        status = gws__device_buffer_new(device, bytes, false, device->call->buffer_new, buffer, where);
    if (status != GWS_OK) return status;
    (*buffer)->held = true;
    device->held += bytes;
    return GWS_OK;
}

uint64_t gws_device_memory_held(const struct gws_device *device)
{
    return device->held;
}

gws_status gws_device_memory_left(struct gws_device *device, uint64_t *bytes, struct gws_diagnostic *where)
{
    gws_status status = gws__device_alive(device, where);
    return status == GWS_OK ? device->call->memory_left(device, bytes, where) : status;
}

gws_status gws_device_shared_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                 void **host, struct gws_diagnostic *where)
{
    const struct gws_device_info *info = &device->info;
    gws_status status = gws__device_alive(device, where);
    if (status != GWS_OK) return status;
    if (info->svm < GWS_SVM_FINE)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "%s: the device shares no memory with the host while kernels run", info->address);
    if (bytes > info->max_shared)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                                  "%s: a shared buffer of %" PRIu64 " bytes; the device allows at most %" PRIu64,
                                  info->address, bytes, info->max_shared);
    status = gws__device_buffer_new(device, bytes, false, device->call->shared_new, buffer, where);
    if (status == GWS_OK) *host = (*buffer)->host;
    return status;
}

gws_status gws_device_pinned_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                 void **host, struct gws_diagnostic *where)
{
    gws_status status = check_size(device, bytes, where);
    if (status == GWS_OK)
        status = gws__device_buffer_new(device, bytes, false, device->call->pinned_new, buffer, where);
    if (status != GWS_OK) return status;
    *host = (*buffer)->native = (*buffer)->host;
    (*buffer)->pinned = true;
    return GWS_OK;
}

void gws_device_buffer_free(struct gws_device_buffer *buffer)
{
    if (!buffer) return;
    (void)gws__device_alive(buffer->device, NULL);
    if (buffer->held) buffer->device->held -= buffer->bytes;
    gws__device_buffer_free(buffer);
}

uint64_t gws_device_buffer_bytes(const struct gws_device_buffer *buffer)
{
    return buffer->bytes;
}

void *gws_device_buffer_native(const struct gws_device_buffer *buffer)
{
    return buffer->native;
}

/* ---- staging copies ---- */

void gws__device_staging_free(struct gws_device *device)
{
    if (!device->staging) return;
    gws__device_buffer_free(device->staging->pinned);
    gws_release(device->runtime, device->staging, 1, sizeof *device->staging);
    device->staging = NULL;
}

/* Allocates the staging buffers. If memory is short, the device has none, now or later. Returns an error only if the
 * attempt lost the device. */
static gws_status staging_new(struct gws_device *device, struct gws_diagnostic *where)
{
    struct gws__staging *staging = gws_allocate(device->runtime, 1, sizeof *staging);
    device->wants_staging = false;
    if (!staging) return GWS_OK;
    *staging = (struct gws__staging){.slots = gws__staging_slots_of(device->runtime)};
    gws_status status =
        gws__device_buffer_new(device, (uint64_t)staging->slots * gws__staging_slot_bytes, !device->runtime->running,
                               device->call->pinned_new, &staging->pinned, where);
    if (status != GWS_OK) {
        gws_release(device->runtime, staging, 1, sizeof *staging);
        return device->lost ? status : GWS_OK;
    }
    device->staging = staging;
    return GWS_OK;
}

/* Copies like copy(), with all workers and the staging buffers. Returns false, with no effect, if the copy is small or
 * the device has no staging buffers. */
static bool staging_copy(struct gws_device_buffer *buffer, uint64_t offset, const void *from, void *to, uint64_t bytes,
                         gws_status *status, struct gws_diagnostic *where)
{
    struct gws_device *device = buffer->device;
    enum { min_bytes = 1 << 20 }; /* staging does not speed up smaller copies */
    if (bytes < min_bytes || (!device->staging && !device->wants_staging)) return false;
    *status = gws__stream_wait(device->own, where);
    if (*status == GWS_OK && device->wants_staging) *status = staging_new(device, where);
    if (*status == GWS_OK && !device->staging) return false;
    if (*status != GWS_OK) return true;
    *status = gws__staging_copy(buffer, offset, from, to, bytes, where);
    if (*status != GWS_OK) device->lost = true;
    return true;
}

/* ---- copies ---- */

/* Checks a command of the stream on a part of the buffer. */
/* Checks a part of a buffer that the stream's device addresses. */
static gws_status check_source(const struct gws_stream *stream, const struct gws_device_buffer *buffer, uint64_t offset,
                               uint64_t bytes, struct gws_diagnostic *where)
{
    const char *address = stream->device->info.address;
    if (!gws__device_addresses(stream->device, buffer->device))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the buffer belongs to another device", address);
    if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0,
                                  "%s: %" PRIu64 " bytes from %" PRIu64 " on are not within a buffer of %" PRIu64,
                                  address, bytes, offset, buffer->bytes);
    return gws__device_alive(buffer->device, where);
}

/* Checks a part of a buffer of the stream's device. */
static gws_status check_part(const struct gws_stream *stream, const struct gws_device_buffer *buffer, uint64_t offset,
                             uint64_t bytes, struct gws_diagnostic *where)
{
    if (stream->device != buffer->device)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the buffer belongs to another device",
                                  stream->device->info.address);
    return check_source(stream, buffer, offset, bytes, where);
}

/* Copies in parts of at most part_bytes. */
static gws_status transfer(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                           const char *from, char *to, uint64_t bytes, struct gws_diagnostic *where)
{
    const struct gws_device_calls *call = stream->device->call;
    gws_status status = GWS_OK;
    for (uint64_t at = 0, part; at < bytes && status == GWS_OK; at += part) {
        part = bytes - at < call->part_bytes ? bytes - at : call->part_bytes;
        status = call->transfer(stream, buffer, offset + at, from ? from + at : NULL, to ? to + at : NULL, part, where);
    }
    return status;
}

/* Copies from `from` to the buffer, or from the buffer to `to`. The unused pointer is NULL. */
static gws_status copy(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset, const void *from,
                       void *to, uint64_t bytes, struct gws_diagnostic *where)
{
    gws_status status = check_part(stream, buffer, offset, bytes, where);
    if (status == GWS_OK && gws__stream_is_traced(stream))
        status = gws_stream_wait(stream, where); /* the wait records the end of launches in the trace */
    if (status != GWS_OK || bytes == 0) return status;
    bool own = stream == stream->device->own && !buffer->host;
    if (own && staging_copy(buffer, offset, from, to, bytes, &status, where)) return status;
    if (!buffer->host) return transfer(stream, buffer, offset, from, to, bytes, where);
    char *host = (char *)buffer->host + offset;
    status = gws__stream_wait(stream, where);
    if (status == GWS_OK && from) memcpy(host, from, bytes);
    if (status == GWS_OK && to) memcpy(to, host, bytes);
    return status;
}

gws_status gws_stream_write(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                            const void *from, uint64_t bytes, struct gws_diagnostic *where)
{
    return copy(stream, buffer, offset, from, NULL, bytes, where);
}

gws_status gws_stream_read(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset, void *to,
                           uint64_t bytes, struct gws_diagnostic *where)
{
    return copy(stream, buffer, offset, NULL, to, bytes, where);
}

static gws_status fill_pinned(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first,
                              uint32_t word, uint64_t count, struct gws_diagnostic *where)
{
    gws_status status = gws__stream_wait(stream, where);
    for (uint64_t i = first; status == GWS_OK && i < first + count; i++) ((uint32_t *)buffer->host)[i] = word;
    return status;
}

gws_status gws_stream_fill(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                           uint64_t count, struct gws_diagnostic *where)
{
    uint64_t limit = UINT64_MAX / sizeof word; /* a larger product exceeds any buffer */
    gws_status status = check_part(stream, buffer, first < limit ? first * sizeof word : UINT64_MAX,
                                   count < limit ? count * sizeof word : UINT64_MAX, where);
    if (status != GWS_OK || count == 0) return status;
    return (buffer->pinned ? fill_pinned : stream->device->call->fill)(stream, buffer, first, word, count, where);
}

gws_status gws_stream_copy(struct gws_stream *stream, struct gws_device_buffer *to, uint64_t to_offset,
                           struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                           struct gws_diagnostic *where)
{
    gws_status status = check_part(stream, to, to_offset, bytes, where);
    if (status == GWS_OK) status = check_source(stream, from, from_offset, bytes, where);
    if (status != GWS_OK || bytes == 0) return status;
    uint64_t apart = to_offset < from_offset ? from_offset - to_offset : to_offset - from_offset;
    if ((to == from && apart < bytes) || (to->host && from->host))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: a copy %s", stream->device->info.address,
                                  to == from ? "between overlapping ranges" : "between two buffers in host memory");
    return stream->device->call->copy(stream, to, to_offset, from, from_offset, bytes, where);
}

/* ---- on the default stream ---- */

gws_status gws_device_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                            struct gws_diagnostic *where)
{
    return gws_stream_write(buffer->device->own, buffer, offset, from, bytes, where);
}

gws_status gws_device_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                           struct gws_diagnostic *where)
{
    return gws_stream_read(buffer->device->own, buffer, offset, to, bytes, where);
}

gws_status gws_device_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                           struct gws_diagnostic *where)
{
    return gws_stream_fill(buffer->device->own, buffer, first, word, count, where);
}

gws_status gws_device_copy(struct gws_device_buffer *to, uint64_t to_offset, struct gws_device_buffer *from,
                           uint64_t from_offset, uint64_t bytes, struct gws_diagnostic *where)
{
    return gws_stream_copy(to->device->own, to, to_offset, from, from_offset, bytes, where);
}
