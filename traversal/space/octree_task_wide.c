/* SPDX-License-Identifier: MIT */
/* Running octants whose points have numbers of 64 bits. */
#define NUMBER uint64_t
#define INDEX index64
#define RUN gws__octree_run_wide
#include "octree_task_body.h"
