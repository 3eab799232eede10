/* SPDX-License-Identifier: MIT */
/* The head of NumPy's .npy, version 1.0 (NEP 1): the magic, the length, a Python dictionary, and spaces up to a
 * multiple of 64 bytes, ending in a line feed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output.h"

enum { lead_bytes = 10, align = 64, max_length = 65535 };

gws_status gws__npy_head(struct gws_output *output, uint64_t rows, uint32_t fields, gws__npy_field *field,
                         const void *context)
{
    static const char descr[] = "{'descr': [";
    const char *name, *type;
    char end[80];
    uint64_t bare = lead_bytes + strlen(descr) + 1;
    bare += (uint64_t)snprintf(end, sizeof end, "], 'fortran_order': False, 'shape': (%" PRIu64 ",), }", rows);
    for (uint32_t i = 0; i < fields; i++) {
        field(context, i, &name, &type);
        bare += strlen("('', ''), ") + strlen(name) + strlen(type);
    }
    uint64_t padded = (bare + align - 1) / align * align, length = padded - lead_bytes;
    if (length > max_length) return GWS_TOO_LARGE;
    const char lead[lead_bytes] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)length, (char)(length >> 8)};
    gws_status status = gws_output_write(output, lead, sizeof lead);
    if (status == GWS_OK) status = gws_output_print(output, "%s", descr);
    for (uint32_t i = 0; i < fields && status == GWS_OK; i++) {
        field(context, i, &name, &type);
        status = gws_output_print(output, "('%s', '%s'), ", name, type);
    }
    return status == GWS_OK ? gws_output_print(output, "%s%*s", end, (int)(padded - bare) + 1, "\n") : status;
}
