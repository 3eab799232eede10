/* SPDX-License-Identifier: MIT */
/* Compiles octree_tasks_deques.h with chunked deques. */
#define GWS_GROUP_SIZE 1
#define GWS_WORKER gws__octree_worker_chunked
#include "../../../kernels/portability/host.h"

#include "../../../kernels/queue/deque_words.h"

#include "../../../kernels/queue/deque_chunked.cl"

#include "octree_tasks_deques.h"
