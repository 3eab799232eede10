/* SPDX-License-Identifier: MIT */
/* Compares the post-processing of results with plain loops: narrow depths, and the sum of the degrees of the reached
 * vertices. The tests run on every device of this machine. The CPU narrows depths too, with code from the same
 * source. */
#include "devices.h"

#include "../../../traversal/engine/device_graph.h"

/* Returns words like those of a search, below limit or NONE. */
static uint32_t *words_below(uint64_t count, uint32_t limit)
{
    uint32_t *word = malloc((count + 1) * sizeof *word);
    uint64_t random = count + limit;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t drawn = gws_random_next(&random);
        word[i] = drawn % 5 == 0 ? GWS_NO_VERTEX : (uint32_t)(drawn / 8 % limit);
    }
    return word;
}

static void check_narrow(const uint32_t *wide, const void *narrow, uint64_t count, uint32_t bytes)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t got = bytes == 1 ? ((const uint8_t *)narrow)[i] : ((const uint16_t *)narrow)[i];
        uint32_t wanted = wide[i] == GWS_NO_VERTEX ? (bytes == 1 ? UINT8_MAX : UINT16_MAX) : wide[i];
        if (got != wanted) ck_abort_msg("entry %llu: %u, not %u", (unsigned long long)i, got, wanted);
    }
}

static const uint64_t counts[] = {1, 2, 3, 4, 5, 63, 1000, 300001};
enum { count_kinds = sizeof counts / sizeof *counts };

DEVICE_TEST(depths_become_narrow_on_devices)
{
    struct gws_graph *graph = make_graph(path, 10, UNDIRECTED);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    for (int n = 0; n < count_kinds; n++)
        for (uint32_t bytes = 1; bytes <= 2; bytes++) {
            uint64_t count = counts[n], padded = (count * bytes + 3) / 4 * 4;
            uint32_t *wide = words_below(count, bytes == 1 ? UINT8_MAX : UINT16_MAX);
            struct gws_device_buffer *from = NULL, *to = NULL;
            ck_assert_int_eq(gws_device_buffer_new(device, count * 4, &from, NULL), GWS_OK);
            ck_assert_int_eq(gws_device_buffer_new(device, padded, &to, NULL), GWS_OK);
            ck_assert_int_eq(gws_device_write(from, 0, wide, count * 4, NULL), GWS_OK);
            ck_assert_int_eq(gws__device_graph_narrow(on_device, from, to, count, bytes, NULL), GWS_OK);
            void *narrow = content_of(to, padded);
            check_narrow(wide, narrow, count, bytes);
            gws_device_buffer_free(from);
            gws_device_buffer_free(to);
            free(narrow);
            free(wide);
        }
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

START_TEST(depths_become_narrow_on_the_cpu)
{
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        struct gws_runtime *workers = open_runtime(NULL, threads, 0);
        for (int n = 0; n < count_kinds; n++)
            for (uint32_t bytes = 1; bytes <= 2; bytes++) {
                uint32_t *wide = words_below(counts[n], bytes == 1 ? UINT8_MAX : UINT16_MAX);
                uint32_t *narrow = malloc((counts[n] * bytes + 3) / 4 * 4);
                gws__narrow(workers, wide, narrow, counts[n], bytes);
                check_narrow(wide, narrow, counts[n], bytes);
                free(narrow);
                free(wide);
            }
        gws_runtime_close(workers);
    }
}
END_TEST

START_TEST(the_narrowest_type_holds_all_depths)
{
    ck_assert_uint_eq(gws__narrow_bytes(1), 1);
    ck_assert_uint_eq(gws__narrow_bytes(255), 1);
    ck_assert_uint_eq(gws__narrow_bytes(256), 2);
    ck_assert_uint_eq(gws__narrow_bytes(65535), 2);
    ck_assert_uint_eq(gws__narrow_bytes(65536), 4);
}
END_TEST

DEVICE_TEST(degrees_of_what_is_reached_are_summed)
{
    for (size_t s = 0; s < shape_count; s++) {
        if (!shape_runs(s)) continue;
        struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, DIRECTED);
        struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
        uint32_t *word = words_below(graph->vertices, 1000);
        struct gws_device_buffer *reached = NULL;
        uint64_t wanted = 0, got = 1;
        for (uint32_t v = 0; v < graph->vertices; v++)
            wanted += word[v] == GWS_NO_VERTEX ? 0 : gws_graph_degree(graph, v);
        ck_assert_int_eq(gws_device_buffer_new(device, graph->vertices * 4, &reached, NULL), GWS_OK);
        ck_assert_int_eq(gws_device_write(reached, 0, word, graph->vertices * 4, NULL), GWS_OK);
        for (int again = 0; again < 2; again++) {
            ck_assert_int_eq(gws__device_graph_reached_arcs(on_device, reached, &got, NULL), GWS_OK);
            ck_assert_uint_eq(got, wanted);
        }
        gws_device_buffer_free(reached);
        gws_device_graph_close(on_device);
        gws_graph_destroy(graph);
        free(word);
    }
}

int main(void)
{
    const struct gws_test test[] = {{depths_become_narrow_on_devices, 1},
                                    {depths_become_narrow_on_the_cpu, 1},
                                    {the_narrowest_type_holds_all_depths, 1},
                                    {degrees_of_what_is_reached_are_summed, 1},
                                    {0}};
    return gws_test_run("device_result", test);
}
