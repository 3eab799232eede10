/* SPDX-License-Identifier: MIT */
/* octree_tasks_worker_body.h with the container chunked. */
#define GWS_HOST_WORKER
#define GWS_GROUP_SIZE 1
#define GWS_WORKER_CALLS gws__octree_worker_chunked
#include "../../../kernels/portability/host.h"

#include "../../../kernels/queue/deque_words.h"

#define group_id() 0u /* of kernels, which the workers call none of */
#define group_count() 1u
#include "../../../kernels/queue/deque_chunked.cl"

#include "octree_tasks_worker_body.h"
