/* SPDX-License-Identifier: MIT */
/* The expected cost of a level (row_cost.h).
 *
 * Pull. A neighbour of an unreached vertex is in the frontier or unreached itself: any other neighbour would have
 * reached it. Arcs to both are mixed at random, so an arc leads to the frontier with the probability
 *     p = frontier's arcs / (frontier's arcs + unreached vertices' arcs),
 * and the expected number of words read of a row of d words, until one leads to the frontier or all are read, is
 *     1 + (1 - p) + (1 - p)^2 + .. = (1 - (1 - p)^d) / p.
 * w words from a random place on span 1 + (w - 1) / (words of a piece) pieces. d is the mean of the unreached vertices.
 */
#include "row_cost.h"

#include <math.h>

/* The bus gives 0.75 G random reads/s, and 51 GB/s in order; the device makes 69 G looks/s at a bitmap in its cache.
 * The host's memory gives its threads 74 GB/s in lines of 64 bytes, random or in order, as prefetches hide the latency;
 * one thread gets 5 GB/s. A thread that claims a vertex writes its parent to a random place; in pull the places are
 * consecutive. The device took at most 20 % longer for levels of uniform:24 than this predicts. */
void gws__row_costs(double head, double absent, uint32_t threads, struct gws__row_cost *cost)
{
    double line = 64 / (threads < 15 ? 5.0 * threads : 74);
    cost[0] = (struct gws__row_cost){.piece = 8,
                                     .place = 1 / 0.75,
                                     .next = 32 / 51.0,
                                     .word = 1 / 69.0,
                                     .claim = 1 / 69.0,
                                     .head = head,
                                     .absent = absent};
    cost[1] = (struct gws__row_cost){
        .piece = 16, .place = line, .next = line, .word = 2.6 / threads, .claim = 9.0 / threads, .absent = 1};
}

static double looked_at(double p, double words)
{
    return p > 0 ? -expm1(words * log1p(-p)) / p : words;
}

/* The pieces and looks of all rows. */
static double expect(const struct gws__row_cost *cost, const struct gws__row_level *level, double *looks)
{
    *looks = 0;
    if (level->left == 0) return 0;
    double p = (double)level->arcs / ((double)level->arcs + (double)level->left_arcs), left = (double)level->left;
    double words = (double)level->left_arcs / left, head = cost->head < words ? cost->head : words;
    double row = looked_at(p, words), beyond = words > head ? pow(1 - p, head) : 0;
    *looks = left * row;
    return left * (beyond + (row - looked_at(p, head) - beyond) / cost->piece);
}

double gws__row_pull_pieces(const struct gws__row_cost *cost, const struct gws__row_level *level)
{
    double looks;
    return expect(cost, level, &looks);
}

double gws__row_pull_ns(const struct gws__row_cost *cost, const struct gws__row_level *level)
{
    double looks, pieces = expect(cost, level, &looks);
    return pieces * cost->place + looks * cost->word;
}

double gws__row_push_ns(const struct gws__row_cost *cost, const struct gws__row_level *level)
{
    double words = (double)level->arcs * cost->absent;
    double rows = words < (double)level->size ? words : (double)level->size;
    return rows * cost->place + (words - rows) / cost->piece * cost->next + (double)level->arcs * cost->claim;
}

void gws__row_shared_ns(const struct gws__row_cost *cost, uint32_t count, const struct gws__row_level *level,
                        double *push, double *pull)
{
    double pushed = 0, pulled = 0; /* levels for each ns */
    for (uint32_t i = 0; i < count; i++) {
        pushed += 1 / gws__row_push_ns(&cost[i], level);
        pulled += 1 / gws__row_pull_ns(&cost[i], level);
    }
    *push = 1 / pushed;
    *pull = 1 / pulled;
}
