/* SPDX-License-Identifier: MIT */
/* Totals in place of points: the number of points of each query, and the sum of a column over them. */
#include "goctree.h"

#include <stdlib.h>

int query_values(struct tree_queries *queries, const struct gws_octree *tree, const struct gws_points *points)
{
    if (!queries->counts) return -1;
    const struct gws_points_column *column = queries->sum_of ? gws_points_find(points, queries->sum_of) : NULL;
    if (queries->sum_of && !column)
        return console_fail("--sum: the points have no column called '%s'", queries->sum_of);
    queries->number = calloc(queries->count + 1, sizeof *queries->number);
    queries->total = calloc(queries->count + 1, sizeof *queries->total);
    queries->sum = column ? calloc(queries->count + 1, sizeof *queries->sum) : NULL;
    queries->value = column ? calloc(tree->given + 1, sizeof *queries->value) : NULL;
    if (!queries->number || !queries->total || (column && (!queries->sum || !queries->value)))
        return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    for (uint64_t q = 0; q < queries->count; q++) queries->number[q] = (int64_t)q;
    for (uint64_t i = 0; column && i < tree->points; i++)
        queries->value[gws_octree_point(tree, i)] = gws_points_number(column, i);
    return -1;
}

gws_status totals_answer(const struct tree_queries *queries, struct gws_runtime *runtime, const struct gws_octree *tree,
                         bool is_box, const double *number, const struct gws_query *const *order, uint64_t count)
{
    struct gws_octree_totals totals = {calloc(count, sizeof(uint64_t)), queries->value,
                                       queries->value ? calloc(count, sizeof(double)) : NULL};
    gws_status status = totals.count && (totals.sum || !queries->value) ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK && is_box)
        status = gws_octree_count_in_boxes(runtime, tree, (const struct gws_octree_box *)number, count, &totals, NULL);
    else if (status == GWS_OK)
        status = gws_octree_count_in_balls(runtime, tree, (const struct gws_octree_ball *)number, count, &totals, NULL);
    for (uint64_t i = 0; i < count && status == GWS_OK; i++) {
        uint64_t q = (uint64_t)(order[i] - queries->query);
        queries->total[q] = (int64_t)totals.count[i];
        if (totals.sum) queries->sum[q] = totals.sum[i];
    }
    free(totals.count);
    free(totals.sum);
    return status;
}
