/* SPDX-License-Identifier: MIT */
/* A library with the functions of LASzip that the reader of LAZ files calls. Its "compression" inverts every bit of the
 * points. The number 104 of the head's point format has LASzip's bit. The first character of the head's system
 * identifier (byte 26) tells what fails: 'o' opening, 's' seeking, 'r' reading point 70000. STUB_LASZIP_VERSION is the
 * version. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../io/points/laszip.h"

#define EXPORT __attribute__((visibility("default")))

enum { head_bytes = 227, failing_point = 70000, max_record = 1024 };

struct reader {
    FILE *file;
    long begin;
    int64_t next;
    unsigned format, record;
    char fails;
    struct gws__laszip_point point;
    unsigned char extra[max_record];
};

static const struct {
    unsigned bytes, time, colour, infrared;
} layout[] = {{20, 0, 0, 0},  {28, 20, 0, 0},  {26, 0, 20, 0},   {34, 20, 28, 0}, {57, 20, 0, 0},  {63, 20, 28, 0},
              {30, 22, 0, 0}, {36, 22, 30, 0}, {38, 22, 30, 36}, {59, 22, 0, 0},  {67, 22, 30, 36}};

EXPORT int32_t laszip_get_version(uint8_t *major, uint8_t *minor, uint16_t *revision, uint32_t *build);
EXPORT int32_t laszip_create(void **reader);
EXPORT int32_t laszip_destroy(void *reader);
EXPORT int32_t laszip_get_error(void *reader, char **message);
EXPORT int32_t laszip_open_reader(void *reader, const char *path, int *is_compressed);
EXPORT int32_t laszip_get_point_pointer(void *reader, struct gws__laszip_point **point);
EXPORT int32_t laszip_seek_point(void *reader, int64_t index);
EXPORT int32_t laszip_read_point(void *reader);

int32_t laszip_get_version(uint8_t *major, uint8_t *minor, uint16_t *revision, uint32_t *build)
{
    const char *version = getenv("STUB_LASZIP_VERSION");
    *major = version ? (uint8_t)atoi(version) : 3;
    *minor = 4;
    *revision = 3;
    *build = 0;
    return 0;
}

int32_t laszip_create(void **reader)
{
    *reader = calloc(1, sizeof(struct reader));
    return *reader ? 0 : 1;
}

int32_t laszip_destroy(void *reader)
{
    struct reader *own = reader;
    if (own->file) fclose(own->file);
    free(own);
    return 0;
}

int32_t laszip_get_error(void *reader, char **message)
{
    static char text[] = "the stub says why";
    (void)reader;
    *message = text;
    return 0;
}

int32_t laszip_open_reader(void *reader, const char *path, int *is_compressed)
{
    struct reader *own = reader;
    unsigned char head[head_bytes];
    own->file = fopen(path, "rb");
    if (!own->file || fread(head, 1, sizeof head, own->file) != sizeof head || head[26] == 'o') return 1;
    own->fails = (char)head[26];
    own->begin = head[96] + 256 * head[97] + 8; /* after the place of the table of chunks */
    own->format = head[104] & 0x3fU;
    own->record = head[105] + 256U * head[106];
    *is_compressed = head[104] >> 7;
    return fseek(own->file, own->begin, SEEK_SET);
}

int32_t laszip_get_point_pointer(void *reader, struct gws__laszip_point **point)
{
    struct reader *own = reader;
    *point = &own->point;
    return 0;
}

int32_t laszip_seek_point(void *reader, int64_t index)
{
    struct reader *own = reader;
    own->next = index;
    return own->fails == 's' ? 1 : fseek(own->file, own->begin + (long)index * (long)own->record, SEEK_SET);
}

/* The fields that differ between short and long point formats. */
static void unpack(struct reader *own, const unsigned char *row)
{
    struct gws__laszip_point *point = &own->point;
    if (own->format < 6) {
        point->returns = row[14];
        point->classification = row[15];
        point->scan_angle = (int8_t)row[16];
        memcpy(&point->point_source, row + 18, 2);
        return;
    }
    point->long_returns = row[14];
    point->flags = (uint8_t)(1 | (row[15] >> 4 & 3) << 2 | (row[15] & 15) << 4);
    point->returns = row[15] & 0xc0;
    point->long_class = row[16];
    memcpy(&point->long_scan_angle, row + 18, 2);
    memcpy(&point->point_source, row + 20, 2);
}

int32_t laszip_read_point(void *reader)
{
    struct reader *own = reader;
    struct gws__laszip_point *point = &own->point;
    unsigned char row[max_record];
    if (own->fails == 'r' && own->next == failing_point) return 1;
    if (own->record > sizeof row || fread(row, 1, own->record, own->file) != own->record) return 1;
    for (unsigned i = 0; i < own->record; i++) row[i] = (unsigned char)~row[i];
    memcpy(&point->x, row, 12);
    memcpy(&point->intensity, row + 12, 2);
    point->user_data = row[17];
    unpack(own, row);
    if (layout[own->format].time) memcpy(&point->gps_time, row + layout[own->format].time, 8);
    if (layout[own->format].colour) memcpy(point->colour, row + layout[own->format].colour, 6);
    if (layout[own->format].infrared) memcpy(&point->colour[3], row + layout[own->format].infrared, 2);
    point->extra_count = (int32_t)(own->record - layout[own->format].bytes);
    point->extra = own->extra;
    memcpy(own->extra, row + layout[own->format].bytes, (size_t)point->extra_count);
    own->next++;
    return 0;
}
