/* SPDX-License-Identifier: MIT */
/* Output in blocks. One buffer collects small writes. The writer divides large writes in place, and chunks have their
 * own buffers. All workers compress a batch of blocks (for .gz). Then the caller writes the batch in order. */
#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "gzip.h"

enum { block_bytes = 1 << 18, blocks_per_worker = 2, max_blocks = 256, print_bytes = 1024 };

/* One block of a batch. bytes may be in the caller's memory; buffer and compressed are the block's own memory, or
 * NULL. */
struct output_block {
    const char *bytes;
    uint64_t size;
    char *buffer;
    unsigned char *compressed;
    uint64_t compressed_size;
    uint32_t crc;
    gws_status status;
};

static gws_status no_memory(const struct gws_output *output)
{
    return gws_diagnostic_set(output->where, GWS_NO_MEMORY, output->file.path, 0, 0, "out of memory while writing");
}

static gws_status write_raw(struct gws_output *output, const void *bytes, uint64_t size)
{
    output->written += size;
    if (output->file.fd < 0) return GWS_OK; /* gws__output_measure() */
    return gws__draft_write(&output->file, bytes, size, output->where);
}

/* ---- batches ---- */

struct output_batch {
    struct gws_output *output;
    struct output_block *block;
    const struct gws__output_chunks *chunks;
    uint64_t first, step; /* chunk i of the batch starts at item first + i * step */
};

static void make_block(struct output_batch *batch, uint64_t i)
{
    struct output_block *block = &batch->block[i];
    const struct gws__output_chunks *chunks = batch->chunks;
    uint64_t begin = batch->first + i * batch->step, left = chunks->count - begin;
    uint64_t size = left < batch->step ? left : batch->step;
    block->bytes = chunks->format ? block->buffer : (const char *)chunks->context + begin;
    block->size = size;
    if (chunks->format)
        block->size = (uint64_t)(chunks->format(chunks->context, begin, begin + size, block->buffer) - block->buffer);
    if (batch->output->gzip)
        block->status = gws__gzip_block(batch->output->runtime, block->bytes, block->size, block->compressed,
                                        &block->compressed_size, &block->crc);
}

static void make_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t i = begin; i < end; i++) make_block(context, i);
}

static gws_status write_block(struct gws_output *output, const struct output_block *block)
{
    if (block->status != GWS_OK) return no_memory(output);
    if (!output->gzip) return write_raw(output, block->bytes, block->size);
    output->crc = (uint32_t)crc32_combine(output->crc, block->crc, (z_off_t)block->size);
    output->size += block->size;
    return write_raw(output, block->compressed, block->compressed_size);
}

/* Makes count blocks in parallel and writes them in order. */
static gws_status run_batch(struct output_batch *batch, uint64_t count)
{
    struct gws_loop loop = {.count = count, .chunk = 1, .body = make_blocks, .context = batch};
    gws_status status = gws_parallel_try(batch->output->runtime, &loop);
    if (status != GWS_OK) return gws_diagnostic_status(batch->output->where, status);
    for (uint64_t i = 0; i < count && status == GWS_OK; i++) status = write_block(batch->output, &batch->block[i]);
    return status;
}

static void blocks_free(struct gws_output *output, struct output_block *block, uint64_t buffer_bytes, uint64_t count)
{
    for (uint64_t i = 0; block && i < count; i++) {
        gws_release(output->runtime, block[i].buffer, buffer_bytes, 1);
        gws_release(output->runtime, block[i].compressed, gws__gzip_bound(buffer_bytes), 1);
    }
    gws_release(output->runtime, block, count, sizeof *block);
}

/* Allocates count blocks of up to buffer_bytes. Each block has its own buffer if `set` is true. Returns NULL when
 * memory is short. */
static struct output_block *blocks_new(struct gws_output *output, uint64_t buffer_bytes, uint64_t count, bool set)
{
    struct output_block *block = gws_allocate(output->runtime, count, sizeof *block);
    if (!block) return NULL;
    memset(block, 0, count * sizeof *block);
    bool whole = true;
    for (uint64_t i = 0; i < count && whole; i++) {
        if (set) block[i].buffer = gws_allocate(output->runtime, buffer_bytes, 1);
        if (output->gzip) block[i].compressed = gws_allocate(output->runtime, gws__gzip_bound(buffer_bytes), 1);
        whole = (!set || block[i].buffer) && (!output->gzip || block[i].compressed);
    }
    if (whole) return block;
    blocks_free(output, block, buffer_bytes, count);
    return NULL;
}

/* Returns the items of a block. */
static uint64_t step_of(uint64_t item_bytes)
{
    return item_bytes < block_bytes ? block_bytes / item_bytes : 1;
}

/* Writes items in blocks. If chunks->format is NULL, the items are the bytes at chunks->context, and workers compress
 * them in place. */
static gws_status write_chunks(struct gws_output *output, const struct gws__output_chunks *chunks)
{
    uint64_t step = step_of(chunks->item_bytes);
    if (step > chunks->count) step = chunks->count;
    uint64_t blocks = chunks->count / step + (chunks->count % step != 0),
             count = blocks < output->blocks ? blocks : output->blocks;
    struct output_batch batch = {.output = output, .chunks = chunks, .step = step};
    gws_status status = GWS_OK;
    batch.block = blocks_new(output, step * chunks->item_bytes, count, chunks->format != NULL);
    if (!batch.block) return no_memory(output);
    for (uint64_t done = 0; done < blocks && status == GWS_OK; done += count) {
        batch.first = done * step;
        if (chunks->format) gws_report_progress(output->runtime, "writing", batch.first, chunks->count);
        status = run_batch(&batch, blocks - done < count ? blocks - done : count);
    }
    blocks_free(output, batch.block, step * chunks->item_bytes, count);
    return status;
}

/* ---- entry points ---- */

static gws_status write_bytes(struct gws_output *output, const char *bytes, uint64_t size)
{
    struct gws__output_chunks compressed = {.count = size, .item_bytes = 1, .context = (void *)(uintptr_t)bytes};
    if (size == 0) return GWS_OK;
    return output->gzip ? write_chunks(output, &compressed) : write_raw(output, bytes, size);
}

static gws_status flush(struct gws_output *output)
{
    uint64_t size = output->filled;
    output->filled = 0;
    return write_bytes(output, output->buffer, size);
}

/* Appends bytes that do not fit into the buffer. */
static gws_status output_write(struct gws_output *output, const void *bytes, uint64_t size)
{
    gws_status status = flush(output);
    if (status != GWS_OK || size > block_bytes) return status == GWS_OK ? write_bytes(output, bytes, size) : status;
    memcpy(output->buffer, bytes, size);
    output->filled = size;
    return GWS_OK;
}

gws_status gws_output_write(struct gws_output *output, const void *bytes, uint64_t size)
{
    if (size > block_bytes - output->filled)
        return GWS_CALL(output->runtime, output->where, output_write(output, bytes, size));
    if (size > 0) memcpy(output->buffer + output->filled, bytes, size);
    output->filled += size;
    return GWS_OK;
}

gws_status gws_output_print(struct gws_output *output, const char *format, ...)
{
    char text[print_bytes];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= print_bytes) return GWS_TOO_LARGE;
    return gws_output_write(output, text, (uint64_t)length);
}

gws_status gws__output_chunks(struct gws_output *output, const struct gws__output_chunks *chunks)
{
    gws_status status = flush(output);
    return status == GWS_OK && chunks->count > 0 ? write_chunks(output, chunks) : status;
}

static void output_free(struct gws_output *output)
{
    gws_release(output->runtime, output->buffer, block_bytes, 1);
    gws_release(output->runtime, output, 1, sizeof *output);
}

static struct gws_output *output_new(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where)
{
    struct gws_output *output = gws_allocate(runtime, 1, sizeof *output);
    if (!output) return NULL;
    uint32_t blocks = gws_runtime_workers(runtime) * blocks_per_worker;
    *output = (struct gws_output){.runtime = runtime, .where = where};
    output->blocks = blocks < max_blocks ? blocks : max_blocks;
    output->gzip = gws__output_ends(path, ".gz");
    output->buffer = gws_allocate(runtime, block_bytes, 1);
    if (output->buffer) return output;
    output_free(output);
    return NULL;
}

/* ---- parts, and the end ---- */

uint64_t gws__output_batch(const struct gws_output *output, uint64_t item_bytes)
{
    return step_of(item_bytes) * output->blocks;
}

gws_status gws__output_measure(struct gws_runtime *runtime, const struct gws__output_chunks *chunks, const char *path,
                               struct gws_diagnostic *where, uint64_t *bytes)
{
    struct gws_output *output = output_new(runtime, "", where);
    if (!output) return gws_diagnostic_set(where, GWS_NO_MEMORY, path, 0, 0, "out of memory while writing");
    output->file.path = path;
    output->file.fd = -1;
    gws_status status = gws__output_chunks(output, chunks);
    *bytes = output->written;
    output_free(output);
    return status;
}

gws_status gws__output_share(struct gws_output *output, struct gws__draft_place *place, uint64_t *bytes)
{
    gws_status status = flush(output);
    *bytes = output->written;
    if (output->gzip || !gws__draft_share(&output->file, place)) *bytes = 0;
    return status;
}

gws_status gws__output_join(struct gws_runtime *runtime, const char *path, const struct gws__draft_place *place,
                            uint64_t offset, struct gws_diagnostic *where, struct gws_output **output)
{
    struct gws_output *made = output_new(runtime, path, where);
    if (!made) return gws_diagnostic_set(where, GWS_NO_MEMORY, path, 0, 0, "out of memory while writing");
    gws_status status = gws__draft_join(&made->file, runtime, path, place, offset, where);
    if (status == GWS_OK)
        *output = made;
    else
        output_free(made);
    return status;
}

static gws_status output_close(struct gws_output *output, gws_status status)
{
    if (status == GWS_OK) status = flush(output);
    if (status == GWS_NO_MEMORY) (void)no_memory(output); /* a failure of the caller has no message yet */
    unsigned char tail[GWS__GZIP_TAIL];
    gws__gzip_tail(tail, output->crc, output->size);
    if (status == GWS_OK && output->gzip) status = write_raw(output, tail, sizeof tail);
    if (status == GWS_OK)
        status = gws__draft_commit(&output->file, output->where);
    else
        gws__draft_discard(&output->file);
    output_free(output);
    return status;
}

gws_status gws_output_close(struct gws_output *output, gws_status status)
{
    if (!output || status != GWS_OK) return output ? output_close(output, status) : status;
    struct gws_runtime *runtime = output->runtime;
    return GWS_CALL(runtime, output->where, output_close(output, GWS_OK));
}

static gws_status output_open(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where,
                              struct gws_output **output)
{
    struct gws_output *made = output_new(runtime, path, where);
    if (!made) return gws_diagnostic_set(where, GWS_NO_MEMORY, path, 0, 0, "out of memory while writing");
    gws_status status = gws__draft_open(&made->file, runtime, path, 0666, where);
    if (status != GWS_OK) {
        output_free(made);
        return status;
    }
    if (made->gzip) status = write_raw(made, gws__gzip_head, sizeof gws__gzip_head);
    if (status != GWS_OK) return output_close(made, status);
    *output = made;
    return GWS_OK;
}

gws_status gws_output_open(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where,
                           struct gws_output **output)
{
    return GWS_CALL(runtime, where, output_open(runtime, path, where, output));
}
