/* SPDX-License-Identifier: MIT */
/* shared_orders.h with each order as weak as it may be. */
#define GWS_ORDER_CALLS gws__bfs_weakest
#include "shared_orders.h"
