/* SPDX-License-Identifier: MIT */
/* kernels/queue_cursor.cl, and BFS over it, on the host. suite.h says what is tested. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
/* The texts build on each other in this order. */
#include "../../kernels/dialect_host.h"
#include "../../kernels/queue_words.h"
#include "../../kernels/queue_cursor.cl"
#include "../../kernels/take.cl"
#include "../../kernels/push.cl"
#include "../../kernels/bfs.cl"
#include "../../kernels/bfs_alone.cl"
#include "../../kernels/bfs_bridged.cl"
#include "../../kernels/bfs_shared.cl"
#include "suite.h"
/* clang-format on */
