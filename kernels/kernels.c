/* SPDX-License-Identifier: MIT */
/* Finding a program among those that the build embedded. */
#include "kernels.h"

#include <stddef.h>
#include <string.h>

const struct gws__kernel_program *gws__kernel_program_find(const char *name)
{
    for (const struct gws__kernel_program *program = gws__kernel_programs; program->name; program++)
        if (strcmp(program->name, name) == 0) return program;
    return NULL;
}
