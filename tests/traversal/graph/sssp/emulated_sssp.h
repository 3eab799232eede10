/* SPDX-License-Identifier: MIT */
/* Emulated launches of the kernels of shortest paths on parted graphs (emulated_rounds.h). */
#ifndef GWS_TESTS_TRAVERSAL_EMULATED_SSSP_H
#define GWS_TESTS_TRAVERSAL_EMULATED_SSSP_H

#include "../../../../lib/device.h"

#include "../../engine/emulated_count.h"

struct emulated_sssp_program {
    void (*start)(uint32_t device, const struct gws_device_launch *launch); /* starts a device's groups, and returns */
    bool (*ended)(uint32_t device); /* returns whether no group of the device runs */
};

extern const struct emulated_sssp_program emulated_sssp_word, emulated_sssp_word_parents, emulated_sssp_long,
    emulated_sssp_long_parents, emulated_sssp_double, emulated_sssp_double_parents;

void emulated_sssp_build(const char *name); /* a program is built, whose launches follow */
void emulated_sssp_start(uint32_t device, const struct gws_device_launch *launch);
bool emulated_sssp_ended(uint32_t device);

#endif
