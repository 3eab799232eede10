/* SPDX-License-Identifier: MIT */
/* Which direction a level of a bridged search takes (bfs_bridge_direction.h): what is expected to be read.
 *
 * From below. A neighbour of a vertex that is not reached yet is in the frontier or not reached either, for from any
 * other it would have been reached. Arcs of both come at random, so one leads to the frontier with the probability
 *     p = frontier's arcs / (frontier's arcs + arcs not reached),
 * and of a row of d words the number looked at, until one does or all are seen, is expected to be
 *     1 + (1 - p) + (1 - p)^2 + .. = (1 - (1 - p)^d) / p.
 * w words from anywhere in a piece on take 1 + (w - 1) / words of a piece. d is the mean of the vertices not reached.
 */
#include "host_resident_direction.h"

#include <math.h>

/* Over the bus 0.75 G reads/s at random, and 51 GB/s in order; 69 G looks/s within the device, at a bitmap in its
 * cache. The host's memory gives its threads 74 GB/s in lines of 64 bytes, in order or not, as prefetches hide what
 * they would wait for; one thread 5 GB/s. Where a thread claims a vertex, it writes its parent somewhere in memory,
 * which from below lies beside the last one. Levels of uniform:24 took the device 20 % longer than this, at most. */
void gws__bridge_readers(double head, double absent, uint32_t threads, struct gws__bridge_reader *readers)
{
    double line = 64 / (threads < 15 ? 5.0 * threads : 74);
    struct gws__bridge_reader device = {.piece = 8, .place = 1 / 0.75, .next = 32 / 51.0};
    struct gws__bridge_reader host = {.piece = 16, .place = line, .next = line, .absent = 1};
    device.word = device.claim = 1 / 69.0;
    device.head = head;
    device.absent = absent;
    host.word = 2.6 / threads;
    host.claim = 9.0 / threads;
    readers[0] = device;
    readers[1] = host;
}

static double looked_at(double p, double words)
{
    return p > 0 ? -expm1(words * log1p(-p)) / p : words;
}

struct expected {
    double looks, pieces; /* of one row */
};

static struct expected expect(const struct gws__bridge_reader *reader, const struct gws__bridge_level *level)
{
    double p = (double)level->arcs / ((double)level->arcs + (double)level->left_arcs);
    double words = (double)level->left_arcs / (double)level->left, head = reader->head < words ? reader->head : words;
    double looks = looked_at(p, words), beyond = words > head ? pow(1 - p, head) : 0;
    return (struct expected){looks, beyond + (looks - looked_at(p, head) - beyond) / reader->piece};
}

double gws__bridge_pieces_from_below(const struct gws__bridge_reader *reader, const struct gws__bridge_level *level)
{
    return level->left > 0 ? (double)level->left * expect(reader, level).pieces : 0;
}

double gws__bridge_from_below(const struct gws__bridge_reader *reader, const struct gws__bridge_level *level)
{
    if (level->left == 0) return 0;
    struct expected row = expect(reader, level);
    return (double)level->left * (row.pieces * reader->place + row.looks * reader->word);
}

double gws__bridge_from_above(const struct gws__bridge_reader *reader, const struct gws__bridge_level *level)
{
    double words = (double)level->arcs * reader->absent;
    double rows = words < (double)level->size ? words : (double)level->size;
    return rows * reader->place + (words - rows) / reader->piece * reader->next + (double)level->arcs * reader->claim;
}

bool gws__bridge_goes_from_below(const struct gws__bridge_reader *readers, uint32_t count,
                                 const struct gws__bridge_level *level)
{
    double above = 0, below = 0; /* levels in a ns: who shares a level adds speed to speed */
    for (uint32_t i = 0; i < count; i++) {
        above += 1 / gws__bridge_from_above(&readers[i], level);
        below += 1 / gws__bridge_from_below(&readers[i], level);
    }
    return below > above;
}
