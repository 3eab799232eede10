/* SPDX-License-Identifier: MIT */
/* A program for the model checker GenMC (github.com/MPI-SWS/genmc) with an unchanged task queue. There are two tasks,
 * an owner that pops one, and two thieves with one attempt each. Exactly one worker must acquire each task, and that
 * worker must see the writes of the task's maker. No test runs GenMC. To run it by hand, with GenMC 0.10, for RC11 and
 * for IMM (--imm):
 *
 *     genmc --rc11 --unroll=8 -- tests/models/genmc_deques.c
 *
 * -DABP: abp.c rather than chaselev.c. -DMAX=3: the owner pops up to three at once. -DTHEN: the owner makes one more
 * task, and pops it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ABP
#define DEQUE struct abp_deque
#include "../../lib/queue/abp.c" // NOLINT(bugprone-suspicious-include)
static const struct gws_task_queue *ops = &gws__task_queue_abp;
#else
#define DEQUE struct chaselev_deque
#include "../../lib/queue/chaselev.c" // NOLINT(bugprone-suspicious-include)
static const struct gws_task_queue *ops = &gws__task_queue_chaselev;
#endif

#ifndef MAX
#define MAX 1
#endif

enum { thieves = 2, workers = thieves + 1, tasks = 3 };

static DEQUE state[workers];
static int written[tasks], taken[workers][tasks];

/* Clears the memory, because GenMC reports a discarded read of an unwritten slot as an error. */
void *gws__memory_new(const struct gws_allocator *allocator, uint64_t count, uint64_t size)
{
    uint64_t *memory = (uint64_t *)malloc(count * size);
    (void)allocator;
    for (uint64_t i = 0; i < count * size / sizeof *memory; i++) memory[i] = 0;
    return memory;
}

void gws__memory_free(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size)
{
    (void)allocator, (void)count, (void)size;
    free(memory);
}

static void make_one(int number)
{
    uint64_t *task = ops->reserve(state, 0);
    *task = (uint64_t)number;
    written[number] = number + 1;
    ops->commit(state, 0);
}

static void record(int worker, uint64_t task)
{
    assert(task < tasks && written[task] == (int)task + 1);
    taken[worker][task]++;
}

static void pop(int worker, uint32_t max)
{
    uint64_t out[tasks];
    uint32_t count = ops->pop(state, (uint32_t)worker, max, out);
    for (uint32_t i = 0; i < count; i++) record(worker, out[i]);
}

static void *thief(void *argument)
{
    int me = (int)(intptr_t)argument;
    struct gws_steal_request request = {(uint32_t)me, 0, NULL, 1, false};
    uint64_t out, count = 0;
    if (ops->steal(state, &request, &out, &count) == GWS_ACQUIRED) record(me, out);
    return NULL;
}

int main(void)
{
    struct gws_allocator none;
    struct gws_task_shape shape = {workers, 1, 2, &none};
    pthread_t thread[thieves];
    int made = 2;
    assert(ops->init(state, &shape) == GWS_OK);
    make_one(0);
    make_one(1);
    for (int i = 0; i < thieves; i++) pthread_create(&thread[i], NULL, thief, (void *)(intptr_t)(i + 1));
    pop(0, MAX);
#ifdef THEN
    make_one(made++);
    pop(0, 1);
#endif
    for (int i = 0; i < thieves; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < made; i++) pop(0, 1);
    for (int i = 0; i < made; i++) assert(taken[0][i] + taken[1][i] + taken[2][i] == 1);
    return 0;
}
