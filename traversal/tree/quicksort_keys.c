/* SPDX-License-Identifier: MIT */
/* Keys to sort, addressed by number so that any worker can make any of them. */
#include "../../lib/parallel.h"
#include "../../lib/random.h"
#include "../quicksort.h"

enum { values_of_few = 16, grain = 1 << 16 };

struct keys {
    uint64_t *key;
    uint64_t count, seed;
    enum gws_quicksort_order order;
};

const char *gws_quicksort_order_at(uint32_t i)
{
    static const char *const name[] = {"random", "up", "down", "few", "equal"};
    return i < sizeof name / sizeof *name ? name[i] : NULL;
}

static uint64_t key_at(const struct keys *keys, uint64_t i)
{
    uint64_t draw = gws_random_at(keys->seed, i);
    switch (keys->order) {
    case GWS_QUICKSORT_UP:
        return i;
    case GWS_QUICKSORT_DOWN:
        return keys->count - 1 - i;
    case GWS_QUICKSORT_FEW:
        return draw % values_of_few;
    case GWS_QUICKSORT_EQUAL:
        return keys->seed;
    default:
        return draw;
    }
}

static void fill(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct keys *keys = context;
    for (uint64_t i = begin; i < end; i++) keys->key[i] = key_at(keys, i);
}

void gws_quicksort_fill(struct gws_runtime *runtime, enum gws_quicksort_order order, uint64_t seed, uint64_t *keys,
                        uint64_t count)
{
    struct keys made = {.key = keys, .count = count, .seed = seed, .order = order};
    struct gws_loop loop = {.count = count, .grain = grain, .body = fill, .context = &made, .aside = true};
    gws_parallel_run(runtime, &loop);
}
