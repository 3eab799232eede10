/* SPDX-License-Identifier: MIT */
#ifndef GWS_POOL_RANGES_H
#define GWS_POOL_RANGES_H

#include "tasks.h"

/* A runtime's state for loops whose policy has a container of tasks only. */
struct gws__ranges {
    struct gws_tasks tasks;
    struct gws__job job;
    uint32_t chunk; /* of the loop that runs */
};

/* gws__ranges_close() is due in both cases. */
gws_status gws__ranges_open(struct gws__pool *pool, struct gws__ranges *ranges);
void gws__ranges_close(struct gws__pool *pool, struct gws__ranges *ranges);

void gws__ranges_run(struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers);

#endif
