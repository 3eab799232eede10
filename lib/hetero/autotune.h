/* SPDX-License-Identifier: MIT */
/* The cost model of the library, and an autotuner on top of it. Both choose strategies, sizes and shares of work from
 * recent costs. All functions are plain arithmetic on plain structs. One thread at a time uses a struct, `{0}` is a
 * valid struct without measurements, and no struct needs a clean-up.
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

/* Returns the class of an amount of work, which is its number of bits. The amounts of a class thus differ by less than
 * a factor of 2. */
uint32_t gws__cost_class(uint64_t work);

/* Adds a measurement to the average of its class with this weight (0 < weight <= 1). The first measurement has weight
 * 1. */
void gws__cost_add(struct gws__cost *cost, uint64_t work, double ns, double weight);

/* ---- autotuner ---- */

/* The parameters of an autotuner. The caller passes the same parameters in every call. */
struct gws__autotune_rule {
    uint32_t alternatives; /* 2 .. gws__autotune_max */
    uint32_t hold;         /* decisions for which a choice holds; 0 means 1 */
    uint32_t warm_up;      /* measurements to ignore after the choice changes */
    uint32_t retry;        /* every retry-th choice takes an alternative other than the cheapest; 0: never */
    double weight;         /* the weight of a measurement: see gws__cost_add() */
};

struct gws__autotune {
    struct gws__cost cost[gws__autotune_max];
    uint32_t chosen;  /* the current choice */
    uint32_t choices; /* number of choices so far */
    uint32_t held;    /* decisions since the last choice */
    uint32_t warm;    /* measurements since the choice changed */
    uint32_t tried;   /* the last retry */
};

/* Chooses an alternative for an amount of work. While a class has unmeasured alternatives, chooses `first`, then each
 * of the others. Afterwards it chooses the cheapest alternative. Occasionally it retries another alternative, in
 * turn. */
uint32_t gws__autotune_choose(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint64_t work,
                              uint32_t first);

/* Records the time of an alternative. The time counts for the class of the work if the alternative is the current
 * choice and has warmed up. */
void gws__autotune_add(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint32_t alternative,
                       uint64_t work, double ns);

/* ---- share ---- */

/* Units per ns of the two sides of a range; 0 without measurements. */
struct gws__share {
    double speed[2];
};

/* Records the work of a side and the time of this work in ns. Ignores a time of 0. */
void gws__share_add(struct gws__share *share, uint32_t side, uint64_t work, double ns);

/* Returns the number of units for side 0. It is in proportion to the speeds, or half of the units if a speed is
 * unknown. */
uint64_t gws__share_first(const struct gws__share *share, uint64_t units);

/* ---- line ---- */

struct gws__cost_line {
    double level_ns, step_ns; /* both nonnegative */
};

struct gws__measurement {
    double work, ns;
};

/* Returns the line through two points, the medians of the smaller half of the work and of the larger half. Outliers
 * thus do not matter (a resistant line: Tukey, Exploratory Data Analysis, chapter 5). Sorts the measurements. Returns
 * {0} if there are none. */
struct gws__cost_line gws__cost_line_fit(struct gws__measurement *measurement, uint32_t count);

#endif
