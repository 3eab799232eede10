/* SPDX-License-Identifier: MIT */
/* Compares direction rules for breadth-first searches whose device reads the arcs in the host's memory. The program
 * counts the pieces of 32 bytes that cross the bus in both directions, and computes their time at the rates of an H200
 * over PCIe. It needs no device.
 *
 * usage: bus_direction GRAPH [sources=N] [head=N] [directed] [both] [levels]
 *
 * GRAPH is a generator (uniform:22). "directed" drops every other arc, and gives the graph its reverse. The device
 * runs all levels. With "both" host and device share each level at their summed speed. head=N: the device caches the
 * first N words of each row. The direction of a level does not change its result, so each rule's time is the sum of
 * its choices. Prints for each rule the mean, median and worst ms of a search. The rules are Beamer's, by the
 * frontier's vertices after the first level, then the library's (row_cost.h), then the better direction of each level,
 * known afterwards. Then the program prints the ratio of expected to counted pieces in levels whose directions are
 * within a factor of ten of each other. With "levels" it also prints all levels of the last source. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../traversal/engine/row_cost.h"
#include "bus_counting.h"

enum { beamers, expected, best, rules, max_sources = 256, beta = 18, alpha = 15, walk = 16 };

static const char *const rule_name[rules] = {"Beamer's", "expected", "best"};

/* A level, and the reads of each direction. */
struct level {
    struct gws__row_level is;
    double push[2], pull[2]; /* ns, for device and host */
    double pieces[2];        /* pieces that the device reads, for push and for pull */
};

struct bus_work {
    const struct gws_graph *graph, *in;
    struct gws__row_cost reader[2];
    uint64_t *rest[2]; /* for graph and in: where the uncached words of a row begin, packed */
    bool both;
};

/* ---- counting ---- */

/* Returns the number of pieces that contain words first .. first + count - 1. */
static double pieces_of(uint64_t first, uint64_t count, uint64_t piece)
{
    return count > 0 ? (double)((first + count - 1) / piece - first / piece + 1) : 0;
}

/* Returns the number of words of the row of v up to the first that leads to a vertex of that depth. */
static uint64_t looked_at(const struct gws_graph *in, uint32_t v, const uint32_t *depth, uint32_t level)
{
    uint64_t arcs = gws_graph_degree(in, v), at = 0;
    while (at < arcs && depth[in->target[in->offset[v] + at]] != level) at++;
    return at < arcs ? at + 1 : arcs;
}

static void count_push(const struct bus_work *work, uint32_t v, struct level *level)
{
    const struct gws_graph *graph = work->graph;
    uint64_t arcs = gws_graph_degree(graph, v), head = (uint64_t)work->reader[0].head;
    double of[2] = {arcs > head ? pieces_of(work->rest[0][v], arcs - head, 8) : 0,
                    pieces_of(graph->offset[v], arcs, 16)};
    level->is.size++;
    level->is.arcs += arcs;
    level->pieces[0] += of[0];
    for (int r = 0; r < 2; r++) {
        const struct gws__row_cost *reader = &work->reader[r];
        level->push[r] += (double)arcs * reader->claim;
        if (of[r] > 0) level->push[r] += reader->place + (of[r] - 1) * reader->next;
    }
}

static void count_pull(const struct bus_work *work, uint32_t v, const uint32_t *depth, uint32_t at, struct level *level)
{
    uint64_t looks = looked_at(work->in, v, depth, at), head = (uint64_t)work->reader[0].head;
    double of[2] = {looks > head ? pieces_of(work->rest[1][v], looks - head, 8) : 0,
                    pieces_of(work->in->offset[v], looks, 16)};
    level->is.left++;
    level->is.left_arcs += gws_graph_degree(work->graph, v);
    level->pieces[1] += of[0];
    for (int r = 0; r < 2; r++) level->pull[r] += of[r] * work->reader[r].place + (double)looks * work->reader[r].word;
}

static struct level count(const struct bus_work *work, const uint32_t *depth, uint32_t at)
{
    struct level level = {.is = {0}};
    for (uint32_t v = 0; v < work->graph->vertices; v++) {
        if (gws_graph_degree(work->graph, v) == 0 && gws_graph_degree(work->in, v) == 0) continue;
        if (depth[v] == at) count_push(work, v, &level);
        if (depth[v] > at) count_pull(work, v, depth, at, &level);
    }
    return level;
}

/* ---- choosing ---- */

static double shared(const struct bus_work *work, const double *ns)
{
    return work->both ? 1 / (1 / ns[0] + 1 / ns[1]) : ns[0];
}

static bool chooses(const struct bus_work *work, int rule, const struct level *level, uint32_t at)
{
    const struct gws__row_level *is = &level->is;
    uint64_t vertices = work->graph->vertices;
    if (rule == best) return shared(work, level->pull) < shared(work, level->push);
    if (rule == expected) {
        double push, pull;
        gws__row_shared_ns(work->reader, work->both ? 2 : 1, is, &push, &pull);
        return pull < push;
    }
    if (at > 0) return is->size > vertices / beta;
    return is->arcs > (is->arcs + is->left_arcs) / alpha && is->arcs > vertices / walk;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_rule(const char *name, double *ms, int sources)
{
    double sum = 0;
    qsort(ms, (size_t)sources, sizeof *ms, by_size);
    for (int s = 0; s < sources; s++) sum += ms[s];
    printf("| %s | %.2f | %.2f | %.2f |\n", name, sum / sources, (ms[(sources - 1) / 2] + ms[sources / 2]) / 2,
           ms[sources - 1]);
}

struct rule_sums {
    double ms[rules][max_sources];
    double expected, counted; /* pieces of pull */
};

static void add_level(const struct bus_work *work, const struct level *level, uint32_t at, int source,
                      struct rule_sums *sums)
{
    double push = level->push[0], pull = level->pull[0];
    for (int rule = 0; rule < rules; rule++)
        sums->ms[rule][source] += shared(work, chooses(work, rule, level, at) ? level->pull : level->push) / 1e6;
    if (push > 10 * pull || pull > 10 * push) return;
    sums->expected += gws__row_pull_pieces(&work->reader[0], &level->is);
    sums->counted += level->pieces[1];
}

static void print_level(const struct bus_work *work, const struct level *level, uint32_t at)
{
    const struct gws__row_level *is = &level->is;
    printf("level %u: %llu vertices, %.2f M arcs, %.2f M left with %.2f M; M pieces push %.3f, pull %.3f, "
           "expected %.3f; ms %.3f %.3f, host %.3f %.3f; %d %d %d\n",
           at, (unsigned long long)is->size, (double)is->arcs / 1e6, (double)is->left / 1e6,
           (double)is->left_arcs / 1e6, level->pieces[0] / 1e6, level->pieces[1] / 1e6,
           gws__row_pull_pieces(&work->reader[0], is) / 1e6, level->push[0] / 1e6, level->pull[0] / 1e6,
           level->push[1] / 1e6, level->pull[1] / 1e6, chooses(work, 0, level, at), chooses(work, 1, level, at),
           chooses(work, 2, level, at));
}

/* ---- the graph ---- */

/* Finds where the uncached words of each row begin. The device caches the first `head` words. Returns their total
 * number. */
static uint64_t pack(const struct gws_graph *graph, uint64_t head, uint64_t *rest)
{
    uint64_t at = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint64_t arcs = gws_graph_degree(graph, v);
        rest[v] = at;
        at += arcs > head ? arcs - head : 0;
    }
    return at;
}

static void prepare(struct bus_work *work, uint64_t head)
{
    for (int g = 0; g < 2; g++) work->rest[g] = allocate_zeroed(work->graph->vertices, sizeof(uint64_t));
    uint64_t left = pack(work->graph, head, work->rest[0]);
    (void)pack(work->in, head, work->rest[1]);
    gws__row_costs((double)head, (double)left / (double)work->graph->arcs, 16, work->reader);
}

static void search(struct gws_runtime *runtime, const struct bus_work *work, int sources, bool levels)
{
    static struct rule_sums sums;
    struct gws_bfs_result result = {0};
    for (uint64_t k = 1, s = 0; s < (uint64_t)sources; k++) {
        uint32_t source = (uint32_t)(k * 2654435761U % work->graph->vertices);
        if (gws_graph_degree(work->graph, source) == 0) continue;
        must(gws_bfs(runtime, work->graph, source, NULL, &result));
        for (uint32_t at = 0; at < result.levels; at++) {
            struct level level = count(work, result.depth, at);
            add_level(work, &level, at, (int)s, &sums);
            if (levels && s + 1 == (uint64_t)sources) print_level(work, &level, at);
        }
        s++;
    }
    printf("| rule | mean | median | worst |\n|---|---|---|---|\n");
    for (int rule = 0; rule < rules; rule++) print_rule(rule_name[rule], sums.ms[rule], sources);
    printf("pieces expected for each counted: %.3f\n", sums.counted > 0 ? sums.expected / sums.counted : 1);
    gws_bfs_result_clear(&result);
}

int main(int argc, char **argv)
{
    struct gws_runtime *runtime = NULL;
    struct gws_graph *graph = NULL;
    struct bus_work work = {0};
    bool directed = false, levels = false;
    int sources = 16, head = 0;
    for (int i = 2; i < argc; i++) {
        if (strncmp(argv[i], "sources=", 8) == 0) sources = atoi(argv[i] + 8);
        if (strncmp(argv[i], "head=", 5) == 0) head = atoi(argv[i] + 5);
        directed |= strcmp(argv[i], "directed") == 0;
        work.both |= strcmp(argv[i], "both") == 0;
        levels |= strcmp(argv[i], "levels") == 0;
    }
    must(argc > 1 && sources > 0 && sources <= max_sources && head >= 0 ? GWS_OK : GWS_INVALID);
    must(gws_runtime_open(NULL, &runtime));
    must(gws_graph_generate(runtime, argv[1], &graph, NULL));
    if (directed) graph = half(runtime, graph);
    work.graph = graph;
    work.in = graph->reverse ? graph->reverse : graph;
    prepare(&work, (uint64_t)head);
    search(runtime, &work, sources, levels);
    for (int g = 0; g < 2; g++) free(work.rest[g]);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    return EXIT_SUCCESS;
}
