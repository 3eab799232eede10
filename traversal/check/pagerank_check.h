/* SPDX-License-Identifier: MIT */
/* What the checks of PageRank on one process and among ranks have in common. */
#ifndef GWS_TRAVERSAL_CHECK_PAGERANK_CHECK_H
#define GWS_TRAVERSAL_CHECK_PAGERANK_CHECK_H

#include "../pagerank.h"

/* Errors: GWS_INVALID, GWS_OUT_OF_RANGE, GWS_NEEDS_REVERSE. Of the graph only its vertices, and whether it is directed
 * and has a reverse, are read. */
gws_status gws__pagerank_check_options(const struct gws_graph *graph, const struct gws_pagerank_options *options);

/* Checks the numbers of a result with ranks. Errors: GWS_WRONG_RESULT, with a message. */
gws_status gws__pagerank_check_counts(uint64_t vertices, const struct gws_pagerank_options *options,
                                      const struct gws_pagerank_result *result, struct gws_diagnostic *where);

/* Returns the tolerance for the rounding of shares in float, or of the check itself. */
double gws__pagerank_slack(const struct gws_pagerank_options *options);

#endif
