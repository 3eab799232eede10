/* SPDX-License-Identifier: MIT */
/* Reads the formats of igraph, plain or gzip. igraph reads from a C stream that inflates the file. fopencookie() (GNU
 * C library and musl) makes this stream. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../lib/parallel.h"
#include "adapter.h"

static const struct format {
    const char *name, *about, *suffix[2];
} formats[] = {
    {"graphml", "GraphML, an XML format, .graphml; through igraph", {".graphml", NULL}},
    {"gml", "Graph Modelling Language, .gml; through igraph", {".gml", NULL}},
    {"pajek", "Pajek networks, .net .paj; through igraph", {".net", ".paj"}},
    {"lgl", "Large Graph Layout, .lgl: \"# U\", then \"V [WEIGHT]\" a line; through igraph", {".lgl", NULL}},
    {"ncol", "Large Graph Layout by edges, .ncol: \"U V [WEIGHT]\" a line; through igraph", {".ncol", NULL}},
};

enum { format_count = sizeof formats / sizeof *formats };

/* A file of any size may declare unchecked_vertices vertices. A file may declare more only in proportion to its bytes,
 * as in io/text/header_counts.c. */
enum { unchecked_vertices = 1 << 24, vertices_per_byte = 64 };

/* ---- names ---- */

const char *gws_igraph_format_name(uint32_t i, const char **about)
{
    if (i >= format_count) return NULL;
    if (about) *about = formats[i].about;
    return formats[i].name;
}

bool gws_igraph_format_named(const char *name, enum gws_igraph_format *format)
{
    for (uint32_t i = 0; i < format_count; i++)
        if (strcmp(name, formats[i].name) == 0) {
            *format = (enum gws_igraph_format)i;
            return true;
        }
    return false;
}

static bool ends_in(const char *path, size_t length, const char *suffix)
{
    size_t size = suffix ? strlen(suffix) : 0;
    return size && length > size && strncmp(path + length - size, suffix, size) == 0;
}

bool gws_igraph_format_of(const char *path, enum gws_igraph_format *format)
{
    size_t length = strlen(path);
    if (ends_in(path, length, ".gz")) length -= 3;
    for (uint32_t i = 0; i < format_count; i++)
        if (ends_in(path, length, formats[i].suffix[0]) || ends_in(path, length, formats[i].suffix[1])) {
            *format = (enum gws_igraph_format)i;
            return true;
        }
    return false;
}

/* ---- the stream ---- */

/* A reader of plain and compressed files. The reader records the first error for close_file(), because the next read
 * clears zlib 1.3.2's error for a truncated file. */
struct stream {
    gzFile file;
    char head[4096]; /* the first bytes; bytes from head_at to head_size are unread */
    size_t head_at, head_size;
    int error;
    char message[128];
};

static ssize_t read_raw(struct stream *stream, void *buffer, size_t size)
{
    int error, got = gzread(stream->file, buffer, size > INT32_MAX ? INT32_MAX : (unsigned)size);
    const char *message = gzerror(stream->file, &error);
    if (stream->error == Z_OK && error != Z_OK && error != Z_STREAM_END) {
        stream->error = error;
        snprintf(stream->message, sizeof stream->message, "%s", message);
    }
    return got;
}

static ssize_t read_some(void *cookie, char *buffer, size_t size)
{
    struct stream *stream = cookie;
    size_t held = stream->head_size - stream->head_at;
    if (held == 0) return read_raw(stream, buffer, size);
    if (held > size) held = size;
    memcpy(buffer, stream->head + stream->head_at, held);
    stream->head_at += held;
    return (ssize_t)held;
}

/* Skips the byte-order mark of UTF-8. igraph's XML reader handles marks itself. */
static gws_status skip_bom(const char *path, enum gws_igraph_format format, struct stream *stream,
                           struct gws_diagnostic *where)
{
    ssize_t got = read_raw(stream, stream->head, sizeof stream->head);
    stream->head_size = got > 0 ? (size_t)got : 0;
    const char *head = stream->head;
    if (format == GWS_IGRAPH_GRAPHML || stream->head_size < 2) return GWS_OK;
    if (stream->head_size > 2 && memcmp(head, "\xef\xbb\xbf", 3) == 0) stream->head_at = 3;
    if (memcmp(head, "\xff\xfe", 2) != 0 && memcmp(head, "\xfe\xff", 2) != 0) return GWS_OK;
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, path, 1, 1,
                              "the text is encoded in UTF-16 or UTF-32; only UTF-8 and ASCII are read");
}

/* Returns an upper bound of the bytes of text, which is 16 times the size of a compressed file, or 0 for a pipe. */
static uint64_t bytes_of(const char *path, const struct stream *stream)
{
    struct stat about;
    bool known = (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &about) : stat(path, &about)) == 0;
    return known && S_ISREG(about.st_mode) ? (uint64_t)about.st_size * (gzdirect(stream->file) ? 1 : 16) : 0;
}

/* Checks that a Pajek file's declared number of vertices is plausible for the size of the text, as readers of other
 * formats do. igraph allocates memory for all declared vertices at once. The function searches only the first bytes
 * for the declaration. */
static gws_status check_vertices(const char *path, const struct stream *stream, struct gws_diagnostic *where)
{
    static const char name[] = "*vertices";
    const char *p = stream->head + stream->head_at, *end = stream->head + stream->head_size;
    while (p && (size_t)(end - p) > sizeof name && strncasecmp(p, name, sizeof name - 1) != 0) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (p) p++;
    }
    if (!p || (size_t)(end - p) <= sizeof name) return GWS_OK;
    uint64_t vertices = 0;
    for (p += sizeof name - 1; p < end && (*p == ' ' || *p == '\t'); p++) continue;
    for (; p < end && *p >= '0' && *p <= '9' && vertices < UINT64_MAX / 16; p++)
        vertices = vertices * 10 + (uint64_t)(*p - '0');
    if (vertices <= unchecked_vertices || vertices / vertices_per_byte <= bytes_of(path, stream)) return GWS_OK;
    return gws_diagnostic_set(where, GWS_TOO_LARGE, path, 0, 0,
                              "at least %llu vertices declared, too many for the size of the file",
                              (unsigned long long)vertices);
}

static gws_status open_file(const char *path, struct stream *stream, struct gws_diagnostic *where)
{
    errno = 0;
    int own = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : -1;
    *stream = (struct stream){.error = Z_OK};
    stream->file = own >= 0 ? gzdopen(own, "rb") : gzopen(path, "rb");
    if (stream->file) return GWS_OK;
    if (own >= 0) close(own);
    gws_status status = errno ? GWS_SYSTEM : GWS_NO_MEMORY;
    return gws_diagnostic_set(where, status, path, 0, 0, "cannot open: %s", errno ? strerror(errno) : "out of memory");
}

/* Returns the status of the first read error. igraph's reader treats such an error as the end of the file. */
static gws_status close_file(const char *path, struct stream *stream, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    if (stream->error == Z_BUF_ERROR)
        status = gws_diagnostic_set(where, GWS_TRUNCATED, path, 0, 0, "the compressed input ends too early");
    else if (stream->error == Z_ERRNO)
        status = gws_diagnostic_set(where, GWS_SYSTEM, path, 0, 0, "cannot read: %s", stream->message);
    else if (stream->error != Z_OK)
        status =
            gws_diagnostic_set(where, GWS_CORRUPT, path, 0, 0, "the compressed input is corrupt: %s", stream->message);
    gzclose(stream->file);
    return status;
}

static igraph_error_t read_stream(FILE *in, enum gws_igraph_format format, bool directed, igraph_t *read)
{
    switch (format) {
    case GWS_IGRAPH_GRAPHML:
        return igraph_read_graph_graphml(read, in, 0);
    case GWS_IGRAPH_GML:
        return igraph_read_graph_gml(read, in);
    case GWS_IGRAPH_PAJEK:
        return igraph_read_graph_pajek(read, in);
    case GWS_IGRAPH_LGL:
        return igraph_read_graph_lgl(read, in, true, IGRAPH_ADD_WEIGHTS_IF_PRESENT, directed);
    default:
        return igraph_read_graph_ncol(read, in, NULL, true, IGRAPH_ADD_WEIGHTS_IF_PRESENT, directed);
    }
}

static gws_status read_file(const char *path, enum gws_igraph_format format, bool directed, igraph_t *read,
                            struct gws_diagnostic *where)
{
    struct stream stream;
    gws_status status = open_file(path, &stream, where);
    if (status != GWS_OK) return status;
    status = skip_bom(path, format, &stream, where);
    if (status == GWS_OK && format == GWS_IGRAPH_PAJEK) status = check_vertices(path, &stream, where);
    if (status != GWS_OK) {
        gzclose(stream.file);
        return status;
    }
    FILE *in = fopencookie(&stream, "r", (cookie_io_functions_t){.read = read_some});
    if (!in) {
        gzclose(stream.file);
        return gws_diagnostic_set(where, GWS_NO_MEMORY, path, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    }
    igraph_error_t error = read_stream(in, format, directed, read);
    fclose(in);
    status = close_file(path, &stream, where);
    if (status != GWS_OK && error == IGRAPH_SUCCESS) igraph_destroy(read);
    if (status == GWS_OK && error != IGRAPH_SUCCESS) status = gws__igraph_failed(error, path, where);
    if (status == GWS_INVALID) status = GWS_SYNTAX; /* igraph reports a malformed file as an invalid argument */
    return status;
}

/* ---- the graph ---- */

static gws_status convert(struct gws_runtime *runtime, const igraph_t *from, struct gws__igraph_names *names,
                          const struct gws_read_options *options, igraph_vector_t *scratch, struct gws_graph **graph,
                          struct gws_diagnostic *where)
{
    bool found;
    struct gws_graph *made = NULL;
    igraph_error_t error = gws__igraph_numbers(from, IGRAPH_ATTRIBUTE_EDGE, "weight", &scratch[0], &found);
    if (error == IGRAPH_SUCCESS && !found)
        error = gws__igraph_numbers(from, IGRAPH_ATTRIBUTE_EDGE, "value", &scratch[0], &found);
    if (error != IGRAPH_SUCCESS) return GWS_NO_MEMORY;
    gws_status status =
        gws__igraph_convert(runtime, from, found ? &scratch[0] : NULL, options, names->number, &made, where);
    if (status == GWS_OK) status = gws__igraph_positions(runtime, from, names->number, &scratch[0], &scratch[1], made);
    if (status != GWS_OK) {
        gws_graph_destroy(made);
        return status;
    }
    if (names->id) gws_graph_adopt_ids(made, names->id);
    names->id = NULL;
    if (!made->id) gws_graph_set_first_id(made, names->first_id);
    if (names->text) gws_graph_adopt_names(made, names->offset, names->text, names->order);
    names->text = NULL;
    if (made->names.text) names->offset = NULL, names->order = NULL;
    *graph = made;
    return GWS_OK;
}

static gws_status finish(struct gws_runtime *runtime, const igraph_t *from, enum gws_igraph_format format,
                         const struct gws_read_options *options, struct gws_graph **graph, struct gws_diagnostic *where)
{
    igraph_vector_t scratch[2];
    struct gws__igraph_names names;
    if (igraph_vector_init(&scratch[0], 0) != IGRAPH_SUCCESS) return GWS_NO_MEMORY;
    if (igraph_vector_init(&scratch[1], 0) != IGRAPH_SUCCESS) {
        igraph_vector_destroy(&scratch[0]);
        return GWS_NO_MEMORY;
    }
    gws_status status = gws__igraph_names_find(runtime, from, format == GWS_IGRAPH_PAJEK, &names);
    if (status == GWS_OK) {
        status = convert(runtime, from, &names, options, scratch, graph, where);
        gws__igraph_names_clear(runtime, from, &names);
    }
    igraph_vector_destroy(&scratch[0]);
    igraph_vector_destroy(&scratch[1]);
    return status;
}

static gws_status igraph_read(struct gws_runtime *runtime, const char *path, enum gws_igraph_format format,
                              const struct gws_read_options *options, struct gws_graph **graph,
                              struct gws_diagnostic *where)
{
    static const struct gws_read_options defaults;
    struct gws__igraph_before before;
    struct gws_diagnostic own = {0};
    igraph_t read;
    if (!options) options = &defaults;
    gws__igraph_enter(&before);
    gws_status status = read_file(path, format, options->direction == GWS_EDGES_DIRECTED, &read, where);
    if (status == GWS_OK) {
        status = finish(runtime, &read, format, options, graph, &own);
        igraph_destroy(&read);
        if (status != GWS_OK)
            gws_diagnostic_set(where, status, path, 0, 0, "%s", own.message[0] ? own.message : gws_status_text(status));
    }
    gws__igraph_restore(&before);
    return status;
}

gws_status gws_igraph_read(struct gws_runtime *runtime, const char *path, enum gws_igraph_format format,
                           const struct gws_read_options *options, struct gws_graph **graph,
                           struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, igraph_read(runtime, path, format, options, graph, where));
}
