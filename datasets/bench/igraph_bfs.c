/* SPDX-License-Identifier: MIT */
/* Times igraph's serial breadth-first search (igraph_bfs_simple) on an undirected edge list.
 *
 * usage: igraph_bfs FILE VERTICES SOURCE... FILE has two ids below VERTICES per line, and comments that begin with
 * '#'. Prints source, reached vertices, levels and milliseconds for each source. */
#define _POSIX_C_SOURCE 200809L
#include <igraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

/* Appends the ends of each edge, two by two. Returns false if the file is not readable as edges. */
static bool read_edges(const char *path, igraph_vector_int_t *ends)
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    char line[256];
    bool fine = true;
    while (fine && fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        char *rest, *end;
        igraph_integer_t from = strtoll(line, &rest, 10);
        igraph_integer_t to = strtoll(rest, &end, 10);
        fine = end != rest && !igraph_vector_int_push_back(ends, from) && !igraph_vector_int_push_back(ends, to);
    }
    fine = fine && !ferror(file);
    fclose(file);
    return fine;
}

static void search(const igraph_t *graph, igraph_integer_t source)
{
    igraph_vector_int_t order, layers, parents;
    igraph_vector_int_init(&order, 0);
    igraph_vector_int_init(&layers, 0);
    igraph_vector_int_init(&parents, 0);
    double began = now_ms();
    igraph_bfs_simple(graph, source, IGRAPH_ALL, &order, &layers, &parents);
    double took = now_ms() - began;
    /* layers holds the first index of each level, and the end of the last level. */
    printf("%lld %lld %lld %.6f\n", (long long)source, (long long)igraph_vector_int_size(&order),
           (long long)igraph_vector_int_size(&layers) - 1, took);
    igraph_vector_int_destroy(&order);
    igraph_vector_int_destroy(&layers);
    igraph_vector_int_destroy(&parents);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: igraph_bfs FILE VERTICES SOURCE...\n", stderr);
        return 2;
    }
    igraph_vector_int_t ends;
    igraph_t graph;
    igraph_vector_int_init(&ends, 0);
    if (!read_edges(argv[1], &ends)) {
        fprintf(stderr, "igraph_bfs: %s: cannot be read\n", argv[1]);
        return 1;
    }
    igraph_create(&graph, &ends, strtoll(argv[2], NULL, 10), IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&ends);
    for (int i = 3; i < argc; i++) search(&graph, strtoll(argv[i], NULL, 10));
    igraph_destroy(&graph);
    return 0;
}
