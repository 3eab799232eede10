/* SPDX-License-Identifier: MIT */
/* Running octants whose points have numbers of 32 bits. */
#define NUMBER uint32_t
#define INDEX index32
#define RUN gws__octree_run_narrow
#include "octree_task_body.h"
