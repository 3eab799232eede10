/* SPDX-License-Identifier: MIT */
/* What goctree is asked for, and its command line. */
#ifndef TOOLS_GOCTREE_SETTINGS_H
#define TOOLS_GOCTREE_SETTINGS_H

#include "../common/device.h"
#include "../common/engine.h"

struct settings {
    struct engine_settings engine;
    /* the points */
    const char *format, *columns; /* NULL: found out */
    int precision, trust, mapped; /* an enum gws_precision */
    /* the tree */
    uint64_t leaf, max_depth;
    const char *box, *builder, *devices; /* devices: as --device lists them; NULL: the CPU's threads alone */
    struct device_choice choice;         /* what devices says */
    int drop;
    int form;                    /* an enum gws_octree_form; -1: not given */
    double low[3], high[3];      /* box, read */
    struct device_groups groups; /* of a device */
    uint64_t piece;              /* as well; 0: chosen */
    /* what comes out */
    const char *out, *nodes, *query, *answers, *picture;
    int picture_axis; /* the axis looked along; below 0: not said */
};

/* Reads the command line: -1, or the status to exit with. *points is the operand. */
int settings_parse(struct settings *settings, int argc, char **argv, const char **points);

/* The axis looked along: z unless another is said. */
int settings_axis(const struct settings *settings);

/* What the tree is to be like. */
struct gws_octree_options settings_tree(const struct settings *settings);

#endif
