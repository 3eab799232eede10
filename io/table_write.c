/* SPDX-License-Identifier: MIT */
/* Tables as comma- or tab-separated text, or as a structured array of NumPy's .npy format, version 1.0 (NEP 1). Rows
 * are set by all workers; each column kind is one row of a table of functions. */
#include "table_io.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../lib/parallel.h"
#include "output/output.h"
#include "output/text.h"

enum { field_bytes = GWS__TEXT_F64, npy_field = 8, npy_lead = 10, npy_align = 64, npy_most = 65535 };

/* ---- fields as text; missing is nothing ---- */

static char *text_id(const struct gws_graph *graph, const void *data, uint64_t row, char *text)
{
    (void)data;
    return gws__text_u64(text, graph->id ? graph->id[row] : graph->first_id + row);
}

static char *text_u32(const struct gws_graph *graph, const void *data, uint64_t row, char *text)
{
    (void)graph;
    uint32_t value = ((const uint32_t *)data)[row];
    return value == GWS_NO_VERTEX ? text : gws__text_u32(text, value);
}

static char *text_vertex(const struct gws_graph *graph, const void *data, uint64_t row, char *text)
{
    uint32_t vertex = ((const uint32_t *)data)[row];
    return vertex == GWS_NO_VERTEX ? text : text_id(graph, NULL, vertex, text);
}

static char *text_i64(const struct gws_graph *graph, const void *data, uint64_t row, char *text)
{
    (void)graph;
    return gws__text_i64(text, ((const int64_t *)data)[row]);
}

static char *text_f64(const struct gws_graph *graph, const void *data, uint64_t row, char *text)
{
    (void)graph;
    double value = ((const double *)data)[row];
    return isnan(value) ? text : gws__text_f64(text, value);
}

/* ---- fields as 64 bits; missing is -1, or NaN as it is ---- */

static uint64_t bits_id(const struct gws_graph *graph, const void *data, uint64_t row)
{
    (void)data;
    return graph->id ? graph->id[row] : graph->first_id + row;
}

static uint64_t bits_u32(const struct gws_graph *graph, const void *data, uint64_t row)
{
    (void)graph;
    uint32_t value = ((const uint32_t *)data)[row];
    return value == GWS_NO_VERTEX ? UINT64_MAX : value;
}

static uint64_t bits_vertex(const struct gws_graph *graph, const void *data, uint64_t row)
{
    uint32_t vertex = ((const uint32_t *)data)[row];
    return vertex == GWS_NO_VERTEX ? UINT64_MAX : bits_id(graph, NULL, vertex);
}

static uint64_t bits_64(const struct gws_graph *graph, const void *data, uint64_t row)
{
    (void)graph;
    uint64_t bits;
    memcpy(&bits, (const char *)data + 8 * row, sizeof bits);
    return bits;
}

static const struct {
    char *(*text)(const struct gws_graph *graph, const void *data, uint64_t row, char *text);
    uint64_t (*bits)(const struct gws_graph *graph, const void *data, uint64_t row);
    const char *dtype;
} kinds[] = {
    [GWS_COLUMN_ID] = {text_id, bits_id, "<i8"},
    [GWS_COLUMN_U32] = {text_u32, bits_u32, "<i8"},
    [GWS_COLUMN_VERTEX] = {text_vertex, bits_vertex, "<i8"},
    [GWS_COLUMN_I64] = {text_i64, bits_64, "<i8"},
    [GWS_COLUMN_F64] = {text_f64, bits_64, "<f8"},
};

/* ---- rows ---- */

struct rows {
    const struct gws_table *table;
    char separator;
};

static char *set_text(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct rows *rows = context;
    const struct gws_table *table = rows->table;
    for (uint64_t row = begin; row < end; row++) {
        for (uint32_t i = 0; i < table->columns; i++) {
            const struct gws_column *column = &table->column[i];
            text = kinds[column->kind].text(table->graph, column->data, row, text);
            *text++ = rows->separator;
        }
        text[-1] = '\n';
    }
    return text;
}

static char *set_npy(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct gws_table *table = ((const struct rows *)context)->table;
    for (uint64_t row = begin; row < end; row++) {
        for (uint32_t i = 0; i < table->columns; i++) {
            const struct gws_column *column = &table->column[i];
            uint64_t bits = kinds[column->kind].bits(table->graph, column->data, row);
            for (int byte = 0; byte < npy_field; byte++) *text++ = (char)(bits >> (8 * byte));
        }
    }
    return text;
}

static gws_status put_rows(struct gws_output *output, struct rows *rows,
                           char *(*set)(void *context, uint64_t begin, uint64_t end, char *text), uint64_t field)
{
    struct gws__output_pieces pieces = {
        .count = rows->table->rows, .item_bytes = rows->table->columns * field, .set = set, .context = rows};
    return gws__output_pieces(output, &pieces);
}

/* ---- files ---- */

static gws_status write_text(struct gws_output *output, const struct gws_table *table, char separator)
{
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < table->columns && status == GWS_OK; i++) {
        char end = i + 1 < table->columns ? separator : '\n';
        status = gws_output_write(output, table->column[i].name, strlen(table->column[i].name));
        if (status == GWS_OK) status = gws_output_write(output, &end, 1);
    }
    struct rows rows = {.table = table, .separator = separator};
    if (status == GWS_OK) status = put_rows(output, &rows, set_text, field_bytes + 1);
    return status;
}

static gws_status write_csv(struct gws_output *output, const struct gws_table *table)
{
    return write_text(output, table, ',');
}

static gws_status write_tsv(struct gws_output *output, const struct gws_table *table)
{
    return write_text(output, table, '\t');
}

/* The length of the description below without its padding. */
static uint64_t describe_bytes(const struct gws_table *table, const char *shape)
{
    uint64_t bytes = npy_lead + strlen("{'descr': [], 'fortran_order': False, 'shape': }\n") + strlen(shape);
    for (uint32_t i = 0; i < table->columns; i++) bytes += strlen("('', '<i8'), ") + strlen(table->column[i].name);
    return bytes;
}

/* The magic, the length, a Python dictionary, and spaces up to a multiple of 64 bytes that ends in a line feed. */
static gws_status describe(struct gws_output *output, const struct gws_table *table)
{
    char shape[32];
    snprintf(shape, sizeof shape, "(%" PRIu64 ",)", table->rows);
    uint64_t bare = describe_bytes(table, shape), padded = (bare + npy_align - 1) / npy_align * npy_align;
    uint64_t length = padded - npy_lead;
    if (length > npy_most) return GWS_TOO_LARGE;
    char lead[npy_lead] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)length, (char)(length >> 8)};
    gws_status status = gws_output_write(output, lead, sizeof lead);
    if (status == GWS_OK) status = gws_output_print(output, "{'descr': [");
    for (uint32_t i = 0; i < table->columns && status == GWS_OK; i++)
        status = gws_output_print(output, "('%s', '%s'), ", table->column[i].name, kinds[table->column[i].kind].dtype);
    if (status != GWS_OK) return status;
    return gws_output_print(output, "], 'fortran_order': False, 'shape': %s}%*s", shape, (int)(padded - bare) + 1,
                            "\n");
}

static gws_status write_npy(struct gws_output *output, const struct gws_table *table)
{
    struct rows rows = {.table = table};
    gws_status status = describe(output, table);
    return status == GWS_OK ? put_rows(output, &rows, set_npy, npy_field) : status;
}

typedef gws_status write_table(struct gws_output *output, const struct gws_table *table);

static write_table *writer_for(const char *path)
{
    static const struct {
        const char *ending, *packed;
        write_table *write;
    } writers[] = {{".csv", ".csv.gz", write_csv}, {".tsv", ".tsv.gz", write_tsv}, {".npy", ".npy.gz", write_npy}};
    if (strcmp(path, "-") == 0) return write_csv;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (gws__output_ends(path, writers[i].ending) || gws__output_ends(path, writers[i].packed))
            return writers[i].write;
    return NULL;
}

/* ---- the call ---- */

/* A name must not need quotes in any of the formats. */
static bool good_name(const char *name)
{
    for (const char *at = name; at && *at; at++)
        if (*at < ' ' || *at > '~' || strchr("\"',\\", *at)) return false;
    return name && *name;
}

static gws_status check_table(const struct gws_table *table, bool npy, const char *path, struct gws_where *where)
{
    const struct gws_graph *graph = table->graph;
    bool ids = false;
    for (uint32_t i = 0; i < table->columns; i++) {
        const struct gws_column *column = &table->column[i];
        if (!good_name(column->name) || column->kind > GWS_COLUMN_F64)
            return gws_where_set(where, GWS_INVALID, path, 0, 0, "column %" PRIu32 " has no usable name or kind", i);
        ids |= column->kind == GWS_COLUMN_ID || column->kind == GWS_COLUMN_VERTEX;
    }
    if (table->columns == 0) return gws_where_set(where, GWS_INVALID, path, 0, 0, "a table without columns");
    if (!npy || !ids || graph->vertices == 0) return GWS_OK;
    uint64_t largest = gws_graph_id(graph, (uint32_t)(graph->vertices - 1));
    if (largest <= INT64_MAX) return GWS_OK;
    return gws_where_set(where, GWS_OUT_OF_RANGE, path, 0, 0,
                         "the vertex %" PRIu64 " is beyond the 64-bit integers of .npy; .csv can hold it", largest);
}

gws_status gws_table_write(struct gws_runtime *runtime, const struct gws_table *table, const char *path,
                           struct gws_where *where)
{
    write_table *write = writer_for(path);
    if (!write)
        return gws_where_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0,
                             "the name must end in .csv, .tsv or .npy, or one of them and .gz");
    struct gws_output *output = NULL;
    gws_status status = check_table(table, write == write_npy, path, where);
    if (status == GWS_OK) status = gws_output_open(runtime, path, where, &output);
    if (status != GWS_OK) return status;
    return gws_output_close(output, write(output, table));
}
