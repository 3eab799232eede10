/* SPDX-License-Identifier: MIT */
/* Writing a graph as .gwsg: the checksums first, since the head that holds them leads, then the arrays as they are. */
#include <string.h>

#include "../output/output.h"
#include "gwsg.h"

/* Describes the graph, checksums included. */
static gws_status describe(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws__gwsg_head *head)
{
    *head = (struct gws__gwsg_head){.directed = graph->directed,
                                    .vertices = graph->vertices,
                                    .arcs = graph->arcs,
                                    .first_id = graph->id ? 0 : graph->first_id};
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++)
        head->section[kind].present = kind <= GWS__GWSG_TARGET || gws__gwsg_array(graph, kind) != NULL;
    if (!gws__gwsg_head_place(head)) return GWS_TOO_LARGE;
    gws_status status = GWS_OK;
    for (int kind = 0; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++)
        if (head->section[kind].present)
            status =
                gws__gwsg_scan(runtime, graph, kind, head->section[kind].bytes, &head->section[kind].checksum, NULL);
    return status;
}

static gws_status write_all(struct gws_output *output, const struct gws_graph *graph, const struct gws__gwsg_head *head)
{
    static const unsigned char zero[GWS__GWSG_PAGE];
    unsigned char page[GWS__GWSG_PAGE];
    gws__gwsg_head_encode(head, page);
    gws_status status = gws_output_write(output, page, sizeof page);
    uint64_t written = sizeof page;
    for (int kind = 0; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++) {
        const struct gws__gwsg_section *section = &head->section[kind];
        if (!section->present) continue;
        status = gws_output_write(output, zero, section->offset - written);
        if (status == GWS_OK) status = gws_output_write(output, gws__gwsg_array(graph, kind), section->bytes);
        written = section->offset + section->bytes;
    }
    return status;
}

gws_status gws__gwsg_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                           struct gws_where *where)
{
    static const uint16_t one = 1;
    struct gws__gwsg_head head;
    struct gws_output *output = NULL;
    if (memcmp(&one, "\1", 1) != 0)
        return gws_where_set(where, GWS_UNSUPPORTED, path, 0, 0, ".gwsg files need a little-endian computer");
    gws_status status = describe(runtime, graph, &head);
    if (status != GWS_OK) return gws_where_set(where, status, path, 0, 0, "%s", gws_status_text(status));
    status = gws_output_open(runtime, path, where, &output);
    if (status != GWS_OK) return status;
    return gws_output_close(output, write_all(output, graph, &head));
}
