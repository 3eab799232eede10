/* SPDX-License-Identifier: MIT */
/* Emulates octrees by tasks on the device's chunked deques. octree.h has the tests. */
#define GWS_GROUP_SIZE 1
#include "../harness.h"

#include "../../kernels/portability/host.h"

#include "../../kernels/hetero/trace_words.h"

#include "../../kernels/hetero/trace.cl"

#include "../../kernels/queue/deque_words.h"

#include "../../kernels/octree/octree_words.h"
#include "../../kernels/octree/rank.cl"
#include "../../kernels/queue/deque_chunked.cl"

#include "../../kernels/octree/octree_words.cl"

#include "../../kernels/octree/octree_tasks.cl"

#include "../../kernels/octree/octree.cl"
#include "../../kernels/octree/octree_steal.cl"

#include "octree.h"
