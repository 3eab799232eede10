/* SPDX-License-Identifier: MIT */
/* What a worker did, or all of one kind together, CPU threads or a device's work-groups, where both worked on one
 * thing; and what passed between the two. All algorithms that a device and threads share report it alike. */
#ifndef GWS_HETERO_H
#define GWS_HETERO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gws_side_stats {
    uint64_t made;               /* tasks made here, the first ones among them */
    uint64_t run;                /* tasks run here */
    uint64_t stolen_from_cpu;    /* tasks taken from a CPU worker, other than who took them */
    uint64_t stolen_from_device; /* the same of a work-group */
    uint64_t steals;             /* successful steals, of one task or several */
    uint64_t failed;             /* attempts that found nothing or lost the race */
    double busy_ms; /* CPU: sum over the workers; device: from launches to what they left; 0: not measured */
};

/* Adds what one worker, or one run, did to a sum. */
static inline void gws_side_add(struct gws_side_stats *sum, const struct gws_side_stats *part)
{
    sum->made += part->made;
    sum->run += part->run;
    sum->stolen_from_cpu += part->stolen_from_cpu;
    sum->stolen_from_device += part->stolen_from_device;
    sum->steals += part->steals;
    sum->failed += part->failed;
    sum->busy_ms += part->busy_ms;
}

/* Where whole levels are handed off between the sides (form "handoff"): what levels are taken to cost, by measurement,
 * level_ns and, for each vertex of the frontier and each arc of its rows, step_ns; and what a handoff and the one back
 * cost (infinite: there is none). A side hands off once its levels have cost more than that beyond what they would have
 * cost at the other side. Below that what happened since the statistics were last reset. */
struct gws_handoff_model {
    double host_level_ns, host_step_ns, device_level_ns, device_step_ns, pass_ns;
    uint64_t passes;                     /* handoffs, in either direction */
    uint64_t host_levels, host_vertices; /* that the host ran, and found there */
    double host_ms;                      /* that it took for that */
};

/* Tasks taken from others of either kind. */
static inline uint64_t gws_side_stolen(const struct gws_side_stats *side)
{
    return side->stolen_from_cpu + side->stolen_from_device;
}

#ifdef __cplusplus
}
#endif
#endif
