/* SPDX-License-Identifier: MIT */
/* The report of gtask md on devices. */
#ifndef TOOLS_GTASK_MD_DEVICES_H
#define TOOLS_GTASK_MD_DEVICES_H

#include "../../traversal/md_device.h"
#include "task_sides.h"

/* Adds what the devices did in the last gws_md_device_run(), of `steps` steps, to sum[], which has an entry for each
 * device and holds `before` steps. */
void md_devices_add(const struct task_sides *sides, const struct gws_md_device *md, uint64_t before, uint64_t steps,
                    struct gws_md_device_stats *sum);

/* stats: an entry for each device, of which there are none if the run was on the CPU. */
void md_devices_print(const struct task_sides *sides, const struct gws_md_device_stats *stats,
                      enum gws_md_schedule schedule, FILE *out);

/* Prints the table of --stats: a row for each device. */
void md_devices_table(const struct task_sides *sides, const struct gws_md_device_stats *stats, FILE *out);

/* The members on_device, which is null unless there is one device, and sides, which is null unless there are several.
 */
void md_devices_json(const struct task_sides *sides, const struct gws_md_device_stats *stats,
                     enum gws_md_schedule schedule, struct json *json);

#endif
