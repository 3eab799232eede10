/* SPDX-License-Identifier: MIT */
/* The expected cost of a level (row_cost.h).
 *
 * The cost of pull. A neighbour of an unreached vertex is in the frontier or unreached itself, because any other
 * neighbour would have reached that vertex. The model assumes a random mix of arcs to both kinds. So an arc leads to
 * the frontier with the probability p = frontier's arcs / (frontier's arcs + unreached vertices' arcs). Pull reads a
 * row of d words until a word leads to the frontier or the row ends. The expected number of words is 1 + (1 - p) + (1
 * - p)^2 + .. = (1 - (1 - p)^d) / p. A sequence of w words that begins at a random address spans 1 + (w - 1) / (words
 * of a piece) pieces. d is the mean degree of the unreached vertices. */
#include "row_cost.h"

#include <math.h>

/* The bus transfers 0.75 G random reads/s, or 51 GB/s in order. The device tests 69 G bits/s of a bitmap in its cache.
 * The host's memory gives all threads 74 GB/s in lines of 64 bytes, random or in order, because prefetches hide the
 * latency. One thread gets 5 GB/s. A thread that claims a vertex writes the parent to a random address in push, and to
 * consecutive addresses in pull. The device took at most 20 % longer for levels of uniform:24 than the model
 * predicts. */
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

/* Returns the expected pieces of all rows, and sets *looks to the expected number of tested words. */
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
    double pushed = 0, pulled = 0; /* speeds of the sides, in levels per ns */
    for (uint32_t i = 0; i < count; i++) {
        pushed += 1 / gws__row_push_ns(&cost[i], level);
        pulled += 1 / gws__row_pull_ns(&cost[i], level);
    }
    *push = 1 / pushed;
    *pull = 1 / pulled;
}
