/* SPDX-License-Identifier: MIT */
/* A .gwsp file is used as it is: in memory that it was read to, or in a map. */
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "gwsp.h"
#include "header.h"

enum { first_room = 16 << 20 };

/* Outlives the runtime with the points that are served from it. */
struct image {
    struct gws_allocator allocator;
    struct gws__gwsp file;
    unsigned char *bytes;
    void *map; /* map_size bytes, or NULL: then bytes is capacity bytes of memory */
    uint64_t map_size, capacity;
};

static void free_image(void *context)
{
    struct image *image = context;
    struct gws_allocator allocator = image->allocator;
    if (image->map) munmap(image->map, image->map_size);
    if (!image->map && image->bytes) allocator.release(allocator.context, image->bytes, image->capacity);
    allocator.release(allocator.context, image, sizeof *image);
}

static gws_status no_memory(const struct gws__points_reading *reading)
{
    return gws_where_set(reading->where, GWS_NO_MEMORY, reading->header.input->name, 0, 0, "out of memory");
}

/* Fills size bytes unless the input ends. */
static gws_status fill(struct gws__points_reading *reading, unsigned char *bytes, uint64_t size, uint64_t *filled)
{
    uint64_t got = 1;
    gws_status status = GWS_OK;
    for (*filled = 0; *filled < size && got > 0 && status == GWS_OK; *filled += got) {
        got = 0;
        status = gws__input_take(reading->header.input, bytes + *filled, size - *filled, &got, reading->where);
    }
    return status;
}

static gws_status check_size(const struct gws__points_reading *reading, uint64_t has, uint64_t needs)
{
    const char *name = reading->header.input->name;
    if (has == needs) return GWS_OK;
    if (has < needs)
        return gws_where_set(reading->where, GWS_TRUNCATED, name, 0, 0,
                             "ends after %" PRIu64 " bytes where its head says %" PRIu64, has, needs);
    return gws_where_set(reading->where, GWS_CORRUPT, name, 0, 0,
                         "goes on after the %" PRIu64 " bytes that its head says", needs);
}

static gws_status decode(struct gws__points_reading *reading, struct image *image)
{
    const struct gws__header *header = &reading->header;
    const unsigned char *bytes = (const unsigned char *)header->text;
    uint64_t have = (uint64_t)(header->end - header->text), head_bytes = 0;
    gws_status status = gws__gwsp_begin(bytes, have, header->input->name, &head_bytes, reading->where);
    if (status != GWS_OK) return status;
    if (have < head_bytes) return check_size(reading, have, head_bytes);
    unsigned char *again = gws_allocate(header->input->runtime, head_bytes, 1);
    if (!again) return no_memory(reading);
    status = gws__gwsp_decode(bytes, head_bytes, header->input->name, again, &image->file, reading->where);
    gws_release(header->input->runtime, again, head_bytes, 1);
    return status;
}

/* Room for up to need bytes, doubling, so that a head that lies costs no more than twice what is there. */
static bool enlarge(struct image *image, struct gws_runtime *runtime, uint64_t filled, uint64_t need)
{
    uint64_t capacity = image->capacity ? 2 * image->capacity : first_room;
    if (capacity > need) capacity = need;
    unsigned char *memory = gws_allocate(runtime, capacity, 1);
    if (!memory) return false;
    if (filled > 0) memcpy(memory, image->bytes, filled);
    gws_release(runtime, image->bytes, image->capacity, 1);
    image->bytes = memory;
    image->capacity = capacity;
    return true;
}

static gws_status read_stream(struct gws__points_reading *reading, struct image *image)
{
    uint64_t size = image->file.size, filled = 0, got = 0;
    unsigned char more;
    while (filled < size) {
        if (!enlarge(image, reading->header.input->runtime, filled, size)) return no_memory(reading);
        gws_status status = fill(reading, image->bytes + filled, image->capacity - filled, &got);
        if (status != GWS_OK) return status;
        filled += got;
        if (filled < image->capacity) return check_size(reading, filled, size);
    }
    gws_status status = fill(reading, &more, 1, &got);
    return status == GWS_OK ? check_size(reading, size + got, size) : status;
}

static gws_status map_file(struct gws__points_reading *reading, struct image *image)
{
    /* The map is private: points may be written to, and sorted where they lie, and the file stays as it is. */
    gws_status status = gws__input_map(reading->header.input, &image->map, reading->where);
    if (status != GWS_OK) return status;
    image->map_size = reading->header.input->total;
    image->bytes = image->map;
    return GWS_OK;
}

/* Maps the file or reads it; what is no file is read to its end. */
static gws_status take_bytes(struct gws__points_reading *reading, struct image *image)
{
    struct gws__input *input = reading->header.input;
    if (!input->file) return read_stream(reading, image);
    gws_status status = check_size(reading, input->total, image->file.size);
    if (status != GWS_OK) return status;
    if (reading->options->mapped) return map_file(reading, image);
    image->bytes = gws_allocate(input->runtime, image->file.size, 1);
    if (!image->bytes) return no_memory(reading);
    image->capacity = image->file.size;
    return gws__input_load(input, image->bytes, image->file.size, reading->where);
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
        if (!is_zero(image->bytes + end, array->place - end))
            return gws_where_set(reading->where, GWS_CORRUPT, reading->header.input->name, 0, 0,
                                 "the bytes before \"%s\" are not zero", array->name);
        end = array->place + array->bytes;
        gws_status status =
            gws__gwsp_sum(reading->header.input->runtime, image->bytes + array->place, array->bytes, &sum);
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
    view.x = image->bytes + file->array[0].place;
    view.y = image->bytes + file->array[1].place;
    view.z = image->bytes + file->array[2].place;
    view.columns = columns;
    view.column = gws_allocate(runtime, columns, sizeof *view.column);
    if (!view.column) return no_memory(reading);
    for (uint32_t i = 0; i < columns; i++) {
        const struct gws__gwsp_array *array = &file->array[3 + i];
        view.column[i] = (struct gws_points_column){.kind = array->kind, .data = image->bytes + array->place};
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
    image->allocator = *gws_runtime_allocator(input->runtime);
    gws_status status = decode(reading, image);
    if (status == GWS_OK) status = take_bytes(reading, image);
    if (status == GWS_OK && !reading->options->trust) status = check_sums(reading, image);
    if (status == GWS_OK) status = serve(reading, image, &made);
    if (status != GWS_OK) {
        free_image(image);
        return status;
    }
    *points = made;
    return GWS_OK;
}
