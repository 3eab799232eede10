/* SPDX-License-Identifier: MIT */
/* What gbfs is asked for, and its command line. */
#ifndef TOOLS_GBFS_SETTINGS_H
#define TOOLS_GBFS_SETTINGS_H

#include "report.h"

struct settings {
    struct session_settings session;
    struct device_settings devices;
    struct device_choice choice; /* what devices says */
    struct picture_settings pictures;
    const char *source, *out;
    int direction, levels, index;
};

#define SETTINGS_NONE                                                                                                  \
    {                                                                                                                  \
        .source = "random", .session.engine.repeat = 1, .devices = DEVICE_SETTINGS_NONE                                \
    }

/* Reads the command line: -1, or the status to exit with. *graph is the operand. */
int settings_parse(struct settings *settings, int argc, char **argv, const char **graph);

/* The name of the direction. */
const char *settings_direction(const struct settings *settings);

#endif
