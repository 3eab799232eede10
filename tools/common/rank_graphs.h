/* SPDX-License-Identifier: MIT */
/* Graphs of tools under mpirun (lib/rank_graph.h): loading, sources, tables. All functions are collective, and return
 * -1 or the exit status, the same on all ranks, after rank 0 has reported the error. */
#ifndef TOOLS_COMMON_RANK_GRAPHS_H
#define TOOLS_COMMON_RANK_GRAPHS_H

#include "ranks.h"
#include "session.h"

struct rank_session {
    struct ranks *ranks;
    struct session session; /* session.graph is &about */
    struct gws_rank_graph *graph;
    struct gws_graph about; /* rank 0: describes the whole graph, with ids or names, but without rows */
    double reverse_ms;      /* 0: no reverse was built */
    uint64_t *part;         /* rank 0: RANK_PART_WORDS of each rank, after rank_session_gather() */
};

/* What rank_session_gather() collects of each rank's part. */
enum { RANK_PART_VERTICES, RANK_PART_ARCS, RANK_PART_BYTES, RANK_PART_WORDS };

/* Opens a runtime on every rank, and loads the graph: the ranks generate it or read it together, and build its reverse
 * if that is wanted and the graph is directed. What igraph reads, rank 0 reads and parts. Call rank_session_close() in
 * all cases. */
int rank_session_open(struct rank_session *self, const struct session_settings *settings, const char *name,
                      struct gws_read_options read, bool reverse);
void rank_session_close(struct rank_session *self);

/* sources_choose() for a graph among ranks. Every rank gets the sources. */
int rank_sources_choose(struct rank_session *self, const char *source, uint64_t repeat, uint64_t seed,
                        struct sources *sources);

/* Reports a status that is the same on all ranks. Returns the exit status. */
int rank_session_fail(const struct rank_session *self, gws_status status, const struct gws_diagnostic *where);

/* Collective, after the runs: gathers the workers of all ranks (ranks_gather()) and the sizes of the parts. */
int rank_session_gather(struct rank_session *self, struct workers *workers);

/* The line of --stats about the links, with `rest` or about arrays in shared memory (NULL), and the table by rank; and
 * the members "mpi", "transport" and "ranks" of an object; on rank 0. */
void rank_session_print(const struct rank_session *self, const char *rest, FILE *out);
void rank_session_json(const struct rank_session *self, struct json *json);

/* A column of a table: an entry for each vertex of this rank. */
struct rank_column {
    struct gws_column column; /* .data: this rank's entries; NULL for GWS_COLUMN_ID */
    uint32_t bytes;           /* of an entry */
};

enum { RANK_COLUMNS = 4 };

/* The ranks write a table of 1 .. RANK_COLUMNS columns together. */
int rank_table_write(struct rank_session *self, const struct rank_column *column, uint32_t columns, const char *path);

/* Gathers columns, 1 .. RANK_COLUMNS, on rank 0, into memory that rank_columns_release() frees. Call it in all cases;
 * it is not collective. */
int rank_columns_gather(struct rank_session *self, const struct rank_column *column, uint32_t columns,
                        struct gws_column *gathered);
void rank_columns_release(struct rank_session *self, const struct rank_column *column, uint32_t columns,
                          struct gws_column *gathered);

#endif
