/* SPDX-License-Identifier: MIT */
/* The keys of several ranks, and their division into parts. */
#ifndef GWS_QUICKSORT_DIVISION_H
#define GWS_QUICKSORT_DIVISION_H

#include "quicksort_blocks.h"
#include "quicksort_sides.h"

/* Words before a rank's keys, for the counter of its parts; parts of all ranks, at most. */
enum { GWS__QUICKSORT_HEAD = 16, GWS__QUICKSORT_ALL_PARTS = 1 << 16 };

struct gws__numbered_key {
    uint64_t key, number;
};

struct gws__key_division {
    struct gws_runtime *runtime;
    struct gws_transport *transport;
    uint32_t ranks, self, each, parts;  /* each: parts of a rank; parts: of all */
    const uint64_t *from;               /* this rank's keys */
    uint64_t count, first, all;         /* their number; the number of the first one; of all keys */
    uint64_t *counts;                   /* ranks * parts: keys from each rank to each part */
    uint64_t *items;                    /* keys from this rank to each rank */
    uint64_t *sample;                   /* keys of the sample */
    struct gws__numbered_key *splitter; /* the sample in order, then keys at equal distances in it, parts - 1 in all */
    struct gws__key_blocks blocks;      /* this rank's keys, on their way to parts */
    uint64_t **target;                  /* by part: where the keys of this rank go */
    uint64_t *arranged;                 /* between hosts: the keys by part */
    uint64_t *to, *next;              /* this rank's parts; by rank and part: the place of the next key that arrives */
    uint64_t **base;                  /* the keys of the ranks of this host */
    struct gws__quicksort_part *part; /* the parts of all ranks of this host */
    struct gws__quicksort_share *share; /* the ranks of this host, from this one on */
};

/* Allocates what the division needs. Collective. The caller calls gws__key_division_close(), also after an error. */
gws_status gws__key_division_open(struct gws__key_division *all);
void gws__key_division_close(struct gws__key_division *all);

/* Moves the keys to their ranks, into memory that the ranks of a host share. Collective. */
gws_status gws__key_division_run(struct gws__key_division *all, uint64_t seed, struct gws_quicksort_parted *sorted,
                                 struct gws_diagnostic *where);

#endif
