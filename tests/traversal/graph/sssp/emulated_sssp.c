/* SPDX-License-Identifier: MIT */
#include "emulated_sssp.h"

bool emulated_sssp_real;

static const struct emulated_sssp_program *const programs[2][2] = {
    {&emulated_sssp_long, &emulated_sssp_long_parents}, {&emulated_sssp_double, &emulated_sssp_double_parents}};

/* The kernel of parents has a buffer of its own for its second array, where that of distances has any. */
void emulated_sssp_start(uint32_t device, const struct gws_device_launch *launch)
{
    const bool is_parents = launch->argument[5].buffer != launch->argument[6].buffer;
    programs[emulated_sssp_real][is_parents]->start(device, launch);
}

bool emulated_sssp_ended(uint32_t device)
{
    bool all = true;
    for (int i = 0; i < 4; i++) all = programs[i / 2][i % 2]->ended(device) && all;
    return all;
}
