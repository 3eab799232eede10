/* SPDX-License-Identifier: MIT */
/* The native binary CSR file, `.gwsg`: the arrays of a gws_graph as they lie in memory, so that a graph is read without
 * parsing, or mapped.
 *
 * Layout (version 1). Every number is little-endian. The file is a head of 4096 bytes, then the sections in the order
 * of the table, each beginning at a multiple of 4096; the gaps between them and the end of the head are zero bytes, and
 * the file ends with the last section's last byte.
 *
 *   bytes  what
 *   0..7   magic: 0x89 'G' 'W' 'S' 'G' 0x0d 0x0a 0x1a (a transfer as text or of 7 bits breaks it, as in PNG)
 *   8      uint32 version: 1. A reader refuses a larger one.
 *   12     uint32 flags: bit 0 directed. Not directed: every arc has its twin, as in struct gws_graph. Others are 0.
 *   16     uint64 vertices, below 2^32
 *   24     uint64 arcs
 *   32     uint64 first_id: without an id section, vertex v is called first_id + v
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
 * Kinds come in ascending order, each once. A section's checksum is the XXH3-64 of the XXH3-64s (as little-endian
 * uint64) of its blocks of 1 MiB, the last one shorter: so blocks are checked in parallel. XXH3 is Y. Collet's
 * (xxhash 0.8, seed 0). */
#ifndef GWS_IO_GWSG_GWSG_H
#define GWS_IO_GWSG_GWSG_H

#include <stdbool.h>

#include "../../lib/graph.h"
#include "../../lib/parallel.h"
#include "../../lib/status.h"
#include "../graph_io.h"
#include "../input/input.h"

/* The eight bytes that a .gwsg file starts with. */
#define GWS__GWSG_MAGIC "\x89GWSG\r\n\x1a"

/* Reads a .gwsg file. It is read into memory, a plain file in parallel; with options->mapped a plain file is mapped,
 * and served from there until the graph is destroyed. Unless options->trust, every checksum, every padding byte, the
 * structure (offsets, targets in range, rows ascending, ids ascending) and the twins of a graph that is not directed
 * are checked in parallel (twins as by gws__twins_check()), so that no file can lead a traversal astray, also if it
 * changes afterwards; with it only the head and the sections' bounds are. A map has no such promise: it shows what
 * others write to the file, and raises SIGBUS where they have shortened it. options (may be NULL) hold as for every
 * format, but for positions, which gws_graph_read() adds. Errors: GWS_SYSTEM, GWS_UNKNOWN_FORMAT (wrong magic),
 * GWS_UNSUPPORTED (newer version, big-endian host), GWS_TRUNCATED, GWS_CORRUPT, GWS_TOO_LARGE, GWS_INVALID
 * (options->mapped, and it is no plain file), GWS_NO_MEMORY. */
gws_status gws__gwsg_read(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                          struct gws_graph **graph, struct gws_where *where);

/* The same from an input that stands at its magic, and stays the caller's to close. */
gws_status gws__gwsg_read_input(struct gws__input *input, const struct gws_read_options *options,
                                struct gws_graph **graph, struct gws_where *where);

/* Writes a graph as .gwsg, whole or not at all; "-" is standard output, a name that ends in .gz is compressed. */
gws_status gws__gwsg_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                           struct gws_where *where);

/* The head of a .gwsg file (gwsg.h has the layout) between bytes and a struct. */

enum { GWS__GWSG_PAGE = 4096, GWS__GWSG_VERSION = 1 };

/* Sections by kind; the file numbers them from 1. */
enum gws__gwsg_kind { GWS__GWSG_OFFSET, GWS__GWSG_TARGET, GWS__GWSG_WEIGHT, GWS__GWSG_POSITION, GWS__GWSG_ID };
enum { GWS__GWSG_KINDS = GWS__GWSG_ID + 1 };

struct gws__gwsg_section {
    bool present;
    uint64_t offset; /* in the file */
    uint64_t bytes;
    uint64_t checksum;
};

struct gws__gwsg_head {
    bool directed;
    uint64_t vertices;
    uint64_t arcs;
    uint64_t first_id;
    uint64_t size; /* of the file */
    struct gws__gwsg_section section[GWS__GWSG_KINDS];
};

/* "offset", "target" ... for messages. */
const char *gws__gwsg_kind_name(enum gws__gwsg_kind kind);

/* Sets place and length of every section that is present, and the file's size, from vertices and arcs. False if a size
 * overflows. */
bool gws__gwsg_head_place(struct gws__gwsg_head *head);

/* Bytes of a placed head, checksum included; and back. Decoding answers GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED,
 * GWS_CORRUPT or GWS_TOO_LARGE with file and message in where; a decoded head is consistent in itself: every section
 * lies where it must, within size. */
void gws__gwsg_head_encode(const struct gws__gwsg_head *head, unsigned char page[GWS__GWSG_PAGE]);
gws_status gws__gwsg_head_decode(const unsigned char page[GWS__GWSG_PAGE], const char *path,
                                 struct gws__gwsg_head *head, struct gws_where *where);

/* Compares only the first bytes (size of them) with the magic: GWS_UNKNOWN_FORMAT, GWS_TRUNCATED if they end too early
 * for a head. */
gws_status gws__gwsg_head_begins(const unsigned char *bytes, uint64_t size, const char *path, struct gws_where *where);

/* Checksums and structure of .gwsg sections, block by block on all workers. */

/* XXH3-64 of a few bytes. */
uint64_t gws__gwsg_sum_bytes(const void *bytes, uint64_t size);

/* The array of a graph that a section holds, or NULL. */
const void *gws__gwsg_array(const struct gws_graph *graph, enum gws__gwsg_kind kind);

/* The checksum of a section of that many bytes, and in sound (may be NULL: not looked at) whether the array is what the
 * graph needs: offsets ascend from 0 to arcs, targets are in range and ascend in their rows, ids ascend strictly; the
 * others always are. Offsets must have been found sound before targets are looked at. Each byte is read once.
 * GWS_NO_MEMORY. */
gws_status gws__gwsg_scan(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws__gwsg_kind kind,
                          uint64_t bytes, uint64_t *checksum, bool *sound);

/* A graph without self-loops or without parallel arcs, for inputs that come as CSR and not as edges. */

/* Puts in *graph's place the same graph without loops (if asked) and with one of each run of parallel arcs, the one of
 * least weight (if asked); nothing is done when there are none. On failure *graph stays. GWS_NO_MEMORY. */
gws_status gws__graph_prune(struct gws_runtime *runtime, bool loops, bool duplicates, struct gws_graph **graph);

#endif
