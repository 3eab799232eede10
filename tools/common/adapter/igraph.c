/* SPDX-License-Identifier: MIT */
/* The igraph adapter of a build with igraph: calls libgraphws-igraph. */
#include "../session.h"

#include "../../../igraph/graph_igraph.h"

const char *igraph_adapter_format_at(uint32_t i, const char **about)
{
    return gws_igraph_format_name(i, about);
}

bool igraph_adapter_is_generator(const char *name)
{
    return gws_igraph_is_generator(name);
}

/* A given format takes precedence over the ending, even if it is a format of this library. */
static bool format_of(const char *name, const char *format, enum gws_igraph_format *found)
{
    return format ? gws_igraph_format_named(format, found) : gws_igraph_format_of(name, found);
}

bool igraph_adapter_reads(const char *name, const char *format)
{
    enum gws_igraph_format found;
    return gws_igraph_is_generator(name) || format_of(name, format, &found);
}

gws_status igraph_adapter_load(struct gws_runtime *runtime, const char *name, const char *format,
                               const struct gws_read_options *options, struct gws_graph **graph,
                               struct gws_diagnostic *where)
{
    enum gws_igraph_format found;
    if (gws_igraph_is_generator(name)) return gws_igraph_generate(runtime, name, graph, where);
    if (!format_of(name, format, &found)) return GWS_UNKNOWN_FORMAT;
    return gws_igraph_read(runtime, name, found, options, graph, where);
}
