/* SPDX-License-Identifier: MIT */
/* Levels of breadth-first search on one worker, without atomic operations. */
#define GWS_HOST_SERIAL
#include "operator.h"
#include "state.h"

#include "../../engine/serial_body.h"

uint32_t gws__bfs_push_serial(struct engine *engine)
{
    return push_serial(engine);
}
