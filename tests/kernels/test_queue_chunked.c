/* SPDX-License-Identifier: MIT */
/* kernels/queue_chunked.cl, and BFS over it, on the host. suite.h says what is tested. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off: the texts build on each other in this order */
#include "../../kernels/bfs.cl"
#include "../../kernels/dialect_host.h"
#include "../../kernels/push.cl"
#include "../../kernels/queue_chunked.cl"
#include "../../kernels/queue_words.h"
#include "suite.h"
/* clang-format on */
