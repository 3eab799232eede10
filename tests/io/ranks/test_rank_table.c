/* SPDX-License-Identifier: MIT */
/* Tables that ranks (threads here) write together are the files that one process writes, byte by byte. A rank that
 * fails leaves no file. */
#define _GNU_SOURCE
#include "../../harness.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

#include "../../../io/rank_graph_io.h"
#include "../../../io/table_io.h"
#include "../../../lib/random.h"
#include "../../lib/transport/rank_calls.h"
#include "../graphs.h"

static struct gws_runtime *runtime;

static void open_runtime(void)
{
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
}

static void close_runtime(void)
{
    gws_runtime_close(runtime);
}

/* ---- columns ---- */

enum { max_columns = 4 };

struct subject {
    struct gws_graph *graph;
    uint32_t *depth, *parent;
    double *rank;
    const char *path;
    gws_status expected;
};

static struct subject subject_of(const struct gws_recipe *recipe)
{
    struct subject subject = {.graph = gws_make_graph(runtime, recipe)};
    const uint64_t vertices = subject.graph->vertices;
    subject.depth = calloc(vertices, sizeof *subject.depth);
    subject.parent = calloc(vertices, sizeof *subject.parent);
    subject.rank = calloc(vertices, sizeof *subject.rank);
    for (uint64_t v = 0; v < vertices; v++) {
        const uint64_t drawn = gws_random_at(7, v);
        subject.depth[v] = drawn % 5 == 0 ? GWS_NO_VERTEX : (uint32_t)(drawn >> (32 + drawn % 31));
        subject.parent[v] = drawn % 5 == 0 ? GWS_NO_VERTEX : (uint32_t)(drawn % vertices);
        subject.rank[v] = (double)(drawn % 1000) / 8;
    }
    return subject;
}

static void clear(struct subject *subject)
{
    gws_graph_destroy(subject->graph);
    free(subject->depth);
    free(subject->parent);
    free(subject->rank);
}

/* Sets the columns of the rows from `first` on. */
static void set_columns(const struct subject *subject, uint64_t first, struct gws_column column[max_columns])
{
    column[0] = (struct gws_column){"vertex", GWS_COLUMN_ID, NULL};
    column[1] = (struct gws_column){"depth", GWS_COLUMN_U32, subject->depth + first};
    column[2] = (struct gws_column){"parent", GWS_COLUMN_VERTEX, subject->parent + first};
    column[3] = (struct gws_column){"rank", GWS_COLUMN_F64, subject->rank + first};
}

/* ---- writing ---- */

static gws_status body(struct rank_calls *calls, struct gws_runtime *own, struct gws_transport *transport)
{
    const struct subject *subject = calls->context;
    struct gws_rank_graph *graph = NULL;
    struct gws_column column[max_columns];
    struct gws_diagnostic where = {0};
    gws_status status = gws_rank_graph_spread(
        own, transport, gws_transport_rank(transport) == 0 ? subject->graph : NULL, &graph, &where);
    if (!graph) return status;
    set_columns(subject, graph->first, column);
    status = gws_rank_table_write(own, graph, column, max_columns, subject->path, &where);
    RANK_EXPECT((status == GWS_OK) == !*where.message);
    gws_rank_graph_destroy(graph);
    return status;
}

static void check_file(const struct subject *subject, const char *wanted, size_t bytes, uint32_t ranks)
{
    struct rank_calls calls = {.body = body, .context = (void *)(uintptr_t)subject, .rank = UINT32_MAX};
    size_t size = 0;
    ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
    char *got = gws_slurp(subject->path, &size);
    ck_assert_msg(size == bytes && memcmp(got, wanted, size) == 0, "%s of %u ranks", subject->path, ranks);
    free(got);
}

/* Compares 1, 2, 3 and 5 ranks with one process. */
static void check(struct subject *subject, const char *name)
{
    struct gws_column column[max_columns];
    size_t size = 0;
    set_columns(subject, 0, column);
    const struct gws_table table = {
        .graph = subject->graph, .rows = subject->graph->vertices, .columns = max_columns, .column = column};
    subject->path = gws_test_temp(name);
    ck_assert_int_eq(gws_table_write(runtime, &table, subject->path, NULL), GWS_OK);
    char *wanted = gws_slurp(subject->path, &size);
    for (uint32_t ranks = 1; ranks <= 5; ranks += ranks == 3 ? 2 : 1)
        if (ranks == 3 || !gws_test_quick()) check_file(subject, wanted, size, ranks);
    free(wanted);
}

static void check_all(const struct gws_recipe *recipe)
{
    static const char *const name[] = {"a.csv", "a.tsv", "a.npy", "a.csv.gz", "a.npy.gz"};
    struct subject subject = subject_of(recipe);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) check(&subject, name[i]);
    clear(&subject);
}

/* Consecutive ids, which let ranks write their own rows; others, of which only rank 0 knows all; names; and fewer
 * vertices than one rank holds. */
START_TEST(test_files)
{
    check_all(&(struct gws_recipe){.vertices = 20000, .edges = 10, .seed = 1});
    check_all(&(struct gws_recipe){.vertices = 20000, .edges = 10, .seed = 2, .ids = true});
    check_all(&(struct gws_recipe){.vertices = 3000, .edges = 10, .seed = 3, .names = true});
    check_all(&(struct gws_recipe){.vertices = 9, .edges = 10, .seed = 4});
}
END_TEST

/* ---- failures ---- */

/* Returns the number of files in the folder of the temporary files, drafts too. */
static unsigned count_files(void)
{
    unsigned files = 0;
    DIR *folder = opendir(gws_test_temp("."));
    ck_assert(folder != NULL);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        files += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return files;
}

static gws_status write_to(struct subject *subject, const char *path, uint32_t ranks)
{
    struct rank_calls calls = {.body = body, .context = subject, .rank = UINT32_MAX};
    subject->path = path;
    return run_rank_calls(&calls, ranks);
}

/* A file may not become longer than the part of the first rank, or of the first two. */
START_TEST(test_full)
{
    struct subject subject = subject_of(&(struct gws_recipe){.vertices = 20000, .edges = 10, .seed = 1});
    struct rlimit limit, before;
    signal(SIGXFSZ, SIG_DFL);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (rlim_t part = 1; part <= 2; part++) {
        limit = before;
        limit.rlim_cur = part * 230000;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        ck_assert_int_eq(write_to(&subject, gws_test_temp("full.npy"), 3), GWS_SYSTEM);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
        ck_assert_uint_eq(count_files(), 0);
    }
    clear(&subject);
}
END_TEST

START_TEST(test_refused)
{
    struct subject subject = subject_of(&(struct gws_recipe){.vertices = 200, .edges = 10});
    ck_assert_int_eq(write_to(&subject, "/nowhere/at/all.csv", 2), GWS_SYSTEM);
    ck_assert_int_eq(write_to(&subject, gws_test_temp("a.text"), 3), GWS_UNKNOWN_FORMAT);
    ck_assert_int_eq(write_to(&subject, "/dev/null", 2), GWS_UNKNOWN_FORMAT);
    ck_assert_uint_eq(count_files(), 0);
    clear(&subject);
}
END_TEST

/* Every allocation of each rank fails, and each rank is cancelled. */
static void check_failing(const struct gws_recipe *recipe, const char *name)
{
    struct subject subject = subject_of(recipe);
    struct rank_calls calls = {.body = body, .context = &subject};
    subject.path = gws_test_temp(name);
    run_failing_ranks(&calls);
    clear(&subject);
}

START_TEST(test_failing)
{
    check_failing(&(struct gws_recipe){.vertices = 200, .edges = 10}, "failing.csv");
    check_failing(&(struct gws_recipe){.vertices = 200, .edges = 10, .ids = true}, "failing.npy.gz");
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_files, 1}, {test_full, 1}, {test_refused, 1}, {test_failing, 1}, {0}};
    return gws_test_run_between("rank_table", test, open_runtime, close_runtime);
}
