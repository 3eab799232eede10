/* SPDX-License-Identifier: MIT */
/* Orders vertices along a Hilbert curve through their positions (Hilbert, Math. Annalen 38, 1891). Lam and Shapiro ("A
 * class of fast algorithms for the Peano-Hilbert space-filling curve", ICIP 1994) derive the loop of curve_key(), which
 * takes one bit of each coordinate at a time.
 *
 * The cells of a 2^32 x 2^32 lattice over the smallest square around all finite positions get 64-bit keys. A radix sort
 * from the least significant byte sorts the vertices by key, so vertices in one cell keep their order. A coordinate
 * that is not finite lies on the border of the square. */
#include <math.h>
#include <string.h>

#include "../parallel.h"
#include "build.h"
#include "order.h"

enum { digits = 8, bins = 256, grain = 1 << 12 };

struct curve {
    const double *position;
    double low[2]; /* halves of the least coordinates; halves keep differences finite */
    double extent; /* half of the side of the square */
    uint64_t *key;
    uint32_t *vertex;
};

/* ---- keys ---- */

/* Returns false if the call is cancelled. */
static bool find_square(struct gws_runtime *runtime, const struct gws_graph *graph, struct curve *curve)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (uint64_t i = 0; i < 2 * graph->vertices; ++i) {
        double at = graph->position[i] / 2;
        if (gws_cancelled_at(runtime, i)) return false;
        if (!isfinite(at)) continue;
        if (at < low[i % 2]) low[i % 2] = at;
        if (at > high[i % 2]) high[i % 2] = at;
    }
    for (int axis = 0; axis < 2; ++axis) {
        curve->low[axis] = low[axis];
        if (high[axis] - low[axis] > curve->extent) curve->extent = high[axis] - low[axis];
    }
    return true;
}

/* Returns the lattice coordinate; 0 for NaN, and for all vertices if the square is a point. */
static uint32_t cell_of(const struct curve *curve, uint64_t vertex, int axis)
{
    if (!(curve->extent > 0)) return 0;
    double at = (curve->position[2 * vertex + (uint64_t)axis] / 2 - curve->low[axis]) / curve->extent * UINT32_MAX;
    if (!(at > 0)) return 0;
    return at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
}

/* Returns the position of a cell on the curve. Each step chooses a quadrant, and turns the coordinates so that the
 * curve through the quadrant has the orientation of the whole curve. */
static uint64_t curve_key(uint32_t x, uint32_t y)
{
    uint64_t key = 0;
    for (int bit = 31; bit >= 0; --bit) {
        const uint32_t right = x >> bit & 1, upper = y >> bit & 1;
        key = key << 2 | ((3 * right) ^ upper);
        if (upper) continue;
        const uint32_t swap = right ? ~x : x;
        x = right ? ~y : y;
        y = swap;
    }
    return key;
}

static void make_keys(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct curve *curve = context;
    (void)worker;
    for (uint64_t v = begin; v < end; ++v) {
        curve->key[v] = curve_key(cell_of(curve, v, 0), cell_of(curve, v, 1));
        curve->vertex[v] = (uint32_t)v;
    }
}

/* ---- sorting ---- */

struct arrays {
    uint64_t *key;
    uint32_t *vertex;
};

static uint64_t digit_of(uint64_t key, int digit)
{
    return key >> (8 * digit) & (bins - 1);
}

/* Sorts from one side to the other. Returns false if the call is cancelled. */
static bool sort_by_digit(struct gws_runtime *runtime, const struct arrays *from, const struct arrays *to,
                          uint64_t count, int digit, uint64_t *next)
{
    (void)gws__prefix_sum(next, bins);
    for (uint64_t i = 0; i < count; ++i) {
        if (gws_cancelled_at(runtime, i)) return false;
        uint64_t at = next[digit_of(from->key[i], digit)]++;
        to->key[at] = from->key[i];
        to->vertex[at] = from->vertex[i];
    }
    return true;
}

/* Sorts side[0] with side[1] as scratch, and returns the side with the result, or NULL if the call is cancelled. Skips
 * digits that all keys share. */
static const struct arrays *sort(struct gws_runtime *runtime, const struct arrays side[2], uint64_t count)
{
    uint64_t next[digits][bins] = {{0}};
    int from = 0;
    for (uint64_t i = 0; i < count; ++i) {
        if (gws_cancelled_at(runtime, i)) return NULL;
        for (int digit = 0; digit < digits; ++digit) ++next[digit][digit_of(side[0].key[i], digit)];
    }
    for (int digit = 0; digit < digits; ++digit) {
        if (count == 0 || next[digit][digit_of(side[0].key[0], digit)] == count) continue;
        gws_report_progress(runtime, "ordering", (uint64_t)digit, digits);
        if (!sort_by_digit(runtime, &side[from], &side[1 - from], count, digit, next[digit])) return NULL;
        from = 1 - from;
    }
    return &side[from];
}

/* ---- the order ---- */

static gws_status sort_vertices(struct gws_runtime *runtime, const struct gws_graph *graph, const struct arrays side[2],
                                uint32_t *new_of_old)
{
    struct curve curve = {.position = graph->position, .key = side[0].key, .vertex = side[0].vertex};
    struct gws_loop loop = {.count = graph->vertices, .grain = grain, .body = make_keys, .context = &curve};
    if (!find_square(runtime, graph, &curve)) return GWS_CANCELLED;
    gws_status status = gws_parallel_try(runtime, &loop);
    if (status != GWS_OK) return status;
    const struct arrays *sorted = sort(runtime, side, graph->vertices);
    if (!sorted) return GWS_CANCELLED;
    for (uint64_t i = 0; i < graph->vertices; ++i) {
        if (gws_cancelled_at(runtime, i)) return GWS_CANCELLED;
        new_of_old[sorted->vertex[i]] = (uint32_t)i;
    }
    return GWS_OK;
}

gws_status gws__order_hilbert(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *new_of_old)
{
    const uint64_t vertices = graph->vertices;
    struct arrays side[2] = {{0}};
    bool good = true;
    for (int i = 0; i < 2; ++i) {
        side[i].key = gws_allocate(runtime, vertices, sizeof *side[i].key);
        side[i].vertex = gws_allocate(runtime, vertices, sizeof *side[i].vertex);
        good &= side[i].key && side[i].vertex;
    }
    gws_status status = good ? sort_vertices(runtime, graph, side, new_of_old) : GWS_NO_MEMORY;
    for (int i = 0; i < 2; ++i) {
        gws_release(runtime, side[i].key, vertices, sizeof *side[i].key);
        gws_release(runtime, side[i].vertex, vertices, sizeof *side[i].vertex);
    }
    return status;
}
