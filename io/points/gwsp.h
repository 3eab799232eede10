/* SPDX-License-Identifier: MIT */
/* .gwsp, our own file of points: arrays as they are in memory, each at a multiple of 4096 bytes, so that the file is
 * read without parsing, or mapped. All numbers are little-endian.
 *
 *   byte  0  magic: 0x89 "GWSP\r\n" 0x1a    24  arrays (u32): x, y, z and the columns
 *         8  version (u32), 1              32  size of the whole file (u64)
 *        12  flags (u32), 0                40  checksum of the head with this field 0 (u64)
 *        16  points (u64)                  48  0
 *        64  an entry of 96 bytes for each array: name (48 bytes, ends in 0), kind (u32, see enum gws_number_kind),
 *            0 (u32), place in the file (u64), bytes (u64), checksum (u64), 0
 * The head ends at a multiple of 4096. The first three arrays are called x, y and z and are all f32 or all f64. Arrays
 * lie in their order, with zeros between them, as close as they can; so counts, kinds and names fix every other number
 * but the checksums. Checksums are XXH3-64: of a head, its bytes; of an array, the checksums of its blocks of 1 MiB. */
#ifndef GWS_IO_POINTS_GWSP_H
#define GWS_IO_POINTS_GWSP_H

#include "../../lib/points.h"

#define GWS__GWSP_MAGIC "\x89GWSP\r\n\x1a"

enum { GWS__GWSP_PAGE = 4096, GWS__GWSP_FIXED = 64, GWS__GWSP_ENTRY = 96, GWS__GWSP_VERSION = 1 };

/* One array of a file. */
struct gws__gwsp_array {
    char name[GWS_POINTS_NAME];
    enum gws_number_kind kind;
    uint64_t place, bytes, checksum;
};

struct gws__gwsp {
    uint64_t count, size, head_bytes;
    uint32_t arrays;
    struct gws__gwsp_array array[3 + GWS_POINTS_COLUMNS];
};

/* Fills in places and sizes from count, arrays and kinds. False if a size overflows. */
bool gws__gwsp_place(struct gws__gwsp *file);

/* Writes the head's head_bytes bytes, checksum and all. */
void gws__gwsp_encode(const struct gws__gwsp *file, unsigned char *head);

/* The bytes that the head at hand has, of which the first GWS__GWSP_FIXED are there. */
gws_status gws__gwsp_begin(const unsigned char *fixed, uint64_t have, const char *path, uint64_t *head_bytes,
                           struct gws_where *where);

/* Reads a head; again has room for head_bytes. GWS_CORRUPT, GWS_UNSUPPORTED. */
gws_status gws__gwsp_decode(const unsigned char *head, uint64_t head_bytes, const char *path, unsigned char *again,
                            struct gws__gwsp *file, struct gws_where *where);

/* The checksum of an array, on all workers. GWS_NO_MEMORY. */
gws_status gws__gwsp_sum(struct gws_runtime *runtime, const void *bytes, uint64_t size, uint64_t *sum);

#endif
