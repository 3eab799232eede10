/* SPDX-License-Identifier: MIT */
/* The table of graph formats, format detection, and the entry points for reading. */
#include "../gwsg/gwsg.h"
#include "../ranks/ranks.h"
#include "reader.h"
#include "scan.h"
#include "vertex_list.h"

struct graph_format_row {
    const char *name, *about;
    gws__reader *read;        /* NULL: .gwsg, which is binary */
    const char *suffixes[10]; /* for .gr the content determines the format */
};

static const struct graph_format_row table[] = {
    [GWS_FORMAT_AUTO] = {"auto", "by content, then by the name's suffix", NULL, {NULL}},
    [GWS_FORMAT_DIMACS] = {"dimacs", "9th DIMACS shortest paths, .gr", gws__dimacs_read, {".gr", NULL}},
    [GWS_FORMAT_DIMACS_EDGE] = {"dimacs-edge", "DIMACS colouring, .col", gws__dimacs_edge_read, {".col", NULL}},
    [GWS_FORMAT_PACE] = {"pace", "PACE 2016, .gr with a line \"p tw\"", gws__pace_read, {NULL}},
    [GWS_FORMAT_EDGE_LIST] = {"edge-list",
                              "two ids and an optional weight a line, .el .wel .txt .csv .tsv; .e with .v",
                              gws__edge_list_read,
                              {".el", ".wel", ".txt", ".csv", ".tsv", ".edges", ".edgelist", ".e", ".v", NULL}},
    [GWS_FORMAT_MATRIX_MARKET] = {"matrix-market",
                                  "MatrixMarket coordinate, .mtx",
                                  gws__matrix_market_read,
                                  {".mtx", NULL}},
    [GWS_FORMAT_METIS] = {"metis", "METIS, .graph", gws__metis_read, {".graph", ".metis", NULL}},
    [GWS_FORMAT_GWSG] = {"gwsg", "the native binary CSR, .gwsg", NULL, {".gwsg", NULL}},
};

enum { rows = sizeof table / sizeof *table };

const char *gws_format_name(enum gws_format format, const char **about)
{
    if ((unsigned)format >= rows) return NULL;
    if (about) *about = table[format].about;
    return table[format].name;
}

bool gws_format_named(const char *name, enum gws_format *format)
{
    for (unsigned i = 0; i < rows; i++) {
        if (strcmp(name, table[i].name) != 0) continue;
        *format = (enum gws_format)i;
        return true;
    }
    return false;
}

static bool ends_with(const char *name, size_t length, const char *suffix)
{
    size_t size = strlen(suffix);
    return length >= size && gws__scan_matches(name + length - size, suffix, size);
}

bool gws__format_has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    if (ends_with(name, length, ".gz")) length -= 3;
    return ends_with(name, length, suffix);
}

enum gws_format gws__format_of_name(const char *name)
{
    for (unsigned i = 0; i < rows; i++) {
        for (const char *const *suffix = table[i].suffixes; *suffix; suffix++) {
            if (gws__format_has_suffix(name, *suffix)) return (enum gws_format)i;
        }
    }
    return GWS_FORMAT_AUTO;
}

/* Finds the chunk's first line that is neither blank nor a comment in any format. Returns false if there is none. */
static bool first_tokens(const struct gws__chunk *chunk, struct gws__tokens *tokens)
{
    for (const char *p = chunk->at; p < chunk->end;) {
        struct gws__text_line line = {.at = p, .end = memchr(p, '\n', (size_t)(chunk->end - p))};
        p = line.end + 1;
        gws__tokens_split(&line, tokens);
        if (tokens->count == 0 || *tokens->token[0].at == '#' || *tokens->token[0].at == '%') continue;
        bool comment =
            *tokens->token[0].at == 'c' && (tokens->count == 1 || tokens->token[0].end == tokens->token[0].at + 1);
        if (!comment) return true;
    }
    return false;
}

static enum gws_format by_problem(const struct gws__tokens *tokens)
{
    static const struct {
        const char *kind;
        enum gws_format format;
    } kinds[] = {{"sp", GWS_FORMAT_DIMACS},
                 {"edge", GWS_FORMAT_DIMACS_EDGE},
                 {"edges", GWS_FORMAT_DIMACS_EDGE},
                 {"col", GWS_FORMAT_DIMACS_EDGE},
                 {"tw", GWS_FORMAT_PACE}};
    if (!gws__tokens_is(tokens, 0, "p")) return GWS_FORMAT_AUTO;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (gws__tokens_is(tokens, 1, kinds[i].kind)) return kinds[i].format;
    }
    return GWS_FORMAT_AUTO;
}

/* Returns true for two or three columns of numbers, separated by blanks or commas. */
static bool looks_like_edge(const struct gws__text_line *line)
{
    unsigned columns = 0;
    for (const char *p = gws__scan_blanks(line->at, line->end); p < line->end; columns++) {
        const char *stop = gws__scan_token(p, line->end);
        if (columns < 2 && (stop == p || !gws__scan_is_digit(*p))) return false;
        p = gws__scan_blanks(stop, line->end);
        if (p < line->end && *p == ',') p = gws__scan_blanks(p + 1, line->end);
    }
    return columns == 2 || columns == 3;
}

static enum gws_format find_format(const struct gws__input *input, const char *name)
{
    static const char banner[] = "%%MatrixMarket";
    const struct gws__chunk *chunk = &input->chunk;
    struct gws__tokens tokens;
    enum gws_format format = GWS_FORMAT_AUTO;
    bool text = chunk->text && (size_t)(chunk->end - chunk->text) > strlen(banner);
    if (text && gws__scan_matches(chunk->text, banner, strlen(banner))) return GWS_FORMAT_MATRIX_MARKET;
    bool found = chunk->text && first_tokens(chunk, &tokens);
    if (found) format = by_problem(&tokens);
    if (format == GWS_FORMAT_AUTO) format = gws__format_of_name(name);
    if (format == GWS_FORMAT_AUTO && found && looks_like_edge(&tokens.line)) format = GWS_FORMAT_EDGE_LIST;
    return format;
}

/* ---- reading a graph, with format, reader and positions ---- */

/* Checks the first bytes of the (inflated) text for .gwsg's magic, and the name for its suffix. */
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
    gws_status status = gws__input_skip_bom(input);
    if (status == GWS_OK) status = gws__input_peek(input);
    if (status != GWS_OK) return status;
    if (format == GWS_FORMAT_AUTO) format = find_format(input, input->name);
    gws__reader *reader = (unsigned)format < rows ? table[format].read : NULL;
    if (!reader)
        return gws__input_fail(input, GWS_UNKNOWN_FORMAT, 0, 0,
                               "neither the content nor the file name shows the format: specify it");
    if (options->names && reader != gws__edge_list_read)
        return gws__input_fail(input, GWS_INVALID, 0, 0, "names only works for edge lists; this file is read as %s",
                               gws_format_name(format, NULL));
    if (options->trust ||
        options->mapped) /* an option without effect is an error, since the caller relies on the option */
        return gws__input_fail(input, GWS_INVALID, 0, 0, "%s only works for .gwsg files; this file is read as %s",
                               options->trust ? "trust" : "mapped", gws_format_name(format, NULL));
    return reader(input, options, graph);
}

/* Reads a .gwsg on all ranks, or a stream on rank 0. */
static gws_status read_native(struct gws__input *input, const struct gws_read_options *options,
                              struct gws_graph **graph)
{
    const bool first = gws__read_ranks_first(input->ranks);
    if (options->mapped)
        return gws__input_fail(input, GWS_INVALID, 0, 0, "mapped works in one process; each rank reads its own rows");
    if (input->file) return gws__gwsg_read_ranks(input, options, graph);
    input->ranks = NULL;
    return first ? gws__gwsg_read(input, options, graph) : GWS_OK;
}

gws_status gws__graph_read_input(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph)
{
    bool gwsg = options->format == GWS_FORMAT_GWSG;
    gws_status status = options->format == GWS_FORMAT_AUTO ? is_gwsg(input, &gwsg) : GWS_OK;
    if (status != GWS_OK) return status;
    if (gwsg && options->names)
        return gws__input_fail(input, GWS_INVALID, 0, 0, "names only works for edge lists; .gwsg files have their own");
    if (gwsg && input->ranks) return read_native(input, options, graph);
    return gwsg ? gws__gwsg_read(input, options, graph) : read_text(input, options, graph);
}

gws_status gws__graph_read_path(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                                struct gws__read_ranks *ranks, struct gws_graph **graph, struct gws_diagnostic *where)
{
    static const struct gws_read_options defaults = {0};
    struct gws_graph *read = NULL;
    struct gws__input input;
    if (!options) options = &defaults;
    char *edges = NULL;
    uint64_t bytes = 0;
    bool pair = options->format == GWS_FORMAT_AUTO || options->format == GWS_FORMAT_EDGE_LIST;
    gws_status status = pair ? gws__vertex_list_pair(runtime, path, ".v", &edges, &bytes) : GWS_OK;
    if (status != GWS_OK) return gws_diagnostic_set(where, status, path, 0, 0, "%s", gws_status_text(status));
    status = gws__read_ranks_open(ranks, runtime, edges ? edges : path, &input, where);
    if (status == GWS_OK) status = gws__graph_read_input(&input, options, &read);
    status = gws__input_end(&input, status);
    if (edges) gws_release(runtime, edges, bytes, 1);
    if (status == GWS_OK && options->positions && gws__read_ranks_first(ranks))
        status = gws__coordinates_read(runtime, options->positions, read, where);
    if (status == GWS_OK)
        *graph = read;
    else
        gws_graph_destroy(read);
    return status;
}

gws_status gws_graph_read(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                          struct gws_graph **graph, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, gws__graph_read_path(runtime, path, options, NULL, graph, where));
}

gws_status gws_graph_load(struct gws_runtime *runtime, const char *name, const struct gws_read_options *options,
                          struct gws_graph **graph, struct gws_diagnostic *where)
{
    if (gws_graph_is_generator(name)) return gws_graph_generate(runtime, name, graph, where);
    return gws_graph_read(runtime, name, options, graph, where);
}
