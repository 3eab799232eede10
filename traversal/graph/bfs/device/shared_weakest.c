/* SPDX-License-Identifier: MIT */
/* Compiles shared_orders.h with the weakest order that each atomic allows. */
#define GWS_ORDER_CALLS gws__bfs_weakest
#include "shared_orders.h"
