/* SPDX-License-Identifier: MIT */
#include "emulated_sssp.h"

#include <string.h>

static const struct {
    const char *name;
    const struct emulated_sssp_program *program;
} programs[] = {{"engine_sssp_parted", &emulated_sssp_word},
                {"engine_sssp_parents_parted", &emulated_sssp_word_parents},
                {"engine_sssp_long_parted", &emulated_sssp_long},
                {"engine_sssp_long_parents_parted", &emulated_sssp_long_parents},
                {"engine_sssp_double_parted", &emulated_sssp_double},
                {"engine_sssp_double_parents_parted", &emulated_sssp_double_parents}};

enum { count = sizeof programs / sizeof *programs };

static const struct emulated_sssp_program *built[2]; /* for distances and for parents, by the last search */

void emulated_sssp_build(const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(programs[i].name, name) == 0) built[i % 2] = programs[i].program;
}

/* The kernel of parents has a buffer of its own for its second array, where that of distances has any. */
void emulated_sssp_start(uint32_t device, const struct gws_device_launch *launch)
{
    const bool is_parents = launch->argument[5].buffer != launch->argument[6].buffer;
    built[is_parents]->start(device, launch);
}

bool emulated_sssp_ended(uint32_t device)
{
    bool all = true;
    for (int i = 0; i < count; i++) all = programs[i].program->ended(device) && all;
    return all;
}
