/* SPDX-License-Identifier: MIT */
/* A transport for tests, in which the ranks are threads of one process. Messages of different senders overtake each
 * other, and a message may be late: receive() returns nothing although one has arrived. Accesses by RMA (rma.c) are
 * late too, and puts take effect in any order before flush() returns. */
#ifndef TESTS_TRANSPORT_THREADS_H
#define TESTS_TRANSPORT_THREADS_H

#include "../../../lib/transport/transport.h"

enum { max_test_ranks = 8 };

struct gws__link;

/* rma.c: the link, and its windows for all ranks. late as in run_ranks(). */
extern const struct gws__link link_of_threads;
void *open_rma_threads(uint64_t words, uint32_t ranks, uint32_t late);
void close_rma_threads(void *windows);

/* windows.c: a test of all links, collective. Aborts if it fails. */
void check_windows(struct gws_transport *transport);

/* Runs body as each of `ranks` ranks with an open transport. late: of 8 calls of receive(), how many return nothing. */
void run_ranks(uint32_t ranks, uint32_t late, void (*body)(struct gws_transport *transport, void *context),
               void *context);

#endif
