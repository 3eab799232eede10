/* SPDX-License-Identifier: MIT */
/* orders.h with each order as weak as it may be. */
#define GWS_ORDER_CALLS gws__bfs_weakest
#include "orders.h"
