/* SPDX-License-Identifier: MIT */
/* Statistics of jobs that CPU threads and a device run together, and of the traffic between host and device. All such
 * algorithms report the same statistics: for one worker, for all CPU threads, or for all work-groups of a device. */
#ifndef GWS_HETERO_H
#define GWS_HETERO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gws_side_stats {
    uint64_t made;               /* tasks created on this side, including the first ones */
    uint64_t run;                /* tasks executed on this side */
    uint64_t stolen_from_cpu;    /* tasks stolen from other CPU workers */
    uint64_t stolen_from_device; /* tasks stolen from other work-groups */
    uint64_t steals;             /* successful steals, of one task or several */
    uint64_t failed;             /* attempts that found no task or lost the race */
    double busy_ms; /* CPU: summed over the workers; device: from each launch to its completion; 0: not measured */
};

/* Adds the statistics of one worker or one run to a sum. */
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

/* The cost model of handoffs of whole levels between host and device (form "handoff"). The measured cost of a level is
 * level_ns plus step_ns for each vertex of the frontier and each arc of its rows. handoff_ns is the cost of a handoff
 * and of the handoff back. A side hands off once the excess cost of its levels over the other side's exceeds
 * handoff_ns. If handoff_ns is infinite, cost never causes a handoff. Tests can still force a handoff after a fixed
 * number of levels. The remaining fields count events since the last reset of the statistics. */
struct gws_handoff_model {
    double host_level_ns, host_step_ns, device_level_ns, device_step_ns, handoff_ns;
    uint64_t handoffs;                   /* in either direction */
    uint64_t host_levels, host_vertices; /* levels that the host ran, and vertices that it found */
    double host_ms;                      /* the time of these levels */
};

/* Returns the number of tasks stolen from workers of either kind. */
static inline uint64_t gws_side_stolen(const struct gws_side_stats *side)
{
    return side->stolen_from_cpu + side->stolen_from_device;
}

#ifdef __cplusplus
}
#endif
#endif
