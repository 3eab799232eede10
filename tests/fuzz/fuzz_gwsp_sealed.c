/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of .gwsp without its check of checksums. The target writes the head that follows from the counts,
 * names and kinds, and reads the file as trusted. */
#define _GNU_SOURCE
#include "../../io/points/gwsp.h"
#include "read_points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { few = 12 };

/* Writes the head that follows from the counts, names and kinds, if the arrays fit. Returns the required size of the
 * file. */
static size_t seal(uint8_t *bytes, size_t size, struct gws__gwsp *file)
{
    memcpy(&file->count, bytes + 16, 8);
    file->arrays = 3 + bytes[24] % (few - 2);
    for (uint32_t i = 0; i < file->arrays; i++) {
        const uint8_t *entry = bytes + GWS__GWSP_FIXED + (size_t)i * GWS__GWSP_ENTRY;
        struct gws__gwsp_array *array = &file->array[i];
        memcpy(array->name, entry, GWS_POINTS_NAME - 1);
        array->kind = (enum gws_number_kind)(entry[48] % (GWS_NUMBER_F64 + 1));
        if (i < 3) array->kind = bytes[12] & 1 ? GWS_NUMBER_F64 : GWS_NUMBER_F32;
        if (i < 3) memset(array->name, 0, sizeof array->name), array->name[0] = "xyz"[i];
    }
    if (!gws__gwsp_layout(file) || file->size > size) return size;
    gws__gwsp_encode(file, bytes);
    return file->size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gws_points_read_options options = {.format = GWS_POINTS_GWSP, .trust = true};
    if (size < GWS__NATIVE_PAGE) return 0;
    uint8_t *bytes = malloc(size);
    struct gws__gwsp *file = calloc(1, sizeof *file);
    fuzz_demand(bytes != NULL && file != NULL, "no memory");
    memcpy(bytes, data, size);
    size_t sealed = seal(bytes, size, file);
    options.precision = (enum gws_precision)(size % 3);
    fuzz_points_with(bytes, sealed, &options);
    free(file);
    free(bytes);
    return 0;
}
