/* SPDX-License-Identifier: MIT */
/* Reading a graph: which format, which reader, and the positions beside it. */
#include <string.h>

#include "../graph_io.h"
#include "../gwsg/gwsg.h"
#include "reader.h"

/* Looks at the first bytes of the text, inflated where the input is gzip, and at the name. */
static gws_status is_gwsg(struct gws__input *input, bool *gwsg)
{
    const void *at = NULL;
    uint64_t size = strlen(gws__gwsg.magic), got = 0;
    gws_status status = gws__input_head(input, size, &at, &got);
    if (status != GWS_OK) return status;
    *gwsg =
        (got == size && memcmp(at, gws__gwsg.magic, size) == 0) || gws__format_of_name(input->name) == GWS_FORMAT_GWSG;
    return GWS_OK;
}

static gws_status read_text(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    enum gws_format format = options->format;
    gws_status status = gws__input_skip_mark(input);
    if (status == GWS_OK) status = gws__input_peek(input);
    if (status != GWS_OK) return status;
    if (format == GWS_FORMAT_AUTO) format = gws__format_find(input, input->name);
    gws__reader *reader = gws__format_reader(format);
    if (!reader)
        return gws__input_fail(input, GWS_UNKNOWN_FORMAT, 0, 0,
                               "neither the content nor the name's ending tells the format: say which it is");
    if (options->trust || options->mapped) /* it would do nothing, and who gives it expects something of it */
        return gws__input_fail(input, GWS_INVALID, 0, 0, "%s is for .gwsg files, and this is read as %s",
                               options->trust ? "trust" : "mapped", gws_format_name(format, NULL));
    return reader(input, options, graph);
}

gws_status gws__graph_read_input(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph)
{
    bool gwsg = options->format == GWS_FORMAT_GWSG;
    gws_status status = options->format == GWS_FORMAT_AUTO ? is_gwsg(input, &gwsg) : GWS_OK;
    if (status != GWS_OK) return status;
    return gwsg ? gws__gwsg_read(input, options, graph) : read_text(input, options, graph);
}

/* Adds the positions; frees the graph when they are wrong. */
static gws_status add_positions(struct gws_runtime *runtime, const struct gws_read_options *options,
                                struct gws_graph *graph, struct gws_where *where)
{
    if (!options->positions) return GWS_OK;
    gws_status status = gws__coordinates_read(runtime, options->positions, graph, where);
    if (status != GWS_OK) gws_graph_destroy(graph);
    return status;
}

gws_status gws_graph_read(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                          struct gws_graph **graph, struct gws_where *where)
{
    static const struct gws_read_options defaults = {0};
    struct gws_graph *read = NULL;
    struct gws__input input;
    if (!options) options = &defaults;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__graph_read_input(&input, options, &read);
    status = gws__input_end(&input, status);
    if (status == GWS_OK) status = add_positions(runtime, options, read, where);
    if (status == GWS_OK) *graph = read;
    return status;
}

gws_status gws_graph_load(struct gws_runtime *runtime, const char *name, const struct gws_read_options *options,
                          struct gws_graph **graph, struct gws_where *where)
{
    if (gws_graph_is_generator(name)) return gws_graph_generate(runtime, name, graph, where);
    return gws_graph_read(runtime, name, options, graph, where);
}
