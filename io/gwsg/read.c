/* SPDX-License-Identifier: MIT */
/* Opening a .gwsg file: its bytes become an image (gws__image), the graph's arrays point into it, and unless the file
 * is trusted all of it is checked before anybody sees the graph. Rows of targets are checked without a branch: a block
 * has as many places where a target is below the one before it as there are row beginnings where that is so, exactly
 * when no row descends within. */
#include <inttypes.h>

#include "../text/reader.h"
#include "../write/arcs.h"
#include "gwsg.h"

/* ---- structure of items begin .. end - 1 ---- */

static bool offsets_sound(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint64_t *offset = graph->offset;
    bool sound = offset[end - 1] <= graph->arcs;
    if (begin == 0) sound &= offset[0] == 0;
    if (end == graph->vertices + 1) sound &= offset[end - 1] == graph->arcs;
    uint64_t falls = 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) falls += offset[i] < offset[i - 1];
    return sound && falls == 0;
}

static bool ids_sound(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    uint64_t stays = 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) stays += graph->id[i] <= graph->id[i - 1];
    return stays == 0;
}

static uint64_t falls_at_rows(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint32_t *target = graph->target;
    uint64_t falls = 0, at;
    for (uint64_t v = gws__row_of(graph, begin, 0); v < graph->vertices && (at = graph->offset[v]) < end; v++)
        if (at > 0 && at >= begin && at < graph->offset[v + 1]) falls += target[at] < target[at - 1];
    return falls;
}

static bool targets_sound(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint32_t *target = graph->target;
    uint32_t largest = target[begin], falls = 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) {
        largest = target[i] > largest ? target[i] : largest;
        falls += target[i] < target[i - 1];
    }
    return largest < graph->vertices && falls == falls_at_rows(graph, begin, end);
}

/* What a section's name is and what its structure must be; NULL: anything. */
static const struct {
    const char *name, *wrong;
    bool (*sound)(const struct gws_graph *graph, uint64_t begin, uint64_t end);
} kinds[GWS__GWSG_KINDS] = {
    {"offset", "the offset section does not ascend from 0 to the number of arcs", offsets_sound},
    {"target", "the target section has a vertex out of range or a row that does not ascend", targets_sound},
    {"weight", NULL, NULL},
    {"position", NULL, NULL},
    {"id", "the id section does not ascend", ids_sound},
};

/* ---- checks ---- */

/* A file on its way to be a graph. */
struct opening {
    struct gws__input *input;
    const struct gws_read_options *options;
    struct gws__gwsg_head head;
    struct gws__image *image;
    struct gws_graph view; /* the graph as the image has it, without an owner */
};

/* A section, and the zeros between the end of the one before it, behind byte `seen`, and its beginning. */
static gws_status check_section(const struct opening *file, int kind, uint64_t seen)
{
    const struct gws__section *section = &file->head.section[kind];
    const struct gws__look look = {kinds[kind].sound, &file->view, gws__gwsg_item[kind]};
    const unsigned char *bytes = file->image->bytes;
    uint64_t checksum = 0, gap = gws__native_gap(bytes, seen, section->place);
    bool sound = true;
    if (gap < section->place)
        return gws__input_fail(file->input, GWS_CORRUPT, 0, 0, "byte %" PRIu64 " between two sections is not 0", gap);
    gws_status status = gws__native_sum(file->input->runtime, bytes + section->place, section->bytes,
                                        look.sound ? &look : NULL, &checksum, &sound);
    if (status != GWS_OK) return gws__input_fail(file->input, status, 0, 0, "out of memory while checking");
    if (checksum != section->checksum)
        return gws__input_fail(file->input, GWS_CORRUPT, 0, 0, "the checksum of the %s section is wrong",
                               kinds[kind].name);
    return sound ? GWS_OK : gws__input_fail(file->input, GWS_CORRUPT, 0, 0, "%s", kinds[kind].wrong);
}

/* What costs nothing is checked in trusted files, too. Offsets are found sound before targets are looked at. */
static gws_status check(const struct opening *file)
{
    const struct gws_graph *view = &file->view;
    gws_status status = GWS_OK;
    uint64_t seen = GWS__NATIVE_PAGE;
    if (file->options->trust && view->offset && view->offset[0] == 0 && view->offset[view->vertices] == view->arcs)
        return GWS_OK;
    if (file->options->trust)
        return gws__input_fail(file->input, GWS_CORRUPT, 0, 0,
                               "the offset section does not go from 0 to the number of arcs");
    for (int kind = 0; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++) {
        if (!file->head.present[kind]) continue;
        status = check_section(file, kind, seen);
        seen = file->head.section[kind].place + file->head.section[kind].bytes;
    }
    if (status != GWS_OK || view->directed) return status;
    return gws__twins_check(file->input, view);
}

/* ---- the graph ---- */

static const void *array_of(const struct opening *file, enum gws__gwsg_kind kind)
{
    return file->head.present[kind] ? file->image->bytes + file->head.section[kind].place : NULL;
}

/* Maps a file, or reads it in parallel; and reads what is no file up to its end. */
static gws_status read_image(struct opening *file)
{
    struct gws__input *input = file->input;
    struct gws__gwsg_head *head = &file->head;
    const void *page = NULL;
    uint64_t got = 0;
    if (file->options->mapped && !input->file)
        return gws__input_fail(input, GWS_INVALID, 0, 0, "only plain .gwsg files can be mapped");
    gws_status status = gws__input_head(input, GWS__NATIVE_PAGE, &page, &got);
    if (status == GWS_OK) status = gws__gwsg_head_decode(page, got, input, head);
    if (status == GWS_OK) status = gws__image_take(input, head->size, file->options->mapped, &file->image);
    if (status != GWS_OK) return status;
    file->view = (struct gws_graph){.vertices = head->vertices,
                                    .arcs = head->arcs,
                                    .offset = array_of(file, GWS__GWSG_OFFSET),
                                    .target = array_of(file, GWS__GWSG_TARGET),
                                    .weight = array_of(file, GWS__GWSG_WEIGHT),
                                    .position = array_of(file, GWS__GWSG_POSITION),
                                    .id = array_of(file, GWS__GWSG_ID),
                                    .first_id = head->first_id,
                                    .directed = head->directed};
    return GWS_OK;
}

/* A graph that owns the image; the image stays the caller's on failure. */
static gws_status serve(const struct opening *file, struct gws_graph **graph)
{
    const struct gws_graph *view = &file->view;
    const int32_t *weight = file->options->weights == GWS_WEIGHTS_DROP ? NULL : view->weight;
    gws_status status = gws_graph_wrap(file->input->runtime, view->vertices, view->offset, view->target, weight,
                                       view->directed, true, graph);
    if (status != GWS_OK) return status;
    gws_graph_set_first_id(*graph, view->first_id);
    if (view->id) gws_graph_borrow_ids(*graph, view->id);
    if (view->position) gws_graph_borrow_positions(*graph, view->position);
    gws_graph_on_destroy(*graph, gws__image_free, file->image);
    return GWS_OK;
}

/* Direction, loops and duplicates as asked for; *graph is replaced where that takes another one. */
static gws_status shape(struct gws_runtime *runtime, const struct gws_read_options *options, struct gws_graph **graph)
{
    struct gws_graph *both = NULL;
    if (options->direction == GWS_EDGES_DIRECTED) (*graph)->directed = true;
    if (options->direction == GWS_EDGES_UNDIRECTED && (*graph)->directed) {
        gws_status status = gws_graph_symmetrise(runtime, *graph, &both);
        if (status != GWS_OK) return status;
        gws_graph_destroy(*graph);
        *graph = both;
    }
    return gws_graph_simplify(runtime, options->remove_loops, options->remove_duplicates, graph);
}

gws_status gws__gwsg_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    struct opening file = {.input = input, .options = options};
    struct gws_graph *made = NULL;
    gws_status status = gws__native_check_host(&gws__gwsg, input->name, input->where);
    if (status == GWS_OK) status = read_image(&file);
    if (status == GWS_OK) status = check(&file);
    if (status != GWS_OK) {
        gws__image_free(file.image);
        return status;
    }
    status = serve(&file, &made);
    if (status != GWS_OK) gws__image_free(file.image);
    if (status == GWS_OK) status = shape(input->runtime, options, &made);
    if (status == GWS_OK) {
        *graph = made;
        return GWS_OK;
    }
    gws_graph_destroy(made);
    return status;
}
