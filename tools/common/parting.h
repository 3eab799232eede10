/* SPDX-License-Identifier: MIT */
/* KIND:all: whether one device runs an algorithm alone, or a graph is parted among all devices. */
#ifndef TOOLS_COMMON_PARTING_H
#define TOOLS_COMMON_PARTING_H

#include "device.h"

/* The algorithms that part graphs. */
enum parting { PARTING_NONE, PARTING_BFS, PARTING_COMPONENTS, PARTING_RANKS, PARTING_PATHS };

/* Returns whether the list names all devices of a kind, so that the tool may choose one of them. */
bool parting_may_be_one(const struct device_choices *list);

/* Returns whether the device holds the graph and is expected to be faster alone than several such devices. */
bool parting_one_is_faster(enum parting algorithm, const struct gws_device *device, const struct gws_graph *graph);

/* Writes the choice of one device and its reason into text. */
void parting_describe(const struct gws_device *device, const struct gws_graph *graph, char *text, size_t size);

#endif
