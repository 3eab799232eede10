/* SPDX-License-Identifier: MIT */
/* --pin on ranks: a runtime binds its threads to the first CPUs that it may use. Ranks of a host that may use the same
 * CPUs therefore divide them before. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>

#include "console.h"
#include "ranks.h"

/* Takes the k-th of n equal parts of the CPUs, at least one. */
static void take_part(cpu_set_t *cpus, uint32_t k, uint32_t n)
{
    const uint32_t all = (uint32_t)CPU_COUNT(cpus);
    if (all == 0) return;
    const uint32_t first = all < n ? k % all : all * k / n, last = all < n ? first + 1 : all * (k + 1) / n;
    uint32_t seen = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, cpus)) continue;
        if (seen < first || seen >= last) CPU_CLR(cpu, cpus);
        seen++;
    }
}

int ranks_divide_cpus(const struct ranks *ranks, bool pin)
{
    cpu_set_t cpus;
    if (!ranks->transport) return -1;
    uint64_t *place = calloc(ranks->count, sizeof *place);
    int failure = ranks_agree(ranks, place ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY)));
    if (place && failure < 0) {
        const bool known = sched_getaffinity(0, sizeof cpus, &cpus) == 0;
        uint32_t before = 0, alike = 0;
        place[ranks->rank] = ranks_hash(RANKS_HASH, ranks->own.host, sizeof ranks->own.host);
        if (known) place[ranks->rank] = ranks_hash(place[ranks->rank], &cpus, sizeof cpus);
        gws_transport_sum(ranks->transport, place, ranks->count);
        for (uint32_t r = 0; r < ranks->count; r++) {
            before += r < ranks->rank && place[r] == place[ranks->rank];
            alike += place[r] == place[ranks->rank];
        }
        if (known) take_part(&cpus, before, alike);
        if (known && pin) (void)sched_setaffinity(0, sizeof cpus, &cpus);
    }
    free(place);
    return failure;
}
