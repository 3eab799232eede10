/* SPDX-License-Identifier: MIT */
/* The library uses a .gwsp file in place, in a copy in memory or in a map. The decoder encodes the decoded head again
 * and compares the result with the file's head. So the decoder trusts no offset and no size of a file. */
#include "gwsp.h"

#include <string.h>

#include "reader.h"

static const struct gws__native gwsp = {".gwsp", "\x89GWSP\r\n\x1a", GWS__GWSP_FIXED, 40, 1};

static uint64_t head_of(uint64_t arrays)
{
    return (GWS__GWSP_FIXED + arrays * GWS__GWSP_ENTRY + GWS__NATIVE_PAGE - 1) & ~(uint64_t)(GWS__NATIVE_PAGE - 1);
}

bool gws__gwsp_layout(struct gws__gwsp *file)
{
    /* With this bound no sum below comes near 2^64. */
    if (file->count > UINT64_C(1) << 48) return false;
    file->size = file->head_bytes = head_of(file->arrays);
    for (uint32_t i = 0; i < file->arrays; i++)
        gws__native_append_section(&file->array[i].section, file->count * gws_number_bytes(file->array[i].kind),
                                   &file->size);
    return true;
}

void gws__gwsp_encode(const struct gws__gwsp *file, unsigned char *head)
{
    memset(head, 0, file->head_bytes);
    gws__native_begin(&gwsp, gwsp.version, head);
    gws__native_put(head + 16, file->count, 8);
    gws__native_put(head + 24, file->arrays, 4);
    gws__native_put(head + 32, file->size, 8);
    for (uint32_t i = 0; i < file->arrays; i++) {
        const struct gws__gwsp_array *array = &file->array[i];
        unsigned char *entry = head + GWS__GWSP_FIXED + (size_t)i * GWS__GWSP_ENTRY;
        memcpy(entry, array->name, strlen(array->name));
        gws__native_put(entry + 48, (uint64_t)array->kind, 4);
        gws__native_put(entry + 56, array->section.offset, 8);
        gws__native_put(entry + 64, array->section.bytes, 8);
        gws__native_put(entry + 72, array->section.checksum, 8);
    }
    gws__native_seal(&gwsp, head, file->head_bytes);
}

/* ---- reading ---- */

/* The state of opening a file. */
struct gwsp_file {
    struct gws__points_reading *reading;
    struct gws__gwsp file;
    struct gws__file_contents *contents;
};

/* Decodes the fields that determine all other fields. Returns false if a field is not valid. */
static bool decode_entries(const unsigned char *head, struct gws__gwsp *file)
{
    file->count = gws__native_get(head + 16, 8);
    file->arrays = (uint32_t)gws__native_get(head + 24, 4);
    for (uint32_t i = 0; i < file->arrays; i++) {
        const unsigned char *entry = head + GWS__GWSP_FIXED + (size_t)i * GWS__GWSP_ENTRY;
        struct gws__gwsp_array *array = &file->array[i];
        uint64_t kind = gws__native_get(entry + 48, 4);
        if (!memchr(entry, 0, GWS_POINTS_NAME) || kind > GWS_NUMBER_F64) return false;
        memcpy(array->name, entry, GWS_POINTS_NAME);
        array->kind = (enum gws_number_kind)kind;
        array->section.checksum = gws__native_get(entry + 72, 8);
        const char axis[2] = {"xyz"[i < 3 ? i : 0]};
        if (i < 3 && (memcmp(array->name, axis, 2) != 0 || array->kind != file->array[0].kind)) return false;
    }
    return file->array[0].kind >= GWS_NUMBER_F32;
}

static gws_status decode(struct gwsp_file *opening)
{
    const struct gws__points_reading *reading = opening->reading;
    struct gws__input *input = reading->input;
    const unsigned char *head = (const unsigned char *)reading->header.text;
    uint64_t have = (uint64_t)(reading->header.end - reading->header.text), head_bytes = 0;
    gws_status status = gws__native_check_begin(&gwsp, head, have, input);
    if (status != GWS_OK) return status;
    uint64_t arrays = gws__native_get(head + 24, 4);
    if (arrays < 3 || arrays > 3 + GWS_POINTS_COLUMNS)
        return gws__input_fail(reading->input, GWS_CORRUPT, 0, 0, "inconsistent head");
    head_bytes = head_of(arrays);
    if (have < head_bytes) return gws__file_contents_check_size(input, have, head_bytes);
    status = gws__native_check_head(&gwsp, head, head_bytes, input);
    if (status != GWS_OK) return status;
    unsigned char *again = gws_allocate(input->runtime, head_bytes, 1);
    if (!again) return GWS_NO_MEMORY;
    bool is_valid = decode_entries(head, &opening->file) && gws__gwsp_layout(&opening->file);
    if (is_valid) gws__gwsp_encode(&opening->file, again);
    is_valid = is_valid && memcmp(head, again, head_bytes) == 0;
    gws_release(input->runtime, again, head_bytes, 1);
    return is_valid ? GWS_OK : gws__input_fail(reading->input, GWS_CORRUPT, 0, 0, "inconsistent head");
}

static gws_status check_checksums(const struct gwsp_file *opening)
{
    const struct gws__points_reading *reading = opening->reading;
    const unsigned char *bytes = opening->contents->bytes;
    uint64_t end = opening->file.head_bytes, checksum = 0;
    for (uint32_t i = 0; i < opening->file.arrays; i++) {
        const struct gws__gwsp_array *array = &opening->file.array[i];
        const struct gws__section *section = &array->section;
        if (gws__native_find_nonzero(bytes, end, section->offset) < section->offset)
            return gws__input_fail(reading->input, GWS_CORRUPT, 0, 0, "the bytes before \"%s\" are not zero",
                                   array->name);
        end = section->offset + section->bytes;
        gws_status status = gws__native_checksum(reading->input->runtime, bytes + section->offset, section->bytes, NULL,
                                                 &checksum, NULL);
        if (status != GWS_OK) return status;
        if (checksum != section->checksum)
            return gws__input_fail(reading->input, GWS_CORRUPT, 0, 0, "the checksum of \"%s\" is wrong", array->name);
    }
    return GWS_OK;
}

static gws_status wrap_points(const struct gwsp_file *opening, struct gws_points *points)
{
    const struct gws__points_reading *reading = opening->reading;
    struct gws_runtime *runtime = reading->input->runtime;
    const struct gws__gwsp_array *array = opening->file.array;
    unsigned char *bytes = opening->contents->bytes;
    struct gws_points view = {.count = opening->file.count,
                              .is_double = array->kind == GWS_NUMBER_F64,
                              .x = bytes + array[0].section.offset,
                              .y = bytes + array[1].section.offset,
                              .z = bytes + array[2].section.offset,
                              .columns = opening->file.arrays - 3};
    view.column = gws_allocate(runtime, view.columns, sizeof *view.column);
    if (!view.column) return GWS_NO_MEMORY;
    array += 3;
    for (uint32_t i = 0; i < view.columns; i++) {
        view.column[i] = (struct gws_points_column){.kind = array[i].kind, .data = bytes + array[i].section.offset};
        memcpy(view.column[i].name, array[i].name, sizeof array->name);
    }
    gws_status status = gws_points_wrap(runtime, &view, gws__file_contents_free, opening->contents, points);
    gws_release(runtime, view.column, view.columns, sizeof *view.column);
    return status == GWS_INVALID ? gws__input_fail(reading->input, GWS_CORRUPT, 0, 0, "invalid column names") : status;
}

gws_status gws__points_read_gwsp(struct gws__points_reading *reading, struct gws_points *points)
{
    struct gws__input *input = reading->input;
    gws_status status = gws__native_check_host(&gwsp, input->name, input->where);
    if (status != GWS_OK) return status;
    struct gwsp_file *opening = gws_allocate(input->runtime, 1, sizeof *opening);
    if (!opening) return GWS_NO_MEMORY;
    opening->reading = reading;
    opening->contents = NULL;
    status = decode(opening);
    if (status == GWS_OK)
        status = gws__file_contents_read(input, opening->file.size, reading->options->mapped, &opening->contents);
    if (status == GWS_OK && !reading->options->trust) status = check_checksums(opening);
    if (status == GWS_OK) status = wrap_points(opening, points);
    if (status != GWS_OK) gws__file_contents_free(opening->contents);
    gws_release(input->runtime, opening, 1, sizeof *opening);
    return status;
}

/* ---- writing, where all checksums come first because the head precedes the arrays ---- */

static gws_status describe(const struct gws__points_writing *writing, struct gws__gwsp *file)
{
    file->count = writing->points->count;
    file->arrays = writing->fields;
    for (uint32_t i = 0; i < file->arrays; i++) {
        memcpy(file->array[i].name, writing->field[i].name, GWS_POINTS_NAME);
        file->array[i].kind = writing->field[i].kind;
    }
    gws_status status = gws__gwsp_layout(file) ? GWS_OK : GWS_TOO_LARGE;
    for (uint32_t i = 0; i < file->arrays && status == GWS_OK; i++) {
        struct gws__section *section = &file->array[i].section;
        status = gws__native_checksum(writing->runtime, writing->field[i].data, section->bytes, NULL,
                                      &section->checksum, NULL);
    }
    return status;
}

static gws_status write_file(const struct gws__points_writing *writing, struct gws__gwsp *file)
{
    gws_status status = describe(writing, file);
    if (status != GWS_OK) return status;
    uint64_t written = file->head_bytes;
    unsigned char *head = gws_allocate(writing->runtime, file->head_bytes, 1);
    if (!head) return GWS_NO_MEMORY;
    gws__gwsp_encode(file, head);
    status = gws_output_write(writing->output, head, file->head_bytes);
    gws_release(writing->runtime, head, file->head_bytes, 1);
    for (uint32_t i = 0; i < file->arrays && status == GWS_OK; i++) {
        gws_report_progress(writing->runtime, "writing", i, file->arrays);
        status = gws__native_write(writing->output, &file->array[i].section, writing->field[i].data, &written);
    }
    return status;
}

gws_status gws__points_write_gwsp(const struct gws__points_writing *writing)
{
    gws_status status = gws__native_check_host(&gwsp, writing->path, writing->where);
    if (status != GWS_OK) return status;
    struct gws__gwsp *file = gws_allocate(writing->runtime, 1, sizeof *file);
    status = file ? write_file(writing, file) : GWS_NO_MEMORY;
    gws_release(writing->runtime, file, 1, sizeof *file);
    if (status == GWS_NO_MEMORY || status == GWS_TOO_LARGE)
        gws_diagnostic_set(writing->where, status, writing->path, 0, 0, "%s", gws_status_text(status));
    return status;
}
