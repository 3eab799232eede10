/* SPDX-License-Identifier: MIT */
/* The native binary CSR file, `.gwsg`: the arrays of a gws_graph in their memory layout. The reader needs no parsing
 * and can map the file.
 *
 * Layout. Every number is little-endian. The file has a head of 4096 bytes and then the sections in the order of the
 * table, each at a multiple of 4096. The gaps between sections and the unused end of the head are zero. The file ends
 * with the last section's last byte.
 *
 *   bytes  what
 *   0..7   magic: 0x89 'G' 'W' 'S' 'G' 0x0d 0x0a 0x1a (a transfer as text or of 7 bits breaks it, as in PNG)
 *   8      uint32 version: 1, or 2 if the file has a section of kind 6 or more, or 3 if it has sections 5 and 9. A
 *          reader refuses a larger one.
 *   12     uint32 flags: bit 0 directed. An undirected file has the reverse of every arc. Others are 0.
 *   16     uint64 vertices, below 2^32
 *   24     uint64 arcs
 *   32     uint64 first_id: without an id section, the id of vertex v is first_id + v
 *   40     uint64 size of the whole file
 *   48     uint32 sections: entries in use in the table below
 *   52     uint32 0
 *   56     uint64 checksum of the head: XXH3-64 of its 4096 bytes with these eight as zeros
 *   64     16 table entries of 32 bytes; the unused ones are zero:
 *            uint32 kind, uint32 bytes an item, uint64 offset in the file, uint64 bytes, uint64 checksum
 *
 *   kind  section    items
 *   1     offset     uint64, vertices + 1, ascending from 0 to arcs
 *   2     target     uint32, arcs: row after row, each ascending
 *   3     weight     int32, arcs; may be missing
 *   4     position   IEEE 754 double, 2 * vertices: x and y of each vertex; may be missing
 *   5     id         uint64, vertices, strictly ascending in the order of section 9; may be missing
 *   6     real       IEEE 754 single, arcs: weights that are not integers, all finite; may be missing, and is if
 *                    section 3 is not
 *   7     name       uint64, vertices + 1, ascending from 0 to the bytes of section 8: vertex v's name begins at item v
 *   8     text       bytes: the names, of 1 to 4095 bytes each, without 0, line feed and carriage return
 *   9     order      uint32, vertices: the vertices in ascending order of their names or ids; missing if that is
 *                    0, 1, 2 ... or if sections 5 and 7 are missing
 *                    Sections 7 and 8 may be missing; with them, section 5 is missing and first_id is 0
 *
 * Kinds come in ascending order, each at most once. native.h defines the checksums of sections. */
#ifndef GWS_IO_GWSG_GWSG_H
#define GWS_IO_GWSG_GWSG_H

#include "../graph_io.h"
#include "../native/native.h"

extern const struct gws__native gws__gwsg;

/* Reads a .gwsg file from an input whose position is the file's magic number. The caller closes the input. The
 * function reads the file into memory, a plain file in parallel. With options->mapped the function maps a plain file
 * instead, and the graph's arrays point into the map until the graph is destroyed.
 *
 * Unless options->trust is set, workers check in parallel: every checksum, every padding byte, the structure (offsets,
 * targets in range, rows ascending, ids ascending) and the symmetry of an undirected graph (gws__symmetry_check()). A
 * checked copy in memory can never lead a traversal out of bounds, even if the file changes afterwards. With
 * options->trust the function checks only the head and the bounds of the sections. A map gives no such guarantee. A
 * map shows later writes to the file, and reading the map raises SIGBUS after the file was shortened.
 *
 * The other options work as for every format, except options->positions, which gws_graph_read() handles. Errors:
 * GWS_SYSTEM, GWS_UNKNOWN_FORMAT (wrong magic), GWS_UNSUPPORTED (newer version, big-endian host), GWS_TRUNCATED,
 * GWS_CORRUPT, GWS_TOO_LARGE, GWS_INVALID (options->mapped for an input that is not a plain file), GWS_NO_MEMORY. */
gws_status gws__gwsg_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph);

/* Reads a plain file on all ranks (input->ranks), each its own rows, with the same checks: sets input->ranks->graph,
 * and *names as gws__read_ranks_build() does. Rank 0 alone reads ids and names; what is only checked, such as
 * positions, the ranks read in equal shares. Does what gws__gwsg_read() does on rank 0 alone, and leaves the graph NULL
 * on the others, if the whole graph is needed: to add reverse arcs, to remove arcs, or to round weights. */
gws_status gws__gwsg_read_ranks(struct gws__input *input, const struct gws_read_options *options,
                                struct gws_graph **names);

/* Writes a graph as .gwsg, whole or not at all. "-" is standard output. A final .gz in the name compresses the file. */
gws_status gws__gwsg_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                           struct gws_diagnostic *where);

/* ---- the head ---- */

/* Sections by kind, which the file numbers from 1. */
enum gws__gwsg_kind {
    GWS__GWSG_OFFSET,
    GWS__GWSG_TARGET,
    GWS__GWSG_WEIGHT,
    GWS__GWSG_POSITION,
    GWS__GWSG_ID,
    GWS__GWSG_REAL,
    GWS__GWSG_NAME,
    GWS__GWSG_TEXT,
    GWS__GWSG_ORDER
};
enum { GWS__GWSG_KINDS = GWS__GWSG_ORDER + 1 };

struct gws__gwsg_head {
    bool directed;
    bool present[GWS__GWSG_KINDS];
    uint64_t vertices, arcs, first_id;
    uint64_t text_bytes; /* bytes of section 8 */
    uint64_t size;       /* bytes of the file */
    struct gws__section section[GWS__GWSG_KINDS];
};

/* The bytes of one item of each section. */
extern const uint32_t gws__gwsg_item[GWS__GWSG_KINDS];

/* Sets offset and length of every present section, and the file's size, from vertices and arcs. Returns false if a
 * size overflows. */
bool gws__gwsg_head_layout(struct gws__gwsg_head *head);

/* gws__gwsg_head_encode() encodes a head whose sections have offsets, with its checksum. gws__gwsg_head_decode()
 * decodes a head from the first `have` bytes of a file. Its errors have a message: GWS_UNKNOWN_FORMAT, GWS_TRUNCATED,
 * GWS_UNSUPPORTED, GWS_CORRUPT, GWS_TOO_LARGE. A decoded head is consistent: every section lies at its only possible
 * offset, within size. */
void gws__gwsg_head_encode(const struct gws__gwsg_head *head, unsigned char page[GWS__NATIVE_PAGE]);
gws_status gws__gwsg_head_decode(const unsigned char *page, uint64_t have, const struct gws__input *input,
                                 struct gws__gwsg_head *head);

/* The rule of each section. */
struct gws__gwsg_rule {
    const char *name, *wrong; /* the section's name, and the message if it is invalid */
    bool (*is_valid)(const struct gws_graph *graph, uint64_t begin, uint64_t end); /* NULL: any bytes are valid */
};
extern const struct gws__gwsg_rule gws__gwsg_rule[GWS__GWSG_KINDS];

/* Checks a section, of which `data` is a copy or a map and `view` the graph: checksum and rule. */
gws_status gws__gwsg_check_section(const struct gws__input *input, const struct gws__gwsg_head *head, int kind,
                                   const void *data, const struct gws_graph *view);

/* The failures of a section. */
gws_status gws__gwsg_fail_checksum(const struct gws__input *input, int kind);
gws_status gws__gwsg_fail_gap(const struct gws__input *input, uint64_t byte);

/* Checks that the names, or ids with an order of their own, ascend in this order. */
gws_status gws__gwsg_check_order(const struct gws__input *input, const struct gws_graph *view);

/* ---- names and ids: the structure of items begin .. end - 1 of sections 7, 8 and 9 ---- */

bool gws__gwsg_names_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end);
bool gws__gwsg_text_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end);
bool gws__gwsg_order_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end);

/* Reads the ids and names of a plain file into a graph with its vertices, and checks them unless they are trusted. */
gws_status gws__gwsg_read_names(const struct gws__input *input, const struct gws__gwsg_head *head, bool trust,
                                struct gws_graph *names);

/* Sets *ascend to true if the names, or the ids of a graph without names, ascend strictly in their order. Then all of
 * them are different, and the order has every vertex. The caller has checked the structure of the sections. Errors:
 * GWS_CANCELLED. */
gws_status gws__gwsg_names_ascend(struct gws_runtime *runtime, const struct gws_graph *graph, bool *ascend);

#endif
