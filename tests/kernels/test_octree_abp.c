/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on the device's deques of Arora, Blumofe and Plaxton, as the host dialect plays them. */
#define GWS_GROUP_SIZE 1
#include "../harness.h"

#include "../../kernels/dialect_host.h"

#include "../../kernels/deque_words.h"

#include "../../kernels/deque_abp.cl"
#include "../../kernels/rank.cl"

#include "../../kernels/octree_words.cl"

#include "../../kernels/octree_tasks.cl"

#include "../../kernels/octree_points.cl"

#include "../../kernels/octree.cl"
#include "../../kernels/octree_steal.cl"

#include "octree.h"
