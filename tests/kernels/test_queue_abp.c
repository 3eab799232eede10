/* SPDX-License-Identifier: MIT */
/* kernels/queue/queue_abp.cl, and BFS over it, on the host. suite.h says what is tested. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
/* The texts build on each other in this order. */
#include "../../kernels/portability/host.h"
#include "../../kernels/hetero/trace_words.h"
#include "../../kernels/hetero/trace.cl"
#include "../../kernels/queue/queue_words.h"
#include "../../kernels/queue/queue_abp.cl"
#include "../../kernels/queue/take.cl"
#include "../../kernels/queue/group_push.cl"
#include "../../kernels/engine/direction.h"
#include "../../kernels/bfs/bfs.cl"
#include "../../kernels/bfs/bfs_level.cl"
#include "../../kernels/bfs/bfs_alone.cl"
#include "../../kernels/hetero/flags_words.h"
#include "../../kernels/hetero/flags.cl"
#include "../../kernels/bfs/bfs_shared.cl"
#include "suite.h"
/* clang-format on */
