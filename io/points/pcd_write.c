/* SPDX-License-Identifier: MIT */
/* Writes PCD 0.7 with binary data. The columns red, green and blue of 8 bits become one packed colour, as the Point
 * Cloud Library has it: blue in the lowest byte, alpha in the highest. */
#include "reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { packed = 4 }; /* the bytes of a packed colour */

/* The fields in the file's order; the packed colour is last. */
struct pcd_order {
    struct gws_points_column *field;
    uint32_t fields, plain; /* the fields before the packed colour */
    bool alpha;
    void *zeros; /* instead of a column alpha */
};

static const char *const colour[packed] = {"blue", "green", "red", "alpha"};

static bool is_packed(const struct gws_points_column *column)
{
    for (int i = 0; i < packed; i++)
        if (strcmp(column->name, colour[i]) == 0 && column->kind == GWS_NUMBER_U8) return true;
    return false;
}

static bool has_colour(const struct gws_points *points)
{
    for (int i = 0; i < 3; i++) {
        const struct gws_points_column *column = gws_points_find(points, colour[i]);
        if (!column || column->kind != GWS_NUMBER_U8) return false;
    }
    return true;
}

/* Orders the fields. Returns false if memory runs out. */
static bool order_fields(struct pcd_order *pcd, const struct gws__points_writing *writing)
{
    bool packs = has_colour(writing->points);
    for (uint32_t i = 0; i < writing->fields; i++)
        if (!packs || !is_packed(&writing->field[i])) pcd->field[pcd->fields++] = writing->field[i];
    pcd->plain = pcd->fields;
    for (int i = 0; i < packed && packs; i++) {
        const struct gws_points_column *column = gws_points_find(writing->points, colour[i]);
        bool found = column && column->kind == GWS_NUMBER_U8;
        if (!found) pcd->zeros = gws_allocate(writing->runtime, writing->points->count, 1);
        if (!found && !pcd->zeros) return false;
        if (!found) memset(pcd->zeros, 0, writing->points->count);
        pcd->alpha = found;
        pcd->field[pcd->fields++] =
            found ? *column : (struct gws_points_column){.kind = GWS_NUMBER_U8, .data = pcd->zeros};
    }
    return true;
}

enum part { NAME, SIZE, TYPE, COUNT };

static gws_status print_part(struct gws_output *output, const struct gws_points_column *field, enum part part)
{
    const char *type = gws__kind_name(field->kind, GWS__KIND_NUMPY);
    if (part == NAME) return gws_output_print(output, " %s", field->name);
    if (part == SIZE) return gws_output_print(output, " %" PRIu32, gws_number_bytes(field->kind));
    if (part == TYPE) return gws_output_print(output, " %c", toupper(*type));
    return gws_output_print(output, " 1");
}

static gws_status write_head(const struct pcd_order *pcd, const struct gws__points_writing *writing)
{
    static const char *const line[] = {"FIELDS", "SIZE", "TYPE", "COUNT"};
    const char *const last[] = {pcd->alpha ? " rgba" : " rgb", " 4", pcd->alpha ? " U" : " F", " 1"};
    struct gws_output *output = writing->output;
    gws_status status = gws_output_print(output, "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7");
    for (int part = NAME; part <= COUNT && status == GWS_OK; part++) {
        status = gws_output_print(output, "\n%s", line[part]);
        for (uint32_t i = 0; i < pcd->plain && status == GWS_OK; i++)
            status = print_part(output, &pcd->field[i], (enum part)part);
        if (status == GWS_OK && pcd->fields > pcd->plain) status = gws_output_print(output, "%s", last[part]);
    }
    if (status != GWS_OK) return status;
    uint64_t count = writing->points->count;
    return gws_output_print(output,
                            "\nWIDTH %" PRIu64 "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS %" PRIu64 "\nDATA binary\n",
                            count, count);
}

gws_status gws__points_write_pcd(const struct gws__points_writing *writing)
{
    struct pcd_order pcd = {.field = gws_allocate(writing->runtime, writing->fields + 1, sizeof *pcd.field)};
    gws_status status = pcd.field && order_fields(&pcd, writing) ? GWS_OK : GWS_NO_MEMORY;
    struct gws__points_writing ordered = *writing;
    ordered.field = pcd.field;
    ordered.fields = pcd.fields;
    if (status == GWS_OK) status = write_head(&pcd, writing);
    if (status == GWS_OK) status = gws__points_write_rows(&ordered);
    if (pcd.zeros) gws_release(writing->runtime, pcd.zeros, writing->points->count, 1);
    if (pcd.field) gws_release(writing->runtime, pcd.field, writing->fields + 1, sizeof *pcd.field);
    return status;
}
