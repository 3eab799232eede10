/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_GSIM_HERE_H
#define TOOLS_GSIM_HERE_H

#include "../../lib/sim.h"
#include "../../workloads/simulate.h"

/* Replaces costs by those of this machine's threads: push, pop, lock, cache, host, network, message, word, node and
 * key, and how many CPUs share a cache. Takes a fifth of a second, and 5 ms for each further CPU. On one CPU the times
 * between CPUs stay as they are. Errors: GWS_NO_MEMORY, GWS_SYSTEM (no thread). */
gws_status here_measure(struct gws_sim_machine *machine);

#endif
