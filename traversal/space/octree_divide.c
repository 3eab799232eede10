/* SPDX-License-Identifier: MIT */
/* Dividing an octant, narrow; see octree_deal.h. */
#include <string.h>

#include "octree_deal.h"

enum { least_twice = 128, least_thrice = 1 << 14 };

static uint64_t key_of(const struct gws__octree_state *state, uint64_t point)
{
    uint64_t key;
    gws__octree_keys(&state->grid, state->points, point, 1, &key);
    return key;
}

/* Gives records a new base, the octant of that level they all lie in. */
static void remake(const struct gws__octree_state *state, gws__octree_narrow *record, uint64_t count, unsigned level,
                   uint64_t mask)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = record[i] & mask;
        record[i] = (key_of(state, number) << (3 * level + 1) & ~mask) | number;
    }
}

#define RECORD gws__octree_narrow
#define NUMBER uint32_t
#define KEY(record, mask) ((record) & ~(mask))
#define NUMBER_OF(record, mask) ((uint32_t)((record) & (mask)))
#define REMAKE remake
#include "octree_divide_body.h"

gws__octree_sprout gws__octree_divide_narrow(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                             gws__octree_narrow *from, gws__octree_narrow *to, uint64_t count,
                                             uint64_t place, unsigned level)
{
    uint64_t mask = gws__octree_number_mask(state->points->count);
    struct divider divider = {.state = state,
                              .arena = arena,
                              .index = state->index32,
                              .mask = mask,
                              .levels = gws__octree_record_levels(mask)};
    return divide(&divider, from, to, count, place, level, level);
}
