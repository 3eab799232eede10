/* SPDX-License-Identifier: MIT */
/* Compiles shared_orders.h with sequentially consistent atomics only (the thesis's section 4.3.6). */
#define GWS_SEQ_CST
#define GWS_ORDER_CALLS gws__bfs_seq_cst
#include "shared_orders.h"
