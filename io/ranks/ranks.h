/* SPDX-License-Identifier: MIT */
/* One input that all ranks of a job read together (lib/transport.h). Every rank runs the same reader: all read the
 * head, each reads the lines of its own part, and the steps below join what they found. A plain file is opened by all
 * ranks. Any other input, a stream, is read by rank 0 alone, which sends the text: of the head to all ranks, of the
 * rest in blocks to one rank each.
 *
 * Every step that waits for other ranks begins with gws__read_ranks_agree(). A rank that fails elsewhere returns from
 * its reader and calls it once more, at the end of the call (read.c). That call meets the step of the other ranks,
 * which then return the same status and message. After this no step waits. So ranks never wait for one that has failed.
 *
 * ranks is NULL in one process. Then agree() returns its argument, and the other steps do nothing. */
#ifndef GWS_IO_RANKS_H
#define GWS_IO_RANKS_H

#include <stdatomic.h>

#include "../../lib/rank_graph.h"
#include "../text/edges.h"

struct gws__read_ranks {
    struct gws_transport *transport;
    struct gws_diagnostic *where; /* of the call; may be NULL */
    bool failed;                  /* the ranks have agreed on a failure, and *where has its message */
    struct gws_rank_graph *graph; /* NULL: rank 0 has read the whole graph, which is to be parted */
    _Atomic uint64_t bytes_read;  /* bytes of files; relaxed: read after the loops' barriers */
};

/* Returns true on rank 0, and in one process. */
bool gws__read_ranks_first(const struct gws__read_ranks *ranks);

/* Returns the highest status of all ranks. *where has the message of the first rank with this status. */
gws_status gws__read_ranks_agree(struct gws__read_ranks *ranks, gws_status own);

/* The steps return what gws__read_ranks_agree(own) returns, and do nothing after a failure. */

/* Replace numbers by the sums, or the maxima, over all ranks. */
gws_status gws__read_ranks_sum(struct gws__read_ranks *ranks, gws_status own, uint64_t *number, uint32_t count);
gws_status gws__read_ranks_max(struct gws__read_ranks *ranks, gws_status own, uint64_t *number, uint32_t count);

/* Fails unless all ranks have the same number, which describes their files. */
gws_status gws__read_ranks_same(struct gws__read_ranks *ranks, gws_status own, uint64_t number);

/* Unites bitmaps of the same size. */
gws_status gws__read_ranks_unite(struct gws__read_ranks *ranks, struct gws_runtime *runtime, gws_status own,
                                 uint64_t *bits, uint64_t words);

/* The parts of all ranks, in order. Not with ranks NULL. */
struct gws__gathered {
    uint64_t *words; /* of each rank */
    uint64_t *all, total;
};

/* Copies `bytes` bytes of each rank to all ranks. A part is padded with zeros to whole words of 8 bytes. The caller
 * frees the result in any case. Errors: GWS_NO_MEMORY, GWS_TOO_LARGE (2^31 words in all). */
gws_status gws__read_ranks_gather(struct gws__read_ranks *ranks, struct gws_runtime *runtime, gws_status own,
                                  const void *part, uint64_t bytes, struct gws__gathered *gathered);
void gws__gathered_free(const struct gws__read_ranks *ranks, struct gws_runtime *runtime,
                        struct gws__gathered *gathered);

/* ---- an input ---- */

/* Opens an input on all ranks. Does the work of gws__input_open() if ranks is NULL. */
gws_status gws__read_ranks_open(struct gws__read_ranks *ranks, struct gws_runtime *runtime, const char *path,
                                struct gws__input *input, struct gws_diagnostic *where);

/* Does the work of gws__input_fill() for the head of a stream: all ranks get the same bytes. */
gws_status gws__read_ranks_fill(struct gws__input *input, void *bytes, uint64_t size, uint64_t *got);

/* Does the work of gws__chunks_run(): each rank calls body for its own chunks. The failure that comes first in the
 * input ends the call on all ranks. */
gws_status gws__read_ranks_chunks(struct gws__input *input, gws__chunk_body *body, void *context);

/* Builds the graph of all ranks' edges (`own` are those of this rank) as ranks->graph. Sets *names on rank 0 to a graph
 * with all vertices, but without arcs, for ids and names; on other ranks to an empty graph. */
gws_status gws__read_ranks_build(struct gws__read_ranks *ranks, struct gws_runtime *runtime, gws_status status,
                                 const struct gws_edges *own, const struct gws_build_options *options,
                                 struct gws_graph **names);

/* Moves the names from rank 0's part of ranks->graph to *names, which the caller completes. Other ranks get an empty
 * graph. */
gws_status gws__read_ranks_take_names(struct gws__read_ranks *ranks, struct gws_runtime *runtime,
                                      struct gws_graph **names);

#endif
