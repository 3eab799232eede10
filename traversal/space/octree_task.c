/* SPDX-License-Identifier: MIT */
#include "octree_state.h"
gws_status gws__octree_by_task(struct gws__octree_state *state)
{
    return gws__octree_sort(state);
}
