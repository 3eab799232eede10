/* SPDX-License-Identifier: MIT */
/* The table of workloads, and what those do that have nothing to do. */
#include "workload.h"

const struct workload *const workload_table[] = {
    &workload_uts,     &workload_bpc, &workload_connect_four, &workload_quicksort, &workload_master_slave,
    &workload_madness, NULL,
};

int workload_check(void *state)
{
    (void)state;
    return -1;
}

const char *workload_device(const void *state)
{
    (void)state;
    return NULL;
}

bool workload_draws(const void *state)
{
    (void)state;
    return false;
}

int workload_open(void *state, struct gws_runtime *runtime)
{
    (void)state, (void)runtime;
    return -1;
}

gws_status workload_poison(void *state, struct gws_where *where)
{
    (void)state;
    (void)where;
    return GWS_OK;
}

gws_status workload_prepare(void *state, struct gws_runtime *runtime, uint64_t seed)
{
    (void)state, (void)runtime, (void)seed;
    return GWS_OK;
}

void workload_end(void *state, struct gws_runtime *runtime)
{
    (void)state, (void)runtime;
}

double workload_work_ms(const void *state)
{
    (void)state;
    return -1;
}
