/* SPDX-License-Identifier: MIT */
/* Finds an embedded program by its name, and builds the program for a device. */
#include "kernels.h"

#include <stddef.h>
#include <string.h>

const struct gws__kernel_program *gws__kernel_program_find(const char *name)
{
    for (const struct gws__kernel_program *program = gws__kernel_programs; program->name; program++)
        if (strcmp(program->name, name) == 0) return program;
    return NULL;
}

gws_status gws__kernel_program_build(struct gws_device *device, const char *name, const char *options,
                                     struct gws_device_program **program, struct gws_diagnostic *where)
{
    const struct gws__kernel_program *found = gws__kernel_program_find(name);
    if (!found) return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "no program %s", name);
    struct gws_device_source source = {.name = found->name,
                                       .part = found->part,
                                       .parts = found->parts,
                                       .options = options,
                                       .image = found->image,
                                       .image_bytes = found->image_bytes};
    return gws_device_program_build(device, &source, program, where);
}
