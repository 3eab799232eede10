/* SPDX-License-Identifier: MIT */
/* Compiles octree_tasks_deques.h with ABP deques. */
#define GWS_GROUP_SIZE 1
#define GWS_WORKER gws__octree_worker_abp
#include "../../../kernels/portability/host.h"

#include "../../../kernels/queue/deque_words.h"

#include "../../../kernels/queue/deque_abp.cl"

#include "octree_tasks_deques.h"
