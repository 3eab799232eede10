/* SPDX-License-Identifier: MIT */
/* Opens a .gwsg file. The graph's arrays point into the file's contents. Unless the caller trusts the file, the reader
 * checks the whole file before it returns the graph.
 *
 * The check of targets has no branch. It counts the positions in a block where a target is below its predecessor, and
 * the row starts among these positions. The counts are equal exactly when no row descends. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../text/reader.h"
#include "../write/arcs.h"
#include "gwsg.h"

/* ---- structure of items begin .. end - 1 ---- */

static bool offsets_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint64_t *offset = graph->offset;
    bool is_valid = offset[end - 1] <= graph->arcs;
    if (begin == 0) is_valid &= offset[0] == 0;
    if (end == graph->vertices + 1) is_valid &= offset[end - 1] == graph->arcs;
    uint64_t descents = 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) descents += offset[i] < offset[i - 1];
    return is_valid && descents == 0;
}

static bool ids_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    uint64_t repeats = 0;
    if (graph->id_order) return true; /* gws__gwsg_names_ascend() checks them once the order is known to be valid */
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) repeats += graph->id[i] <= graph->id[i - 1];
    return repeats == 0;
}

static bool reals_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    uint64_t finite = 0;
    for (uint64_t i = begin; i < end; i++) finite += graph->real_weight[i] - graph->real_weight[i] == 0;
    return finite == end - begin;
}

static uint64_t descents_at_rows(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint32_t *target = graph->target;
    uint64_t descents = 0, at;
    for (uint64_t v = gws__row_of(graph, begin, 0); v < graph->vertices && (at = graph->offset[v]) < end; v++)
        if (at > 0 && at >= begin && at < graph->offset[v + 1]) descents += target[at] < target[at - 1];
    return descents;
}

static bool targets_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint32_t *target = graph->target;
    uint32_t largest = target[begin], descents = 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) {
        largest = target[i] > largest ? target[i] : largest;
        descents += target[i] < target[i - 1];
    }
    return largest < graph->vertices && descents == descents_at_rows(graph, begin, end);
}

const struct gws__gwsg_rule gws__gwsg_rule[GWS__GWSG_KINDS] = {
    {"offset", "the offset section does not ascend from 0 to the number of arcs", offsets_valid},
    {"target", "the target section has a vertex out of range or a row that does not ascend", targets_valid},
    {"weight", NULL, NULL},
    {"position", NULL, NULL},
    {"id", "the id section does not ascend", ids_valid},
    {"real", "the real section has a weight that is not finite", reals_valid},
    {"name", "the name section does not ascend from 0 to the end of the names", gws__gwsg_names_valid},
    {"text", "the text section has a byte that names cannot have", gws__gwsg_text_valid},
    {"order", "the order section has a vertex out of range", gws__gwsg_order_valid},
};

/* ---- checks ---- */

/* The state of opening a file. */
struct gwsg_file {
    struct gws__input *input;
    const struct gws_read_options *options;
    struct gws__gwsg_head head;
    struct gws__file_contents *contents;
    struct gws_graph view; /* the graph whose arrays point into contents, without owning them */
};

gws_status gws__gwsg_fail_checksum(const struct gws__input *input, int kind)
{
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "the checksum of the %s section is wrong",
                           gws__gwsg_rule[kind].name);
}

gws_status gws__gwsg_fail_gap(const struct gws__input *input, uint64_t byte)
{
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "byte %" PRIu64 " between two sections is not 0", byte);
}

gws_status gws__gwsg_check_section(const struct gws__input *input, const struct gws__gwsg_head *head, int kind,
                                   const void *data, const struct gws_graph *view)
{
    const struct gws__gwsg_rule *rule = &gws__gwsg_rule[kind];
    const struct gws__section_check check = {rule->is_valid, view, gws__gwsg_item[kind]};
    uint64_t checksum = 0;
    bool is_valid = true;
    gws_status status = gws__native_checksum(input->runtime, data, head->section[kind].bytes,
                                             check.is_valid ? &check : NULL, &checksum, &is_valid);
    if (status != GWS_OK) return status;
    if (checksum != head->section[kind].checksum) return gws__gwsg_fail_checksum(input, kind);
    return is_valid ? GWS_OK : gws__input_fail(input, GWS_CORRUPT, 0, 0, "%s", rule->wrong);
}

gws_status gws__gwsg_check_order(const struct gws__input *input, const struct gws_graph *view)
{
    bool ascend = true;
    gws_status status = GWS_OK;
    if (view->names.text || view->id_order) status = gws__gwsg_names_ascend(input->runtime, view, &ascend);
    if (status != GWS_OK || ascend) return status;
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "the %s do not ascend in the order of the file",
                           view->names.text ? "names" : "ids");
}

/* Checks a section, and checks that the bytes from `seen`, the end of the previous section, up to the section are
 * zero. */
static gws_status check_section(const struct gwsg_file *file, int kind, uint64_t seen)
{
    const struct gws__section *section = &file->head.section[kind];
    const unsigned char *bytes = file->contents->bytes;
    const uint64_t gap = gws__native_find_nonzero(bytes, seen, section->offset);
    if (gap < section->offset) return gws__gwsg_fail_gap(file->input, gap);
    return gws__gwsg_check_section(file->input, &file->head, kind, bytes + section->offset, &file->view);
}

/* Returns true if the first and the last offset, of rows and of names, are valid. */
static bool ends_valid(const struct gwsg_file *file)
{
    const struct gws_graph *view = &file->view;
    const uint64_t *name = view->names.offset, n = view->vertices;
    if (!view->offset || view->offset[0] != 0 || view->offset[n] != view->arcs) return false;
    return !name || (name[0] == 0 && name[n] == file->head.text_bytes);
}

/* Checks the file. The function checks the first and last offsets even in a trusted file, because this check costs
 * nothing. Offsets come before targets because the check of targets reads the offsets. */
static gws_status check(const struct gwsg_file *file)
{
    const struct gws_graph *view = &file->view;
    gws_status status = GWS_OK;
    uint64_t seen = GWS__NATIVE_PAGE;
    if (file->options->trust && ends_valid(file)) return GWS_OK;
    if (file->options->trust)
        return gws__input_fail(file->input, GWS_CORRUPT, 0, 0,
                               "the offset section does not go from 0 to the number of arcs");
    for (int kind = 0; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++) {
        if (!file->head.present[kind]) continue;
        status = check_section(file, kind, seen);
        seen = file->head.section[kind].offset + file->head.section[kind].bytes;
    }
    if (status == GWS_OK && !ends_valid(file))
        return gws__input_fail(file->input, GWS_CORRUPT, 0, 0, "%s", gws__gwsg_rule[GWS__GWSG_NAME].wrong);
    if (status == GWS_OK) status = gws__gwsg_check_order(file->input, view);
    if (status != GWS_OK || view->directed) return status;
    return gws__symmetry_check(file->input, view);
}

/* ---- the graph ---- */

static const void *array_of(const struct gwsg_file *file, enum gws__gwsg_kind kind)
{
    return file->head.present[kind] ? file->contents->bytes + file->head.section[kind].offset : NULL;
}

/* Maps the file or reads it in parallel. Reads a stream up to its end. */
static gws_status read_contents(struct gwsg_file *file)
{
    struct gws__input *input = file->input;
    struct gws__gwsg_head *head = &file->head;
    const void *page = NULL;
    uint64_t got = 0;
    if (file->options->mapped && !input->file)
        return gws__input_fail(input, GWS_INVALID, 0, 0, "only plain .gwsg files can be mapped");
    gws_status status = gws__input_head(input, GWS__NATIVE_PAGE, &page, &got);
    if (status == GWS_OK) status = gws__gwsg_head_decode(page, got, input, head);
    if (status == GWS_OK) status = gws__file_contents_read(input, head->size, file->options->mapped, &file->contents);
    if (status != GWS_OK) return status;
    const uint32_t *order = array_of(file, GWS__GWSG_ORDER);
    const bool names = head->present[GWS__GWSG_TEXT];
    file->view = (struct gws_graph){.vertices = head->vertices,
                                    .arcs = head->arcs,
                                    .offset = array_of(file, GWS__GWSG_OFFSET),
                                    .target = array_of(file, GWS__GWSG_TARGET),
                                    .weight = array_of(file, GWS__GWSG_WEIGHT),
                                    .real_weight = array_of(file, GWS__GWSG_REAL),
                                    .position = array_of(file, GWS__GWSG_POSITION),
                                    .id = array_of(file, GWS__GWSG_ID),
                                    .id_order = names ? NULL : order,
                                    .first_id = head->first_id,
                                    .names = {.offset = array_of(file, GWS__GWSG_NAME),
                                              .text = array_of(file, GWS__GWSG_TEXT),
                                              .order = names ? order : NULL},
                                    .directed = head->directed};
    return GWS_OK;
}

/* Replaces the real weights by integers in place, since no other object uses the contents. */
static gws_status round_weights(struct gwsg_file *file)
{
    struct gws_graph *view = &file->view;
    unsigned char *at = file->contents->bytes + file->head.section[GWS__GWSG_REAL].offset;
    for (uint64_t i = 0; i < view->arcs; i++) {
        if (gws_cancelled_at(file->input->runtime, i)) return GWS_CANCELLED;
        double rounded = round((double)view->real_weight[i]);
        if (!(rounded >= INT32_MIN && rounded <= INT32_MAX))
            return gws__input_fail(file->input, GWS_OUT_OF_RANGE, 0, 0, "weight %g does not fit in 32 bits", rounded);
        int32_t weight = (int32_t)rounded;
        memcpy(at + i * sizeof weight, &weight, sizeof weight);
    }
    view->weight = (const int32_t *)(const void *)at;
    view->real_weight = NULL;
    return GWS_OK;
}

/* Makes a graph that owns the contents. The caller still owns the contents after a failure. */
static gws_status wrap_graph(struct gwsg_file *file, struct gws_graph **graph)
{
    const struct gws_graph *view = &file->view;
    bool rounds = view->real_weight && file->options->weights == GWS_WEIGHTS_ROUND;
    gws_status status = rounds ? round_weights(file) : GWS_OK;
    if (status != GWS_OK) return status;
    struct gws_runtime *runtime = file->input->runtime;
    const bool drop = file->options->weights == GWS_WEIGHTS_DROP;
    status = view->real_weight && !drop ? gws_graph_wrap_real(runtime, view->vertices, view->offset, view->target,
                                                              view->real_weight, view->directed, true, graph)
                                        : gws_graph_wrap(runtime, view->vertices, view->offset, view->target,
                                                         drop ? NULL : view->weight, view->directed, true, graph);
    if (status != GWS_OK) return status;
    gws_graph_set_first_id(*graph, view->first_id);
    if (view->id) gws_graph_borrow_ids(*graph, view->id);
    if (view->id_order) gws_graph_borrow_id_order(*graph, view->id_order);
    if (view->names.text) gws_graph_borrow_names(*graph, &view->names);
    if (view->position) gws_graph_borrow_positions(*graph, view->position);
    gws_graph_on_destroy(*graph, gws__file_contents_free, file->contents);
    return GWS_OK;
}

/* Applies the options for direction, loops and duplicates. Replaces *graph if the options require another graph. */
static gws_status apply_options(struct gws_runtime *runtime, const struct gws_read_options *options,
                                struct gws_graph **graph)
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
    struct gwsg_file file = {.input = input, .options = options};
    struct gws_graph *made = NULL;
    gws_status status = gws__native_check_host(&gws__gwsg, input->name, input->where);
    if (status == GWS_OK) status = read_contents(&file);
    if (status == GWS_OK) status = check(&file);
    if (status != GWS_OK) {
        gws__file_contents_free(file.contents);
        return status;
    }
    status = wrap_graph(&file, &made);
    if (status != GWS_OK) gws__file_contents_free(file.contents);
    if (status == GWS_OK) status = apply_options(input->runtime, options, &made);
    if (status == GWS_OK) {
        *graph = made;
        return GWS_OK;
    }
    gws_graph_destroy(made);
    return status;
}
