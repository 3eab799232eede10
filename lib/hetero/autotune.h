/* SPDX-License-Identifier: MIT */
/* The cost model of the library, and an autotuner on top of it: they choose strategies, sizes and shares of work from
 * recent costs. All of it is plain arithmetic on plain structs: one thread at a time uses a struct, `{0}` is a valid
 * struct without measurements, and nothing has to be freed.
 *
 *     cost model    a moving average of ns per unit of work, by class of work (struct gws__cost)
 *     autotuner     a choice between a few alternatives, each with its cost model (struct gws__autotune)
 *     share         the split of a range between two sides, from their last speeds (struct gws__share)
 *     line          level_ns + step_ns * work, calibrated by measurements (struct gws__cost_line)
 *
 * The caller chooses the unit of work (an arc, a vertex, a chunk) and uses the same unit throughout. */
#ifndef GWS_LIB_HETERO_AUTOTUNE_H
#define GWS_LIB_HETERO_AUTOTUNE_H

#include <stdbool.h>
#include <stdint.h>

enum { gws__cost_classes = 40, gws__autotune_max = 5 };

/* ---- cost model ---- */

/* ns per unit of work, one average for each class; 0 without measurements. */
struct gws__cost {
    double ns[gws__cost_classes];
};

/* The class of an amount of work: its number of bits, so each class spans a power of two. */
uint32_t gws__cost_class(uint64_t work);

/* Adds a measurement to the average of its class with this weight (0 < weight <= 1; the first measurement has weight
 * 1). */
void gws__cost_add(struct gws__cost *cost, uint64_t work, double ns, double weight);

/* ---- autotuner ---- */

/* Parameters of the choice; constants of the caller. */
struct gws__autotune_rule {
    uint32_t alternatives; /* 2 .. gws__autotune_max */
    uint32_t hold;         /* decisions for which a choice holds; 0 means 1 */
    uint32_t warm_up;      /* measurements to ignore after the choice changes */
    uint32_t retry;        /* every retry-th choice takes an alternative other than the cheapest; 0: never */
    double weight;         /* of a measurement: see gws__cost_add() */
};

struct gws__autotune {
    struct gws__cost cost[gws__autotune_max];
    uint32_t chosen;  /* the current choice */
    uint32_t choices; /* number of choices so far */
    uint32_t held;    /* decisions since the last choice */
    uint32_t warm;    /* measurements since the choice changed */
    uint32_t tried;   /* the last retry */
};

/* Chooses an alternative for an amount of work. Without measurements in the class: `first`, then each unmeasured
 * alternative. Otherwise the cheapest, with an occasional retry of another one, in turn. */
uint32_t gws__autotune_choose(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint64_t work,
                              uint32_t first);

/* Records the time of an alternative. It counts for its class if the alternative is the current choice and has
 * warmed up. */
void gws__autotune_add(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint32_t alternative,
                       uint64_t work, double ns);

/* ---- share ---- */

/* Units per ns of the two sides of a range; 0 without measurements. */
struct gws__share {
    double speed[2];
};

/* Records the work of a side and its time in ns; a time of 0 is ignored. */
void gws__share_add(struct gws__share *share, uint32_t side, uint64_t work, double ns);

/* The number of units for side 0: in proportion to the speeds, or half if a speed is unknown. */
uint64_t gws__share_first(const struct gws__share *share, uint64_t units);

/* ---- line ---- */

struct gws__cost_line {
    double level_ns, step_ns; /* both nonnegative */
};

struct gws__measurement {
    double work, ns;
};

/* The line through two points: the medians of the smaller half of the work and of the larger half, so that outliers
 * do not matter (a resistant line: Tukey, Exploratory Data Analysis, chapter 5). Sorts the measurements; 0 of them
 * give {0}. */
struct gws__cost_line gws__cost_line_fit(struct gws__measurement *measurement, uint32_t count);

#endif
