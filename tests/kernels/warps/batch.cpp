/* SPDX-License-Identifier: MIT */
/* Compares the kernel of searches from many sources (kernels/graph/bfs_batch.cl), emulated by warps, with a serial
 * search from each source. test_warps.py assembles the sources. */
#include "warps.h"

#include <cstdio>
#include <cstdlib>

#include "rows.h"

#define BATCH_PIECE 128u
/* clang-format off */
#include "engine_words.h"
#include "grid.cl"
#include "bfs_batch_words.h"
#include "bfs_batch_rows.cl"
#include "bfs_batch.cl"
/* clang-format on */

/* Compares the sums and the distances of a source with those of a serial search. Adds its vertices to the pairs. */
static bool is_right(const rows &out, u32 source, u32 reached, u32 eccentricity, u64 total, double harmonic,
                     const unsigned short *distance, std::vector<u64> &pairs)
{
    const size_t vertices = out.offset.size() - 1;
    std::vector<u32> depth(vertices, ~0u), queue = {source};
    std::vector<u64> size(vertices);
    u64 sum = 0;
    double inverse = 0;
    depth[source] = 0;
    for (size_t head = 0; head < queue.size(); head++) {
        u32 v = queue[head];
        sum += depth[v];
        size[depth[v]]++;
        for (u64 arc = out.offset[v]; arc < out.offset[v + 1]; arc++)
            if (depth[out.target[arc]] == ~0u) depth[out.target[arc]] = depth[v] + 1, queue.push_back(out.target[arc]);
    }
    for (u32 d = 1; d <= depth[queue.back()]; d++) inverse += (double)size[d] / d;
    for (size_t v = 0; v < vertices; v++) {
        if (distance[v] != (unsigned short)depth[v]) return false;
        pairs[v] += size[v];
    }
    return reached == queue.size() && total == sum && eccentricity == depth[queue.back()] && harmonic == inverse;
}

static void check(const std::vector<uint2> &arcs, u32 vertices, u32 sources, u32 words, u64 limit, u32 blocks)
{
    const u32 threads = blocks > 1 ? 64 : 32;
    const rows out(vertices, arcs), in(vertices, reversed(arcs));
    std::vector<u64> seen(vertices * words, 5), before = seen, slots(BATCH_SLOTS), total(sources), pairs(vertices);
    std::vector<u64> expected_pairs(vertices);
    std::vector<u32> distance(sources * (u64)vertices / 2 + 1, ~0u);
    std::vector<u32> mark(vertices, 5), list(vertices), touched(vertices), piece(4 * (arcs.size() / BATCH_PIECE) + 4);
    std::vector<u32> in_piece = piece, reached(sources), eccentricity(sources), count(BATCH_COUNTS), source(sources);
    std::vector<double> harmonic(sources);
    u64 arrived = 0;
    for (u32 i = 0; i < sources; i++) source[i] = i * 37 % vertices;
    for (u32 first = 0; first < sources; first += 64 * words) {
        std::fill(count.begin(), count.end(), 0);
        std::fill(slots.begin(), slots.end(), 0);
        emulated_blocks.clear();
        for (u32 b = 0; b < blocks; b++) emulated_blocks.emplace_back(new emulated_block(threads, blocks));
        emulate_blocks(blocks, threads, [&] {
            graph_bfs_batch(out.offset.data(), out.target.data(), in.offset.data(), in.target.data(), source.data(),
                            seen.data(), before.data(), mark.data(), list.data(), touched.data(), piece.data(),
                            in_piece.data(), reached.data(), eccentricity.data(), total.data(), harmonic.data(),
                            pairs.data(), distance.data(), count.data(), slots.data(), &arrived, nullptr, limit,
                            vertices, 1, first, std::min(sources - first, 64 * words), words, 2, ~0u);
        });
    }
    for (u32 i = 0; i < sources; i++) {
        const unsigned short *row = (const unsigned short *)distance.data() + i * (u64)vertices;
        if (is_right(out, source[i], reached[i], eccentricity[i], total[i], harmonic[i], row, expected_pairs)) continue;
        std::printf("%u vertices, %zu arcs, %u words, limit %llu, %u blocks: source %u is wrong\n", vertices,
                    arcs.size(), words, limit, blocks, i);
        std::exit(1);
    }
    if (pairs == expected_pairs) return;
    std::printf("%u vertices, %zu arcs, limit %llu: wrong pairs\n", vertices, arcs.size(), limit);
    std::exit(1);
}

int main()
{
    for (u64 limit : {0ull, 150ull, ~0ull}) /* pull; both; push */
        for (u32 words : {1u, BATCH_WORDS}) {
            check(make_arcs(300, 400, 10), 300, 100, words, limit, 2);
#ifndef SOME
            check(make_arcs(300, 0, 10), 300, 100, words, limit, 2);
            check(make_arcs(500, 1500, 0), 500, 280, words, limit, 1);
            check(make_arcs(500, 1500, 10), 500, 280, words, limit, 2);
#endif
        }
    return 0;
}
