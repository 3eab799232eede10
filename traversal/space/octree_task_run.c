/* SPDX-License-Identifier: MIT */
/* Processes the octants of octree_task.c, with point numbers of 32 bits (narrow) or 64 bits (wide). Workers divide
 * points in place, so the keys are the only memory beside the index. The division loses the order of the points, which
 * each leaf restores. When a device takes part, workers divide large octants stably. */
#include <stdlib.h>
#include <string.h>

#include "octree_state.h"

enum { insertion = 48 };

static inline unsigned digit_of(uint64_t key, uint64_t level)
{
    return (unsigned)(key >> (gws__octree_key_bits - 3 - 3 * level)) & 7;
}

/* Finds the range of each child's points. Returns the mask of the children that have points. */
static unsigned count_children(const struct gws__octree_work *work, const struct gws__octree_octant *octant,
                               uint64_t begin[8], uint64_t end[8])
{
    uint64_t size[8] = {0}, at = octant->begin;
    unsigned mask = 0;
    for (uint64_t i = octant->begin; i < octant->end; i++) size[digit_of(work->key[i], octant->level)]++;
    for (unsigned c = 0; c < 8; c++) {
        begin[c] = at;
        end[c] = at += size[c];
        mask |= (unsigned)(size[c] > 0) << c;
    }
    return mask;
}

#define NUMBER uint32_t
#define INDEX index32
#define OF_WIDTH(name) name##_narrow
#include "octree_task_body.h"

#define NUMBER uint64_t
#define INDEX index64
#define OF_WIDTH(name) name##_wide
#include "octree_task_body.h"
