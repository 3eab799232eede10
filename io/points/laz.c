/* SPDX-License-Identifier: MIT */
/* LAZ: LAS files whose points LASzip has compressed (Isenburg, "LASzip: lossless compression of LiDAR data", PE&RS 79,
 * 2013). LASzip decompresses a point at a time into its own struct. This file makes the record of a LAS file from it,
 * which is then decoded like any other. LASzip compresses chunks of 50,000 points apart, and a table at the end of the
 * file has their places. So workers share the chunks, each with a LASzip reader of its own. One worker reads a file
 * without chunks (of LASzip 1) or without a table from the start to the end. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "las.h"
#include "laszip.h"

enum {
    usual_chunk = 50000, /* points */
    rows_at_once = 2048,
    message_bytes = 150,
    record_number = 22204, /* LASzip's record: its compressor, and the points of a chunk */
    record_chunk = 12,
    chunked = 2 /* the first of the compressors that make chunks */
};

/* A worker's LASzip reader, which it opens with its first range. */
struct laz_worker {
    void *reader; /* NULL: not open */
    struct gws__laszip_point *point;
    uint64_t next;       /* the point that the reader returns next */
    unsigned char *rows; /* rows_at_once records of a LAS file */
    uint64_t failed;     /* the point that could not be read, or UINT64_MAX */
    char message[message_bytes];
};

struct laz {
    struct gws_runtime *runtime;
    struct gws__laszip laszip;
    const struct gws__schema *schema;
    const struct gws_points *points;
    const char *path;
    uint32_t bytes;                  /* bytes of a record before its extra bytes */
    bool is_long;                    /* point formats 6 to 10 */
    uint32_t time, colour, infrared; /* their bytes in a record; 0: missing */
    uint64_t count, chunk;           /* points of the file, and of a chunk */
    struct laz_worker *worker;
    atomic_bool failed; /* relaxed: stops the other workers early; the caller looks after the loop's barrier */
};

/* ---- the library ---- */

static gws_status refuse(const struct gws__points_reading *reading, const char *why)
{
    return gws__input_fail(reading->input, GWS_UNSUPPORTED, 0, 0, "compressed LAS (LAZ) %s", why);
}

/* Finds the functions in the library. Returns false if one is missing. */
static bool find_functions(void *library, struct gws__laszip *laszip)
{
    const struct {
        const char *name;
        void *function; /* the address of the pointer: ISO C has no conversion from object to function pointers */
    } functions[] = {
        {"laszip_get_version", &laszip->get_version}, {"laszip_create", &laszip->create},
        {"laszip_destroy", &laszip->destroy},         {"laszip_get_error", &laszip->get_error},
        {"laszip_open_reader", &laszip->open_reader}, {"laszip_get_point_pointer", &laszip->get_point_pointer},
        {"laszip_seek_point", &laszip->seek_point},   {"laszip_read_point", &laszip->read_point},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *symbol = dlsym(library, functions[i].name);
        if (!symbol) return false;
        memcpy(functions[i].function, &symbol, sizeof symbol);
    }
    return true;
}

/* Loads LASzip, which stays loaded. */
static gws_status load(const struct gws__points_reading *reading, struct gws__laszip *laszip)
{
    static const char *const names[] = {"liblaszip.so.8", "liblaszip.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return refuse(reading, "needs the library LASzip, which is not installed (liblaszip.so.8)");
    uint8_t major = 0, minor = 0;
    uint16_t revision = 0;
    uint32_t build = 0;
    bool fits = find_functions(library, laszip) && laszip->get_version(&major, &minor, &revision, &build) == 0 &&
                major == 3 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    dlclose(library);
    return fits ? GWS_OK : refuse(reading, "needs version 3 of the library LASzip; liblaszip.so is another");
}

/* ---- records ---- */

/* Writes a number at a byte of a record. The machine is little-endian. */
static void put(unsigned char *row, uint32_t at, const void *number, size_t bytes)
{
    memcpy(row + at, number, bytes);
}

static void make_record(const struct laz *laz, const struct gws__laszip_point *point, unsigned char *row)
{
    put(row, 0, &point->x, 12);
    put(row, 12, &point->intensity, 2);
    if (laz->is_long) {
        row[14] = point->long_returns;
        row[15] = (unsigned char)(point->flags >> 4 | (point->flags >> 2 & 3) << 4 | (point->returns & 0xc0));
        row[16] = point->long_class;
        row[17] = point->user_data;
        put(row, 18, &point->long_scan_angle, 2);
        put(row, 20, &point->point_source, 2);
    } else {
        row[14] = point->returns;
        row[15] = point->classification;
        row[16] = (unsigned char)point->scan_angle;
        row[17] = point->user_data;
        put(row, 18, &point->point_source, 2);
    }
    if (laz->time) put(row, laz->time, &point->gps_time, 8);
    if (laz->colour) put(row, laz->colour, point->colour, 6);
    if (laz->infrared) put(row, laz->infrared, &point->colour[3], 2);
    uint64_t extra = laz->schema->stride - laz->bytes, have = point->extra_count > 0 ? (uint64_t)point->extra_count : 0;
    if (have > extra) have = extra;
    if (have > 0 && point->extra) memcpy(row + laz->bytes, point->extra, have);
}

/* ---- points ---- */

/* Keeps LASzip's message about the point. */
static bool fail(struct laz *laz, struct laz_worker *worker, uint64_t point)
{
    char *message = NULL;
    if (worker->reader) laz->laszip.get_error(worker->reader, &message);
    snprintf(worker->message, sizeof worker->message, "%s", message ? message : "LASzip has no memory");
    worker->failed = point;
    atomic_store_explicit(&laz->failed, true, memory_order_relaxed);
    return false;
}

/* Makes `point` the next point that the worker's reader returns. */
static bool move_to(struct laz *laz, struct laz_worker *worker, uint64_t point)
{
    const struct gws__laszip *laszip = &laz->laszip;
    int is_compressed = 0;
    if (!worker->reader) {
        if (laszip->create(&worker->reader) != 0 || !worker->reader) return fail(laz, worker, point);
        if (laszip->open_reader(worker->reader, laz->path, &is_compressed) != 0) return fail(laz, worker, point);
        if (laszip->get_point_pointer(worker->reader, &worker->point) != 0) return fail(laz, worker, point);
    }
    if (worker->next != point && laszip->seek_point(worker->reader, (int64_t)point) != 0)
        return fail(laz, worker, point);
    worker->next = point;
    return true;
}

/* Reads the chunks begin ... end - 1. */
static void read_chunks(void *context, uint32_t number, uint64_t begin, uint64_t end)
{
    struct laz *laz = context;
    struct laz_worker *worker = &laz->worker[number];
    const uint64_t stride = laz->schema->stride;
    begin *= laz->chunk;
    end = end > laz->count / laz->chunk ? laz->count : end * laz->chunk;
    if (atomic_load_explicit(&laz->failed, memory_order_relaxed) || !move_to(laz, worker, begin)) return;
    for (uint64_t stop; begin < end && !gws_cancelled(laz->runtime); begin = stop) {
        stop = end - begin < rows_at_once ? end : begin + rows_at_once;
        for (uint64_t i = begin; i < stop; i++, worker->next++) {
            if (laz->laszip.read_point(worker->reader) != 0) {
                fail(laz, worker, i);
                return;
            }
            make_record(laz, worker->point, worker->rows + (i - begin) * stride);
        }
        gws__decode_rows(laz->schema, laz->points, worker->rows, begin, stop);
    }
}

/* Reports the failure that comes first in the file. */
static gws_status report(const struct gws__input *input, const struct laz *laz, uint32_t workers)
{
    const struct laz_worker *first = NULL;
    for (uint32_t i = 0; i < workers; i++)
        if (laz->worker[i].failed < (first ? first->failed : UINT64_MAX)) first = &laz->worker[i];
    if (!first) return GWS_OK;
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "LASzip cannot read point %" PRIu64 ": %s", first->failed + 1,
                           first->message);
}

static gws_status read_points(struct gws__input *input, struct laz *laz)
{
    uint32_t workers = gws_runtime_workers(input->runtime);
    uint64_t stride = laz->schema->stride, bytes = rows_at_once * stride;
    unsigned char *rows = gws_allocate(input->runtime, workers, bytes);
    laz->worker = gws_allocate(input->runtime, workers, sizeof *laz->worker);
    gws_status status = rows && laz->worker ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        memset(rows, 0, workers * bytes); /* the bytes of wave packets stay 0: no column has them */
        for (uint32_t i = 0; i < workers; i++)
            laz->worker[i] = (struct laz_worker){.rows = rows + i * bytes, .failed = UINT64_MAX};
        gws_report_progress(input->runtime, "reading", 0, input->total);
        uint64_t chunks = laz->count / laz->chunk + (laz->count % laz->chunk > 0);
        status = gws_parallel_try_for(input->runtime, chunks, 1, read_chunks, laz);
        for (uint32_t i = 0; i < workers; i++)
            if (laz->worker[i].reader) laz->laszip.destroy(laz->worker[i].reader);
        if (status == GWS_OK && gws_cancelled(input->runtime)) status = GWS_CANCELLED;
        if (status == GWS_OK) status = report(input, laz, workers);
    }
    gws_release(input->runtime, laz->worker, workers, sizeof *laz->worker);
    gws_release(input->runtime, rows, workers, bytes);
    return status;
}

/* Finds the bytes of the fields that not every point format has. */
static void describe(struct laz *laz, uint32_t format)
{
    struct gws__las_field field[GWS__LAS_FIELDS];
    uint32_t fields = gws__las_fields(format, field);
    laz->bytes = gws__las_bytes(format);
    laz->is_long = format >= 6;
    for (uint32_t i = 0; i < fields; i++) {
        if (strcmp(field[i].name, "gps_time") == 0) laz->time = field[i].offset;
        if (strcmp(field[i].name, "red") == 0) laz->colour = field[i].offset;
        if (strcmp(field[i].name, "near_infrared") == 0) laz->infrared = field[i].offset;
    }
}

/* Finds the points of a chunk. Checks that the table of chunks lies within the file: without it LASzip's decoder would
 * run over wrong bytes, and may raise a signal. */
static gws_status find_chunks(const struct gws__points_reading *reading, struct laz *laz)
{
    const struct gws__input *input = reading->input;
    const struct gws__header *header = &reading->header;
    struct gws__las_records records = {0};
    uint64_t record = gws__las_record(header, "laszip encoded", record_number, &records);
    uint64_t points = gws__las_number(header, 96, 4), table = 0;
    laz->chunk = laz->count > 0 ? laz->count : 1;
    if (record == 0 || records.bytes < record_chunk + 4 || gws__las_number(header, record, 2) < chunked) return GWS_OK;
    gws_status status = gws__input_read_at(input, points, &table, sizeof table);
    if (status == GWS_OK && table == UINT64_MAX) /* of a file that was written to a pipe: the last number */
        status = gws__input_read_at(input, input->total - sizeof table, &table, sizeof table);
    if (status != GWS_OK || table == points) return status; /* the writer was interrupted: there is no table */
    if (table < points || table > input->total - sizeof table)
        return gws__input_fail(input, GWS_TRUNCATED, 0, 0,
                               "the table of chunks is at byte %" PRIu64 ", but the file has %" PRIu64 " bytes", table,
                               input->total);
    uint64_t chunk = gws__las_number(header, record + record_chunk, 4);
    if (chunk == UINT32_MAX) chunk = usual_chunk;                  /* chunks of any size */
    if (chunk > 0 && laz->count <= UINT32_MAX) laz->chunk = chunk; /* LASzip seeks with 32 bits */
    return GWS_OK;
}

gws_status gws__laz_read(struct gws__points_reading *reading, uint64_t count, struct gws_points *points)
{
    struct gws__input *input = reading->input;
    struct laz laz = {.runtime = input->runtime, .schema = &reading->schema, .path = input->name, .count = count};
    struct gws_points made = {0};
    gws_status status = load(reading, &laz.laszip);
    if (status == GWS_OK && !input->file)
        status = refuse(reading, "can only be read from a plain file, which LASzip opens by its name");
    if (status == GWS_OK) status = find_chunks(reading, &laz);
    if (status == GWS_OK) status = gws__schema_finalise(&reading->schema);
    if (status == GWS_OK) status = gws__schema_make(&reading->schema, count, &made);
    if (status != GWS_OK) return status;
    describe(&laz, gws__las_format(&reading->header));
    laz.points = &made;
    status = read_points(input, &laz);
    if (status == GWS_OK)
        *points = made;
    else
        gws_points_clear(&made);
    return status;
}
