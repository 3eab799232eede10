/* SPDX-License-Identifier: MIT */
/* Compares the kernel that plans buckets (kernels/cuda/octree_plan.cuh), emulated by threads, with a recursion. An
 * octant is a bucket if it has few sampled points and its parent has more. The test checks the buckets, their groups,
 * and the bucket that each sampled point finds. test_octree_plan.py assembles the sources. */
#include "cuda.h"

#include <cstdio>
#include <cstdlib>

#include "octree_scatter.cuh"

static constexpr u32 blocks = 2;

struct made {
    params a = {};
    build_state now = {};
    std::vector<item> sample;
    std::vector<u32> where, count, entry, cursor;
    std::vector<bin_table> tables;
    std::vector<bucket> buckets;
    std::vector<group> groups;

    made(std::vector<item> points, u32 few, u32 depth, u32 numbers, u32 table_capacity)
        : sample(points), where(points.size() + 1), groups(max_groups)
    {
        u64 cuts = points.size() / (few + 1) + 1;
        a.slot_capacity = 1 << 30;
        a.staged_capacity = 1 << 30;
        a.points = (u32)points.size() * 32;
        a.depth = depth, a.number_levels = numbers, a.few = few, a.stride = 32, a.run = 1;
        a.samples = (u32)points.size();
        a.table_capacity = table_capacity ? table_capacity : (u32)(16 + cuts * 12);
        a.bucket_capacity = (u32)(8 + 8 * cuts * 31);
        count.assign(a.table_capacity * bins, 0xabcdef);
        entry.assign(a.table_capacity * bins, 0xabcdef);
        tables.resize(a.table_capacity);
        buckets.resize(a.bucket_capacity);
        cursor.resize(a.bucket_capacity);
        for (u32 i = 0; i < roots * bins; i++) count[i] = entry[i] = 0;
        for (u32 i = 0; i < roots; i++) tables[i] = {depth ? (u64)i << 60 : 0, 1, 0, {}};
        now.tables = roots;
    }
};

static void run(made &m)
{
    std::vector<std::unique_ptr<plan_memory>> memory;
    u64 arrived = 5 * blocks;
    emulated_blocks.clear();
    for (u32 b = 0; b < blocks; b++) {
        emulated_blocks.push_back(std::make_unique<emulated_block>(bins, blocks));
        memory.push_back(std::make_unique<plan_memory>());
        memset(memory[b].get(), 0x5a, sizeof(plan_memory));
    }
    emulate_blocks(blocks, bins, [&] {
        plan_state p = {&m.a,
                        m.sample.data(),
                        m.where.data(),
                        m.count.data(),
                        m.entry.data(),
                        m.tables.data(),
                        m.buckets.data(),
                        m.cursor.data(),
                        m.groups.data(),
                        &m.now};
        make_plan(p, &arrived, memory[blockIdx.x].get());
    });
}

/* ---- the recursion ---- */

struct octant {
    u64 key;
    u32 level, sampled;
};

static void cut(const params &a, const std::vector<item> &in, u64 key, u32 level, std::vector<octant> &out)
{
    if (in.size() <= a.few) {
        out.push_back({key, level, (u32)in.size()});
        return;
    }
    for (u32 digit = 0; digit < 8; digit++) {
        std::vector<item> part;
        for (const item &it : in)
            if (digit_of(a, it.key, it.point, level) == digit) part.push_back(it);
        cut(a, part, level < a.depth ? key | (u64)digit << (60 - 3 * level) : key, level + 1, out);
    }
}

#define MUST(what)                                                                                                     \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            printf("%s, line %d: not %s\n", name, __LINE__, #what);                                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static bool holds(const params &a, const bucket &b, const item &it)
{
    return b.level >= a.depth ? b.key == it.key : shared_level(b.key, it.key, a.depth) >= b.level;
}

static void judge(const char *name, const made &m)
{
    std::vector<octant> right;
    std::vector<item> in;
    for (const item &it : m.sample)
        if (it.key != no_key) in.push_back(it);
    cut(m.a, in, 0, 0, right);
    MUST(!m.now.failed);
    MUST(m.now.buckets == right.size());
    std::vector<u32> sampled(max_groups), found(right.size());
    std::vector<std::pair<u32, u32>> slots;
    for (u32 b = 0; b < right.size(); b++) {
        const bucket &mine = m.buckets[b];
        MUST(mine.key == right[b].key && mine.level == right[b].level);
        MUST(mine.capacity >= right[b].sampled && mine.capacity <= max_bucket && m.cursor[b] == mine.slot);
        slots.push_back({mine.slot, mine.capacity});
        if (right.size() > 1) sampled[b >> m.now.group_shift] += right[b].sampled;
    }
    std::sort(slots.begin(), slots.end());
    for (u32 b = 1; b < slots.size(); b++) MUST(slots[b].first >= slots[b - 1].first + slots[b - 1].second);
    for (const item &it : in) {
        u32 b = find_bucket(m.a, m.entry.data(), m.entry.data(), it.key, it.point);
        MUST(b < right.size());
        MUST(holds(m.a, m.buckets[b], it));
        found[b]++;
    }
    for (u32 b = 0; b < right.size(); b++) MUST(found[b] == right[b].sampled);
    for (u32 g = 0, end = 0; g < max_groups; end = m.groups[g++].end) {
        MUST(m.groups[g].begin == end && m.groups[g].filled == end && m.groups[g].sampled == 0);
        if (right.size() > 1) MUST(m.groups[g].end - end == capacity_of(m.a, sampled[g], m.a.points));
    }
}

/* ---- points ---- */

static u64 drawn = 88172645463325252ull;

static u64 draw()
{
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    return drawn ^= drawn << 17;
}

/* Makes n points. dense: most keys lie around a common corner of all eight octants, with increasing density towards
 * the corner. heavy, unless 0: two thirds of the keys are this key. */
static std::vector<item> make_points(u32 n, u32 depth, bool dense, u64 heavy)
{
    std::vector<item> points;
    for (u32 i = 0; i < n; i++) {
        u64 key = draw() >> 1, octant = key >> 60 & 7, middle = 0;
        for (u32 level = 1; level < 21; level++) middle |= (7 - octant) << (60 - 3 * level);
        u32 near = dense ? (u32)(draw() % 4 * 3) : 0;
        u64 free_bits = ~0ull >> (4 + 3 * near);
        if (dense) key = octant << 60 | (middle & ~free_bits & ~0ull >> 4) | (key & free_bits);
        if (heavy && draw() % 3) key = heavy;
        points.push_back({draw() % 50 ? key & ~0ull << 3 * (key_levels - depth) : no_key, i, 0});
    }
    return points;
}

int main()
{
    static const struct {
        const char *name;
        u32 points, few, depth, numbers;
        bool dense;
        u64 heavy;
    } sets[] = {
#ifndef SOME
        {"none", 0, 3, 21, 1, false, 0},
        {"few", 100, 152, 21, 3, false, 0},
        {"even", 3000, 152, 21, 4, false, 0},
        {"even, finely", 1300, 2, 21, 5, false, 0},
        {"dense", 4500, 20, 21, 5, true, 0},
        {"shallow", 3000, 30, 2, 4, true, 0},
        {"a heavy one", 1500, 60, 21, 4, true, 0x0123456701234567ull},
#endif
        {"a heavy one, shallow", 1000, 100, 4, 4, true, 0x0123456701234567ull},
    };
    for (const auto &set : sets) {
        made m(make_points(set.points, set.depth, set.dense, set.heavy & ~0ull << 3 * (key_levels - set.depth)),
               set.few, set.depth, set.numbers, 0);
        run(m);
        judge(set.name, m);
    }
#ifndef SOME /* blocks write `failed` concurrently */
    made m(make_points(3000, 21, true, 0), 5, 21, 4, 10);
    run(m);
    const char *name = "no room";
    MUST(m.now.failed);
#endif
    return 0;
}
