/* SPDX-License-Identifier: MIT */
/* Emulates the division of buckets (kernels/cuda/octree_one_pass.cuh, and octree_divide.cuh for deferred buckets) by
 * threads. The tests compare the points' order, the leaves, and the number of nodes opened on each level with a serial
 * division of each bucket. test_octree_divide.py assembles the sources. */
#include "cuda.h"

#include <cstddef>
#include <cstdio>
#include <random>

#include "octree_divide.cuh"
#include "octree_one_pass.cuh"

static constexpr u32 capacity = 8; /* max number of buckets */

struct leaf {
    u32 begin, end, level;
};

struct division {
    params a = {};
    build_state now = {};
    std::vector<bucket> plan = std::vector<bucket>(capacity);
    std::vector<u32> cursor = std::vector<u32>(capacity), order, lists, opened;
    std::vector<item> slots;
    std::vector<record> leaves;
    std::vector<std::vector<item>> given;
    std::minstd_rand random;

    division(u32 seed, u32 leaf, u32 depth) : random(seed)
    {
        a.leaf = leaf, a.depth = depth, a.bucket_capacity = capacity, a.number_levels = 10;
        lists.resize((hard_lists + hard_sizes) * capacity);
        opened.assign(rows * capacity, 77);
    }

    u32 below(u32 limit)
    {
        return (u32)(((u64)random() << 31 | (u64)random()) % limit);
    }

    /* Adds a bucket of points in an octant. spot: three of four points lie in one region, this many bits deep. dense:
     * one point of eight lies in one of this many bins. */
    void add(u32 points, u32 level, u32 spot, u32 dense = 0)
    {
        u32 b = (u32)given.size(), begin = (u32)slots.size();
        u32 deep = points > few_for_bins ? 9 : 6, shift = 63 - 3 * level - deep;
        u64 key = (u64)b << (63 - 3 * level), within = ~0ull >> (3 * level + 1);
        plan[b] = {key, level, begin, points, begin, b ? b - 1 : none_before, b ? (int)below(level) : -1};
        given.emplace_back();
        for (u32 i = 0; i < points; i++) {
            u64 bits = (u64)random() << 33 ^ (u64)random() << 16 ^ random();
            if (spot && below(4)) bits &= within >> spot;
            if (dense && below(8) == 0) bits = (bits & within >> deep) | (u64)(below(dense) * 37 % 64) << shift;
            item made = {(key | (bits & within)) & ~0ull << 3 * (key_levels - a.depth), i * 4 + below(4), 0};
            given[b].push_back(made);
        }
        std::shuffle(given[b].begin(), given[b].end(), random);
        slots.insert(slots.end(), given[b].begin(), given[b].end());
        cursor[b] = (u32)slots.size();
        order.resize(slots.size() + 1);
        leaves.resize(slots.size() + 1);
        now.buckets++;
    }
};

/* ---- the rule ---- */

static u32 digit_at(const item &it, u32 level)
{
    return (u32)(it.key >> (60 - 3 * level)) & 7;
}

static void divide(const params &a, const std::vector<item> &items, u32 begin, u32 end, u32 level,
                   std::vector<leaf> &leaves)
{
    if (begin == end) return;
    if (end - begin <= a.leaf || level == a.depth) {
        leaves.push_back({begin, end, level});
        return;
    }
    for (u32 digit = 0, at = begin; digit < 8; digit++) {
        u32 stop = at;
        while (stop < end && digit_at(items[stop], level) == digit) stop++;
        divide(a, items, at, stop, level + 1, leaves);
        at = stop;
    }
}

static u32 wrong;

static void expect(bool is, const char *what, u32 b, u32 where)
{
    if (!is && wrong++ < 10) printf("bucket %u, %u: %s\n", b, where, what);
}

static void judge(division &d, u32 b)
{
    std::vector<item> items = d.given[b];
    std::vector<leaf> leaves;
    std::vector<u32> opened(rows);
    std::sort(items.begin(), items.end(),
              [](const item &x, const item &y) { return x.key < y.key || (x.key == y.key && x.point < y.point); });
    divide(d.a, items, 0, (u32)items.size(), d.plan[b].level, leaves);
    for (u32 i = 0; i < leaves.size(); i++) {
        leaf l = leaves[i];
        const record &found = d.leaves[d.plan[b].begin + i];
        int shared = i ? (int)shared_level(items[l.begin - 1].key, items[l.begin].key, d.a.depth) : d.plan[b].shared;
        bool same = ((found.key ^ items[l.begin].key) >> (63 - 3 * l.level)) == 0;
        expect(found.begin == d.plan[b].begin + l.begin && found.level == (int)l.level, "a leaf", b, i);
        expect(found.shared == shared && same, "a leaf's octant", b, i);
        for (int level = shared + 1; level <= (int)l.level; level++) opened[level]++;
        std::sort(items.begin() + l.begin, items.begin() + l.end, [](auto &x, auto &y) { return x.point < y.point; });
    }
    opened[key_levels + 1] = (u32)leaves.size();
    for (u32 i = 0; i < items.size(); i++) expect(d.order[d.plan[b].begin + i] == items[i].point, "the order", b, i);
    for (u32 row = 0; row < rows; row++) expect(d.opened[row * capacity + b] == opened[row], "nodes opened", b, row);
}

/* ---- emulation ---- */

template <class F> static void emulate(u32 threads, F kernel)
{
    emulated_blocks.clear();
    emulated_blocks.push_back(std::make_unique<emulated_block>(threads, 1));
    emulate_blocks(1, threads, kernel);
}

template <class kind> static std::unique_ptr<kind> memory()
{
    auto made = std::make_unique<kind>();
    std::memset((void *)made.get(), 0x5a, sizeof(kind));
    return made;
}

/* Bins the buckets, divides the deferred buckets, and checks all buckets. */
template <class binners, class dividers> static void run(division &d, u32 min_hard, u32 max_hard)
{
    auto first = memory<one_pass_memory<binners>>();
    auto second = memory<divide_memory<dividers>>();
    for (u32 b = 0; b < d.now.buckets; b++) d.lists[b % 2 * capacity + d.now.listed[b % 2]++] = b;
    listing all = {d.plan.data(),   d.cursor.data(), d.lists.data(),  d.lists.data() + capacity,
                   d.now.listed[0], d.now.listed[1], &d.now.ticket[0]};
    emulate(binners::threads, [&] {
        bin_buckets<binners>(d.a, all, d.lists.data(), d.slots.data(),
                             {d.order.data(), d.leaves.data(), d.opened.data()}, &d.now, first.get());
    });
    u32 hard = 0;
    for (u32 size = 0; size < hard_sizes; size++) {
        const u32 *list = d.lists.data() + (hard_lists + size) * capacity;
        listing rest = {d.plan.data(), d.cursor.data(), list, list, d.now.hard[size], 0, &d.now.ticket[sizes + size]};
        emulate(dividers::threads, [&] {
            divide_all<dividers>(d.a, rest, d.slots.data(), d.order.data(), d.leaves.data(), d.opened.data(), &d.now,
                                 second.get());
        });
        hard += d.now.hard[size];
    }
    for (u32 b = 0; b < d.now.buckets; b++) judge(d, b);
    expect(hard >= min_hard && hard <= max_hard, "how many were hard", hard, min_hard);
}

/* Tests buckets of uniform points of all sizes, among them an empty bucket and a bucket that is a leaf. */
template <class binners, class dividers> static void run_even(u32 seed, u32 leaf, u32 depth, u32 max_hard)
{
    division d(seed, leaf, depth);
    u32 one = leaf < binners::capacity ? leaf : binners::capacity, full = binners::capacity;
    d.add(d.below(full + 1), 3, 0);
    d.add(0, 4, 0);
    d.add(one, 3, 0);
    d.add(full, 4, 0);
    d.add(full / 8 + 1, 5, 0);
    run<binners, dividers>(d, 0, max_hard);
}

/* Tests some buckets with spots. */
template <class binners, class dividers> static void run_spots(u32 seed, u32 leaf, u32 depth)
{
    division d(seed, leaf, depth);
    for (u32 b = 0; b < 6; b++) d.add(binners::capacity - d.below(binners::capacity / 3), 4, b % 2 ? 0 : 3 + 4 * b);
    run<binners, dividers>(d, 3, 6);
}

/* Tests buckets in which a few bins have more than K points. One pass suffices if these bins are not at the depth
 * limit. */
template <class binners, class dividers> static void run_dense(u32 seed, u32 leaf, u32 depth, u32 hard)
{
    division d(seed, leaf, depth);
    u32 full = binners::capacity;
    d.add(full / 2 + 1, 4, 0, full / 16 / leaf + 1);
    d.add(full, 3, 0, full / 16 / leaf + 1);
    d.add(full - full / 8, 5, 0, 1);
    d.add(full / 8, 4, 0);
    run<binners, dividers>(d, hard, hard);
}

int main()
{
    run_even<small_binners, small_blocks>(1, 32, 21, 0);
    run_spots<tiny_binners, small_blocks>(2, 32, 21);
    run_dense<tiny_binners, small_blocks>(10, 32, 21, 0);
#ifndef SOME
    run_dense<small_binners, small_blocks>(11, 12, 21, 1);
    run_dense<middle_binners, middle_blocks>(12, 32, 8, 1);
    run_dense<tiny_binners, small_blocks>(13, 32, 6, 2);
    run_even<tiny_binners, small_blocks>(3, 64, 21, 0);
    run_even<tiny_binners, small_blocks>(4, 1, 7, 5);
    run_even<tiny_binners, small_blocks>(5, 8192, 6, 1);
    run_even<middle_binners, middle_blocks>(6, 300, 8, 1);
    run_even<large_binners, large_blocks>(7, 64, 21, 0);
    run_spots<small_binners, small_blocks>(8, 7, 9);
    run_spots<middle_binners, middle_blocks>(9, 32, 21);
#endif
    return wrong != 0;
}
