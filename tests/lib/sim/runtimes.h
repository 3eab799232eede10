/* SPDX-License-Identifier: MIT */
/* The runtimes of tests of simulations: one thread, and a hook that cancels. */
#ifndef GWS_TESTS_SIM_RUNTIMES_H
#define GWS_TESTS_SIM_RUNTIMES_H

#include "../../harness.h"

static inline struct gws_runtime *open_with(struct gws_options options)
{
    struct gws_runtime *runtime = NULL;
    options.threads = 1;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

/* context: the number of polls, an int. */
static inline bool cancel(void *context)
{
    return ++*(int *)context > 1; /* not at the start of the call */
}

#endif
