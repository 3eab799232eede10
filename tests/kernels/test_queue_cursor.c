/* SPDX-License-Identifier: MIT */
/* Emulates kernels/queue/queue_cursor.cl and BFS with this queue. suite.h has the tests. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../kernels/portability/host.h"
#include "../../kernels/hetero/trace_words.h"
#include "../../kernels/hetero/trace.cl"
#include "../../kernels/queue/queue_words.h"
#include "../../kernels/queue/queue_cursor.cl"
#include "../../kernels/queue/acquire.cl"
#include "../../kernels/queue/group_push.cl"
#include "../../kernels/engine/direction.h"
#include "../../kernels/engine/record_words.h"
#include "../../kernels/bfs/bfs_words.h"
#include "../../kernels/bfs/bfs.cl"
#include "../../kernels/bfs/bfs_level.cl"
#include "../../kernels/bfs/bfs_device_only.cl"
#include "../../kernels/hetero/flags.h"
#include "../../kernels/bfs/bfs_shared.cl"
#include "suite.h"
/* clang-format on */
