/* SPDX-License-Identifier: MIT */
/* Ids of vertices in messages, reports and JSON: numbers or names. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "session.h"

/* Copies the name of a vertex with a terminating 0. Returns false if ids are numbers. */
static bool copy_name(const struct gws_graph *graph, uint32_t vertex, char name[GWS_MAX_NAME + 1])
{
    uint64_t length = 0;
    const char *text = gws_graph_name(graph, vertex, &length);
    if (!text) return false;
    memcpy(name, text, length);
    name[length] = 0;
    return true;
}

char *session_vertex_text(const struct gws_graph *graph, uint32_t vertex, char *text)
{
    char name[GWS_MAX_NAME + 1];
    if (copy_name(graph, vertex, name)) return console_name(name, text);
    snprintf(text, CONSOLE_NAME, "%" PRIu64, gws_graph_id(graph, vertex));
    return text;
}

void session_vertex_json(struct json *json, const char *key, const struct gws_graph *graph, uint32_t vertex)
{
    char name[GWS_MAX_NAME + 1];
    if (copy_name(graph, vertex, name))
        json_text(json, key, name);
    else
        json_count(json, key, gws_graph_id(graph, vertex));
}
