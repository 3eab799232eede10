/* SPDX-License-Identifier: MIT */
/* The report of gtask md on devices. */
#ifndef TOOLS_GTASK_MD_DEVICES_H
#define TOOLS_GTASK_MD_DEVICES_H

#include "../../traversal/md_device.h"
#include "task_sides.h"

/* md: NULL: the run was on the CPU, so there is nothing to print. */
void md_devices_print(const struct task_sides *sides, const struct gws_md_device *md, enum gws_md_schedule schedule,
                      FILE *out);

/* Prints the table of --stats: a row for each device. */
void md_devices_table(const struct task_sides *sides, const struct gws_md_device *md, FILE *out);

/* The members on_device, which is null unless there is one device, and sides, which is null unless there are several.
 */
void md_devices_json(const struct task_sides *sides, const struct gws_md_device *md, enum gws_md_schedule schedule,
                     struct json *json);

#endif
