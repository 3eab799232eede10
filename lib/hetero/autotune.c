/* SPDX-License-Identifier: MIT */
/* Cost model and autotuner; see autotune.h. */
#include "autotune.h"

#include <stdlib.h>

/* ---- cost model ---- */

uint32_t gws__cost_class(uint64_t work)
{
    uint32_t bits = 64 - (uint32_t)__builtin_clzll(work | 1);
    return bits < gws__cost_classes ? bits : gws__cost_classes - 1;
}

void gws__cost_add(struct gws__cost *cost, uint64_t work, double ns, double weight)
{
    double *average = &cost->ns[gws__cost_class(work)], now = ns / (double)(work | (work == 0));
    *average = *average == 0 ? now : *average + (now - *average) * weight;
}

/* ---- autotuner ---- */

/* Returns the next choice. An unknown alternative has no measurement in this class. The function chooses unknown
 * alternatives in turn, starting after the last choice. A retry is the next alternative after the last retry, without
 * the cheapest. */
static uint32_t choose(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint32_t class,
                       uint32_t first)
{
    uint32_t known = 0, unknown = 0, cheapest = 0;
    if (rule->alternatives < 2) return 0;
    for (uint32_t i = rule->alternatives; i > 0; i--) {
        uint32_t a = (tune->chosen + i) % rule->alternatives;
        if (tune->cost[a].ns[class] == 0) unknown = a;
        known += tune->cost[a].ns[class] != 0;
    }
    if (known < rule->alternatives) return known == 0 ? first : unknown;
    for (uint32_t a = 1; a < rule->alternatives; a++)
        if (tune->cost[a].ns[class] < tune->cost[cheapest].ns[class]) cheapest = a;
    if (rule->retry == 0 || tune->choices % rule->retry != 0) return cheapest;
    do tune->tried = (tune->tried + 1) % rule->alternatives;
    while (tune->tried == cheapest);
    return tune->tried;
}

uint32_t gws__autotune_choose(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint64_t work,
                              uint32_t first)
{
    if (tune->choices > 0 && tune->held++ < rule->hold) return tune->chosen;
    uint32_t now = choose(tune, rule, gws__cost_class(work), first);
    if (now != tune->chosen) tune->warm = 0;
    tune->chosen = now;
    tune->choices++;
    tune->held = 1;
    return now;
}

void gws__autotune_add(struct gws__autotune *tune, const struct gws__autotune_rule *rule, uint32_t alternative,
                       uint64_t work, double ns)
{
    if (alternative != tune->chosen || tune->warm++ < rule->warm_up) return;
    gws__cost_add(&tune->cost[alternative], work, ns, rule->weight);
}

/* ---- share ---- */

void gws__share_add(struct gws__share *share, uint32_t side, uint64_t work, double ns)
{
    if (ns > 0)
        share->speed[side] =
            (work > 0 ? (double)work : 0.5) / ns; /* never 0: a speed of 0 means that the side has no measurement */
}

uint64_t gws__share_first(const struct gws__share *share, uint64_t units)
{
    double both = share->speed[0] + share->speed[1];
    if (share->speed[0] == 0 || share->speed[1] == 0) return units / 2;
    return (uint64_t)(share->speed[0] / both * (double)units);
}

/* ---- line ---- */

static int by_work(const void *left, const void *right)
{
    double a = ((const struct gws__measurement *)left)->work, b = ((const struct gws__measurement *)right)->work;
    return (a > b) - (a < b);
}

static int by_ns(const void *left, const void *right)
{
    double a = ((const struct gws__measurement *)left)->ns, b = ((const struct gws__measurement *)right)->ns;
    return (a > b) - (a < b);
}

/* Returns the medians of work and of time. The measurements must be in order of work. */
static struct gws__measurement median(struct gws__measurement *measurement, uint32_t count)
{
    struct gws__measurement middle = measurement[count / 2];
    qsort(measurement, count, sizeof *measurement, by_ns);
    middle.ns = measurement[count / 2].ns;
    return middle;
}

struct gws__cost_line gws__cost_line_fit(struct gws__measurement *measurement, uint32_t count)
{
    if (count == 0) return (struct gws__cost_line){0};
    qsort(measurement, count, sizeof *measurement, by_work);
    uint32_t half = count > 1 ? count / 2 : 1;
    struct gws__measurement small = median(measurement, half), large = small;
    if (count > 1) large = median(measurement + half, count - half);
    double rise = large.ns - small.ns, run = large.work - small.work;
    double step = rise > 0 && run > 0 ? rise / run : 0, level = small.ns - step * small.work;
    return (struct gws__cost_line){.level_ns = level > 0 ? level : 0, .step_ns = step};
}
