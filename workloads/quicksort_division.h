/* SPDX-License-Identifier: MIT */
/* The keys of several ranks, and their division into parts. */
#ifndef GWS_QUICKSORT_DIVISION_H
#define GWS_QUICKSORT_DIVISION_H

#include "quicksort_blocks.h"
#include "quicksort_sides.h"

struct gws__numbered_key {
    uint64_t key, number;
};

struct gws__key_division {
    struct gws_runtime *runtime;
    struct gws_transport *transport;
    uint32_t ranks, self, each, parts;  /* each: parts of a rank, at most 64; parts: of all */
    const uint64_t *from;               /* this rank's keys */
    uint64_t count, first, all;         /* their number; the number of the first one; of all keys */
    uint64_t *counts;                   /* ranks * parts: keys from each rank to each part */
    uint64_t *items;                    /* keys from this rank to each rank */
    uint64_t *sample;                   /* keys of the sample */
    struct gws__numbered_key *splitter; /* the sample in order, then keys at equal distances in it, parts - 1 in all */
    struct gws__key_blocks blocks;      /* this rank's keys, on their way to parts */
    uint64_t **target;                  /* by part: where the keys of this rank go */
    uint64_t *arranged;                 /* between hosts: the keys by part */
    uint64_t *to, *next;                /* this rank's part; by rank: the place of the next key that arrives */
    uint64_t **base;                    /* the parts of the ranks of this host */
};

/* Allocates what the division needs. Collective. The caller calls gws__key_division_close(), also after an error. */
gws_status gws__key_division_open(struct gws__key_division *all);
void gws__key_division_close(struct gws__key_division *all);

/* Moves the keys to their ranks, into memory that the ranks of a host share. each: 1. Collective. */
gws_status gws__key_division_run(struct gws__key_division *all, uint64_t seed, struct gws_quicksort_parted *sorted,
                                 struct gws_diagnostic *where);

/* ---- the steps, all collective ---- */

/* Numbers the keys of all ranks. Errors: GWS_TOO_LARGE. */
gws_status gws__key_division_number(struct gws__key_division *all);

/* Draws the splitters. Keys are ordered by their numbers if they are equal. */
void gws__key_division_sample(struct gws__key_division *all, uint64_t seed);
bool gws__key_is_below(const struct gws__numbered_key *a, const struct gws__numbered_key *b);

/* Exchanges the counts, of which each rank has set its own. Sets items and next. Returns the number of keys that this
 * rank receives. */
uint64_t gws__key_division_place(struct gws__key_division *all);

/* Returns the counts of the keys from one rank to the parts of another one. */
static inline uint64_t *gws__key_division_counts(const struct gws__key_division *all, uint32_t from, uint32_t to)
{
    return all->counts + (uint64_t)from * all->parts + (uint64_t)to * all->each;
}

/* Sends the keys, which lie in the order of their parts, to `to` of their ranks, where those of rank 0 come first. */
void gws__key_division_exchange(struct gws__key_division *all, const uint64_t *keys);

/* ---- quicksort_merge.c ---- */

/* Sorts the keys of each rank, and then merges them. each: any. Collective. The caller frees *sorted, also after an
 * error. */
gws_status gws__quicksort_merge(struct gws__key_division *all, const struct gws_quicksort_sides *sides,
                                const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                struct gws_quicksort_parted *sorted, struct gws_diagnostic *where);

#endif
