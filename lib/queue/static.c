/* SPDX-License-Identifier: MIT */
/* Equal contiguous parts, one for each worker, never rebalanced: the baseline against which stealing is judged
 * (Cederman and Tsigas, GPU Computing Gems 2011, section 35.3.1).
 *
 * State: a range for each worker, emptied by its owner alone, so nothing is atomic. */
#include <stdalign.h>

#include "container.h"

struct part {
    alignas(128) struct gws_range left;
};

static uint32_t static_fill(void *state, const struct gws_cut *cut)
{
    struct part *part = state;
    uint64_t each = cut->count / cut->workers, longer = cut->count % cut->workers, begin = 0;
    for (uint32_t w = 0; w < cut->workers; w++) {
        uint64_t end = begin + each + (w < longer);
        part[w].left = (struct gws_range){begin, end};
        begin = end;
    }
    return cut->workers;
}

static enum gws_grab static_pop(void *state, uint32_t worker, struct gws_range *out)
{
    struct part *mine = (struct part *)state + worker;
    if (mine->left.begin == mine->left.end) return GWS_GRAB_EMPTY;
    *out = mine->left;
    mine->left.begin = mine->left.end;
    return GWS_GRAB_TOOK;
}

const struct gws_container gws__container_static = {true, 0, sizeof(struct part), static_fill, static_pop, NULL};
