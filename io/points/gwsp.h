/* SPDX-License-Identifier: MIT */
/* .gwsp, the library's file of points. The arrays have their memory layout, each at a multiple of 4096 bytes. The
 * reader needs no parsing and can map the file. All numbers are little-endian.
 *
 *   byte  0  magic: 0x89 "GWSP\r\n" 0x1a    24  arrays (u32): x, y, z and the columns
 *         8  version (u32), 1              32  size of the whole file (u64)
 *        12  flags (u32), 0                40  checksum of the head with this field 0 (u64)
 *        16  points (u64)                  48  0
 *        64  an entry of 96 bytes for each array: name (48 bytes, ends in 0), kind (u32, see enum gws_number_kind),
 *            0 (u32), offset in the file (u64), bytes (u64), checksum (u64), 0
 * The head ends at a multiple of 4096. The first three arrays are called x, y and z and are all f32 or all f64. Arrays
 * lie in the order of their entries, as close as possible, with zeros between them. So counts, kinds and names
 * determine all other numbers except the checksums. native.h defines the checksums. */
#ifndef GWS_IO_POINTS_GWSP_H
#define GWS_IO_POINTS_GWSP_H

#include "../../lib/points.h"
#include "../native/native.h"

enum { GWS__GWSP_FIXED = 64, GWS__GWSP_ENTRY = 96 };

/* One array of a file. */
struct gws__gwsp_array {
    char name[GWS_POINTS_NAME];
    enum gws_number_kind kind;
    struct gws__section section;
};

struct gws__gwsp {
    uint64_t count, size, head_bytes;
    uint32_t arrays;
    struct gws__gwsp_array array[3 + GWS_POINTS_COLUMNS];
};

/* Sets offsets and sizes from count, arrays and kinds. Returns false if a size overflows. */
bool gws__gwsp_layout(struct gws__gwsp *file);

/* Encodes head_bytes bytes of head, with the checksum. */
void gws__gwsp_encode(const struct gws__gwsp *file, unsigned char *head);

#endif
