/* SPDX-License-Identifier: MIT */
/* Reads ids and names without the rows. */
#include "gwsg.h"

struct names_file {
    const struct gws__input *input;
    const struct gws__gwsg_head *head;
};

/* Reads a section into an array from gws_allocate() of `items` items. */
static gws_status read_whole(const struct names_file *file, enum gws__gwsg_kind kind, void **array)
{
    const struct gws__section *section = &file->head->section[kind];
    const uint64_t items = section->bytes / gws__gwsg_item[kind];
    if (!file->head->present[kind]) return GWS_OK;
    *array = gws_allocate(file->input->runtime, items, gws__gwsg_item[kind]);
    return *array ? gws__native_read(file->input, section, 0, section->bytes, *array, NULL) : GWS_NO_MEMORY;
}

/* Moves the arrays to the graph, which frees them. */
static gws_status read_names(const struct names_file *file, struct gws_graph *names)
{
    void *id = NULL, *offset = NULL, *text = NULL, *order = NULL;
    gws_status status = read_whole(file, GWS__GWSG_ID, &id);
    if (status == GWS_OK) status = read_whole(file, GWS__GWSG_NAME, &offset);
    if (status == GWS_OK) status = read_whole(file, GWS__GWSG_TEXT, &text);
    if (status == GWS_OK) status = read_whole(file, GWS__GWSG_ORDER, &order);
    gws_graph_set_first_id(names, file->head->first_id);
    if (id) gws_graph_adopt_ids(names, id);
    if (id && order) gws_graph_adopt_id_order(names, order);
    if (offset && text && status == GWS_OK) {
        const uint64_t *at = offset;
        if (at[0] != 0 || at[names->vertices] != file->head->text_bytes)
            status = gws__input_fail(file->input, GWS_CORRUPT, 0, 0, "%s", gws__gwsg_rule[GWS__GWSG_NAME].wrong);
    }
    if (offset && text && status == GWS_OK) {
        gws_graph_adopt_names(names, offset, text, order);
        return GWS_OK;
    }
    gws_release(file->input->runtime, offset, names->vertices + 1, sizeof(uint64_t));
    gws_release(file->input->runtime, text, file->head->text_bytes, 1);
    if (!id) gws_release(file->input->runtime, order, names->vertices, sizeof(uint32_t));
    return status;
}

static gws_status check_names(const struct names_file *file, const struct gws_graph *names)
{
    const void *const data[GWS__GWSG_KINDS] = {
        [GWS__GWSG_ID] = names->id,
        [GWS__GWSG_NAME] = names->names.offset,
        [GWS__GWSG_TEXT] = names->names.text,
        [GWS__GWSG_ORDER] = names->names.text ? names->names.order : names->id_order,
    };
    gws_status status = GWS_OK;
    for (int kind = 0; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++)
        if (data[kind]) status = gws__gwsg_check_section(file->input, file->head, kind, data[kind], names);
    return status == GWS_OK ? gws__gwsg_check_order(file->input, names) : status;
}

gws_status gws__gwsg_read_names(const struct gws__input *input, const struct gws__gwsg_head *head, bool trust,
                                struct gws_graph *names)
{
    const struct names_file file = {input, head};
    gws_status status = read_names(&file, names);
    return status == GWS_OK && !trust ? check_names(&file, names) : status;
}
