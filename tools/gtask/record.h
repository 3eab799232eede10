/* SPDX-License-Identifier: MIT */
/* gtask --record: the tasks of a run in a file, for gsim recorded. */
#ifndef TOOLS_GTASK_RECORD_H
#define TOOLS_GTASK_RECORD_H

#include "workload.h"

struct record_options {
    const char *path; /* NULL: tasks are not recorded */
};

enum { RECORD_ROWS = 1 };
extern const struct option_row record_row[RECORD_ROWS];

/* Refuses tasks that do not run in the queues of this process alone. Return -1, or the exit status after reporting the
 * error. */
int record_check(const char *path, const struct workload *workload, const void *state, const struct ranks *ranks);
int record_begin(const char *path, struct gws_runtime *runtime);
int record_end(struct gws_runtime *runtime);

#endif
