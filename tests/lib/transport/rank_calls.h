/* SPDX-License-Identifier: MIT */
/* Calls of the library on ranks that are threads, each with a runtime of its own. One rank may lack memory or be
 * cancelled; then all ranks must return the same status. */
#ifndef TESTS_TRANSPORT_RANK_CALLS_H
#define TESTS_TRANSPORT_RANK_CALLS_H

#include "../../harness.h"

#include "../../../graphws.h"
#include "threads.h"

struct rank_calls {
    /* Returns the status that the calls of this rank ended with; frees what it made. */
    gws_status (*body)(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport);
    void *context;
    uint32_t threads;
    uint32_t rank;                  /* the rank that fails */
    struct gws_test_memory *memory; /* of that rank; NULL: memory suffices */
    uint64_t fail_at;               /* the allocation after the runtime's opening */
    bool cancels;
    gws_status status[max_test_ranks]; /* what the ranks returned */
};

/* Aborts with a message: the other ranks would wait. */
#define RANK_EXPECT(condition) rank_expect(condition, #condition, __FILE__, __LINE__)
void rank_expect(bool condition, const char *text, const char *file, int line);

/* Returns the number of ranks that a test tries after this one: 1, 2, 3, 5, or in a quick run 2, 5; first and last 0.
 */
static inline uint32_t next_test_ranks(uint32_t ranks)
{
    if (gws_test_quick()) return ranks == 0 ? 2 : ranks == 2 ? 5 : 0;
    return ranks < 3 ? ranks + 1 : ranks == 3 ? 5 : 0;
}

/* Runs body on `ranks` ranks. Returns the status, which must be the same on all. */
gws_status run_rank_calls(struct rank_calls *calls, uint32_t ranks);

/* Runs body on two ranks with every single allocation of each rank failing, and cancelled. */
void run_failing_ranks(struct rank_calls *calls);

/* Aborts unless the rows of a part are those of the whole graph. */
void check_rank_rows(const struct gws_rank_graph *part, const struct gws_graph *whole);

#endif
