/* SPDX-License-Identifier: MIT */
/* Equal contiguous parts, one for each worker, without stealing. This is the baseline for stealing (Cederman and
 * Tsigas, GPU Computing Gems 2011, section 35.3.1).
 *
 * State: a range for each worker. Only the owner of a range empties it, so no member is atomic. */
#include <stdalign.h>

#include "work_queue.h"

struct static_part {
    alignas(128) struct gws_range left;
};

static uint32_t static_fill(void *state, const struct gws_loop_partition *partition)
{
    struct static_part *part = state;
    uint64_t each = partition->count / partition->workers, longer = partition->count % partition->workers, begin = 0;
    for (uint32_t w = 0; w < partition->workers; w++) {
        uint64_t end = begin + each + (w < longer);
        part[w].left = (struct gws_range){begin, end};
        begin = end;
    }
    return partition->workers;
}

static enum gws_acquire static_pop(void *state, uint32_t worker, struct gws_range *out)
{
    struct static_part *mine = (struct static_part *)state + worker;
    if (mine->left.begin == mine->left.end) return GWS_ACQUIRE_EMPTY;
    *out = mine->left;
    mine->left.begin = mine->left.end;
    return GWS_ACQUIRED;
}

const struct gws_work_queue gws__work_queue_static = {true,        0,          sizeof(struct static_part),
                                                      static_fill, static_pop, NULL};
