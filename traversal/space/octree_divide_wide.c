/* SPDX-License-Identifier: MIT */
/* Dividing an octant, wide; see octree_deal.h. */
#include <string.h>

#include "octree_deal.h"

enum { least_twice = 128, least_thrice = 1 << 14 };

#define RECORD struct gws__octree_wide
#define NUMBER uint64_t
#define KEY(record, mask) ((record).key)
#define NUMBER_OF(record, mask) ((record).number)
#define REMAKE(state, record, count, level, mask) (void)0 /* never needed: the key has all levels */
#include "octree_divide_body.h"

gws__octree_sprout gws__octree_divide_wide(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                           struct gws__octree_wide *from, struct gws__octree_wide *to, uint64_t count,
                                           uint64_t place, unsigned level)
{
    struct divider divider = {.state = state, .arena = arena, .index = state->index64, .levels = GWS_OCTREE_DEPTH};
    return divide(&divider, from, to, count, place, level, 0);
}
