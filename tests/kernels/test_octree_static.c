/* SPDX-License-Identifier: MIT */
/* Octrees by tasks by the static scheme, as the host dialect plays them. */
#define GWS_GROUP_SIZE 1
#include "../harness.h"

#include "../../kernels/dialect_host.h"

#include "../../kernels/deque_words.h"

#include "../../kernels/deque_static.cl"
#include "../../kernels/rank.cl"

#include "../../kernels/octree_words.cl"

#include "../../kernels/octree_tasks.cl"

#include "../../kernels/octree_points.cl"

#include "../../kernels/octree.cl"
#include "../../kernels/octree_static.cl"

#include "octree.h"
