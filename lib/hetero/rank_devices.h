/* SPDX-License-Identifier: MIT */
/* The devices of all ranks as one group (task_group.h): their kernels run at the same time and steal from each other
 * (kernels/task/across.cl), without the hosts. This requires that all ranks run on one host and share memory, that each
 * has one device of its own as its only side, and that each device's kernels can use the memory of the others, which
 * other processes own. */
#ifndef GWS_LIB_HETERO_RANK_DEVICES_H
#define GWS_LIB_HETERO_RANK_DEVICES_H

#include "task_sides.h"

/* Runs the tasks of all ranks. Returns false, and has run nothing, if the devices are no such group; the same on all
 * ranks. Collective. The memory stays mapped, because that takes milliseconds. call->result and ranks->stats are
 * written on success only. *status and the message in *where are those of all ranks. */
bool gws__rank_devices_run(const struct gws__sides_call *call, const struct gws_ranks *ranks, gws_status *status,
                           struct gws_diagnostic *where);

/* Ends the group of the device, if there is one: collective then. */
void gws__rank_devices_close(struct gws_device_tasks *tasks);

#endif
