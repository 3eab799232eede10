/* SPDX-License-Identifier: MIT */
/* shared_orders.h with every atomic sequentially consistent (the thesis's section 4.3.6). */
#define GWS_SEQ_CST
#define GWS_ORDER_CALLS gws__bfs_seq_cst
#include "shared_orders.h"
