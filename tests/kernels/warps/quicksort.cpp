/* SPDX-License-Identifier: MIT */
/* Quicksort by tasks on emulated warps, with short tiles and much less keys than a device sorts. test_warps.py
 * assembles the sources. */
#include "warps.h"

#include <algorithm>
#include <cstdio>

#define TASK_BLOCK 32u
#define TASK_STACK 64u
#define TASK_OWN 32u
#define QUICK_OWN 4u
#define QUICK_PARTS 8u

/* clang-format off */
#include <../../kernels/hetero/trace_words.h>
#include <../../kernels/hetero/trace.cl>
#include <../../kernels/task/task_words.h>
#include <../../kernels/queue/deque_words.h>
#include <../../kernels/queue/deque_chunked.cl>
#include <../../kernels/task/task.h>
#include <../../kernels/task/quicksort_words.h>
#include <../../kernels/task/quicksort.cl>
#include <../../kernels/task/wide.h>
#include <../../kernels/task/blocks.cl>
#include <../../kernels/task/stack.cl>
#include <../../kernels/task/publish.cl>
#include <../../kernels/task/across.cl>
#include <../../kernels/task/task.cl>
/* clang-format on */

enum { per_group = 2, slots = 8, shared_blocks = 400 };

/* A run with its memory. */
static struct {
    u32 workers;
    std::vector<atom64> deques, control;
    std::vector<u32> block;
    std::vector<atom32> count, next;
    std::vector<u64> stats, keys, more;
} run;

template <class... T> static void fail(const char *format, T... value)
{
    std::printf(format, value...);
    std::exit(1);
}

static void call()
{
    task_run(run.deques.data(), run.control.data(), run.block.data(), run.count.data(), run.next.data(),
             run.stats.data(), (u32 *)run.keys.data(), (u32 *)run.more.data(), nullptr, run.workers, slots, 2, ~(u64)0,
             nullptr);
}

/* Makes the lists of blocks: the last block is full with the root, the other shared blocks are free. */
static void make_blocks(u32 keys)
{
    u32 shared = run.workers * (TASK_RESERVE + TASK_OWN), blocks = shared + shared_blocks, *task;
    run.block.assign((size_t)blocks * TASK_BLOCK * TASK_ENTRY, 0);
    run.count = std::vector<atom32>(blocks);
    run.next = std::vector<atom32>(blocks);
    task = &run.block[(size_t)(blocks - 1) * TASK_BLOCK * TASK_ENTRY];
    task[QUICK_DEPTH * TASK_BLOCK] = ~0u;
    task[QUICK_END * TASK_BLOCK] = task[QUICK_FIRST * TASK_BLOCK] = task[QUICK_LAST * TASK_BLOCK] = keys;
    task[QUICK_LENGTH * TASK_BLOCK] = 1;
    run.count[blocks - 1] = 1;
    for (u32 b = shared + 1; b < blocks - 1; b++) run.next[b] = b;
    run.control[TASK_FREE] = blocks - 1;
    run.control[TASK_FULL] = blocks;
}

static void make_run(u32 groups, const std::vector<u64> &keys, u32 cutoff)
{
    run.workers = groups * per_group;
    run.deques = std::vector<atom64>(run.workers * (DEQUE_HEAD + slots * TASK_WORDS));
    run.control = std::vector<atom64>(TASK_CONTROL_WORDS);
    run.stats.assign(run.workers * TASK_STATS_STRIDE, 0);
    run.keys = keys;
    run.keys.resize(2 * keys.size());
    run.more.assign((QUICK_RECORDS + (keys.size() / cutoff + 1) * QUICK_RECORD_WORDS) / 2, 0);
    u32 *parameter = (u32 *)run.more.data();
    parameter[QUICK_COUNT] = (u32)keys.size();
    parameter[QUICK_CUTOFF] = cutoff;
    parameter[QUICK_SEED] = 5;
    make_blocks((u32)keys.size());
}

/* Sorts keys. Afterwards all records are empty. Returns the number of stolen blocks. */
static u64 check(u32 groups, std::vector<u64> keys, u32 cutoff)
{
    make_run(groups, keys, cutoff);
    emulated_blocks.clear();
    for (u32 b = 0; b < groups; b++) emulated_blocks.emplace_back(new emulated_block(32 * per_group, groups));
    emulate_blocks(groups, 32 * per_group, call);
    std::sort(keys.begin(), keys.end());
    for (size_t i = 0; i < keys.size(); i++)
        if (run.keys[i] != keys[i]) fail("key %zu of %zu is wrong, with cutoff %u\n", i, keys.size(), cutoff);
    for (size_t i = QUICK_RECORDS / 2; i < run.more.size(); i++)
        if (run.more[i] != 0) fail("a record in use\n");
    u64 ranges = run.control[TASK_SUM + QUICK_RANGES], splits = run.control[TASK_SUM + QUICK_SPLITS], stolen = 0;
    if (ranges == 0 || ranges > 2 * splits + 1) fail("%llu ranges, %llu divided\n", ranges, splits);
    for (u32 w = 0; w < run.workers; w++) stolen += run.stats[w * TASK_STATS_STRIDE + TASK_STATS_STOLEN];
    return stolen;
}

static std::vector<u64> keys_of(u32 count, u64 values)
{
    std::vector<u64> keys(count);
    u64 draw = count;
    for (u64 &key : keys) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        key = (draw >> 33) % values << 31;
    }
    return keys;
}

int main()
{
#ifdef SOME
    const u32 count = 3000;
#else
    const u32 count = 12000;
#endif
    u64 stolen = 0;
    for (u64 values : {(u64)1, (u64)5, ~(u64)0 >> 1}) {
        stolen += check(2, keys_of(count, values), 8);
        check(1, keys_of(count / 4, values), 1);
    }
    for (u32 i = 0; i < 5 && stolen == 0; i++) stolen = check(2, keys_of(count, ~(u64)0 >> 1), 2);
    if (stolen == 0) fail("nothing stolen\n");
    return 0;
}
