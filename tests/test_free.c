/* SPDX-License-Identifier: MIT */
/* Every public function that frees something accepts NULL. Functions for structs of the caller accept {0}, also twice.
 * The test compares its list with the headers, so the list must contain each new function. */
#include "harness.h"

#include <ctype.h>
#include <dirent.h>

#include "../graphws.h"

static const char *const called[] = {
    "gws_runtime_close",
    "gws_caching_allocator_close",
    "gws_release",
    "gws_graph_destroy",
    "gws_points_clear",
    "gws_device_close",
    "gws_device_buffer_free",
    "gws_device_program_free",
    "gws_bfs_result_clear",
    "gws_bfs_device_close",
    "gws_bfs_devices_close",
    "gws_octree_destroy",
    "gws_octree_device_close",
    "gws_octree_on_device_close",
    "gws_octree_hits_clear",
    "gws_madness_destroy",
    "gws_madness_device_close",
    "gws_device_tasks_close",
    "gws_transport_close",
    "gws_transport_memory_close",
    "gws_rank_graph_destroy",
    "gws_rank_bfs_result_clear",
    "gws_rank_components_result_clear",
    "gws_rank_pagerank_result_clear",
    "gws_rank_sssp_result_clear",
    "gws_host_queue_close",
    "gws_md_close",
    "gws_md_device_close",
    "gws_output_close",
    "gws_stream_close",
    "gws_device_graph_close",
    "gws_bfs_index_clear",
    "gws_triangles_device_close",
    "gws_cores_device_close",
    "gws_sssp_device_close",
    "gws_sssp_devices_close",
    "gws_components_device_close",
    "gws_components_devices_close",
    "gws_pagerank_device_close",
    "gws_pagerank_devices_close",
    "gws_communities_device_close",
    "gws_betweenness_device_close",
    "gws_closeness_device_close",
    "gws_bfs_batch_device_close",
    "gws_diameter_device_close",
    "gws_path_device_close",
    "gws_sssp_result_clear",
    "gws_path_result_clear",
    "gws_components_result_clear",
    "gws_pagerank_result_clear",
    "gws_pagerank_index_clear",
    "gws_betweenness_result_clear",
    "gws_closeness_result_clear",
    "gws_bfs_batch_device_result_clear",
    "gws_triangles_result_clear",
    "gws_cores_result_clear",
    "gws_communities_result_clear",
};

START_TEST(null_and_empty)
{
    struct gws_points points = {0};
    struct gws_bfs_result result = {0};
    struct gws_octree_hits hits = {0};
    struct gws_runtime *runtime;
    gws_runtime_close(NULL);
    gws_caching_allocator_close(NULL);
    gws_graph_destroy(NULL);
    gws_device_close(NULL);
    gws_device_buffer_free(NULL);
    gws_device_program_free(NULL);
    gws_bfs_device_close(NULL);
    gws_bfs_devices_close(NULL);
    gws_octree_destroy(NULL);
    gws_octree_device_close(NULL);
    gws_octree_on_device_close(NULL);
    gws_madness_destroy(NULL);
    gws_madness_device_close(NULL);
    gws_device_tasks_close(NULL);
    gws_transport_close(NULL);
    gws_transport_memory_close(NULL, NULL);
    gws_rank_graph_destroy(NULL);
    gws_host_queue_close(NULL);
    gws_md_close(NULL);
    gws_md_device_close(NULL);
    gws_stream_close(NULL);
    gws_device_graph_close(NULL);
    gws_bfs_index_clear(NULL);
    gws_points_clear(NULL);
    gws_bfs_result_clear(NULL);
    gws_octree_hits_clear(NULL);
    for (int i = 0; i < 2; i++) {
        gws_points_clear(&points);
        gws_bfs_result_clear(&result);
        gws_octree_hits_clear(&hits);
    }
    ck_assert_int_eq(gws_output_close(NULL, GWS_OK), GWS_OK);
    gws_bfs_result_poison(NULL);
    gws_bfs_result_poison(&result);
    gws_octree_poison(NULL);
    gws_madness_poison(NULL);
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    gws_release(runtime, NULL, 3, 4);
    gws_runtime_close(runtime);
}
END_TEST

/* Calls `clear` with NULL, with an empty struct, and with that struct again. */
#define CLEAR_EMPTY(type, clear)                                                                                       \
    do {                                                                                                               \
        struct type empty = {0};                                                                                       \
        clear(NULL);                                                                                                   \
        clear(&empty);                                                                                                 \
        clear(&empty);                                                                                                 \
    } while (0)

START_TEST(algorithms)
{
    CLEAR_EMPTY(gws_rank_bfs_result, gws_rank_bfs_result_clear);
    CLEAR_EMPTY(gws_rank_components_result, gws_rank_components_result_clear);
    CLEAR_EMPTY(gws_rank_pagerank_result, gws_rank_pagerank_result_clear);
    CLEAR_EMPTY(gws_rank_sssp_result, gws_rank_sssp_result_clear);
    CLEAR_EMPTY(gws_sssp_result, gws_sssp_result_clear);
    CLEAR_EMPTY(gws_path_result, gws_path_result_clear);
    CLEAR_EMPTY(gws_components_result, gws_components_result_clear);
    CLEAR_EMPTY(gws_pagerank_result, gws_pagerank_result_clear);
    CLEAR_EMPTY(gws_pagerank_index, gws_pagerank_index_clear);
    CLEAR_EMPTY(gws_betweenness_result, gws_betweenness_result_clear);
    CLEAR_EMPTY(gws_closeness_result, gws_closeness_result_clear);
    CLEAR_EMPTY(gws_bfs_batch_device_result, gws_bfs_batch_device_result_clear);
    CLEAR_EMPTY(gws_triangles_result, gws_triangles_result_clear);
    CLEAR_EMPTY(gws_cores_result, gws_cores_result_clear);
    CLEAR_EMPTY(gws_communities_result, gws_communities_result_clear);
    gws_triangles_device_close(NULL);
    gws_cores_device_close(NULL);
    gws_sssp_device_close(NULL);
    gws_sssp_devices_close(NULL);
    gws_components_device_close(NULL);
    gws_components_devices_close(NULL);
    gws_pagerank_device_close(NULL);
    gws_pagerank_devices_close(NULL);
    gws_communities_device_close(NULL);
    gws_betweenness_device_close(NULL);
    gws_closeness_device_close(NULL);
    gws_bfs_batch_device_close(NULL);
    gws_diameter_device_close(NULL);
    gws_path_device_close(NULL);
}
END_TEST

static bool is_called(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (strlen(called[i]) == length && memcmp(called[i], name, length) == 0) return true;
    return false;
}

static bool frees(const char *name, size_t length)
{
    static const char *const end[] = {"_clear", "_destroy", "_close", "_free", "_release"};
    for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
        size_t its = strlen(end[i]);
        if (length >= its && memcmp(name + length - its, end[i], its) == 0) return true;
    }
    return false;
}

/* Counts the freeing functions in a header, and checks that the list has each of them. A declaration begins a line, and
 * an opening parenthesis ends the name. */
static uint32_t look_through(const char *path)
{
    char line[512];
    uint32_t found = 0;
    FILE *header = fopen(path, "r");
    ck_assert_msg(header != NULL, "%s", path);
    while (fgets(line, sizeof line, header)) {
        const char *end = strncmp(line, "GWS_API ", 8) == 0 ? strchr(line, '(') : NULL, *name = end;
        while (name && (name[-1] == '_' || isalnum((unsigned char)name[-1]))) name--;
        if (!name || !frees(name, (size_t)(end - name)) || strncmp(name, "gws_graph_on_destroy", 20) == 0) continue;
        ck_assert_msg(is_called(name, (size_t)(end - name)), "%s: %s: not tested with NULL", path, name);
        found++;
    }
    fclose(header);
    return found;
}

START_TEST(none_is_forgotten)
{
    static const char *const folder[] = {"lib", "io", "traversal", "igraph"};
    const char *source = getenv("GRAPHWS_SOURCE");
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
        char path[GWS_TEST_PATH];
        snprintf(path, sizeof path, "%s/%s", source ? source : ".", folder[i]);
        DIR *all = opendir(path);
        ck_assert_msg(all != NULL, "%s", path);
        for (struct dirent *one; (one = readdir(all));) {
            size_t length = strlen(one->d_name);
            if (length < 3 || strcmp(one->d_name + length - 2, ".h") != 0) continue;
            snprintf(path, sizeof path, "%s/%s/%s", source ? source : ".", folder[i], one->d_name);
            found += look_through(path);
        }
        closedir(all);
    }
    ck_assert_uint_eq(found, sizeof called / sizeof *called);
}
END_TEST

static Suite *free_suite(void)
{
    Suite *suite = suite_create("freeing nothing");
    TCase *all = tcase_create("all");
    tcase_add_test(all, null_and_empty);
    tcase_add_test(all, algorithms);
    tcase_add_test(all, none_is_forgotten);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(free_suite);
}
