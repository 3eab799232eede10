// SPDX-License-Identifier: MIT
// Explores the chunked deque by Relacy. The owner and two thieves take chunks until the deque is empty, and must
// acquire each chunk once. (test_chunked.c covers all results of relaxed operations on one word; this program is an
// independent check.)
#include "../../../../lib/queue/chunked.c"

#include "explore.h"

static uint64_t chunks; /* number of chunks, each of two indexes */
alignas(128) static char memory[sizeof(struct chunked_deque)];

struct chunked_suite : rl::test_suite<chunked_suite, 3> {
    struct chunked_deque *q = (struct chunked_deque *)memory;
    uint32_t seen[gws_relacy_max_tasks] = {};

    void before()
    {
        struct gws_loop_partition partition = {2 * chunks, 2, 1, 0, NULL};
        ::new (memory) chunked_deque();
        RL_ASSERT(gws__work_queue_chunked.fill(q, &partition) == 1);
    }

    void record(struct gws_range range)
    {
        RL_ASSERT(range.begin % 2 == 0 && range.end == range.begin + 2 && range.end <= 2 * chunks);
        RL_ASSERT(seen[range.begin / 2]++ == 0);
    }

    void thread(unsigned worker)
    {
        const struct gws_work_queue *ops = &gws__work_queue_chunked;
        struct gws_range range;
        enum gws_acquire acquired = GWS_ACQUIRE_LOST;
        while (acquired != GWS_ACQUIRE_EMPTY) {
            acquired = worker == 0 ? ops->pop(q, 0, &range) : ops->steal(q, 0, &range);
            if (acquired == GWS_ACQUIRED) record(range);
        }
    }

    void after()
    {
        for (uint64_t i = 0; i < chunks; i++) RL_ASSERT(seen[i] == 1);
        q->~chunked_deque();
    }
};

int main()
{
    for (chunks = 0; chunks <= 3; chunks++) gws_relacy_run<chunked_suite>({"chunked", chunks, 0, 4, 0});
    chunks = 8;
    gws_relacy_run<chunked_suite>({"chunked", chunks, 0, 0, 50000});
    return gws_relacy_exit_status();
}
