/* SPDX-License-Identifier: MIT */
/* Memory that all ranks share during a call. A rank's share of it counts as memory of the rank's runtime, whose limit
 * may refuse it: the rank holds an allocation of that size, which nobody touches and which therefore takes no memory.
 */
#ifndef GWS_HETERO_RANK_MEMORY_H
#define GWS_HETERO_RANK_MEMORY_H

#include "../runtime.h"
#include "../transport.h"

/* {0}: not open. */
struct gws__rank_memory {
    uint64_t *all; /* NULL: the ranks share no memory */
    struct gws_runtime *runtime;
    void *share;
    uint64_t share_bytes;
};

/* Gets `words` words with any contents, which all ranks address, or none if the ranks run on several hosts, or if MPI
 * finds no space for them. Collective; all ranks return the same status and message. The words keep their contents
 * until the next call. Errors: GWS_NO_MEMORY (a rank's runtime refuses its share). */
gws_status gws__rank_memory_open(struct gws_runtime *runtime, struct gws_transport *transport, uint64_t words,
                                 struct gws__rank_memory *memory, struct gws_diagnostic *where);

/* Ends the use. Not collective. */
void gws__rank_memory_close(struct gws__rank_memory *memory);

#endif
