/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <string.h>

uint64_t gws__names_longest(const struct gws_graph *graph)
{
    uint64_t longest = 0;
    for (uint64_t v = 0; graph->names.text && v < graph->vertices; v++) {
        uint64_t length = graph->names.offset[v + 1] - graph->names.offset[v];
        if (length > longest) longest = length;
    }
    return longest;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool needs_quotes(const char *name, uint64_t length, const char *special)
{
    if (length == 0 || is_blank(name[0]) || is_blank(name[length - 1])) return true;
    for (uint64_t i = 0; i < length; i++)
        if (name[i] == '"' || strchr(special, name[i])) return true;
    return false;
}

char *gws__names_format(const struct gws_graph *graph, uint32_t vertex, const char *special, char *text)
{
    uint64_t length = 0;
    const char *name = gws_graph_name(graph, vertex, &length);
    if (!needs_quotes(name, length, special)) {
        memcpy(text, name, length);
        return text + length;
    }
    *text++ = '"';
    for (uint64_t i = 0; i < length; i++) {
        if (name[i] == '"') *text++ = '"';
        *text++ = name[i];
    }
    *text++ = '"';
    return text;
}
