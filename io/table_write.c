/* SPDX-License-Identifier: MIT */
/* Tables as comma- or tab-separated text, or as a structured array of NumPy's .npy format. All workers format rows. */
#include "table_io.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../lib/parallel.h"
#include "output/output.h"
#include "output/text.h"

enum { field_bytes = GWS__TEXT_F64, npy_field_bytes = 8 };

/* ---- fields as 64 bits: a whole number, or the bits of a double ---- */

static uint64_t id_of(const struct gws_graph *graph, uint64_t vertex)
{
    return graph->id ? graph->id[vertex] : graph->first_id + vertex;
}

/* False if the value is missing; *bits are then those of -1, or of the NaN. */
static bool value_of(const struct gws_graph *graph, const struct gws_column *column, uint64_t row, uint64_t *bits)
{
    double real;
    uint32_t small;
    switch (column->kind) {
    case GWS_COLUMN_ID:
        *bits = id_of(graph, row);
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
        return column->kind != GWS_COLUMN_F64 || !isnan(real);
    }
}

static char *format_value(char *text, enum gws_column_kind kind, uint64_t bits)
{
    double real;
    memcpy(&real, &bits, sizeof real);
    if (kind == GWS_COLUMN_F64) return gws__text_f64(text, real);
    if (kind == GWS_COLUMN_I64) return gws__text_i64(text, (int64_t)bits);
    return kind == GWS_COLUMN_U32 ? gws__text_u32(text, (uint32_t)bits) : gws__text_u64(text, bits);
}

/* ---- files ---- */

struct table_rows {
    const struct gws_table *table;
    char separator; /* 0: .npy */
};

static char *format_rows(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct table_rows *rows = context;
    const struct gws_table *table = rows->table;
    for (uint64_t row = begin; row < end; row++) {
        for (uint32_t i = 0; i < table->columns; i++) {
            const struct gws_column *column = &table->column[i];
            uint64_t bits;
            bool present = value_of(table->graph, column, row, &bits);
            if (rows->separator) {
                if (present) text = format_value(text, column->kind, bits);
                *text++ = rows->separator;
            } else {
                for (int byte = 0; byte < npy_field_bytes; byte++) *text++ = (char)(bits >> (8 * byte));
            }
        }
        if (rows->separator) text[-1] = '\n';
    }
    return text;
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
    const struct gws_column *column = &((const struct gws_table *)context)->column[i];
    *name = column->name;
    *type = column->kind == GWS_COLUMN_F64 ? "<f8" : "<i8";
}

static gws_status write_table(struct gws_output *output, const struct gws_table *table, char separator)
{
    struct table_rows rows = {.table = table, .separator = separator};
    struct gws__output_chunks chunks = {.count = table->rows, .format = format_rows, .context = &rows};
    chunks.item_bytes = table->columns * (uint64_t)(separator ? field_bytes + 1 : npy_field_bytes);
    gws_status status = separator ? write_names(output, table, separator)
                                  : gws__npy_head(output, table->rows, table->columns, npy_field, table);
    return status == GWS_OK ? gws__output_chunks(output, &chunks) : status;
}

/* False if no format has the name's suffix. */
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

/* True if no format needs quotes around the name. */
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
        if (!good_name(column->name) || column->kind > GWS_COLUMN_F64)
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

gws_status gws_table_write(struct gws_runtime *runtime, const struct gws_table *table, const char *path,
                           struct gws_diagnostic *where)
{
    char separator;
    if (!find_separator(path, &separator))
        return gws_diagnostic_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0,
                                  "the name must end in .csv, .tsv or .npy, or one of them and .gz");
    struct gws_output *output = NULL;
    gws_status status = check_table(table, separator == 0, path, where);
    if (status == GWS_OK) status = gws_output_open(runtime, path, where, &output);
    if (status != GWS_OK) return status;
    return gws_output_close(output, write_table(output, table, separator));
}
