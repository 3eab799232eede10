/* SPDX-License-Identifier: MIT */
/* Writes tables as comma- or tab-separated text, or as a structured array of NumPy's .npy format. All workers format
 * rows. */
#include "table_io.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../lib/parallel.h"
#include "output/names.h"
#include "output/output.h"
#include "output/table.h"
#include "output/text.h"

enum { field_bytes = GWS__TEXT_F64, npy_field_bytes = 8 };

/* ---- fields as 64 bits, a whole number or the bits of a double ---- */

static uint64_t id_of(const struct gws_graph *graph, uint64_t vertex)
{
    return graph->id ? graph->id[vertex] : graph->first_id + vertex;
}

/* Returns false if the value is missing. *bits are then the bits of -1 or of a NaN. */
static bool value_of(const struct gws__table_rows *rows, const struct gws_column *column, uint64_t row, uint64_t *bits)
{
    const struct gws_graph *graph = rows->table->graph;
    double real;
    uint32_t small;
    switch (column->kind) {
    case GWS_COLUMN_ID:
        *bits = id_of(graph, rows->first + row);
        return true;
    case GWS_COLUMN_U32:
    case GWS_COLUMN_VERTEX:
        small = ((const uint32_t *)column->data)[row];
        *bits = UINT64_MAX;
        if (small == GWS_NO_VERTEX) return false;
        *bits = column->kind == GWS_COLUMN_U32 ? small : id_of(graph, small);
        return true;
    default:
        memcpy(bits, (const char *)column->data + 8 * row, sizeof *bits);
        memcpy(&real, bits, sizeof real);
        if (column->kind == GWS_COLUMN_U64) return *bits != UINT64_MAX;
        return column->kind == GWS_COLUMN_I64 || (column->kind == GWS_COLUMN_F64 ? !isnan(real) : isfinite(real));
    }
}

static char *format_value(char *text, enum gws_column_kind kind, uint64_t bits)
{
    double real;
    memcpy(&real, &bits, sizeof real);
    if (kind == GWS_COLUMN_F64 || kind == GWS_COLUMN_FINITE) return gws__text_f64(text, real);
    if (kind == GWS_COLUMN_I64) return gws__text_i64(text, (int64_t)bits);
    return kind == GWS_COLUMN_U32 ? gws__text_u32(text, (uint32_t)bits) : gws__text_u64(text, bits);
}

/* ---- files ---- */

static bool has_name(const struct gws__table_rows *rows, uint32_t i)
{
    const enum gws_column_kind kind = rows->table->column[i].kind;
    return rows->longest > 0 && (kind == GWS_COLUMN_ID || kind == GWS_COLUMN_VERTEX);
}

/* Writes a name. In .npy, zeros pad the name to the length of the longest name, and a missing name is empty. */
static char *format_name(const struct gws__table_rows *rows, const struct gws_column *column, uint64_t row, char *text)
{
    const struct gws_graph *graph = rows->table->graph;
    const char special[2] = {rows->separator, 0};
    uint64_t length = 0;
    uint32_t vertex =
        column->kind == GWS_COLUMN_ID ? (uint32_t)(rows->first + row) : ((const uint32_t *)column->data)[row];
    const char *name = vertex != GWS_NO_VERTEX ? gws_graph_name(graph, vertex, &length) : "";
    if (rows->separator) return *name ? gws__names_format(graph, vertex, special, text) : text;
    memcpy(text, name, length);
    memset(text + length, 0, rows->longest - length);
    return text + rows->longest;
}

static char *format_number(const struct gws__table_rows *rows, const struct gws_column *column, uint64_t row,
                           char *text)
{
    uint64_t bits;
    bool present = value_of(rows, column, row, &bits);
    if (rows->separator) return present ? format_value(text, column->kind, bits) : text;
    for (int byte = 0; byte < npy_field_bytes; byte++) *text++ = (char)(bits >> (8 * byte));
    return text;
}

static char *format_rows(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct gws__table_rows *rows = context;
    const struct gws_table *table = rows->table;
    for (uint64_t row = begin; row < end; row++) {
        for (uint32_t i = 0; i < table->columns; i++) {
            const struct gws_column *column = &table->column[i];
            text = has_name(rows, i) ? format_name(rows, column, row, text) : format_number(rows, column, row, text);
            if (rows->separator) *text++ = rows->separator;
        }
        if (rows->separator) text[-1] = '\n';
    }
    return text;
}

/* Returns the largest size of a row. */
static uint64_t row_bytes(const struct gws__table_rows *rows)
{
    uint64_t bytes = 0, name = rows->separator ? gws__names_bytes(rows->longest) + 1 : rows->longest;
    for (uint32_t i = 0; i < rows->table->columns; i++)
        bytes += has_name(rows, i) ? name : rows->separator ? field_bytes + 1 : npy_field_bytes;
    return bytes;
}

static gws_status write_names(struct gws_output *output, const struct gws_table *table, char separator)
{
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < table->columns && status == GWS_OK; i++) {
        char end = i + 1 < table->columns ? separator : '\n';
        status = gws_output_write(output, table->column[i].name, strlen(table->column[i].name));
        if (status == GWS_OK) status = gws_output_write(output, &end, 1);
    }
    return status;
}

static void npy_field(const void *context, uint32_t i, const char **name, const char **type)
{
    const struct gws__table_rows *rows = context;
    const struct gws_column *column = &rows->table->column[i];
    *name = column->name;
    bool real = column->kind == GWS_COLUMN_F64 || column->kind == GWS_COLUMN_FINITE;
    *type = has_name(rows, i) ? rows->name_type : real ? "<f8" : "<i8";
}

struct gws__output_chunks gws__table_chunks(struct gws__table_rows *rows, uint64_t count)
{
    return (struct gws__output_chunks){
        .count = count, .item_bytes = row_bytes(rows), .format = format_rows, .context = rows};
}

static gws_status write_head(struct gws_output *output, const struct gws__table_rows *rows)
{
    const struct gws_table *table = rows->table;
    return rows->separator ? write_names(output, table, rows->separator)
                           : gws__npy_head(output, table->rows, table->columns, npy_field, rows);
}

/* Finds the format by the suffix of the name. Returns false if no format has this suffix. */
static bool find_separator(const char *path, char *separator)
{
    static const struct {
        const char *suffix;
        char separator;
    } formats[] = {{".csv", ','}, {".tsv", '\t'}, {".npy", 0}};
    *separator = ',';
    if (strcmp(path, "-") == 0) return true;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        *separator = formats[i].separator;
        if (gws__output_ends(path, formats[i].suffix)) return true;
    }
    return false;
}

/* ---- entry point ---- */

/* Returns true if no format needs quotes around the name. */
static bool good_name(const char *name)
{
    for (const char *at = name; at && *at; at++)
        if (*at < ' ' || *at > '~' || strchr("\"',\\", *at)) return false;
    return name && *name;
}

static gws_status check_table(const struct gws_table *table, bool npy, const char *path, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = table->graph;
    bool ids = false;
    for (uint32_t i = 0; i < table->columns; i++) {
        const struct gws_column *column = &table->column[i];
        if (!good_name(column->name) || column->kind > GWS_COLUMN_FINITE)
            return gws_diagnostic_set(where, GWS_INVALID, path, 0, 0, "column %" PRIu32 " has an invalid name or kind",
                                      i);
        ids |= column->kind == GWS_COLUMN_ID || column->kind == GWS_COLUMN_VERTEX;
    }
    if (table->columns == 0) return gws_diagnostic_set(where, GWS_INVALID, path, 0, 0, "a table without columns");
    if (!npy || !ids || graph->vertices == 0) return GWS_OK;
    uint64_t largest = gws_graph_id(graph, (uint32_t)(graph->vertices - 1));
    if (largest <= INT64_MAX) return GWS_OK;
    return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, path, 0, 0,
                              "the vertex %" PRIu64 " is beyond the 64-bit integers of .npy; .csv can hold it",
                              largest);
}

gws_status gws__table_rows_open(const struct gws_table *table, const char *path, struct gws__table_rows *rows,
                                struct gws_diagnostic *where)
{
    *rows = (struct gws__table_rows){.table = table};
    if (!find_separator(path, &rows->separator))
        return gws_diagnostic_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0,
                                  "the name must end in .csv, .tsv or .npy, or one of them and .gz");
    if (table->graph) rows->longest = gws__names_longest(table->graph);
    snprintf(rows->name_type, sizeof rows->name_type, "|S%" PRIu64, rows->longest);
    return check_table(table, rows->separator == 0, path, where);
}

gws_status gws__table_begin(struct gws_runtime *runtime, const struct gws__table_rows *rows, const char *path,
                            struct gws_diagnostic *where, struct gws_output **output)
{
    struct gws_output *made = NULL;
    gws_status status = gws_output_open(runtime, path, where, &made);
    if (status == GWS_OK) status = write_head(made, rows);
    if (status == GWS_OK)
        *output = made;
    else
        status = gws_output_close(made, status);
    return status;
}

static gws_status table_write(struct gws_runtime *runtime, const struct gws_table *table, const char *path,
                              struct gws_diagnostic *where)
{
    struct gws__table_rows rows;
    struct gws_output *output = NULL;
    gws_status status = gws__table_rows_open(table, path, &rows, where);
    if (status == GWS_OK) status = gws__table_begin(runtime, &rows, path, where, &output);
    if (status != GWS_OK) return status;
    const struct gws__output_chunks chunks = gws__table_chunks(&rows, table->rows);
    return gws_output_close(output, gws__output_chunks(output, &chunks));
}

gws_status gws_table_write(struct gws_runtime *runtime, const struct gws_table *table, const char *path,
                           struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, table_write(runtime, table, path, where));
}
