/* SPDX-License-Identifier: MIT */
/* The igraph adapter of a build without igraph. The adapter refuses igraph's formats; otherwise the library would read
 * the file as an edge list. */
#include "../session.h"

#include <string.h>

#include "../outputs.h"

static const char *const formats[] = {"graphml", "gml", "pajek", "lgl", "ncol"};

enum { FORMATS = sizeof formats / sizeof *formats };

const char *igraph_adapter_format_at(uint32_t i, const char **about)
{
    if (i >= FORMATS) return NULL;
    if (about) *about = "unavailable: this build is without igraph";
    return formats[i];
}

bool igraph_adapter_is_generator(const char *name)
{
    return strncmp(name, "igraph:", 7) == 0;
}

bool igraph_adapter_reads(const char *name, const char *format)
{
    for (size_t i = 0; format && i < FORMATS; i++)
        if (strcmp(format, formats[i]) == 0) return true;
    static const char *const suffix[] = {".graphml", ".gml", ".net", ".paj", ".lgl", ".ncol"};
    if (igraph_adapter_is_generator(name)) return true;
    for (size_t i = 0; !format && i < sizeof suffix / sizeof *suffix; i++)
        if (packed_name_ends(name, suffix[i])) return true;
    return false;
}

gws_status igraph_adapter_load(struct gws_runtime *runtime, const char *name, const char *format,
                               const struct gws_read_options *options, struct gws_graph **graph,
                               struct gws_diagnostic *where)
{
    (void)runtime;
    (void)format;
    (void)options;
    (void)graph;
    return gws_diagnostic_set(
        where, GWS_UNSUPPORTED, name, 0, 0,
        "this build is without igraph, which generates igraph:... and reads GraphML, GML, Pajek, LGL "
        "and NCOL");
}
