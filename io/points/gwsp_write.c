/* SPDX-License-Identifier: MIT */
/* Writing points as .gwsp: the checksums first, since the head that holds them leads, then the arrays as they are. */
#include <string.h>

#include "gwsp.h"
#include "read.h"

/* Describes the file, checksums included. */
static gws_status describe(const struct gws__points_writing *writing, struct gws__gwsp *file)
{
    memset(file, 0, sizeof *file);
    file->count = writing->points->count;
    file->arrays = writing->fields;
    for (uint32_t i = 0; i < file->arrays; i++) {
        memcpy(file->array[i].name, writing->field[i].name, GWS_POINTS_NAME);
        file->array[i].kind = writing->field[i].kind;
    }
    if (!gws__gwsp_place(file)) return GWS_TOO_LARGE;
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < file->arrays && status == GWS_OK; i++)
        status =
            gws__gwsp_sum(writing->runtime, writing->field[i].data, file->array[i].bytes, &file->array[i].checksum);
    return status;
}

static gws_status write_head(const struct gws__points_writing *writing, const struct gws__gwsp *file)
{
    unsigned char *head = gws_allocate(writing->runtime, file->head_bytes, 1);
    if (!head) return GWS_NO_MEMORY;
    gws__gwsp_encode(file, head);
    gws_status status = gws_output_write(writing->output, head, file->head_bytes);
    gws_release(writing->runtime, head, file->head_bytes, 1);
    return status;
}

static gws_status write_file(const struct gws__points_writing *writing, struct gws__gwsp *file)
{
    static const unsigned char zero[GWS__GWSP_PAGE];
    gws_status status = describe(writing, file);
    if (status == GWS_OK) status = write_head(writing, file);
    uint64_t written = file->head_bytes;
    for (uint32_t i = 0; i < file->arrays && status == GWS_OK; i++) {
        status = gws_output_write(writing->output, zero, file->array[i].place - written);
        if (status == GWS_OK) status = gws_output_write(writing->output, writing->field[i].data, file->array[i].bytes);
        written = file->array[i].place + file->array[i].bytes;
    }
    return status;
}

gws_status gws__points_write_gwsp(const struct gws__points_writing *writing)
{
    static const uint16_t one = 1;
    if (memcmp(&one, "\1", 1) != 0)
        return gws_where_set(writing->where, GWS_UNSUPPORTED, writing->path, 0, 0,
                             ".gwsp files need a little-endian computer");
    struct gws__gwsp *file = gws_allocate(writing->runtime, 1, sizeof *file);
    gws_status status = file ? write_file(writing, file) : GWS_NO_MEMORY;
    gws_release(writing->runtime, file, 1, sizeof *file);
    if (status == GWS_NO_MEMORY || status == GWS_TOO_LARGE)
        gws_where_set(writing->where, status, writing->path, 0, 0, "%s", gws_status_text(status));
    return status;
}
