// SPDX-License-Identifier: MIT
// The chunked deque of level loops, explored by Relacy: its owner and two thieves take chunks until there are none, and
// each must come up once. (test_chunked_model.c knows everything that relaxed operations on one word may do; this one
// comes from elsewhere.)
#include "../../../../lib/queue/chunked.c"

#include "explore.h"

static uint64_t chunks; /* of two indexes */
alignas(128) static char memory[sizeof(struct deque)];

struct chunked_suite : rl::test_suite<chunked_suite, 3> {
    struct deque *q = (struct deque *)memory;
    uint32_t seen[gws_relacy_most_tasks] = {};

    void before()
    {
        struct gws_cut cut = {2 * chunks, 2, 1, 0, NULL};
        ::new (memory) deque();
        RL_ASSERT(gws__container_chunked.fill(q, &cut) == 1);
    }

    void note(struct gws_range range)
    {
        RL_ASSERT(range.begin % 2 == 0 && range.end == range.begin + 2 && range.end <= 2 * chunks);
        RL_ASSERT(seen[range.begin / 2]++ == 0);
    }

    void thread(unsigned worker)
    {
        const struct gws_container *container = &gws__container_chunked;
        struct gws_range range;
        enum gws_grab grab = GWS_GRAB_LOST;
        while (grab != GWS_GRAB_EMPTY) {
            grab = worker == 0 ? container->pop(q, 0, &range) : container->steal(q, 0, &range);
            if (grab == GWS_GRAB_TOOK) note(range);
        }
    }

    void after()
    {
        for (uint64_t i = 0; i < chunks; i++) RL_ASSERT(seen[i] == 1);
        q->~deque();
    }
};

int main()
{
    for (chunks = 0; chunks <= 3; chunks++) gws_relacy_run<chunked_suite>({"chunked", chunks, 0, 4, 0});
    chunks = 8;
    gws_relacy_run<chunked_suite>({"chunked", chunks, 0, 0, 50000});
    return gws_relacy_exit_status();
}
