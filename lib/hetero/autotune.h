/* SPDX-License-Identifier: MIT */
/* The cost model of the library, and the autotuner on it: how strategies, sizes and shares of work are chosen from what
 * they cost lately. All of it is plain arithmetic on plain structs: one thread at a time uses a struct, `{0}` is a
 * valid one that knows nothing, and nothing has to be freed.
 *
 *     cost model    a moving average of ns per unit of work, by class of work (struct gws__cost)
 *     autotuner     a choice between a few alternatives, each with its cost model (struct gws__autotune)
 *     share         what two sides get of a range, from their last speeds (struct gws__share)
 *     line          level_ns + step_ns * work, calibrated by measurements (struct gws__cost_line)
 *
 * What a unit of work is (an arc, a vertex, a chunk) is the caller's affair, as long as it is always the same. */
#ifndef GWS_LIB_HETERO_AUTOTUNE_H
#define GWS_LIB_HETERO_AUTOTUNE_H

#include <stdbool.h>
#include <stdint.h>

enum { gws__cost_classes = 40, gws__autotune_max = 5 };

/* ---- cost model ---- */

/* ns per unit of work, one average for each class; 0 where nothing was measured. */
struct gws__cost {
    double ns[gws__cost_classes];
};

/* The class of that much work: its bits, so each class reaches from a power of two to the next. */
uint32_t gws__cost_class(uint64_t work);

/* Adds a measurement to the average of its class, with this weight (0 < weight <= 1; the first one counts whole). */
void gws__cost_add(struct gws__cost *cost, uint64_t work, double ns, double weight);

/* ---- autotuner ---- */

/* How to choose; constants of the caller. */
struct gws__autotune_rule {
    uint32_t alternatives; /* 2 .. gws__autotune_max */
    uint32_t hold;         /* decisions for which a choice is kept; 0 is 1 */
    uint32_t warm_up;      /* measurements after a change of the choice that do not count */
    uint32_t retry;        /* each so many choices another one than the cheapest is tried; 0: never */
    double weight;         /* of a measurement: gws__cost_add() */
};

struct gws__autotune {
    struct gws__cost cost[gws__autotune_max];
    uint32_t chosen;  /* the alternative that is kept */
    uint32_t choices; /* made so far */
    uint32_t held;    /* decisions since the last one */
    uint32_t warm;    /* measurements since the choice changed */
    uint32_t tried;   /* the alternative that was tried last instead of the cheapest */
};

/* The alternative to take for that much work: `first` while nothing is known of its class, then each that was not
 * measured there yet, then the cheapest, and now and then another, one after the other. */
uint32_t gws__autotune_choose(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint64_t work,
                              uint32_t first);

/* Tells what an alternative took. Counts for its class if it is the one that was chosen last and has warmed up. */
void gws__autotune_add(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint32_t alternative,
                       uint64_t work, double ns);

/* ---- share ---- */

/* Units a ns of two sides of one range; 0 where nothing was measured. */
struct gws__share {
    double speed[2];
};

/* Tells what a side did, and in how many ns; no time tells nothing. */
void gws__share_add(struct gws__share *share, uint32_t side, uint64_t work, double ns);

/* How many of so many units side 0 should get: in proportion to speeds, and half of them while a side is unknown. */
uint64_t gws__share_first(const struct gws__share *share, uint64_t units);

/* ---- line ---- */

struct gws__cost_line {
    double level_ns, step_ns; /* both at least 0 */
};

struct gws__measurement {
    double work, ns;
};

/* The line through the medians of the smaller half of the work and of the larger half, so that outliers do not matter
 * (a resistant line: Tukey, Exploratory Data Analysis, chapter 5). Sorts the measurements; 0 of them give {0}. */
struct gws__cost_line gws__cost_line_fit(struct gws__measurement *measurement, uint32_t count);

#endif
