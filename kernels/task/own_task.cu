/* SPDX-License-Identifier: MIT */
/* The CUDA program for the source of a task (task.h). nvcc compiles it to the image of gws_device_tasks_open():
 *
 *     nvcc -fatbin -std=c++17 -I. -DTASK_SOURCE='"queens.cl"' own_task.cu -o queens.fatbin */
#include "../portability/cuda.h"
/* clang-format off */
#include "../hetero/trace_words.h"
#include "../hetero/trace.cl"
#include "task_words.h"
#include "../queue/deque_words.h"
#include "../queue/deque_chunked.cl"
#include "task.h"
#include TASK_SOURCE
#include "wide.h"
#include "blocks.cl"
#include "stack.cl"
#include "publish.cl"
#include "across.cl"
#include "task.cl"
/* clang-format on */
