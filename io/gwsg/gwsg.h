/* SPDX-License-Identifier: MIT */
/* The native binary CSR file, `.gwsg`: the arrays of a gws_graph in their memory layout. A graph is read without
 * parsing, or mapped.
 *
 * Layout (version 1). Every number is little-endian. The file has a head of 4096 bytes and then the sections in the
 * order of the table, each at a multiple of 4096. The gaps between them and the unused end of the head are zero. The
 * file ends with the last section's last byte.
 *
 *   bytes  what
 *   0..7   magic: 0x89 'G' 'W' 'S' 'G' 0x0d 0x0a 0x1a (a transfer as text or of 7 bits breaks it, as in PNG)
 *   8      uint32 version: 1. A reader refuses a larger one.
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
 *   5     id         uint64, vertices, strictly ascending; may be missing
 *
 * Kinds come in ascending order, each once. Checksums of sections are as in native.h. */
#ifndef GWS_IO_GWSG_GWSG_H
#define GWS_IO_GWSG_GWSG_H

#include "../graph_io.h"
#include "../native/native.h"

extern const struct gws__native gws__gwsg;

/* Reads a .gwsg file from an input that stands at its magic. The caller closes the input. The file is read into memory,
 * a plain file in parallel; with options->mapped a plain file is mapped instead, and the graph's arrays point into the
 * map until the graph is destroyed.
 *
 * Unless options->trust is set, workers check in parallel: every checksum, every padding byte, the structure (offsets,
 * targets in range, rows ascending, ids ascending) and the symmetry of an undirected graph (gws__symmetry_check()). A
 * checked copy in memory can never lead a traversal out of bounds, even if the file changes afterwards. With
 * options->trust only the head and the bounds of the sections are checked. A map gives no such guarantee: it shows
 * later writes to the file, and reading it raises SIGBUS after the file was shortened.
 *
 * The other options work as for every format, except options->positions, which gws_graph_read() handles. Errors:
 * GWS_SYSTEM, GWS_UNKNOWN_FORMAT (wrong magic), GWS_UNSUPPORTED (newer version, big-endian host), GWS_TRUNCATED,
 * GWS_CORRUPT, GWS_TOO_LARGE, GWS_INVALID (options->mapped, and the input is no plain file), GWS_NO_MEMORY. */
gws_status gws__gwsg_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph);

/* Writes a graph as .gwsg, whole or not at all. "-" is standard output. A name that ends in .gz is compressed. */
gws_status gws__gwsg_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                           struct gws_diagnostic *where);

/* ---- the head ---- */

/* Sections by kind; the file numbers them from 1. */
enum gws__gwsg_kind { GWS__GWSG_OFFSET, GWS__GWSG_TARGET, GWS__GWSG_WEIGHT, GWS__GWSG_POSITION, GWS__GWSG_ID };
enum { GWS__GWSG_KINDS = GWS__GWSG_ID + 1 };

struct gws__gwsg_head {
    bool directed;
    bool present[GWS__GWSG_KINDS];
    uint64_t vertices, arcs, first_id;
    uint64_t size; /* of the file */
    struct gws__section section[GWS__GWSG_KINDS];
};

/* Bytes of one item of a section. */
extern const uint32_t gws__gwsg_item[GWS__GWSG_KINDS];

/* Sets offset and length of every section that is present, and the file's size, from vertices and arcs. False if a size
 * overflows. */
bool gws__gwsg_head_layout(struct gws__gwsg_head *head);

/* Encodes a head whose sections have offsets, checksum included; and decodes it from the first `have` bytes of a file.
 * Decoding answers GWS_UNKNOWN_FORMAT, GWS_TRUNCATED, GWS_UNSUPPORTED, GWS_CORRUPT or GWS_TOO_LARGE with a message. A
 * decoded head is consistent: every section lies at its only possible offset, within size. */
void gws__gwsg_head_encode(const struct gws__gwsg_head *head, unsigned char page[GWS__NATIVE_PAGE]);
gws_status gws__gwsg_head_decode(const unsigned char *page, uint64_t have, const struct gws__input *input,
                                 struct gws__gwsg_head *head);

#endif
