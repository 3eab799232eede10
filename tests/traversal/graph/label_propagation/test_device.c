/* SPDX-License-Identifier: MIT */
/* Compares label propagation on every device of this machine with the oracle. Tests graphs that the library refuses. */
#include "labels.h"

static void check(struct gws_graph *graph, const struct labels *wanted)
{
    struct gws_label_propagation_result result = {.label = malloc((graph->vertices + 1) * sizeof *result.label)};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws_diagnostic where = {0};
    for (int reversed = 0; reversed < 2; reversed++) { /* the reverse lets a directed graph pull */
        if (reversed && gws_device_graph_may(on_device, GWS_INDEX_REVERSE))
            ck_assert_int_eq(gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, NULL), GWS_OK);
        memset(result.label, 0x55, graph->vertices * sizeof *result.label);
        ck_assert_msg(gws_label_propagation_device(on_device, &result, &where) == GWS_OK, "%s", where.message);
        check_labels(graph, wanted, &result);
    }
    gws_device_graph_close(on_device);
    free(result.label);
}

DEVICE_TEST(labels_are_smallest)
{
    on_shapes(check);
}

DEVICE_TEST(a_graph_with_the_host_is_refused)
{
    check_refuses(gws_label_propagation_device);
}

int main(void)
{
    const struct gws_test test[] = {{labels_are_smallest, 1}, {a_graph_with_the_host_is_refused, 1}, {0}};
    return gws_test_run("label propagation", test);
}
