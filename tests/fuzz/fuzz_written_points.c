/* SPDX-License-Identifier: MIT */
/* Fuzzes the writers of points. The target writes a few points from the input, with columns of any kind and name, in
 * every format that the library reads. The reader must return the same points. */
#include "draw.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { max_points = 16, max_columns = 6, max_name = 6, name_capacity = GWS_POINTS_NAME };

static const char *const names[] = {"out.ply", "out.npy", "out.gwsp", "out.csv", "out.csv.gz"};

/* Takes columns from the input, whose names gws_points_make() may refuse. */
static uint32_t take_columns(struct fuzz_bytes *bytes, struct gws_points_column column[max_columns])
{
    uint32_t columns = fuzz_take_byte(bytes) % (max_columns + 1);
    for (uint32_t i = 0; i < columns; i++) {
        column[i].kind = (enum gws_number_kind)(fuzz_take_byte(bytes) % (GWS_NUMBER_F64 + 1));
        memset(column[i].name, 0, name_capacity);
        fuzz_take(bytes, column[i].name, fuzz_take_byte(bytes) % (max_name + 1));
    }
    return columns;
}

static bool take_points(struct fuzz_bytes *bytes, struct gws_points *points)
{
    struct gws_points_column column[max_columns];
    bool is_double = fuzz_take_byte(bytes) % 2 != 0;
    uint64_t count = fuzz_take_byte(bytes) % (max_points + 1), bytes_each = is_double ? sizeof(double) : sizeof(float);
    uint32_t columns = take_columns(bytes, column);
    if (gws_points_make(fuzz_roomy_runtime(), count, is_double, columns, column, points) != GWS_OK) return false;
    fuzz_take(bytes, points->x, count * bytes_each);
    fuzz_take(bytes, points->y, count * bytes_each);
    fuzz_take(bytes, points->z, count * bytes_each);
    for (uint32_t i = 0; i < columns; i++)
        fuzz_take(bytes, points->column[i].data, count * gws_number_bytes(points->column[i].kind));
    return true;
}

/* ---- comparing ---- */

/* Compares two numbers of a kind. All NaNs are equal, since text has only one NaN. */
static void same_number(enum gws_number_kind kind, const void *a, const void *b, uint64_t i)
{
    uint32_t size = gws_number_bytes(kind);
    bool same = memcmp((const char *)a + i * size, (const char *)b + i * size, size) == 0;
    if (kind == GWS_NUMBER_F32) same |= isnan(((const float *)a)[i]) && isnan(((const float *)b)[i]);
    if (kind == GWS_NUMBER_F64) same |= isnan(((const double *)a)[i]) && isnan(((const double *)b)[i]);
    fuzz_demand(same, "another number");
}

static void same_points(const struct gws_points *a, const struct gws_points *b)
{
    enum gws_number_kind kind = a->is_double ? GWS_NUMBER_F64 : GWS_NUMBER_F32;
    fuzz_demand(a->count == b->count && a->columns == b->columns, "another number of points or columns");
    fuzz_demand(a->count == 0 || a->is_double == b->is_double, "another precision");
    for (uint64_t i = 0; i < a->count; i++) {
        same_number(kind, a->x, b->x, i);
        same_number(kind, a->y, b->y, i);
        same_number(kind, a->z, b->z, i);
    }
    for (uint32_t c = 0; c < a->columns; c++) {
        fuzz_demand(a->column[c].kind == b->column[c].kind, "another kind");
        for (uint64_t i = 0; i < a->count; i++) same_number(a->column[c].kind, a->column[c].data, b->column[c].data, i);
    }
}

static void same_names(const struct gws_points *a, const struct gws_points *b)
{
    fuzz_demand(a->columns == b->columns, "another number of columns");
    for (uint32_t c = 0; c < a->columns; c++)
        fuzz_demand(strcmp(a->column[c].name, b->column[c].name) == 0, "another name");
}

/* Makes the list of the columns' kinds, which text does not store. The list has new names, since a list cannot hold
 * every name. */
static const char *list_of(const struct gws_points *points, char list[512])
{
    static const char *const kind[] = {
        [GWS_NUMBER_I8] = "i8",   [GWS_NUMBER_U8] = "u8",   [GWS_NUMBER_I16] = "i16", [GWS_NUMBER_U16] = "u16",
        [GWS_NUMBER_I32] = "i32", [GWS_NUMBER_U32] = "u32", [GWS_NUMBER_I64] = "i64", [GWS_NUMBER_U64] = "u64",
        [GWS_NUMBER_F32] = "f32", [GWS_NUMBER_F64] = "f64"};
    size_t used = (size_t)snprintf(list, 512, points->is_double ? "x,y,z" : "x:f32,y:f32,z:f32");
    for (uint32_t i = 0; i < points->columns; i++)
        used += (size_t)snprintf(list + used, 512 - used, ",c%u:%s", i, kind[points->column[i].kind]);
    return list;
}

static void there_and_back(const struct gws_points *points, const char *name)
{
    char path[fuzz_path], list[512];
    struct gws_diagnostic where = {0};
    struct gws_points read = {0};
    bool text = strstr(name, ".csv") != NULL;
    struct gws_points_read_options options = {.columns = text ? list_of(points, list) : NULL};
    options.format = text ? GWS_POINTS_TEXT : GWS_POINTS_AUTO;
    gws_status status = gws_points_write(fuzz_roomy_runtime(), points, fuzz_file(name, path), GWS_POINTS_AUTO, &where);
    if (status == GWS_UNSUPPORTED) return;
    fuzz_demand(status == GWS_OK, where.message);
    status = gws_points_read(fuzz_roomy_runtime(), path, &options, &read, &where);
    fuzz_demand(status == GWS_OK, where.message);
    same_points(points, &read);
    if (text) {
        options.columns = NULL;
        gws_points_clear(&read);
        status = gws_points_read(fuzz_roomy_runtime(), path, &options, &read, &where);
        fuzz_demand(status == GWS_OK, where.message);
    }
    same_names(points, &read);
    gws_points_clear(&read);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct gws_points points = {0};
    fuzz_begin_files();
    if (take_points(&bytes, &points))
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) there_and_back(&points, names[i]);
    gws_points_clear(&points);
    return 0;
}
