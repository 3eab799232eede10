/* SPDX-License-Identifier: MIT */
/* VTK's XML files (VTK File Formats, "XML File Formats"). Points form one cell of vertices of a PolyData. Boxes are
 * hexahedra of an UnstructuredGrid, with eight corners each. (Some readers refuse VTK's voxels.) The raw arrays follow
 * the XML, each after its 64-bit length. */
#include <inttypes.h>
#include <string.h>

#include "reader.h"

enum { corners = 8, hexahedron = 12 };

/* An array of a file. data has the numbers, or format() makes the numbers in chunks. */
struct vtk_array {
    const char *name;
    enum gws_number_kind kind;
    unsigned parts; /* count of numbers in one item */
    uint64_t items;
    const void *data;
    char *(*format)(void *context, uint64_t begin, uint64_t end, char *text);
    void *context;
};

static uint64_t item_bytes(const struct vtk_array *array)
{
    return (uint64_t)gws_number_bytes(array->kind) * array->parts;
}

/* Declares the array at *offset and advances *offset past it. */
static gws_status declare(struct gws_output *output, const struct vtk_array *array, uint64_t *offset)
{
    gws_status status = gws_output_print(
        output,
        "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\" format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
        gws__kind_name(array->kind, GWS__KIND_VTK), array->name, array->parts, *offset);
    *offset += sizeof(uint64_t) + array->items * item_bytes(array);
    return status;
}

static gws_status append(struct gws_output *output, const struct vtk_array *array)
{
    uint64_t bytes = array->items * item_bytes(array);
    gws_status status = gws_output_write(output, &bytes, sizeof bytes);
    if (status == GWS_OK && array->data) return gws_output_write(output, array->data, bytes);
    if (status != GWS_OK) return status;
    struct gws__output_chunks chunks = {
        .count = array->items, .item_bytes = item_bytes(array), .format = array->format, .context = array->context};
    return gws__output_chunks(output, &chunks);
}

static gws_status open_file(struct gws_output *output, const char *type)
{
    return gws_output_print(output,
                            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" "
                            "header_type=\"UInt64\">\n<%s>\n",
                            type, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "LittleEndian" : "BigEndian", type);
}

/* Writes the arrays after the XML. */
static gws_status close_file(struct gws_output *output, const char *type, const struct vtk_array *array,
                             uint32_t arrays, uint32_t columns, const struct gws_points_column *column, uint64_t rows)
{
    gws_status status = gws_output_print(output, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", type);
    for (uint32_t i = 0; i < arrays && status == GWS_OK; i++) status = append(output, &array[i]);
    for (uint32_t i = 0; i < columns && status == GWS_OK; i++) {
        struct vtk_array data = {.kind = column[i].kind, .parts = 1, .items = rows, .data = column[i].data};
        status = append(output, &data);
    }
    return status == GWS_OK ? gws_output_print(output, "\n</AppendedData>\n</VTKFile>\n") : status;
}

static gws_status declare_columns(struct gws_output *output, const char *element, uint32_t columns,
                                  const struct gws_points_column *column, uint64_t rows, uint64_t *offset)
{
    gws_status status = gws_output_print(output, "<%s>\n", element);
    for (uint32_t i = 0; i < columns && status == GWS_OK; i++) {
        struct vtk_array data = {.name = column[i].name, .kind = column[i].kind, .parts = 1, .items = rows};
        status = declare(output, &data, offset);
    }
    return status == GWS_OK ? gws_output_print(output, "</%s>\n", element) : status;
}

/* Writes 0, 1, 2 ... */
static char *format_counting(void *context, uint64_t begin, uint64_t end, char *text)
{
    uint64_t parts = *(const unsigned *)context;
    for (int64_t i = (int64_t)(begin * parts); i < (int64_t)(end * parts); i++, text += sizeof i)
        memcpy(text, &i, sizeof i);
    return text;
}

/* ---- points ---- */

static char *format_point(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct gws_points *points = context;
    const char *axis[] = {points->x, points->y, points->z};
    size_t bytes = points->is_double ? sizeof(double) : sizeof(float);
    for (uint64_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++, text += bytes) memcpy(text, axis[a] + i * bytes, bytes);
    return text;
}

gws_status gws__points_write_vtp(const struct gws__points_writing *writing)
{
    struct gws_points points = *writing->points;
    struct gws_output *output = writing->output;
    uint64_t offset = 0, count = points.count;
    unsigned one = 1;
    const struct vtk_array array[] = {
        {"points", writing->field[0].kind, 3, count, NULL, format_point, &points},
        {"connectivity", GWS_NUMBER_I64, 1, count, NULL, format_counting, &one},
        {"offsets", GWS_NUMBER_I64, 1, count > 0, &count, NULL, NULL},
    };
    gws_status status = open_file(output, "PolyData");
    if (status == GWS_OK)
        status = gws_output_print(output,
                                  "<Piece NumberOfPoints=\"%" PRIu64 "\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
                                  "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n",
                                  count, count > 0);
    if (status == GWS_OK) status = declare(output, &array[0], &offset);
    if (status == GWS_OK) status = gws_output_print(output, "</Points>\n<Verts>\n");
    for (int i = 1; i < 3 && status == GWS_OK; i++) status = declare(output, &array[i], &offset);
    if (status == GWS_OK) status = gws_output_print(output, "</Verts>\n");
    if (status == GWS_OK) status = declare_columns(output, "PointData", points.columns, points.column, count, &offset);
    if (status != GWS_OK) return status;
    return close_file(output, "PolyData", array, 3, points.columns, points.column, count);
}

/* ---- boxes ---- */

/* The corners go round the lower face, then round the upper one. */
static char *format_corners(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct gws_boxes *boxes = context;
    for (uint64_t i = begin; i < end; i++)
        for (int c = 0; c < corners; c++) {
            const bool high[] = {(c ^ c >> 1) & 1, c >> 1 & 1, c >> 2};
            for (int a = 0; a < 3; a++, text += sizeof(double))
                memcpy(text, (high[a] ? boxes->high : boxes->low) + 3 * i + a, sizeof(double));
        }
    return text;
}

static char *format_ends(void *context, uint64_t begin, uint64_t end, char *text)
{
    (void)context;
    for (int64_t i = (int64_t)begin; i < (int64_t)end; i++, text += sizeof i) {
        int64_t behind = corners * (i + 1);
        memcpy(text, &behind, sizeof behind);
    }
    return text;
}

static char *format_types(void *context, uint64_t begin, uint64_t end, char *text)
{
    (void)context;
    memset(text, hexahedron, end - begin);
    return text + (end - begin);
}

static gws_status write_boxes(struct gws_output *output, struct gws_boxes *boxes)
{
    uint64_t offset = 0, count = boxes->count;
    unsigned eight = corners;
    const struct vtk_array array[] = {
        {"points", GWS_NUMBER_F64, 3 * corners, count, NULL, format_corners, boxes},
        {"connectivity", GWS_NUMBER_I64, corners, count, NULL, format_counting, &eight},
        {"offsets", GWS_NUMBER_I64, 1, count, NULL, format_ends, NULL},
        {"types", GWS_NUMBER_U8, 1, count, NULL, format_types, NULL},
    };
    gws_status status = open_file(output, "UnstructuredGrid");
    if (status == GWS_OK)
        status =
            gws_output_print(output, "<Piece NumberOfPoints=\"%" PRIu64 "\" NumberOfCells=\"%" PRIu64 "\">\n<Points>\n",
                             corners * count, count);
    for (int i = 0; i < 4 && status == GWS_OK; i++) {
        struct vtk_array declared = array[i]; /* the array's items in the file are corners, or indices of corners */
        if (i == 0) declared.parts = 3, declared.items *= corners;
        if (i == 1) declared.parts = 1, declared.items *= corners;
        status = declare(output, &declared, &offset);
        if (status == GWS_OK && i == 0) status = gws_output_print(output, "</Points>\n<Cells>\n");
    }
    if (status == GWS_OK) status = gws_output_print(output, "</Cells>\n");
    if (status == GWS_OK) status = declare_columns(output, "CellData", boxes->columns, boxes->column, count, &offset);
    if (status != GWS_OK) return status;
    return close_file(output, "UnstructuredGrid", array, 4, boxes->columns, boxes->column, count);
}

static gws_status boxes_write(struct gws_runtime *runtime, const struct gws_boxes *boxes, const char *path,
                              struct gws_diagnostic *where)
{
    struct gws_boxes copy = *boxes;
    struct gws_output *output = NULL;
    if (!gws__format_has_suffix(path, ".vtu"))
        return gws_diagnostic_set(where, GWS_UNKNOWN_FORMAT, path, 0, 0, "the name must end in .vtu or .vtu.gz");
    if (gws_points_check_columns(boxes->columns, boxes->column) != GWS_OK)
        return gws_diagnostic_set(where, GWS_INVALID, path, 0, 0, "invalid column names or kinds");
    if (boxes->count > INT64_MAX / 256) return gws_diagnostic_set(where, GWS_TOO_LARGE, path, 0, 0, "too many boxes");
    gws_status status = gws_output_open(runtime, path, where, &output);
    return status == GWS_OK ? gws_output_close(output, write_boxes(output, &copy)) : status;
}

gws_status gws_boxes_write(struct gws_runtime *runtime, const struct gws_boxes *boxes, const char *path,
                           struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, boxes_write(runtime, boxes, path, where));
}
