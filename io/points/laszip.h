/* SPDX-License-Identifier: MIT */
/* The part of LASzip's C interface (laszip_api.h, version 3) that the reader of LAZ files calls. LASzip is loaded when
 * a LAZ file is read: neither the build nor the installed library depends on it.
 *
 * Every function returns 0, or another number if it failed. laszip_get_error() then has the message. */
#ifndef GWS_IO_POINTS_LASZIP_H
#define GWS_IO_POINTS_LASZIP_H

#include <stddef.h>
#include <stdint.h>

/* laszip_point_struct, with its bit fields as bytes: on little-endian machines the first bit field has the low bits. */
struct gws__laszip_point {
    int32_t x, y, z;
    uint16_t intensity;
    uint8_t returns;        /* return number (3 bits), number of returns (3), direction of scan, edge of flight line */
    uint8_t classification; /* class (5 bits), and three flags */
    int8_t scan_angle;
    uint8_t user_data;
    uint16_t point_source;
    /* point formats 6 to 10 */
    int16_t long_scan_angle;
    uint8_t flags; /* a type (2 bits), channel of the scanner (2), flags of the class (4) */
    uint8_t long_class;
    uint8_t long_returns; /* return number (4 bits), number of returns (4) */
    uint8_t padding[7];
    double gps_time;
    uint16_t colour[4]; /* red, green, blue, near infrared */
    uint8_t wave_packet[29];
    int32_t extra_count;
    uint8_t *extra;
};

_Static_assert(offsetof(struct gws__laszip_point, gps_time) == 32 &&
                   offsetof(struct gws__laszip_point, extra_count) == 80,
               "the layout of laszip_point_struct");

struct gws__laszip {
    int32_t (*get_version)(uint8_t *major, uint8_t *minor, uint16_t *revision, uint32_t *build);
    int32_t (*create)(void **reader);
    int32_t (*destroy)(void *reader);
    int32_t (*get_error)(void *reader, char **message);
    int32_t (*open_reader)(void *reader, const char *path, int *is_compressed);
    int32_t (*get_point_pointer)(void *reader, struct gws__laszip_point **point);
    int32_t (*seek_point)(void *reader, int64_t index);
    int32_t (*read_point)(void *reader);
};

#endif
