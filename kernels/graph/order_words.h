/* SPDX-License-Identifier: MIT */
/* The sizes of the buffers of kernels/graph/order.cl. */
#ifndef GWS_KERNELS_ORDER_WORDS_H
#define GWS_KERNELS_ORDER_WORDS_H

#define ORDER_BUCKETS 1024u /* words of `counts` for each group */
#ifndef ORDER_HEAVY
#define ORDER_HEAVY 4096u /* all groups copy a row of so many arcs together */
#endif

#endif
