/* SPDX-License-Identifier: MIT */
/* The kernels for meshes (kernels/cuda/bfs_mesh.cuh), which threads play, against a plain serial search: rows in the
 * device's memory and at the host; clusters of several sizes; frontiers that leave the cluster; searches handed over
 * and taken back. test_mesh.py puts the texts together. */
#include "cuda.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "bfs_mesh.cuh"

struct graph {
    u32 vertices;
    std::vector<u64> offset;
    std::vector<u32> target;
};

/* A grid of which some edges are left out; now and then a vertex has seven more. */
static graph make_graph(u32 width, u32 height, u32 missing, bool directed)
{
    u32 vertices = width * height, random = 1;
    std::vector<std::vector<u32>> row(vertices);
    auto kept = [&] { return (random = random * 1664525 + 1013904223) >> 16, (random >> 16) % 100 >= missing; };
    auto add = [&](u32 from, u32 to) {
        row[from].push_back(to);
        if (!directed) row[to].push_back(from);
    };
    for (u32 v = 0; v < vertices; v++) {
        if ((v + 1) % width && (kept() || v < width)) add(v, v + 1);
        if (v + width < vertices && (kept() || v % width == 0)) add(v, v + width);
        if (v % 97 == 0)
            for (u32 i = 2; i < 9 && v + i < vertices; i++) add(v, v + i);
    }
    graph made = {vertices, {0}, {}};
    for (auto &targets : row) {
        made.target.insert(made.target.end(), targets.begin(), targets.end());
        made.offset.push_back(made.target.size());
    }
    return made;
}

/* ---- rows ---- */

struct row {
    u32 word[4];
};

static std::vector<row> make_rows(const graph &g)
{
    std::vector<row> rows(g.vertices);
    for (u32 v = 0; v < g.vertices; v++) {
        u64 at = v, arc = g.offset[v], end = g.offset[v + 1];
        for (; end - arc > 4; arc += 3) {
            rows[at] = {{g.target[arc], g.target[arc + 1], g.target[arc + 2], more | (u32)(rows.size() - g.vertices)}};
            at = rows.size();
            rows.push_back({});
        }
        for (u32 i = 0; i < 4; i++) rows[at].word[i] = arc + i < end ? g.target[arc + i] : none;
    }
    return rows;
}

static std::vector<uint4> lay_out(const std::vector<row> &rows, u64 begin, u64 end)
{
    std::vector<uint4> laid;
    for (u64 r = begin; r < end; r++)
        laid.push_back({rows[r].word[0], rows[r].word[1], rows[r].word[2], rows[r].word[3]});
    laid.push_back({}); /* so that there is an address */
    return laid;
}

/* ---- a search ---- */

struct search {
    const graph &g;
    u32 source, kept, room, size; /* size: threads in a block */
    u32 carriers = 0, places = 0; /* clusters that bring rows, which share so many places */
    std::vector<row> rows;
    std::vector<uint4> near, far;
    std::vector<u32> depth, parent, level, visited, at_host;
    std::vector<uint2> list, handed_list;
    std::vector<u64> stats, ring;
    std::vector<uint4> place;
    std::vector<u32> asked, turn, called; /* called: carriers only, with these calls */
    u64 done[4] = {};
    u32 list_end = 0, told[4] = {};
    gws__handoff_rule rule = {};
    gws__handoff_state state = {};
    u32 passes = 0;

    search(const graph &given, u32 from, u32 near_rows, u32 entries, u32 threads, bool host)
        : g(given), source(from), kept(near_rows), room(entries), size(threads), rows(make_rows(given)),
          depth(g.vertices, 77), parent(g.vertices, 77), level(g.vertices + 1), visited((g.vertices + 31) / 32),
          at_host((g.vertices + 63) / 64 * 2 + 4), list(rows.size()), handed_list(GWS_HANDOFF_CAPACITY), stats(16)
    {
        kept = !host || kept > rows.size() ? (u32)rows.size() : kept;
        near = lay_out(rows, 0, kept);
        far = lay_out(rows, kept, rows.size());
    }
};

/* What the host does for pages before a launch. */
static page_words pages_of(search &s, u32 blocks, u32 hops)
{
    bool resumes = s.rule.resumes;
    if (!resumes) s.asked.assign(s.rows.size() / page_rows + 1, 0);
    if (!resumes && s.place.empty()) s.place.assign(s.places * ways, {none, none, none, none});
    s.turn.resize(s.places / page_rows);
    s.ring.assign(blocks * ring_room, 0);
    s.done[0] = !s.called.empty(), s.done[1] = s.called.empty() ? 0 : none; /* nobody searches */
    s.done[2] = 0;
    s.done[3] = resumes ? s.done[3] : 0;
    for (u32 i = 0; i < s.called.size(); i++) s.ring[i * ring_room] = (u64)1 << 32 | s.called[i]; /* a ring each */
    return {s.place.data(), s.places, s.carriers, hops, s.ring.data(), s.done, s.asked.data(), s.turn.data()};
}

template <u32 blocks, bool near, u32 how> static void launch(search &s, bool handed, u32 hops = 2)
{
    u32 grid = blocks * (s.carriers + s.called.empty());
    page_words pages = how & rows_paged ? pages_of(s, blocks, hops) : page_words{};
    handoff h = {&s.rule, &s.state, s.handed_list.data(), s.at_host.data()};
    std::vector<std::thread> threads;
    s.state = {};
    emulated_blocks.clear();
    for (u32 b = 0; b < grid; b++) emulated_blocks.push_back(std::make_unique<emulated_block>(s.size, blocks));
    played_cluster.clear();
    for (u32 c = 0; c < grid / blocks; c++) played_cluster.push_back(std::make_unique<std::barrier<>>(blocks * s.size));
    played_size = blocks;
    for (u32 t = 0; t < grid * s.size; t++)
        threads.emplace_back([&, t] {
            blockIdx.x = t / s.size, threadIdx.x = t % s.size, blockDim.x = s.size, gridDim.x = grid;
            run_searches<blocks, near, how>(s.g.vertices, s.rows.size(), s.near.data(), s.depth.data(), s.parent.data(),
                                            s.level.data(), s.list.data(), &s.list_end, s.visited.data(), &s.source, 1,
                                            s.g.vertices, s.told, s.stats.data(), s.room, s.far.data(), s.kept,
                                            handed ? &h : nullptr, pages);
        });
    for (auto &thread : threads) thread.join();
}

/* The host's side: two levels, if there are so many. True: the rest is the device's. */
static bool run_here(search &s)
{
    std::vector<u32> front, next;
    for (u32 i = 0; i < s.state.entries; i++)
        if (s.handed_list[i].x != none) front.push_back(s.handed_list[i].x);
    u32 depth = s.state.at.level, reached = s.state.at.reached;
    for (int i = 0; i < 2 && !front.empty(); i++, depth++) {
        s.level[depth] = (u32)front.size();
        next.clear();
        for (u32 v : front)
            for (u64 arc = s.g.offset[v]; arc < s.g.offset[v + 1]; arc++) {
                u32 to = s.g.target[arc], bit = 1u << to % 32;
                if (s.at_host[to / 32] & bit) continue;
                s.at_host[to / 32] |= bit;
                s.depth[to] = depth + 1;
                s.parent[to] = v;
                next.push_back(to);
            }
        reached += (u32)next.size();
        front = next;
    }
    s.told[0] = depth, s.told[1] = reached;
    for (u32 i = 0; i < front.size(); i++) {
        s.handed_list[i] = {front[i], s.parent[front[i]]};
        s.at_host[front[i] / 32] &= ~(1u << front[i] % 32);
    }
    s.rule.resumes = 1, s.rule.from.level = depth, s.rule.from.size = (u32)front.size(), s.rule.from.reached = reached;
    return !front.empty();
}

static bool is_right(const search &s)
{
    std::vector<u32> depth(s.g.vertices, none), queue = {s.source}, level;
    depth[s.source] = 0;
    for (size_t head = 0; head < queue.size(); head++) {
        u32 v = queue[head];
        if (depth[v] == level.size()) level.push_back(0);
        level[depth[v]]++;
        for (u64 arc = s.g.offset[v]; arc < s.g.offset[v + 1]; arc++)
            if (depth[s.g.target[arc]] == none) {
                depth[s.g.target[arc]] = depth[v] + 1;
                queue.push_back(s.g.target[arc]);
            }
    }
    bool right = s.told[0] == level.size() && s.told[1] == queue.size() && s.depth == depth;
    right &= std::equal(level.begin(), level.end(), s.level.begin());
    for (u32 v = 0; v < s.g.vertices; v++) {
        u32 from = s.parent[v];
        bool leads = false;
        for (u64 arc = from < s.g.vertices ? s.g.offset[from] : 0; from < s.g.vertices && arc < s.g.offset[from + 1];
             arc++)
            leads |= s.g.target[arc] == v;
        if (v == s.source || depth[v] == none)
            right &= from == (v == s.source ? v : none);
        else
            right &= leads && depth[from] + 1 == depth[v];
    }
    return right;
}

/* How often a row is on the device; as another than it is, many times. */
static u32 brought(const search &s, u32 number)
{
    page_words pages = {(uint4 *)s.place.data(), s.places};
    row_place place = place_of(&pages, number - s.kept);
    u32 times = 0;
    for (u32 way = 0; way < ways; way++) {
        uint4 is;
        if (!is_row(place.at[way], place.tag, &is)) continue;
        times += std::memcmp(&is, &s.rows[number], sizeof is) ? 100 : 1;
    }
    return times;
}

/* No row is taken for another. */
static bool all_places_right(const search &s)
{
    bool right = (s.done[3] > 0) == (s.carriers > 0);
    for (u32 number = s.kept; number < s.rows.size(); number++) right &= brought(s, number) <= ways;
    return right;
}

/* Carriers by themselves, called for a page or two: they bring what is so many hops away, once, and nothing else. */
static void check_carriers(const graph &g, u32 kept, u32 hops, std::vector<u32> calls)
{
    static constexpr u32 how = rows_at_host | rows_paged, blocks = 2;
    search s(g, 0, kept, 64, 64, true);
    std::vector<u32> away((s.rows.size() + page_rows - 1) / page_rows, none);
    s.carriers = 2;
    s.places = (u32)(s.rows.size() / page_rows + 1) * page_rows; /* enough for all */
    s.called = calls;
    for (u32 page : calls) away[page & ~more] = 0;
    for (u32 hop = 0; hop < hops; hop++)
        for (u32 number = 0; number < s.rows.size(); number++)
            for (u32 word : s.rows[number].word) {
                u32 to = word == none ? number : word & more ? g.vertices + (word & ~more) : word;
                if (away[number / page_rows] == hop) away[to / page_rows] = min(away[to / page_rows], hop + 1);
            }
    launch<blocks, true, how>(s, false, hops);
    for (u32 number = s.kept; number < s.rows.size(); number++) {
        u32 is = brought(s, number), wanted = away[number / page_rows] != none;
        if (is == wanted || (is == 2 && wanted)) continue; /* twice: two carriers that did not wait for each other */
        std::printf("kept %u, %u hops: row %u is there %u times, wanted %u\n", kept, hops, number, is, wanted);
        std::exit(1);
    }
}

template <u32 blocks, bool near, u32 how>
static void check(const graph &g, u32 source, u32 kept, u32 room, u32 size, bool handed, u32 carriers = 2)
{
    search s(g, source, kept, room, size, how & rows_at_host);
    s.rule.limit = HUGE_VALF;
    s.rule.wide = ~0u;
    if (how & rows_paged) {
        s.carriers = carriers;
        s.places = ((u32)(s.rows.size() - s.kept) / page_rows + 8) / 8 * page_rows;
    }
    s.rule.max = handed ? 3 : ~0u;
    do {
        launch<blocks, near, how>(s, handed);
        s.passes += s.state.handed;
    } while (s.state.handed && run_here(s));
    bool right = is_right(s) && (!(how & rows_paged) || all_places_right(s)) &&
                 (!handed || room < 32 || s.passes > 2); /* rows on the list are not handed over */
    if (!right || getenv("VERBOSE"))
        std::printf("%u blocks of %u, near %d, how %u, %u vertices, %zu rows, %u kept, room %u, from %u: %u levels, %u "
                    "reached, "
                    "%u listed, passed %u times: %s\n",
                    blocks, size, near, how, g.vertices, s.rows.size(), kept, room, source, s.told[0], s.told[1],
                    s.list_end, s.passes, right ? "right" : "wrong");
    if (!right) std::exit(1);
}

/* Of SOME there is less: ThreadSanitizer takes long. */
template <u32 how> static void check_all(const graph &g, u32 kept)
{
    for (bool handed : {false, true}) {
        check<2, true, how>(g, 5, kept, 64, 64, handed);
#ifndef SOME
        check<1, true, how>(g, 17, kept, 128, 64, handed);
        check<1, false, how>(g, 0, kept, 8, 32, handed);
        check<4, false, how>(g, 33, kept, 32, 32, handed);
#endif
    }
    check<2, false, how>(g, 33, kept, 4, 32, false); /* much goes to the list */
}

int main()
{
    const graph wide = make_graph(70, 40, 25, false);
    for (u32 hops = 0; hops < 4; hops++) {
        check_carriers(wide, 0, hops, {40});
        check_carriers(wide, 1600, hops, {49 | more, 70});
    }
    const graph graphs[] = {make_graph(18, 12, 25, false), make_graph(6, 40, 0, true)};
    for (const graph &g : graphs) {
        check_all<rows_at_host>(g, 80);
        check_all<rows_at_host | rows_paged>(g, 64);
#ifndef SOME
        for (u32 kept : {0u, ~0u}) check_all<rows_at_host>(g, kept);
        check_all<rows_at_host | rows_paged>(g, 0);
        check<2, true, rows_at_host | rows_paged>(g, 5, 0, 64, 64, false, 0);
        check_all<rows_ahead>(g, 0);
#endif
    }
    return 0;
}
