/* SPDX-License-Identifier: MIT */
/* Runs the tests of test_queue_abp.c with sequentially consistent atomic operations only. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define GWS_SEQ_CST

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../kernels/portability/host.h"
#include "../../kernels/hetero/trace_words.h"
#include "../../kernels/hetero/trace.cl"
#include "../../kernels/queue/queue_words.h"
#include "../../kernels/queue/queue_abp.cl"
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
