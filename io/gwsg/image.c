/* SPDX-License-Identifier: MIT */
/* Getting the bytes of a .gwsg file, exactly as many as its head says. */
#include "image.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

enum { first_room = 16 << 20 };

static gws_status no_memory(const char *path, struct gws_where *where)
{
    return gws_where_set(where, GWS_NO_MEMORY, path, 0, 0, "out of memory while opening");
}

static gws_status truncated(const char *path, uint64_t has, uint64_t needs, struct gws_where *where)
{
    return gws_where_set(where, GWS_TRUNCATED, path, 0, 0, "ends after %" PRIu64 " bytes where its head says %" PRIu64,
                         has, needs);
}

static gws_status too_long(const char *path, uint64_t needs, struct gws_where *where)
{
    return gws_where_set(where, GWS_CORRUPT, path, 0, 0, "goes on after the %" PRIu64 " bytes that its head says",
                         needs);
}

static struct gws__gwsg_image *image_new(struct gws_runtime *runtime)
{
    struct gws__gwsg_image *image = gws_allocate(runtime, 1, sizeof *image);
    if (image) *image = (struct gws__gwsg_image){.allocator = *gws_runtime_allocator(runtime)};
    return image;
}

void gws__gwsg_image_free(void *context)
{
    struct gws__gwsg_image *image = context;
    if (!image) return;
    struct gws_allocator allocator = image->allocator;
    if (image->map) munmap(image->map, image->map_size);
    if (image->memory) allocator.release(allocator.context, image->memory, image->capacity);
    allocator.release(allocator.context, image, sizeof *image);
}

/* ---- from a file ---- */

/* Reads the head of a file, which is as long as that says. */
static gws_status read_head(struct gws__input *input, struct gws__gwsg_head *head, struct gws_where *where)
{
    unsigned char page[GWS__GWSG_PAGE] = {0};
    uint64_t size = input->total < sizeof page ? input->total : sizeof page;
    gws_status status = gws__input_read_at(input, 0, page, size, where);
    if (status == GWS_OK) status = gws__gwsg_head_begins(page, size, input->name, where);
    if (status == GWS_OK) status = gws__gwsg_head_decode(page, input->name, head, where);
    if (status != GWS_OK) return status;
    if (input->total < head->size) return truncated(input->name, input->total, head->size, where);
    return input->total > head->size ? too_long(input->name, head->size, where) : GWS_OK;
}

static gws_status map_file(struct gws__gwsg_image *image, struct gws__input *input, struct gws_where *where)
{
    gws_status status = gws__input_map(input, &image->map, where);
    image->bytes = image->map;
    image->map_size = input->total;
    return status;
}

static gws_status load_file(struct gws__gwsg_image *image, struct gws__input *input, struct gws_where *where)
{
    image->memory = gws_allocate(input->runtime, image->head.size, 1);
    if (!image->memory) return no_memory(input->name, where);
    image->capacity = image->head.size;
    image->bytes = image->memory;
    return gws__input_load(input, image->memory, image->head.size, where);
}

gws_status gws__gwsg_image_open(struct gws__input *input, bool mapped, struct gws__gwsg_image **image,
                                struct gws_where *where)
{
    struct gws__gwsg_image *made = image_new(input->runtime);
    if (!made) return no_memory(input->name, where);
    gws_status status = read_head(input, &made->head, where);
    if (status == GWS_OK) status = mapped ? map_file(made, input, where) : load_file(made, input, where);
    if (status == GWS_OK)
        *image = made;
    else
        gws__gwsg_image_free(made);
    return status;
}

/* ---- from a stream ---- */

/* Reads until size bytes are there or the stream ends. */
static gws_status fill(struct gws__input *input, unsigned char *bytes, uint64_t size, uint64_t *filled,
                       struct gws_where *where)
{
    uint64_t got = 1;
    gws_status status = GWS_OK;
    for (*filled = 0; *filled < size && got > 0 && status == GWS_OK; *filled += got)
        status = gws__input_take(input, bytes + *filled, size - *filled, &got, where);
    return status;
}

/* Room for up to need bytes, doubling, so that a head that lies about the size costs no more than twice what is
 * there. */
static bool enlarge(struct gws__gwsg_image *image, struct gws_runtime *runtime, uint64_t filled, uint64_t need)
{
    uint64_t capacity = image->capacity ? 2 * image->capacity : first_room;
    if (capacity > need) capacity = need;
    unsigned char *memory = gws_allocate(runtime, capacity, 1);
    if (!memory) return false;
    if (filled > 0) memcpy(memory, image->bytes, filled);
    gws_release(runtime, image->memory, image->capacity, 1);
    image->bytes = image->memory = memory;
    image->capacity = capacity;
    return true;
}

static gws_status read_rest(struct gws__gwsg_image *image, struct gws__input *input, const unsigned char *page,
                            struct gws_where *where)
{
    uint64_t size = image->head.size, filled = 0, got = 0;
    while (filled < size) {
        if (!enlarge(image, input->runtime, filled, size)) return no_memory(input->name, where);
        unsigned char *memory = image->memory;
        if (filled == 0) memcpy(memory, page, filled = GWS__GWSG_PAGE);
        gws_status status = fill(input, memory + filled, image->capacity - filled, &got, where);
        if (status != GWS_OK) return status;
        filled += got;
        if (filled < image->capacity) return truncated(input->name, filled, size, where);
    }
    unsigned char more;
    gws_status status = fill(input, &more, 1, &got, where);
    if (status == GWS_OK && got > 0) return too_long(input->name, size, where);
    return status;
}

gws_status gws__gwsg_image_stream(struct gws__input *input, struct gws__gwsg_image **image, struct gws_where *where)
{
    unsigned char page[GWS__GWSG_PAGE];
    uint64_t got = 0;
    struct gws__gwsg_image *made = image_new(input->runtime);
    if (!made) return no_memory(input->name, where);
    gws_status status = fill(input, page, sizeof page, &got, where);
    if (status == GWS_OK) status = gws__gwsg_head_begins(page, got, input->name, where);
    if (status == GWS_OK) status = gws__gwsg_head_decode(page, input->name, &made->head, where);
    if (status == GWS_OK) status = read_rest(made, input, page, where);
    if (status == GWS_OK)
        *image = made;
    else
        gws__gwsg_image_free(made);
    return status;
}
