/* SPDX-License-Identifier: MIT */
/* A transport for tests, in which the ranks are threads of one process. Messages of different senders overtake each
 * other, and a message may be late: receive() returns nothing although one has arrived. */
#ifndef TESTS_TRANSPORT_THREADS_H
#define TESTS_TRANSPORT_THREADS_H

#include "../../../lib/transport/transport.h"

enum { max_test_ranks = 8 };

/* Runs body as each of `ranks` ranks with an open transport. late: of 8 calls of receive(), how many return nothing. */
void run_ranks(uint32_t ranks, uint32_t late, void (*body)(struct gws_transport *transport, void *context),
               void *context);

#endif
