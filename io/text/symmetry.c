/* SPDX-License-Identifier: MIT */
/* The hash of an arc depends on its smaller endpoint, its larger endpoint and its weight, so an arc and its reverse
 * have the same hash. The check adds the hash if the source is the smaller endpoint, and otherwise subtracts the hash.
 * Sums have 128 bits, so they cannot overflow, and repeated arcs count with their multiplicity. If the sum is not 0,
 * the check looks up each arc in its target's row to find the arc for the message. */
#include "reader.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>

#include "../../lib/parallel.h"
#include "../../lib/random.h"
#include "../ranks/ranks.h"
#include "../write/arcs.h"

__extension__ typedef __int128 sum128;

enum { arcs_at_once = 1 << 18, max_compared = 1000 };

/* ---- the sum of hashes ---- */

struct hash_sum;

/* Returns the sum over arcs begin .. end - 1, at most arcs_at_once. */
typedef sum128 add_arcs(const struct hash_sum *sum, uint64_t begin, uint64_t end);

struct hash_sum {
    const struct gws_graph *graph;
    uint64_t first; /* the vertex of row 0 */
    uint64_t key[4];
    add_arcs *add; /* uses the widest vectors of the processor */
    sum128 *part;  /* one sum for each arcs_at_once arcs */
};

/* Mixes a number by the multiplications and shifts of splitmix64, with random factors. */
static inline uint64_t mix(const uint64_t *key, uint64_t number)
{
    number ^= key[0];
    number = (number ^ (number >> 32)) * key[1];
    number = (number ^ (number >> 29)) * key[2];
    return number ^ (number >> 32);
}

/* Returns the weights of either kind, 32 bits each, or NULL if the graph has no weights. */
static const unsigned char *weights_of(const struct gws_graph *graph)
{
    return graph->weight ? (const unsigned char *)graph->weight : (const unsigned char *)graph->real_weight;
}

static inline uint32_t weight_bits(const unsigned char *weights, uint64_t arc)
{
    uint32_t bits = 0;
    if (weights) memcpy(&bits, weights + arc * sizeof bits, sizeof bits);
    return bits;
}

/* Adds the two halves of each hash separately, so 64-bit sums suffice. A loop needs no reverse arc. */
__attribute__((always_inline)) static inline sum128 add(const struct hash_sum *sum, uint64_t begin, uint64_t end)
{
    const struct gws_graph *graph = sum->graph;
    const uint32_t *target = graph->target;
    const unsigned char *weights = weights_of(graph);
    int64_t low = 0, high = 0;
    for (uint64_t row = gws__row_of(graph, begin, 0); begin < end; row++) {
        const uint64_t v = sum->first + row;
        uint64_t row_end = graph->offset[row + 1] < end ? graph->offset[row + 1] : end;
        for (; begin < row_end; begin++) {
            uint64_t to = target[begin], ends = to < v ? to << 32 | v : v << 32 | to;
            if (weights) ends ^= mix(sum->key, weight_bits(weights, begin) ^ sum->key[3]);
            uint64_t hash = mix(sum->key, ends);
            int64_t above = -(int64_t)(to > v), below = -(int64_t)(to < v); /* masks are faster than multiplications */
            low += ((int64_t)(uint32_t)hash & above) - ((int64_t)(uint32_t)hash & below);
            high += ((int64_t)(hash >> 32) & above) - ((int64_t)(hash >> 32) & below);
        }
    }
    return (sum128)high * ((sum128)1 << 32) + low;
}

static sum128 add_plain(const struct hash_sum *sum, uint64_t begin, uint64_t end)
{
    return add(sum, begin, end);
}

#if defined __x86_64__
__attribute__((target("avx2"))) static sum128 add_avx2(const struct hash_sum *sum, uint64_t begin, uint64_t end)
{
    return add(sum, begin, end);
}

/* Does the work of add() with AVX-512, which can multiply 64-bit numbers. */
__attribute__((target("avx512f,avx512dq,avx512vl"))) static sum128 add_avx512(const struct hash_sum *sum,
                                                                              uint64_t begin, uint64_t end)
{
    return add(sum, begin, end);
}

static add_arcs *widest(void)
{
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return add_avx512;
    return __builtin_cpu_supports("avx2") ? add_avx2 : add_plain;
}
#else
static add_arcs *widest(void)
{
    return add_plain;
}
#endif

static void sum_parts(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct hash_sum *sum = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t at = i * arcs_at_once, left = sum->graph->arcs - at;
        sum->part[i] = sum->add(sum, at, left < arcs_at_once ? at + left : at + arcs_at_once);
    }
}

/* Draws the key. If the system has no random numbers yet, the time and an address of memory determine the key. */
static void draw_key(uint64_t key[4])
{
    uint64_t state = (uint64_t)(gws_clock_ms() * 1e6) ^ (uint64_t)(uintptr_t)key;
    if (getrandom(key, 4 * sizeof *key, GRND_NONBLOCK) != (ssize_t)(4 * sizeof *key))
        for (int i = 0; i < 4; i++) key[i] = gws_random_next(&state);
    key[1] |= 1; /* an odd factor makes the multiplication a bijection */
    key[2] |= 1;
}

/* Adds the sums of all ranks, in pieces of 32 bits whose own sums fit in 64. */
static gws_status add_ranks(struct gws__read_ranks *ranks, gws_status own, sum128 *total)
{
    __extension__ typedef unsigned __int128 bits128;
    uint64_t piece[4];
    for (int i = 0; i < 4; i++) piece[i] = (uint32_t)((bits128)*total >> (32 * i));
    gws_status status = gws__read_ranks_sum(ranks, own, piece, 4);
    bits128 sum = 0;
    for (int i = 0; i < 4; i++) sum += (bits128)piece[i] << (32 * i);
    *total = (sum128)sum;
    return status;
}

/* Sets *match to whether both directions have the same sum. The rows of the graph are those of vertices first, first +
 * 1
 * ... of all ranks' graph. */
static gws_status sums_match(const struct gws__input *input, const struct gws_graph *graph, uint64_t first, bool *match)
{
    struct gws_runtime *runtime = input->runtime;
    struct hash_sum sum = {.graph = graph, .first = first, .add = widest()};
    uint64_t parts = (graph->arcs + arcs_at_once - 1) / arcs_at_once;
    if (gws__read_ranks_first(input->ranks)) draw_key(sum.key);
    sum.part = gws_allocate(runtime, parts, sizeof *sum.part);
    gws_status status = gws__read_ranks_sum(input->ranks, sum.part ? GWS_OK : GWS_NO_MEMORY, sum.key, 4);
    struct gws_loop loop = {.count = parts, .chunk = 1, .body = sum_parts, .context = &sum};
    if (status == GWS_OK) status = gws_parallel_try(runtime, &loop);
    sum128 total = 0;
    for (uint64_t i = 0; status == GWS_OK && sum.part && i < parts; i++) total += sum.part[i];
    if (!input->ranks || !input->ranks->failed) status = add_ranks(input->ranks, status, &total);
    gws_release(runtime, sum.part, parts, sizeof *sum.part);
    *match = total == 0;
    return status;
}

/* ---- the first arc without its reverse arc ---- */

struct arc_search {
    const struct gws_graph *graph;
    _Atomic uint64_t worst; /* the smallest vertex with an arc that has no reverse arc */
};

/* Returns the number of arcs from one vertex to another with the given weight (NULL: any). The function ignores weights
 * above max_compared parallel arcs, since comparing all pairs would take long. */
static uint64_t count_arcs(const struct gws_graph *graph, uint32_t from, uint32_t to, const uint32_t *weight)
{
    uint64_t begin = gws_graph_find_arc(graph, from, to), count = 0;
    uint64_t end = gws_graph_find_arc(graph, from, (uint64_t)to + 1);
    if (!weight || end - begin > max_compared) return end - begin;
    for (uint64_t a = begin; a < end; a++) count += weight_bits(weights_of(graph), a) == *weight;
    return count;
}

static bool row_is_symmetric(const struct gws_graph *graph, uint32_t vertex, uint32_t *without)
{
    for (uint64_t a = graph->offset[vertex]; a < graph->offset[(uint64_t)vertex + 1]; a++) {
        *without = graph->target[a];
        const uint32_t weight = weight_bits(weights_of(graph), a), to = graph->target[a];
        if (count_arcs(graph, to, vertex, &weight) != count_arcs(graph, vertex, to, &weight)) return false;
    }
    return true;
}

static void check_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct arc_search *check = context;
    uint32_t without;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        /* relaxed, as below, since the loop's barrier orders all accesses before the read of the result */
        uint64_t worst = atomic_load_explicit(&check->worst, memory_order_relaxed);
        if (v >= worst) return;
        if (row_is_symmetric(check->graph, (uint32_t)v, &without)) continue;
        while (v < worst && !atomic_compare_exchange_weak_explicit(&check->worst, &worst, v, memory_order_relaxed,
                                                                   memory_order_relaxed)) {
        }
        return;
    }
}

/* Returns this rank's rows as a graph. */
static struct gws_graph rows_of(const struct gws_rank_graph *parted)
{
    return (struct gws_graph){.vertices = parted->rows,
                              .arcs = parted->offset[parted->rows],
                              .offset = parted->offset,
                              .target = parted->target,
                              .weight = parted->weight,
                              .real_weight = parted->real_weight};
}

gws_status gws__symmetry_check(const struct gws__input *input, const struct gws_graph *graph)
{
    struct gws_runtime *runtime = input->runtime;
    struct arc_search check = {.graph = graph};
    const struct gws_rank_graph *parted = input->ranks ? input->ranks->graph : NULL;
    const struct gws_graph part = parted ? rows_of(parted) : *graph;
    uint32_t without = 0;
    bool match = false;
    gws_status status = sums_match(input, &part, parted ? parted->first : 0, &match);
    if (status != GWS_OK || match) return status;
    if (parted)
        return gws__input_fail(input, GWS_CORRUPT, 0, 0, "an arc has no reverse arc of its weight and multiplicity");
    atomic_init(&check.worst, UINT64_MAX);
    status = gws_parallel_try_for(runtime, graph->vertices, 1024, check_rows, &check);
    if (status != GWS_OK) return status;
    uint64_t worst = atomic_load_explicit(&check.worst, memory_order_relaxed);
    if (worst == UINT64_MAX)
        return gws__input_fail(input, GWS_CORRUPT, 0, 0, "an arc lacks its reverse arc, or the two differ in weight");
    (void)row_is_symmetric(graph, (uint32_t)worst, &without);
    bool weighted = weights_of(graph) != NULL;
    bool fewer = !weighted && count_arcs(graph, without, (uint32_t)worst, NULL) > 0;
    return gws__input_fail(input, GWS_CORRUPT, 0, 0, "the arc from %" PRIu64 " to %" PRIu64 "%s has no reverse arc%s",
                           gws_graph_id(graph, (uint32_t)worst), gws_graph_id(graph, without),
                           weighted ? " with this weight" : "", fewer ? " of the same multiplicity" : "");
}
