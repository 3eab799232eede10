// SPDX-License-Identifier: MIT
// Explores a queue by Relacy: the host, which is thread 0, enqueues tasks in batches and ends two groups of a kernel,
// which are the other threads. Each group takes tasks by the kernel's own source. Every task must run once, with the
// host's earlier writes, and every group must end. Plain memory beside each slot shows a slot that is written while it
// is read.
#include "../../../../lib/queue/task_queue.h"

#include "explore.h"

struct host_queue_word : gws_relacy_atomic<uint64_t> {
    typedef gws_relacy_atomic<uint64_t> base;
    bool is_slot = false;
    rl::var<int> beside;

    uint64_t load(gws_relacy_order order, rl::debug_info_param info)
    {
        if (is_slot) (void)beside(info).load();
        return base::load(order, info);
    }

    void store(uint64_t value, gws_relacy_order order, rl::debug_info_param info)
    {
        if (is_slot) beside(info).store((int)value);
        base::store(value, order, info);
    }
};

#undef _Atomic
#define _Atomic(T) host_queue_word
#include "../../../../lib/hetero/host_ring.h"

// The kernel language, for groups of one item.
typedef uint32_t u32;
typedef uint64_t u64;
typedef host_queue_word host64, atom64;
#define device_inline static inline
#define global_mem
#define local_mem
#define item_id() 0u
#define group_size() 1u
#define group_barrier() ((void)0)
#define spin_pause() ((void)sched_yield())
#define clock_ticks() ((u64)0)
#define order_relaxed memory_order_relaxed
#define order_acquire memory_order_acquire
#define order_release memory_order_release
#define host_load(at, order) atomic_load_explicit(at, order)
#define host_store(at, value, order) atomic_store_explicit(at, value, order)
#define atom_load(at, order) atomic_load_explicit(at, order)
#define atom_store(at, value, order) atomic_store_explicit(at, value, order)
#define atom_add(at, value, order) atomic_fetch_add_explicit(at, value, order)
#include "../../../../kernels/hetero/host_queue.cl"

enum { groups = 2, max_capacity = 3 };

static uint64_t tasks, capacity;
static bool stops;
alignas(128) static char words[sizeof(host_queue_word[HOST_QUEUE_SLOTS + max_capacity])];
alignas(128) static char state[sizeof(host_queue_word[HOST_QUEUE_BATCH + max_capacity])];

struct host_queue_suite : rl::test_suite<host_queue_suite, 1 + groups> {
    host_queue_word *word = (host_queue_word *)words, *own = (host_queue_word *)state;
    gws_relacy_shadow written[gws_relacy_max_tasks];
    uint32_t seen[gws_relacy_max_tasks] = {}, ended = 0;

    void before()
    {
        for (uint64_t w = 0; w < HOST_QUEUE_SLOTS + capacity; w++) {
            ::new ((void *)(word + w)) host_queue_word();
            atomic_init(&word[w], 0);
            word[w].is_slot = w >= HOST_QUEUE_SLOTS;
        }
        for (uint64_t w = 0; w < HOST_QUEUE_BATCH + capacity; w++) {
            ::new ((void *)(own + w)) host_queue_word();
            atomic_init(&own[w], 0);
            own[w].is_slot = w >= HOST_QUEUE_BATCH;
        }
    }

    void host()
    {
        struct gws__host_ring ring = {word, capacity, 0};
        uint64_t task[gws_relacy_max_tasks];
        for (uint64_t i = 0; i < tasks; i++) {
            task[i] = i;
            written[i]($).store((int)i);
        }
        for (uint64_t i = tasks; i < tasks + groups; i++) task[i] = HOST_QUEUE_HALT;
        uint64_t end = stops ? tasks : tasks + groups;
        for (uint64_t next = 0; next < end;) {
            uint64_t count = gws__host_ring_enqueue(&ring, task + next, end - next);
            next += count;
            if (count == 0) sched_yield();
        }
        if (stops) gws__host_ring_stop(&ring);
    }

    void thread(unsigned number)
    {
        struct host_queue queue = {word, own, capacity};
        uint64_t local[3] = {}, task;
        if (number == 0) {
            host();
            return;
        }
        while ((task = host_queue_take(&queue, local)) != HOST_QUEUE_HALT) {
            RL_ASSERT(task < tasks && written[task]($).load() == (int)task);
            RL_ASSERT(seen[task]++ == 0);
        }
        ended++;
    }

    void after()
    {
        for (uint64_t i = 0; i < tasks && !stops; i++) RL_ASSERT(seen[i] == 1);
        RL_ASSERT(ended == groups);
        for (uint64_t w = 0; w < HOST_QUEUE_SLOTS + capacity; w++) word[w].~host_queue_word();
        for (uint64_t w = 0; w < HOST_QUEUE_BATCH + capacity; w++) own[w].~host_queue_word();
    }
};

int main()
{
    for (capacity = 1; capacity <= max_capacity; capacity++)
        for (tasks = 0; tasks <= 4; tasks += 2) gws_relacy_run<host_queue_suite>({"queue", capacity, 0, 0, 20000});
    capacity = 2, tasks = 1;
    gws_relacy_run<host_queue_suite>({"queue", capacity, 0, 2, 0});
    stops = true, tasks = 3;
    gws_relacy_run<host_queue_suite>({"stop", capacity, 0, 0, 20000});
    return gws_relacy_exit_status();
}
