/* SPDX-License-Identifier: MIT */
/* How checks ask whether the call is cancelled (gws_options.cancel). A cancelled loop ends early, so what a check finds
 * afterwards means nothing, and ask_end() replaces the verdict. */
#ifndef GWS_TRAVERSAL_CHECK_ASK_H
#define GWS_TRAVERSAL_CHECK_ASK_H

#include "../../lib/parallel.h"

enum { ask_every = 1 << 12 };

/* Returns whether a serial loop should end at its entry i. Asks at some of the entries. */
static inline bool ask_stop(struct gws_runtime *runtime, uint64_t i)
{
    return i % ask_every == 0 && gws_cancelled(runtime);
}

/* Runs a loop like gws_parallel_for(), but a cancelled call skips the rest of it. */
static inline void ask_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body, void *context)
{
    const struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = context};
    if (gws_parallel_try(runtime, &loop) != GWS_OK) return; /* the call stays cancelled until it ends */
}

/* Returns the verdict, or GWS_CANCELLED with a message. */
static inline gws_status ask_end(struct gws_runtime *runtime, gws_status verdict, struct gws_diagnostic *where)
{
    return gws_cancelled(runtime) ? gws_diagnostic_status(where, GWS_CANCELLED) : verdict;
}

#endif
