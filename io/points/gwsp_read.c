/* SPDX-License-Identifier: MIT */
/* A .gwsp file is used as it is: in memory that it was read to, or in a map. */
#include <inttypes.h>
#include <string.h>

#include "gwsp.h"
#include "header.h"

/* Outlives the runtime with the points that are served from it. */
struct image {
    struct gws__gwsp file;
    struct gws__image all; /* mapped, it is private: points may be written to, and sorted where they lie */
};

static void free_image(void *context)
{
    struct image *image = context;
    struct gws_allocator allocator = image->all.allocator;
    gws__image_clear(&image->all);
    allocator.release(allocator.context, image, sizeof *image);
}

static gws_status no_memory(const struct gws__points_reading *reading)
{
    return gws_where_set(reading->where, GWS_NO_MEMORY, reading->header.input->name, 0, 0, "out of memory");
}

static gws_status decode(struct gws__points_reading *reading, struct image *image)
{
    const struct gws__header *header = &reading->header;
    const unsigned char *bytes = (const unsigned char *)header->text;
    uint64_t have = (uint64_t)(header->end - header->text), head_bytes = 0;
    gws_status status = gws__gwsp_begin(bytes, have, header->input->name, &head_bytes, reading->where);
    if (status != GWS_OK) return status;
    if (have < head_bytes) return gws__image_check(header->input, have, head_bytes, reading->where);
    unsigned char *again = gws_allocate(header->input->runtime, head_bytes, 1);
    if (!again) return no_memory(reading);
    status = gws__gwsp_decode(bytes, head_bytes, header->input->name, again, &image->file, reading->where);
    gws_release(header->input->runtime, again, head_bytes, 1);
    return status;
}

static bool is_zero(const unsigned char *bytes, uint64_t size)
{
    unsigned char any = 0;
    for (uint64_t i = 0; i < size; i++) any |= bytes[i];
    return any == 0;
}

static gws_status check_sums(const struct gws__points_reading *reading, const struct image *image)
{
    uint64_t end = image->file.head_bytes;
    for (uint32_t i = 0; i < image->file.arrays; i++) {
        const struct gws__gwsp_array *array = &image->file.array[i];
        uint64_t sum = 0;
        if (!is_zero(image->all.bytes + end, array->place - end))
            return gws_where_set(reading->where, GWS_CORRUPT, reading->header.input->name, 0, 0,
                                 "the bytes before \"%s\" are not zero", array->name);
        end = array->place + array->bytes;
        gws_status status =
            gws__gwsp_sum(reading->header.input->runtime, image->all.bytes + array->place, array->bytes, &sum);
        if (status != GWS_OK) return no_memory(reading);
        if (sum != array->checksum)
            return gws_where_set(reading->where, GWS_CORRUPT, reading->header.input->name, 0, 0,
                                 "the checksum of \"%s\" is wrong", array->name);
    }
    return GWS_OK;
}

static gws_status serve(struct gws__points_reading *reading, struct image *image, struct gws_points *points)
{
    struct gws_runtime *runtime = reading->header.input->runtime;
    const struct gws__gwsp *file = &image->file;
    uint32_t columns = file->arrays - 3;
    struct gws_points view = {.count = file->count, .is_double = file->array[0].kind == GWS_NUMBER_F64};
    view.x = image->all.bytes + file->array[0].place;
    view.y = image->all.bytes + file->array[1].place;
    view.z = image->all.bytes + file->array[2].place;
    view.columns = columns;
    view.column = gws_allocate(runtime, columns, sizeof *view.column);
    if (!view.column) return no_memory(reading);
    for (uint32_t i = 0; i < columns; i++) {
        const struct gws__gwsp_array *array = &file->array[3 + i];
        view.column[i] = (struct gws_points_column){.kind = array->kind, .data = image->all.bytes + array->place};
        memcpy(view.column[i].name, array->name, sizeof array->name);
    }
    gws_status status = gws_points_wrap(runtime, &view, free_image, image, points);
    gws_release(runtime, view.column, columns, sizeof *view.column);
    if (status != GWS_INVALID) return status;
    return gws_where_set(reading->where, GWS_CORRUPT, reading->header.input->name, 0, 0, "columns of no usable names");
}

gws_status gws__points_read_gwsp(struct gws__points_reading *reading, struct gws_points *points)
{
    struct gws__input *input = reading->header.input;
    struct gws_points made = {0};
    static const uint16_t one = 1;
    if (memcmp(&one, "\1", 1) != 0)
        return gws_where_set(reading->where, GWS_UNSUPPORTED, input->name, 0, 0,
                             ".gwsp files need a little-endian computer");
    struct image *image = gws_allocate(input->runtime, 1, sizeof *image);
    if (!image) return no_memory(reading);
    memset(image, 0, sizeof *image);
    image->all.allocator = *gws_runtime_allocator(input->runtime);
    gws_status status = decode(reading, image);
    if (status == GWS_OK)
        status = gws__image_take(&image->all, input, image->file.size, reading->options->mapped, reading->where);
    if (status == GWS_OK && !reading->options->trust) status = check_sums(reading, image);
    if (status == GWS_OK) status = serve(reading, image, &made);
    if (status != GWS_OK) {
        free_image(image);
        return status;
    }
    *points = made;
    return GWS_OK;
}
