/* SPDX-License-Identifier: MIT */
/* What a level costs (row_cost.h): what is expected to be read.
 *
 * Pull. A neighbour of a vertex that is not reached yet is in the frontier or not reached either, for from any other it
 * would have been reached. Arcs of both come at random, so one leads to the frontier with the probability
 *     p = frontier's arcs / (frontier's arcs + arcs not reached),
 * and of a row of d words the number looked at, until one does or all are seen, is expected to be
 *     1 + (1 - p) + (1 - p)^2 + .. = (1 - (1 - p)^d) / p.
 * w words from anywhere in a piece on take 1 + (w - 1) / words of a piece. d is the mean of the vertices not reached.
 */
#include "row_cost.h"

#include <math.h>

/* Over the bus 0.75 G reads/s at random, and 51 GB/s in order; 69 G looks/s within the device, at a bitmap in its
 * cache. The host's memory gives its threads 74 GB/s in lines of 64 bytes, in order or not, as prefetches hide what
 * they would wait for; one thread 5 GB/s. A thread that claims a vertex writes its parent somewhere in memory, which in
 * pull lies beside the last one. Levels of uniform:24 took the device 20 % longer than this, at most. */
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

/* Pieces and looks of all rows. */
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
    double pushed = 0, pulled = 0; /* levels in a ns */
    for (uint32_t i = 0; i < count; i++) {
        pushed += 1 / gws__row_push_ns(&cost[i], level);
        pulled += 1 / gws__row_pull_ns(&cost[i], level);
    }
    *push = 1 / pushed;
    *pull = 1 / pulled;
}
