/* SPDX-License-Identifier: MIT */
/* Opening a .gwsg file: its bytes become an image (gws__image), the graph's arrays point into it, and unless the file
 * is trusted all of it is checked before anybody sees the graph. */
#include <inttypes.h>
#include <string.h>

#include "../text/reader.h"
#include "gwsg.h"

/* Outlives the runtime with the graph that is served from it. */
struct image {
    struct gws__gwsg_head head;
    struct gws__image all; /* head.size bytes */
};

static gws_status corrupt(const char *path, const char *message, enum gws__gwsg_kind kind, struct gws_where *where)
{
    return gws_where_set(where, GWS_CORRUPT, path, 0, 0, message, gws__gwsg_kind_name(kind));
}

static const void *array_of(const struct image *image, enum gws__gwsg_kind kind)
{
    const struct gws__gwsg_section *section = &image->head.section[kind];
    return section->present ? image->all.bytes + section->offset : NULL;
}

/* The graph as the image has it, without an owner. */
static struct gws_graph view_of(const struct image *image)
{
    return (struct gws_graph){.vertices = image->head.vertices,
                              .arcs = image->head.arcs,
                              .offset = array_of(image, GWS__GWSG_OFFSET),
                              .target = array_of(image, GWS__GWSG_TARGET),
                              .weight = array_of(image, GWS__GWSG_WEIGHT),
                              .position = array_of(image, GWS__GWSG_POSITION),
                              .id = array_of(image, GWS__GWSG_ID),
                              .first_id = image->head.first_id,
                              .directed = image->head.directed};
}

/* Fits gws_graph_on_destroy(). */
static void free_image(void *context)
{
    struct image *image = context;
    struct gws_allocator allocator = image->all.allocator;
    gws__image_clear(&image->all);
    allocator.release(allocator.context, image, sizeof *image);
}

/* ---- checks ---- */

static gws_status check_section(struct gws_runtime *runtime, const struct image *image, enum gws__gwsg_kind kind,
                                const char *path, struct gws_where *where)
{
    static const char *const wrong[GWS__GWSG_KINDS] = {
        [GWS__GWSG_OFFSET] = "the %s section does not ascend from 0 to the number of arcs",
        [GWS__GWSG_TARGET] = "the %s section has a vertex out of range or a row that does not ascend",
        [GWS__GWSG_WEIGHT] = "the %s section is wrong",
        [GWS__GWSG_POSITION] = "the %s section is wrong",
        [GWS__GWSG_ID] = "the %s section does not ascend",
    };
    const struct gws__gwsg_section *section = &image->head.section[kind];
    struct gws_graph view = view_of(image);
    uint64_t checksum = 0;
    bool sound = true;
    gws_status status = gws__gwsg_scan(runtime, &view, kind, section->bytes, &checksum, &sound);
    if (status != GWS_OK) return gws_where_set(where, status, path, 0, 0, "out of memory while checking");
    if (checksum != section->checksum) return corrupt(path, "the checksum of the %s section is wrong", kind, where);
    return sound ? GWS_OK : corrupt(path, wrong[kind], kind, where);
}

/* The zeros between the end of one section and the beginning of another. */
static gws_status check_gap(const struct image *image, uint64_t begin, uint64_t end, const char *path,
                            struct gws_where *where)
{
    for (uint64_t i = begin; i < end; i++)
        if (image->all.bytes[i] != 0)
            return gws_where_set(where, GWS_CORRUPT, path, 0, 0, "byte %" PRIu64 " between two sections is not 0", i);
    return GWS_OK;
}

static gws_status check_all(struct gws_runtime *runtime, const struct image *image, const char *path,
                            struct gws_where *where)
{
    gws_status status = GWS_OK;
    uint64_t seen = GWS__GWSG_PAGE;
    for (int kind = 0; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++) {
        const struct gws__gwsg_section *section = &image->head.section[kind];
        if (!section->present) continue;
        status = check_gap(image, seen, section->offset, path, where);
        if (status == GWS_OK) status = check_section(runtime, image, kind, path, where);
        seen = section->offset + section->bytes;
    }
    struct gws_graph view = view_of(image);
    if (status == GWS_OK && !view.directed) status = gws__twins_check(runtime, &view, path, where);
    return status;
}

/* What costs nothing is checked in trusted files, too. */
static gws_status check(struct gws_runtime *runtime, const struct image *image, bool trust, const char *path,
                        struct gws_where *where)
{
    if (!trust) return check_all(runtime, image, path, where);
    const uint64_t *offset = array_of(image, GWS__GWSG_OFFSET);
    if (offset[0] == 0 && offset[image->head.vertices] == image->head.arcs) return GWS_OK;
    return corrupt(path, "the %s section does not go from 0 to the number of arcs", GWS__GWSG_OFFSET, where);
}

/* ---- the graph ---- */

/* A graph that owns the image; the image stays the caller's on failure. */
static gws_status serve(struct gws_runtime *runtime, struct image *image, const struct gws_read_options *options,
                        struct gws_graph **graph)
{
    struct gws_graph view = view_of(image), *made = NULL;
    const int32_t *weight = options->weights == GWS_WEIGHTS_DROP ? NULL : view.weight;
    gws_status status =
        gws_graph_wrap(runtime, view.vertices, view.offset, view.target, weight, view.directed, true, &made);
    if (status != GWS_OK) return status;
    gws_graph_set_first_id(made, view.first_id);
    if (view.id) gws_graph_borrow_ids(made, view.id);
    if (view.position) gws_graph_borrow_positions(made, view.position);
    gws_graph_on_destroy(made, free_image, image);
    *graph = made;
    return GWS_OK;
}

/* Direction, loops and duplicates as asked for; *graph is replaced where that takes another one. */
static gws_status shape(struct gws_runtime *runtime, const struct gws_read_options *options, struct gws_graph **graph)
{
    struct gws_graph *both = NULL;
    gws_status status = GWS_OK;
    if (options->direction == GWS_EDGES_DIRECTED) (*graph)->directed = true;
    if (options->direction == GWS_EDGES_UNDIRECTED && (*graph)->directed) {
        status = gws_graph_symmetrise(runtime, *graph, &both);
        if (status != GWS_OK) return status;
        gws_graph_destroy(*graph);
        *graph = both;
    }
    return gws__graph_prune(runtime, options->remove_loops, options->remove_duplicates, graph);
}

/* Ends what both ways of reading begin: takes the image in any case. */
static gws_status open_image(struct gws_runtime *runtime, struct image *image, const char *path,
                             const struct gws_read_options *options, struct gws_graph **graph, struct gws_where *where)
{
    static const struct gws_read_options none;
    struct gws_graph *made = NULL;
    if (!options) options = &none;
    gws_status status = check(runtime, image, options->trust, path, where);
    if (status != GWS_OK) {
        free_image(image);
        return status;
    }
    status = serve(runtime, image, options, &made);
    if (status != GWS_OK) free_image(image);
    if (status == GWS_OK) status = shape(runtime, options, &made);
    if (status == GWS_OK) {
        *graph = made;
        return GWS_OK;
    }
    gws_graph_destroy(made);
    return gws_where_set(where, status, path, 0, 0, "%s", gws_status_text(status));
}

static gws_status check_host(const char *path, struct gws_where *where)
{
    static const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    if (first == 1) return GWS_OK;
    return gws_where_set(where, GWS_UNSUPPORTED, path, 0, 0, ".gwsg files need a little-endian computer");
}

/* Maps a file, or reads it in parallel; and reads what is no file up to its end. */
static gws_status read_image(struct gws__input *input, bool mapped, struct image *image, struct gws_where *where)
{
    const void *page = NULL;
    uint64_t got = 0;
    if (mapped && !input->file)
        return gws_where_set(where, GWS_INVALID, input->name, 0, 0, "only plain .gwsg files can be mapped");
    gws_status status = gws__input_head(input, GWS__GWSG_PAGE, &page, &got, where);
    if (status == GWS_OK) status = gws__gwsg_head_begins(page, got, input->name, where);
    if (status == GWS_OK) status = gws__gwsg_head_decode(page, input->name, &image->head, where);
    return status == GWS_OK ? gws__image_take(&image->all, input, image->head.size, mapped, where) : status;
}

gws_status gws__gwsg_read_input(struct gws__input *input, const struct gws_read_options *options,
                                struct gws_graph **graph, struct gws_where *where)
{
    gws_status status = check_host(input->name, where);
    if (status != GWS_OK) return status;
    struct image *image = gws_allocate(input->runtime, 1, sizeof *image);
    if (!image) return gws_where_set(where, GWS_NO_MEMORY, input->name, 0, 0, "out of memory while opening");
    *image = (struct image){.all.allocator = *gws_runtime_allocator(input->runtime)};
    status = read_image(input, options && options->mapped, image, where);
    if (status == GWS_OK) return open_image(input->runtime, image, input->name, options, graph, where);
    free_image(image);
    return status;
}

gws_status gws__gwsg_read(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                          struct gws_graph **graph, struct gws_where *where)
{
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__gwsg_read_input(&input, options, graph, where);
    gws__input_close(&input);
    return status;
}
