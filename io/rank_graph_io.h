/* SPDX-License-Identifier: MIT */
/* Reads a graph and writes tables on all ranks of a job together (lib/rank_graph.h). */
#ifndef GWS_RANK_GRAPH_IO_H
#define GWS_RANK_GRAPH_IO_H

#include "../lib/rank_graph.h"
#include "../lib/table.h"
#include "graph_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the graph that gws_graph_read() reads, and parts it. All ranks must find the same file at path. Collective; all
 * ranks return the same status.
 *
 * A plain text file is divided at line ends. Each rank reads the head, 256 KiB, and its own part. Of any other text
 * (gzip data, a pipe, standard input) rank 0 reads and inflates the bytes, and sends the text in blocks of 1 MiB to the
 * other ranks, which parse it. Then the ranks find the vertices together, and send the arcs to their owners.
 * Of a plain .gwsg file each rank reads its own rows (gws_rank_graph_from_rows()), and up to 1 MiB more of each
 * section, to whose blocks the checksums belong; with options->trust only the rows. Rank 0 reads ids and names, too;
 * the ranks read positions only to check them. Rank 0 alone reads a .gwsg that is a stream, or one that options change:
 * GWS_EDGES_UNDIRECTED of a directed file, remove_loops, remove_duplicates, GWS_WEIGHTS_ROUND of real weights. It is
 * parted by gws_rank_graph_spread().
 *
 * Memory of a rank while text is read: about 3 bytes for each edge that it has parsed if edges follow each other by
 * source, 5 or 6 in any order (they are packed), and 4 for its weight; 8 in tables with other
 * columns or names; 16 for ids from 2^32. They are freed while the arcs go to their owners, which take as much memory
 * for them as gws_rank_graph_build() says. Beside that: up to 2 MiB for each rank on rank 0 of a gzip file; and for all
 * vertices an eighth of a byte and 4 bytes in 64 for each id up to the largest one, or 16 bytes for each id of each
 * rank if ids are sparse, or the names of all ranks. Rank 0 keeps 8 bytes for each id, if ids are not consecutive.
 *
 * The message of an error names the file, line and column, but a missing reverse arc without the arc.
 * The error that comes first in the file is reported, whichever rank finds it. Errors: those of gws_graph_read(), also
 * GWS_INVALID (options->mapped), GWS_SYSTEM (the ranks find different files), GWS_TOO_LARGE (2^31 sparse ids, or names
 * of 16 GiB). */
GWS_API gws_status gws_rank_graph_read(struct gws_runtime *runtime, struct gws_transport *transport, const char *path,
                                       const struct gws_read_options *options, struct gws_rank_graph **graph,
                                       struct gws_diagnostic *where);

/* Writes a table with a row for each vertex: the file that gws_table_write() writes of the whole graph. column[i].data
 * has an entry for each vertex of this rank. If all ranks run on one host, and the ids are consecutive, each rank
 * writes its rows into the file itself, unless this is compressed, a device or a pipe. Otherwise the ranks send their
 * rows to rank 0, which writes them batch by batch. Rank 0 alone opens the file and gives it its name, so a rank that
 * dies leaves no part of it. Collective; all ranks return the same status and message. Memory: a few MB. Errors: those
 * of gws_table_write(). */
GWS_API gws_status gws_rank_table_write(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                        const struct gws_column *column, uint32_t columns, const char *path,
                                        struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
