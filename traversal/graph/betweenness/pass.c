/* SPDX-License-Identifier: MIT */
/* Sums over a row of a vertex at depth d. The sum has the values of the neighbours at depth d - 1 (forward, over
 * incoming arcs) or d + 1 (backward, over outgoing arcs). A first step compacts the neighbours of the wanted depth
 * without a branch, since the outcome of the test is unpredictable. A second step adds up the values of these
 * neighbours. */
#include <string.h>

#include "pass.h"

enum { batch = 128, short_row = 8, ahead = 8 };

struct gws__bc_pass gws__bc_pass_of(struct gws__bc *bc, uint32_t level, bool backward)
{
    const struct gws__bc_level *its = &bc->scratch->level[level];
    struct gws__bc_pass pass = {.bc = bc, .backward = backward, .level = level, .begin = its->begin};
    pass.rows = backward ? bc->graph : bc->in;
    pass.heavy = backward ? &bc->scratch->out : &bc->scratch->in;
    pass.want = backward ? level + 1 : level - 1;
    if (backward && level + 1 == bc->levels) pass.rows = NULL;
    return pass;
}

bool gws__bc_pass_is_heavy(const struct gws__bc_pass *pass)
{
    const struct gws__bc_level *its = &pass->bc->scratch->level[pass->level];
    return pass->rows && (pass->backward ? its->heavy_out : its->heavy_in);
}

/* ---- the sum over a row ---- */

static uint32_t keep_exact(const struct gws__bc_pass *pass, uint32_t *to, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): keep() has set `count` of them */
        if (pass->bc->exact[to[i]] == pass->want) to[left++] = to[i];
    return left;
}

/* Copies the targets that have the wanted depth. */
static uint32_t keep(const struct gws__bc_pass *pass, const uint32_t *target, uint32_t count, uint32_t *to)
{
    const uint8_t *tag = pass->bc->scratch->tag, want = (uint8_t)pass->want;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        to[left] = target[i];
        left += tag[target[i]] == want;
    }
    return pass->bc->exact ? keep_exact(pass, to, left) : left;
}

/* Returns the sum of a short row. Reads every value and masks out the unwanted values. Other workers may write
 * unwanted values, which are those of the same level, meanwhile. So both accesses are atomic. relaxed: the mask
 * discards the result of such a read. */
static double sum_short(const struct gws__bc_pass *pass, const uint32_t *target, uint64_t count)
{
    const uint8_t *tag = pass->bc->scratch->tag, want = (uint8_t)pass->want;
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits;
        double value;
        __atomic_load(&pass->bc->scratch->value[target[i]], &value, __ATOMIC_RELAXED);
        memcpy(&bits, &value, sizeof bits);
        bits &= -(uint64_t)(tag[target[i]] == want);
        memcpy(&value, &bits, sizeof value);
        sum += value;
    }
    return sum;
}

/* Adds to a backward sum, which is relative to the scale of the vertex. This scale is at most that of the vertex's
 * successors. */
static inline struct gws__bc_sum add_scaled(const struct gws__bc_pass *pass, struct gws__bc_sum sum, uint32_t to)
{
    const struct gws__betweenness_scratch *scratch = pass->bc->scratch;
    struct gws__bc_sum term = {scratch->value[to], scratch->scale[to]};
    if (pass->backward) term.value *= gws__bc_power(term.scale - sum.scale);
    return gws__bc_sum_add(sum, term, pass->backward);
}

static inline struct gws__bc_sum zero(const struct gws__bc_pass *pass, uint32_t vertex)
{
    const uint16_t *scale = pass->bc->scratch->scale;
    return (struct gws__bc_sum){0, pass->backward && scale ? scale[vertex] : 0};
}

static inline struct gws__bc_sum sum_short_scaled(const struct gws__bc_pass *pass, uint32_t vertex,
                                                  const uint32_t *target, uint64_t count)
{
    const uint8_t *tag = pass->bc->scratch->tag, want = (uint8_t)pass->want;
    struct gws__bc_sum sum = zero(pass, vertex);
    for (uint64_t i = 0; i < count; i++)
        if (tag[target[i]] == want) sum = add_scaled(pass, sum, target[i]);
    return sum;
}

/* Returns the backward sum, and also adds to the values of arcs, sigma(v) * x(w) for the arc v -> w. */
static struct gws__bc_sum sum_arcs(const struct gws__bc_pass *pass, uint32_t vertex, uint64_t begin, uint64_t end)
{
    const struct gws__betweenness_scratch *scratch = pass->bc->scratch;
    struct gws__bc_sum sum = zero(pass, vertex);
    for (uint64_t arc = begin; arc < end; arc++) {
        uint32_t to = pass->rows->target[arc];
        if (keep(pass, &to, 1, &(uint32_t){0}) == 0) continue;
        double term = scratch->value[to];
        if (scratch->scale) term *= gws__bc_power(scratch->scale[to] - sum.scale);
        pass->bc->arc[arc] += scratch->value[vertex] * term;
        sum.value += term;
    }
    return sum;
}

struct gws__bc_sum gws__bc_pass_sum(const struct gws__bc_pass *pass, uint32_t vertex, uint64_t begin, uint64_t end)
{
    const struct gws__betweenness_scratch *scratch = pass->bc->scratch;
    struct gws__bc_sum sum = zero(pass, vertex);
    uint32_t to[batch];
    if (pass->backward && pass->bc->arc) return sum_arcs(pass, vertex, begin, end);
    for (; begin < end; begin += batch) {
        uint32_t count = end - begin < batch ? (uint32_t)(end - begin) : batch;
        count = keep(pass, pass->rows->target + begin, count, to);
        if (scratch->scale)
            for (uint32_t i = 0; i < count; i++) sum = add_scaled(pass, sum, to[i]);
        else
            for (uint32_t i = 0; i < count; i++) sum.value += scratch->value[to[i]];
    }
    return sum;
}

/* ---- a vertex ---- */

/* Finishes a vertex of the forward pass. relaxed: the caller reads the flag after the end of the loop. */
static void finish_forward(const struct gws__bc_pass *pass, uint32_t vertex, struct gws__bc_sum sum)
{
    struct gws__betweenness_scratch *scratch = pass->bc->scratch;
    if (scratch->scale && sum.value >= 0x1p512) {
        sum.value *= 0x1p-512;
        sum.scale++;
    }
    __atomic_store(&scratch->value[vertex], &sum.value, __ATOMIC_RELAXED); /* see sum_short() */
    if (scratch->scale) scratch->scale[vertex] = (uint16_t)sum.scale;
    if (sum.value > GWS__BC_MAX_PATHS || sum.scale > UINT16_MAX)
        atomic_store_explicit(&pass->bc->overflow, true, memory_order_relaxed);
}

static inline void finish(const struct gws__bc_pass *pass, uint32_t vertex, struct gws__bc_sum sum)
{
    double *value = pass->bc->scratch->value;
    if (!pass->backward) {
        finish_forward(pass, vertex, sum);
        return;
    }
    double dependency = value[vertex] * sum.value;
    if (pass->level > 0) pass->bc->centrality[vertex] += dependency;
    double scaled = (1 + dependency) / value[vertex];
    __atomic_store(&value[vertex], &scaled, __ATOMIC_RELAXED); /* see sum_short() */
}

void gws__bc_pass_finish(const struct gws__bc_pass *pass, uint32_t vertex, struct gws__bc_sum sum)
{
    finish(pass, vertex, sum);
}

/* Prefetches the row bounds and the rows of the vertices that follow order[i]. */
static inline void prefetch(const struct gws__bc_pass *pass, const uint32_t *order, uint64_t i, uint64_t end)
{
    if (i + 2 * ahead < end) __builtin_prefetch(&pass->rows->offset[order[i + 2 * ahead]]);
    if (i + ahead < end) __builtin_prefetch(&pass->rows->target[pass->rows->offset[order[i + ahead]]]);
}

void gws__bc_pass_vertices(const struct gws__bc_pass *pass, uint64_t begin, uint64_t end)
{
    const struct gws__bc *bc = pass->bc;
    const uint32_t *order = bc->order + pass->begin;
    bool heavy = gws__bc_pass_is_heavy(pass), scaled = bc->scratch->scale != NULL;
    bool tags_suffice = !bc->exact && !(pass->backward && bc->arc);
    for (uint64_t i = begin; i < end && !pass->rows; i++) finish(pass, order[i], (struct gws__bc_sum){0, 0});
    if (!pass->rows) return;
    const uint64_t *offset = pass->rows->offset;
    for (uint64_t i = begin; i < end; i++) {
        prefetch(pass, order, i, end);
        uint64_t first = offset[order[i]], last = offset[order[i] + (uint64_t)1];
        struct gws__bc_sum sum = {0, 0};
        if (heavy && last - first >= gws__bc_heavy) continue;
        if (tags_suffice && last - first <= short_row && scaled)
            sum = sum_short_scaled(pass, order[i], pass->rows->target + first, last - first);
        else if (tags_suffice && last - first <= short_row)
            sum.value = sum_short(pass, pass->rows->target + first, last - first);
        else
            sum = gws__bc_pass_sum(pass, order[i], first, last);
        finish(pass, order[i], sum);
    }
}
