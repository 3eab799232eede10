/* SPDX-License-Identifier: MIT */
/* Compares the kernels for meshes (kernels/cuda/bfs_mesh.cuh), emulated by threads, with a serial search. The tests
 * cover rows in the memory of device and host, clusters of several sizes, frontiers that overflow to the list, and
 * searches that are handed off and resumed. test_mesh.py assembles the sources. */
#include "cuda.h"

#include <cstdio>
#include <cstdlib>

#include "bfs_mesh.cuh"

struct graph {
    u32 vertices;
    std::vector<u64> offset;
    std::vector<u32> target;
};

/* Makes a grid in which some edges are missing and every 97th vertex has seven more edges. */
static graph make_graph(u32 width, u32 height, u32 missing, bool directed)
{
    u32 vertices = width * height, random = 1;
    std::vector<std::vector<u32>> row(vertices);
    auto keeps = [&] { return (random = random * 1664525 + 1013904223) >> 16, (random >> 16) % 100 >= missing; };
    auto add = [&](u32 from, u32 to) {
        row[from].push_back(to);
        if (!directed) row[to].push_back(from);
    };
    for (u32 v = 0; v < vertices; v++) {
        if ((v + 1) % width && (keeps() || v < width)) add(v, v + 1);
        if (v + width < vertices && (keeps() || v % width == 0)) add(v, v + width);
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

struct mesh_row {
    u32 word[4];
};

static std::vector<mesh_row> make_rows(const graph &g)
{
    std::vector<mesh_row> rows(g.vertices);
    for (u32 v = 0; v < g.vertices; v++) {
        u64 at = v, arc = g.offset[v], end = g.offset[v + 1];
        for (; end - arc > 4; arc += 3) {
            rows[at] = {
                {g.target[arc], g.target[arc + 1], g.target[arc + 2], top_bit | (u32)(rows.size() - g.vertices)}};
            at = rows.size();
            rows.push_back({});
        }
        for (u32 i = 0; i < 4; i++) rows[at].word[i] = arc + i < end ? g.target[arc + i] : none;
    }
    return rows;
}

static std::vector<uint4> lay_out(const std::vector<mesh_row> &rows, u64 begin, u64 end)
{
    std::vector<uint4> laid;
    for (u64 r = begin; r < end; r++)
        laid.push_back({rows[r].word[0], rows[r].word[1], rows[r].word[2], rows[r].word[3]});
    laid.push_back({}); /* an empty part also needs an address */
    return laid;
}

/* ---- a search ---- */

struct emulated_search {
    const graph &g;
    u32 source, device_rows, capacity, size; /* size: threads in a block */
    u32 prefetch_clusters = 0, slots = 0;    /* prefetch clusters, and slots of the cache */
    std::vector<mesh_row> rows;
    std::vector<uint4> on_device, on_host;
    std::vector<u32> depth, parent, level, visited, at_host;
    std::vector<uint2> list, handoff_list;
    std::vector<u64> stats, ring, trace; /* trace: a gws__trace_log */
    std::vector<uint4> slot;
    std::vector<u32> requested, next_line,
        requests; /* requests: the launch has prefetch clusters only, with these requests */
    u64 done[4] = {};
    u32 list_end = 0, summary[4] = {};
    gws__handoff_rule rule = {};
    gws__handoff_state state = {};
    u32 passes = 0;

    emulated_search(const graph &given, u32 from, u32 first_rows, u32 entries, u32 threads, bool host)
        : g(given), source(from), device_rows(first_rows), capacity(entries), size(threads), rows(make_rows(given)),
          depth(g.vertices, 77), parent(g.vertices, 77), level(g.vertices + 1), visited((g.vertices + 31) / 32),
          at_host((g.vertices + 63) / 64 * 2 + 4), list(rows.size()), handoff_list(GWS_HANDOFF_CAPACITY), stats(16),
          trace(1 + 3 * (g.vertices + 2))
    {
        device_rows = !host || device_rows > rows.size() ? (u32)rows.size() : device_rows;
        on_device = lay_out(rows, 0, device_rows);
        on_host = lay_out(rows, device_rows, rows.size());
    }
};

/* Prepares the cache before a launch, like the host. */
static row_cache cache_of(emulated_search &s, u32 blocks, u32 distance)
{
    bool resumes = s.rule.resumes;
    if (!resumes) s.requested.assign(s.rows.size() / page_rows + 1, 0);
    if (!resumes && s.slot.empty()) s.slot.assign(s.slots * set_lines, {none, none, none, none});
    s.next_line.resize(s.slots / page_rows);
    s.ring.assign(blocks * ring_capacity, 0);
    s.done[0] = !s.requests.empty(), s.done[1] = s.requests.empty() ? 0 : none; /* with requests, no cluster searches */
    s.done[2] = 0;
    s.done[3] = resumes ? s.done[3] : 0;
    for (u32 i = 0; i < s.requests.size(); i++)
        s.ring[i * ring_capacity] = (u64)1 << 32 | s.requests[i]; /* one request in each ring */
    return {s.slot.data(), s.slots, s.prefetch_clusters, distance,
            s.ring.data(), s.done,  s.requested.data(),  s.next_line.data()};
}

template <u32 blocks, bool local_bitmap, u32 access>
static void launch(emulated_search &s, bool handoff_allowed, u32 distance = 2)
{
    u32 grid = blocks * (s.prefetch_clusters + s.requests.empty());
    row_cache cache = access & rows_paged ? cache_of(s, blocks, distance) : row_cache{};
    mesh_handoff h = {&s.rule, &s.state, s.handoff_list.data(), s.at_host.data()};
    s.state = {};
    ((gws__trace_log *)s.trace.data())->capacity = s.g.vertices + 2;
    ((gws__trace_log *)s.trace.data())->count = 0;
    emulated_blocks.clear();
    for (u32 b = 0; b < grid; b++) emulated_blocks.push_back(std::make_unique<emulated_block>(s.size, blocks));
    emulated_clusters.clear();
    for (u32 c = 0; c < grid / blocks; c++)
        emulated_clusters.push_back(std::make_unique<emulated_barrier>(blocks * s.size));
    emulated_size = blocks;
    emulate_blocks(grid, s.size, [&] {
        run_searches<blocks, local_bitmap, access>(
            s.g.vertices, s.rows.size(), s.on_device.data(), s.depth.data(), s.parent.data(), s.level.data(),
            s.list.data(), &s.list_end, s.visited.data(), &s.source, 1, s.g.vertices, s.summary, s.stats.data(),
            (gws__trace_log *)s.trace.data(), s.capacity, s.on_host.data(), s.device_rows,
            handoff_allowed ? &h : nullptr, cache);
    });
}

/* Runs at most two levels, as the host does. Returns true if the device must continue. */
static bool run_here(emulated_search &s)
{
    std::vector<u32> front, next;
    for (u32 i = 0; i < s.state.entries; i++)
        if (s.handoff_list[i].x != none) front.push_back(s.handoff_list[i].x);
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
    s.summary[0] = depth, s.summary[1] = reached;
    for (u32 i = 0; i < front.size(); i++) {
        s.handoff_list[i] = {front[i], s.parent[front[i]]};
        s.at_host[front[i] / 32] &= ~(1u << front[i] % 32);
    }
    s.rule.resumes = 1, s.rule.from.level = depth, s.rule.from.size = (u32)front.size(), s.rule.from.reached = reached;
    return !front.empty();
}

/* Returns true if the log has the levels of a search by one launch, and then the end of the search. */
static bool is_logged(const emulated_search &s)
{
    auto *log = (const gws__trace_log *)s.trace.data();
    bool right = log->count == s.summary[0] + 1 && log->event[log->count - 1].kind == GWS_TRACE_END;
    for (u32 i = 0; i + 1 < log->count && right; i++)
        right = log->event[i].kind == GWS_TRACE_PUSH && log->event[i].first == i && log->event[i].second == s.level[i];
    return right;
}

static bool is_right(const emulated_search &s)
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
    bool right = s.summary[0] == level.size() && s.summary[1] == queue.size() && s.depth == depth;
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

/* Returns the number of cache lines that hold a row. Adds 100 for each line that holds another row under the row's tag.
 */
static u32 brought(const emulated_search &s, u32 number)
{
    row_cache cache = {(uint4 *)s.slot.data(), s.slots};
    cache_slot slot = slot_of(&cache, number - s.device_rows);
    u32 times = 0;
    for (u32 line = 0; line < set_lines; line++) {
        uint4 is;
        if (!is_row(slot.at[line], slot.tag, &is)) continue;
        times += std::memcmp(&is, &s.rows[number], sizeof is) ? 100 : 1;
    }
    return times;
}

/* The rows that the prefetch clusters of all searches transferred. A short search may end before a prefetch cluster sees
 * its first request, so only the sum must be positive. */
static u64 transferred;

/* Returns true if no slot holds a wrong row. */
static bool all_slots_right(const emulated_search &s)
{
    bool right = s.done[3] == 0 || s.prefetch_clusters > 0;
    transferred += s.done[3];
    for (u32 number = s.device_rows; number < s.rows.size(); number++) right &= brought(s, number) <= set_lines;
    return right;
}

/* Runs prefetch clusters alone, with one or two requests. The clusters must transfer each page within the distance
 * once, and no other page. */
static void check_prefetch_clusters(const graph &g, u32 device_rows, u32 distance, std::vector<u32> calls)
{
    static constexpr u32 access = rows_at_host | rows_paged, blocks = 2;
    emulated_search s(g, 0, device_rows, 64, 64, true);
    std::vector<u32> away((s.rows.size() + page_rows - 1) / page_rows, none);
    s.prefetch_clusters = 2;
    s.slots = (u32)(s.rows.size() / page_rows + 1) * page_rows; /* enough slots for all rows */
    s.requests = calls;
    for (u32 page : calls) away[page & ~top_bit] = 0;
    for (u32 hop = 0; hop < distance; hop++)
        for (u32 number = 0; number < s.rows.size(); number++)
            for (u32 word : s.rows[number].word) {
                u32 to = word == none ? number : word & top_bit ? g.vertices + (word & ~top_bit) : word;
                if (away[number / page_rows] == hop) away[to / page_rows] = min(away[to / page_rows], hop + 1);
            }
    launch<blocks, true, access>(s, false, distance);
    for (u32 number = s.device_rows; number < s.rows.size(); number++) {
        u32 is = brought(s, number), wanted = away[number / page_rows] != none;
        if (is == wanted || (is == 2 && wanted))
            continue; /* two prefetch clusters may both transfer a page, as neither waits for the other */
        std::printf("%u device rows, distance %u: row %u found %u times, expected %u\n", device_rows, distance, number,
                    is, wanted);
        std::exit(1);
    }
}

template <u32 blocks, bool local_bitmap, u32 access>
static void check(const graph &g, u32 source, u32 device_rows, u32 capacity, u32 size, bool handoff_allowed,
                  u32 prefetch_clusters = 2)
{
    emulated_search s(g, source, device_rows, capacity, size, access & rows_at_host);
    s.rule.limit = HUGE_VALF;
    s.rule.wide = ~0u;
    if (access & rows_paged) {
        s.prefetch_clusters = prefetch_clusters;
        s.slots = ((u32)(s.rows.size() - s.device_rows) / page_rows + 8) / 8 * page_rows;
    }
    s.rule.max = handoff_allowed ? 3 : ~0u;
    do {
        launch<blocks, local_bitmap, access>(s, handoff_allowed);
        s.passes += s.state.handed_off;
    } while (s.state.handed_off && run_here(s));
    bool right = is_right(s) && (handoff_allowed || is_logged(s)) && (!(access & rows_paged) || all_slots_right(s)) &&
                 (!handoff_allowed || capacity < 32 || s.passes > 2); /* no handoff while rows are on the list */
    if (!right || getenv("VERBOSE"))
        std::printf("%u blocks of %u, local bitmap %d, access %u, %u vertices, %zu rows, %u device rows, capacity %u, "
                    "from %u: %u levels, %u "
                    "reached, "
                    "%u listed, passed %u times: %s\n",
                    blocks, size, local_bitmap, access, g.vertices, s.rows.size(), device_rows, capacity, source,
                    s.summary[0], s.summary[1], s.list_end, s.passes, right ? "right" : "wrong");
    if (!right) std::exit(1);
}

/* SOME selects a subset, as ThreadSanitizer is slow. */
template <u32 access> static void check_all(const graph &g, u32 device_rows)
{
    for (bool handoff_allowed : {false, true}) {
        check<2, true, access>(g, 5, device_rows, 64, 64, handoff_allowed);
#ifndef SOME
        check<1, true, access>(g, 17, device_rows, 128, 64, handoff_allowed);
        check<1, false, access>(g, 0, device_rows, 8, 32, handoff_allowed);
        check<4, false, access>(g, 33, device_rows, 32, 32, handoff_allowed);
#endif
    }
    check<2, false, access>(g, 33, device_rows, 4, 32, false); /* many rows overflow to the list */
}

int main()
{
    const graph wide = make_graph(70, 40, 25, false);
    for (u32 distance = 0; distance < 4; distance++) {
        check_prefetch_clusters(wide, 0, distance, {40});
        check_prefetch_clusters(wide, 1600, distance, {49 | top_bit, 70});
    }
    const graph graphs[] = {make_graph(18, 12, 25, false), make_graph(6, 40, 0, true)};
    for (const graph &g : graphs) {
        check_all<rows_at_host>(g, 80);
        check_all<rows_at_host | rows_paged>(g, 64);
#ifndef SOME
        for (u32 device_rows : {0u, ~0u}) check_all<rows_at_host>(g, device_rows);
        check_all<rows_at_host | rows_paged>(g, 0);
        check<2, true, rows_at_host | rows_paged>(g, 5, 0, 64, 64, false, 0);
        check_all<rows_ahead>(g, 0);
#endif
    }
    if (transferred == 0) std::printf("the prefetch clusters of all searches transferred no row\n");
    return transferred == 0;
}
