/* SPDX-License-Identifier: MIT */
/* A table of public functions of every kind that use the workers. Tests of a property that all of them share call
 * each. */
#ifndef GWS_TESTS_CALLS_H
#define GWS_TESTS_CALLS_H

#include "../graphws.h"

/* The data that the calls read. */
struct gws_test_world {
    struct gws_graph *graph;    /* undirected, with weights */
    struct gws_graph *directed; /* with its reverse */
    struct gws_graph *plain;    /* undirected, without weights and loops */
    struct gws_points points;
    struct gws_octree *tree;
    struct gws_points atoms;
    char folder[4096]; /* for files, with those of gws_test_make_files() */
};

/* Runs one function. On success, *answer is a number that depends on the world alone. A call that fails frees all that
 * it made. label: a name for this caller's files. */
struct gws_test_call {
    const char *name;
    gws_status (*run)(struct gws_runtime *runtime, const struct gws_test_world *world, const char *label,
                      uint64_t *answer);
};

/* The head of such a function. */
#define GWS_TEST_CALL(name)                                                                                            \
    static gws_status name(__attribute__((unused)) struct gws_runtime *runtime,                                        \
                           __attribute__((unused)) const struct gws_test_world *world,                                 \
                           __attribute__((unused)) const char *label, uint64_t *answer)
#define GWS_TEST_ROW(name)                                                                                             \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

/* Destroys the graph of a call and computes *answer from it. Returns status. */
gws_status gws_test_made(struct gws_graph *graph, gws_status status, uint64_t *answer);

/* The rows of tests/calls_*.c, each table with an empty one at its end, and the files that those of gws_test_file_calls
 * read. */
extern const struct gws_test_call gws_test_graph_calls[], gws_test_algorithm_calls[], gws_test_space_calls[],
    gws_test_file_calls[];
void gws_test_make_files(struct gws_runtime *runtime, const struct gws_test_world *world);

/* Returns row i of the table, or NULL past the end. */
const struct gws_test_call *gws_test_call_at(int i);
int gws_test_calls(void);

/* Makes the world. graph and points are descriptions of generators. */
void gws_test_world_open(struct gws_runtime *runtime, const char *graph, const char *points,
                         struct gws_test_world *world);
void gws_test_world_close(struct gws_test_world *world);

#endif
