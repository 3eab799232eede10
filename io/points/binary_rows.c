/* SPDX-License-Identifier: MIT */
/* Binary rows of a fixed length. All workers read and decode rows of a file directly to their destinations. The reader
 * reads a stream in batches of blocks, so it allocates memory only for bytes that have arrived, even if a head declares
 * more. */
#include "reader.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

enum { rows_at_once = 2048, batch_bytes = 4 << 20, read_bytes = 256 << 10 };

/* Rows to decode. Field f of row i lies at f's offset + i * stride. */
struct binary_table {
    const struct gws__schema *schema;
    const struct gws_points *points;
    uint64_t column_rows; /* 0: the data is row after row; otherwise field after field, with this many numbers in each
                             field */
    const unsigned char *bytes; /* the rows in memory; NULL: the rows are in a file */
    struct gws__input input;    /* files: a copy of the input without a where */
    uint64_t from;              /* files: offset of the rows */
    unsigned char *buffer;      /* files: buffer_bytes for each worker */
    uint64_t buffer_bytes;
    _Atomic uint64_t failed; /* an unreadable byte of the file; UINT64_MAX: none. relaxed: the caller reads this field
                                after the loop's barrier */
};

/* Returns size bytes at offset `data` of the rows, or NULL. */
static const unsigned char *read_bytes_at(struct binary_table *table, uint32_t worker, uint64_t data, uint64_t size)
{
    if (table->bytes) return table->bytes + data;
    unsigned char *buffer = table->buffer + worker * table->buffer_bytes;
    if (gws__input_read_at(&table->input, table->from + data, buffer, size) == GWS_OK) return buffer;
    atomic_store_explicit(&table->failed, table->from + data + size - 1, memory_order_relaxed);
    return NULL;
}

static bool decode_range(struct binary_table *table, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__schema *schema = table->schema;
    const unsigned char *bytes = NULL;
    if (table->column_rows == 0) {
        bytes = read_bytes_at(table, worker, begin * schema->stride, (end - begin) * schema->stride);
        if (bytes) gws__decode_rows(schema, table->points, bytes, begin, end);
        return bytes != NULL;
    }
    for (uint32_t f = 0; f < schema->fields; f++) {
        uint64_t size = gws_number_bytes(schema->field[f].kind);
        uint64_t data = schema->field[f].offset * table->column_rows + begin * size;
        bytes = read_bytes_at(table, worker, data, (end - begin) * size);
        if (!bytes) return false;
        gws__decode_field(schema, f, &(struct gws__strided){.bytes = bytes, .stride = size, .count = end - begin},
                          table->points, begin);
    }
    return true;
}

/* Decodes batches of rows that fit in cache, since the decoding of every field reads the whole batch. */
static void decode_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct binary_table *table = context;
    uint64_t batch_rows = rows_at_once;
    if (!table->bytes && batch_rows > table->buffer_bytes / table->schema->stride)
        batch_rows = table->buffer_bytes / table->schema->stride;
    while (begin < end && atomic_load_explicit(&table->failed, memory_order_relaxed) == UINT64_MAX) {
        uint64_t stop = end - begin < batch_rows ? end : begin + batch_rows;
        if (!decode_range(table, worker, begin, stop)) return;
        begin = stop;
    }
}

/* Reports that the input ends before the first row. */
static gws_status ends_before_rows(const struct gws__input *input, uint64_t skip, uint64_t found)
{
    return gws__input_fail(input, GWS_TRUNCATED, 0, 0,
                           "rows begin after byte %" PRIu64 ", but the input ends at byte %" PRIu64, skip, found);
}

/* Reports that only `bytes` bytes follow the skipped ones. */
static gws_status truncated(const struct gws__input *input, const struct gws__binary_rows *binary, uint64_t bytes,
                            uint64_t stride)
{
    if (!binary->count.declared)
        return gws__input_fail(input, GWS_TRUNCATED, 0, 0,
                               "row %" PRIu64 " is truncated at byte %" PRIu64 ": a row has %" PRIu64 " bytes",
                               bytes / stride + 1, binary->skip + bytes, stride);
    return gws__input_fail(input, GWS_TRUNCATED, 0, 0,
                           "%" PRIu64 " rows of %" PRIu64 " bytes declared, found %" PRIu64 ", to byte %" PRIu64,
                           binary->count.rows, stride, bytes / stride, binary->skip + bytes);
}

static gws_status truncated_trailing(const struct gws__input *input, const struct gws__binary_rows *binary,
                                     uint64_t found)
{
    return gws__input_fail(input, GWS_TRUNCATED, 0, 0, "%" PRIu64 " bytes declared after the points, found %" PRIu64,
                           binary->trailing, found);
}

/* ---- from a file ---- */

/* Reports why the byte cannot be read. */
static gws_status unreadable(const struct gws__input *input, uint64_t byte)
{
    unsigned char any;
    gws_status status = gws__input_read_at(input, byte, &any, 1);
    if (status != GWS_OK) return status;
    return gws__input_fail(input, GWS_SYSTEM, 0, 0, "the file changed while it was read, before byte %" PRIu64,
                           byte + 1);
}

static gws_status decode_all(struct gws__input *input, struct binary_table *table, uint64_t count,
                             struct gws_points *points)
{
    struct gws_points made = {0};
    uint32_t workers = gws_runtime_workers(input->runtime);
    gws_status status = gws__schema_make(table->schema, count, &made);
    if (status != GWS_OK) return status;
    table->buffer_bytes = table->schema->stride > read_bytes ? table->schema->stride : read_bytes;
    table->buffer = gws_allocate(input->runtime, workers, table->buffer_bytes);
    if (!table->buffer) {
        gws_points_clear(&made);
        return GWS_NO_MEMORY;
    }
    gws_report_progress(input->runtime, "reading", 0, input->total);
    table->input.where = NULL;
    table->points = &made;
    status = gws_parallel_try_for(input->runtime, count, rows_at_once, decode_rows, table);
    table->points = NULL;
    gws_release(input->runtime, table->buffer, workers, table->buffer_bytes);
    uint64_t failed = atomic_load_explicit(&table->failed, memory_order_relaxed);
    if (status == GWS_OK && failed == UINT64_MAX) {
        *points = made;
        return GWS_OK;
    }
    gws_points_clear(&made);
    return status == GWS_OK ? unreadable(input, failed) : status;
}

static gws_status read_all(struct gws__input *input, struct binary_table *table, const struct gws__binary_rows *binary,
                           struct gws_points *points)
{
    uint64_t rest = input->total - input->taken;
    uint64_t stride = table->schema->stride;
    if (rest < binary->skip) return ends_before_rows(input, binary->skip, rest);
    uint64_t bytes = rest - binary->skip, rows = bytes / stride;
    uint64_t count = binary->count.declared ? binary->count.rows : rows;
    if (binary->count.declared ? rows < count : bytes % stride != 0) return truncated(input, binary, bytes, stride);
    if (bytes - count * stride < binary->trailing) return truncated_trailing(input, binary, bytes - count * stride);
    table->from = input->taken + binary->skip;
    if (table->column_rows > 0) table->column_rows = count;
    return decode_all(input, table, count, points);
}

/* ---- from a stream ---- */

/* Skips size bytes unless the stream ends. Sets *skipped to the number of skipped bytes. */
static gws_status skip_bytes(struct gws__input *input, unsigned char *buffer, uint64_t size, uint64_t *skipped)
{
    uint64_t got = 1;
    gws_status status = GWS_OK;
    for (*skipped = 0; *skipped < size && got > 0 && status == GWS_OK; *skipped += got) {
        uint64_t left = size - *skipped;
        status = gws__input_read(input, buffer, left < batch_bytes ? left : batch_bytes, &got);
    }
    return status;
}

static gws_status decode_batch(struct gws__input *input, struct gws__blocks *blocks, const unsigned char *bytes,
                               uint64_t index, uint64_t rows)
{
    struct gws_points made = {0};
    gws_status status = gws__schema_make(blocks->schema, rows, &made);
    if (status == GWS_OK) {
        struct binary_table table = {.schema = blocks->schema, .points = &made, .bytes = bytes, .failed = UINT64_MAX};
        gws_parallel_for(input->runtime, rows, rows_at_once, decode_rows, &table);
        status = gws__blocks_add(blocks, 0, index, &made);
    }
    if (status == GWS_OK) return GWS_OK;
    gws_points_clear(&made);
    return status;
}

static gws_status read_batches(struct gws__input *input, struct gws__blocks *blocks, unsigned char *buffer,
                               const struct gws__binary_rows *binary)
{
    const uint64_t stride = blocks->schema->stride, batch = batch_bytes / stride;
    const struct gws__count count = binary->count;
    uint64_t rows = 0;
    for (uint64_t index = 0; !count.declared || rows < count.rows; index++) {
        uint64_t want = count.declared && count.rows - rows < batch ? count.rows - rows : batch, got = 0;
        gws_status status = gws__input_read(input, buffer, want * stride, &got);
        if (status != GWS_OK) return status;
        bool short_row = got % stride != 0, ended = got < want * stride;
        if (ended && (short_row || count.declared)) return truncated(input, binary, rows * stride + got, stride);
        if (got > 0) status = decode_batch(input, blocks, buffer, index, got / stride);
        if (status != GWS_OK || ended) return status;
        rows += want;
        gws_report_progress(input->runtime, "reading", input->taken, input->total);
    }
    return GWS_OK;
}

/* Reads a compressed input to its end, because the inflater verifies the checksum there. */
static gws_status drain(struct gws__input *input, unsigned char *buffer)
{
    uint64_t got = 1;
    gws_status status = GWS_OK;
    while (input->inflater && got > 0 && status == GWS_OK) status = gws__input_read(input, buffer, batch_bytes, &got);
    return status;
}

/* Reads the rows and the bytes after them. */
static gws_status read_binary(struct gws__input *input, struct gws__blocks *blocks, unsigned char *buffer,
                              const struct gws__binary_rows *binary)
{
    uint64_t skipped = 0;
    gws_status status = skip_bytes(input, buffer, binary->skip, &skipped);
    if (status == GWS_OK && skipped < binary->skip) return ends_before_rows(input, binary->skip, skipped);
    if (status == GWS_OK) status = read_batches(input, blocks, buffer, binary);
    if (status == GWS_OK) status = skip_bytes(input, buffer, binary->trailing, &skipped);
    if (status == GWS_OK && skipped < binary->trailing) return truncated_trailing(input, binary, skipped);
    return status == GWS_OK ? drain(input, buffer) : status;
}

static gws_status read_stream(struct gws__input *input, const struct gws__schema *schema,
                              const struct gws__binary_rows *binary, struct gws_points *points)
{
    struct gws__blocks blocks;
    unsigned char *buffer = gws_allocate(input->runtime, batch_bytes, 1);
    gws_status status = buffer ? gws__blocks_open(schema, &blocks) : GWS_NO_MEMORY;
    if (status != GWS_OK) {
        gws_release(input->runtime, buffer, batch_bytes, 1);
        return status;
    }
    status = read_binary(input, &blocks, buffer, binary);
    gws_release(input->runtime, buffer, batch_bytes, 1);
    if (status == GWS_OK) status = gws__blocks_assemble(&blocks, points);
    gws__blocks_close(&blocks);
    return status;
}

gws_status gws__binary_rows_read(struct gws__schema *schema, const struct gws__binary_rows *binary,
                                 struct gws_points *points)
{
    struct gws__input *input = schema->input;
    struct binary_table table = {.schema = schema, .input = *input, .failed = UINT64_MAX};
    gws_status status = gws__schema_finalise(schema);
    if (status != GWS_OK) return status;
    if (schema->stride > batch_bytes)
        return gws__input_fail(input, GWS_TOO_LARGE, 0, 0, "rows of %" PRIu64 " bytes", schema->stride);
    if (input->file) return read_all(input, &table, binary, points);
    return read_stream(input, schema, binary, points);
}

gws_status gws__binary_columns_read(struct gws__schema *schema, const struct gws__binary_rows *binary,
                                    struct gws_points *points)
{
    struct gws__input *input = schema->input;
    struct binary_table table = {.schema = schema, .column_rows = 1, .input = *input, .failed = UINT64_MAX};
    gws_status status = gws__schema_finalise(schema);
    if (status != GWS_OK) return status;
    if (input->file) return read_all(input, &table, binary, points);
    return gws__input_fail(input, GWS_UNSUPPORTED, 0, 0, "columns in Fortran order can only be read from plain files");
}
