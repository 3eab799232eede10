/* SPDX-License-Identifier: MIT */
/* The host's side of the tests of the host-device protocol. The host sends ranges of chunks and single tasks to a
 * device or its emulation. The tests check that no chunk and no task is lost. Each host thread may repeat one claim of
 * a range on the device. Every task returns exactly once. A test includes the host's portability header and
 * kernels/hetero/range.cl before this file. */
#ifndef GWS_TESTS_KERNELS_PROTOCOL_LITMUS_H
#define GWS_TESTS_KERNELS_PROTOCOL_LITMUS_H

#include <pthread.h>

#include "../../lib/hetero/range.h"
#include "../../lib/random.h"

enum { litmus_chunks = 512, litmus_hosts = 3, litmus_claim = 2, litmus_ring = 16, litmus_stalled = 20000 /* ms */ };

/* The memory that both sides address. launch() starts one more kernel. */
struct litmus {
    struct gws__protocol protocol;
    uint64_t *mark, *twice, *sent; /* mark, twice: the device's marks; sent: the words that the host sends */
    _Atomic(uint64_t) *down, *up;
    void (*launch)(struct litmus *litmus);
    void *context;
    uint64_t overlaps, device_chunks, host_chunks;
    uint64_t host_mark[litmus_chunks];
};

/* One host thread's part of one range. */
struct litmus_worker {
    struct litmus *litmus;
    uint64_t order, count, pause, claimed[litmus_chunks], claims;
};

static void *litmus_run(void *argument)
{
    struct litmus_worker *me = argument;
    uint64_t begin, end;
    while (gws__range_claim(&me->litmus->protocol, me->order, me->count, litmus_claim, &begin, &end)) {
        for (uint64_t c = begin; c < end; c++) me->claimed[me->claims++] = c;
        for (uint64_t i = 0; i < me->pause; i++) sched_yield();
    }
    return NULL;
}

static void litmus_await(struct litmus *litmus, uint64_t order)
{
    double until = gws_clock_ms() + litmus_stalled;
    for (uint64_t polls = 0; !gws__protocol_replied(&litmus->protocol, order); polls++) {
        if (gws__protocol_exited(&litmus->protocol)) litmus->launch(litmus);
        if (polls % 64 == 63) sched_yield();
        if (polls % 4096 == 4095 && gws_clock_ms() > until)
            ck_abort_msg("no reply to order %llu", (unsigned long long)order);
    }
}

static void litmus_judge(struct litmus *litmus, const struct litmus_worker *worker, uint32_t threads, uint64_t order,
                         uint64_t count)
{
    uint64_t ran = gws__protocol_reply_word(&litmus->protocol, order, REPLY_RAN), overlap = 0;
    for (uint32_t e = 0; e < threads; e++)
        for (uint64_t i = 0; i < worker[e].claims; i++) {
            if (litmus->host_mark[worker[e].claimed[i]] == order) ck_abort_msg("the host ran a chunk twice");
            litmus->host_mark[worker[e].claimed[i]] = order;
        }
    for (uint64_t c = 0; c < count; c++) {
        bool host = litmus->host_mark[c] == order, device = litmus->mark[c] == order;
        if (!host && !device)
            ck_abort_msg("chunk %llu of %llu is lost", (unsigned long long)c, (unsigned long long)count);
        if (device != (c >= count - ran)) ck_abort_msg("the device ran other chunks than it says");
        overlap += host && device;
        litmus->host_chunks += host;
    }
    if (overlap > (uint64_t)threads * litmus_claim) ck_abort_msg("%llu chunks ran twice", (unsigned long long)overlap);
    if (*litmus->twice != 0) ck_abort_msg("the device ran a chunk twice");
    litmus->overlaps += overlap;
    litmus->device_chunks += ran;
}

/* Runs rounds of ranges with `threads` host threads. 0 leaves all chunks to the device. */
static void litmus_ranges(struct litmus *litmus, uint64_t rounds, uint32_t threads, uint64_t seed)
{
    static struct litmus_worker worker[litmus_hosts];
    pthread_t thread[litmus_hosts];
    for (uint64_t round = 0; round < rounds; round++) {
        uint64_t count = 1 + gws_random_below(gws_random_next(&seed), round % 4 ? 32 : litmus_chunks);
        uint64_t token = gws_random_next(&seed);
        litmus->sent[(litmus->protocol.orders + 1) % PROTOCOL_SLOTS] = token;
        gws__protocol_set_word(&litmus->protocol, ORDER_PAYLOAD, litmus->protocol.orders + 1);
        uint64_t order =
            gws__protocol_publish(&litmus->protocol, ORDER_RUN, count, gws_random_below(gws_random_next(&seed), 8));
        for (uint32_t e = 0; e < threads; e++) {
            worker[e].litmus = litmus;
            worker[e].order = order;
            worker[e].count = count;
            worker[e].claims = 0;
            worker[e].pause = round % 3;
            if (e > 0) ck_assert_int_eq(pthread_create(&thread[e], NULL, litmus_run, &worker[e]), 0);
        }
        if (threads > 0) litmus_run(&worker[0]);
        for (uint32_t e = 1; e < threads; e++) pthread_join(thread[e], NULL);
        litmus_await(litmus, order);
        if (gws__protocol_reply_word(&litmus->protocol, order, REPLY_PAYLOAD) != token + 1)
            ck_abort_msg("a wrong reply");
        litmus_judge(litmus, worker, threads, order, count);
    }
}

/* Ends the kernel. */
static void litmus_end(struct litmus *litmus)
{
    litmus_await(litmus, gws__protocol_publish(&litmus->protocol, ORDER_END, 0, 0));
}

/* Sends the device as many of the remaining tasks as it requests and as the ring has space for. */
static uint64_t litmus_give(struct litmus *litmus, uint64_t next, uint64_t tasks)
{
    uint64_t wanted = ring_allowance(litmus->down, litmus_ring), count = tasks - next < wanted ? tasks - next : wanted;
    for (uint64_t i = 0; i < count; i++) ring_write(litmus->down, litmus_ring, i, next + i);
    if (count > 0) ring_publish(litmus->down, count);
    return next + count;
}

/* Sends tasks 0 .. tasks - 1 down, receives them from the ring `up`, and then sends the task that stops the device. */
static void litmus_tasks(struct litmus *litmus, uint64_t tasks)
{
    uint8_t *back = calloc(tasks, 1);
    double until = gws_clock_ms() + litmus_stalled;
    uint64_t next = 0, received = 0, task;
    bool stopping = false;
    for (uint64_t polls = 0;; polls++) {
        next = litmus_give(litmus, next, tasks);
        if (received == tasks && !stopping && ring_allowance(litmus->down, litmus_ring) > 0) {
            ring_write(litmus->down, litmus_ring, 0, ~(uint64_t)0);
            ring_publish(litmus->down, 1);
            stopping = true;
        }
        ring_request(litmus->up, 1 + polls % 5);
        if (!ring_pop(litmus->up, litmus_ring, &task)) {
            if (polls % 64 == 63) sched_yield();
            if (polls % 4096 == 4095 && gws_clock_ms() > until)
                ck_abort_msg("%llu tasks lost", (unsigned long long)(tasks - received));
            continue;
        }
        if (task == ~(uint64_t)0) break;
        if (task >= tasks || back[task]++) ck_abort_msg("task %llu came twice", (unsigned long long)task);
        received++;
        until = gws_clock_ms() + litmus_stalled;
    }
    ck_assert_uint_eq(received, tasks);
    free(back);
}

#endif
