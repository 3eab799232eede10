/* SPDX-License-Identifier: MIT */
/* The options of gtask master-slave and gsim master-slave. */
#ifndef TOOLS_GTASK_MASTER_SLAVE_STATE_H
#define TOOLS_GTASK_MASTER_SLAVE_STATE_H

#include "../../workloads/master_slave.h"
#include "../common/json.h"
#include "../common/options.h"

struct master_slave_state {
    struct gws_master_slave_options options;
    struct gws_master_slave_result result;
    int await;
};

enum { MASTER_SLAVE_ROWS = 6, MASTER_SLAVE_RESULTS = 3 };
extern const struct option_row master_slave_row[MASTER_SLAVE_ROWS]; /* with destinations in the state */
extern const struct master_slave_state master_slave_initial;
extern const struct json_field master_slave_parameter[MASTER_SLAVE_ROWS], master_slave_found[MASTER_SLAVE_RESULTS];

/* As the description, the finding and the check of a workload (workload.h). */
extern const char master_slave_description[], master_slave_finding[];
int master_slave_check(void *context);

#endif
