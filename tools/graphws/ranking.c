/* SPDX-License-Identifier: MIT */
/* The rows of --top, which ranks the second column of a table, and the histogram of --plot, which counts the values of
 * that column unless the algorithm has a histogram. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/picture.h"
#include "algorithm.h"

enum { BINS = 60 };

double ranking_value(const struct algorithm_table *table, uint64_t row)
{
    const struct gws_column *column = &table->column[1];
    uint32_t small;
    uint64_t large;
    switch (column->kind) {
    case GWS_COLUMN_U32:
    case GWS_COLUMN_VERTEX:
        small = ((const uint32_t *)column->data)[row];
        return small == GWS_NO_VERTEX ? NAN : small;
    case GWS_COLUMN_I64:
        return (double)((const int64_t *)column->data)[row];
    case GWS_COLUMN_F64:
        return ((const double *)column->data)[row];
    case GWS_COLUMN_FINITE:
        return isfinite(((const double *)column->data)[row]) ? ((const double *)column->data)[row] : (double)NAN;
    case GWS_COLUMN_U64:
        large = ((const uint64_t *)column->data)[row];
        return large == UINT64_MAX ? (double)NAN : (double)large;
    default:
        return (double)row;
    }
}

uint32_t ranking_vertex(const struct algorithm_table *table, uint64_t row)
{
    const struct gws_column *column = &table->column[0];
    return column->kind == GWS_COLUMN_VERTEX ? ((const uint32_t *)column->data)[row] : (uint32_t)row;
}

/* ---- the largest: a heap whose root is the smallest of them ---- */

/* Returns true if row a ranks after row b: its value is smaller, or the values are equal and it is the later row. */
static bool ranks_after(const struct algorithm_table *table, uint64_t a, uint64_t b)
{
    double of_a = ranking_value(table, a), of_b = ranking_value(table, b);
    return of_a < of_b || (of_a == of_b && a > b);
}

static void sift_down(const struct algorithm_table *table, uint64_t *heap, uint64_t size, uint64_t at)
{
    for (uint64_t child; (child = 2 * at + 1) < size; at = child) {
        if (child + 1 < size && ranks_after(table, heap[child + 1], heap[child])) child++;
        if (!ranks_after(table, heap[child], heap[at])) return;
        uint64_t row = heap[at];
        heap[at] = heap[child];
        heap[child] = row;
    }
}

int ranking_select(struct algorithm_report *report)
{
    const struct algorithm_table *table = report->top;
    uint64_t capacity = report->settings->top, size = 0;
    if (capacity > table->table.rows) capacity = table->table.rows;
    uint64_t *heap = report->top_row = malloc((capacity + 1) * sizeof *heap);
    if (!heap) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    for (uint64_t row = 0; row < table->table.rows; row++) {
        if (isnan(ranking_value(table, row))) continue;
        if (size < capacity) {
            heap[size++] = row;
            for (uint64_t at = size / 2; size == capacity && at-- > 0;) sift_down(table, heap, size, at);
        } else if (size > 0 && ranks_after(table, heap[0], row)) {
            heap[0] = row;
            sift_down(table, heap, size, 0);
        }
    }
    for (uint64_t at = size / 2; at-- > 0;) sift_down(table, heap, size, at);
    report->tops = size;
    for (; size > 1; sift_down(table, heap, size, 0)) { /* the smallest value moves to the end */
        uint64_t row = heap[--size];
        heap[size] = heap[0];
        heap[0] = row;
    }
    return -1;
}

/* ---- the histogram ---- */

struct bins {
    const char *name; /* of the values */
    double low, high, width;
    uint64_t count[BINS];
};

static void bin_rows(const struct algorithm_table *table, struct bins *bins)
{
    double low = INFINITY, high = -INFINITY;
    for (uint64_t row = 0; row < table->table.rows; row++) {
        double value = ranking_value(table, row);
        if (!isfinite(value)) continue;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (!(low <= high)) low = high = 0;
    *bins = (struct bins){.name = table->column[1].name, .low = low, .high = high};
    bins->width = high > low ? (high - low) / BINS : 1;
    for (uint64_t row = 0; row < table->table.rows; row++) {
        double value = ranking_value(table, row);
        if (!isfinite(value)) continue;
        uint32_t bin = (uint32_t)((value - low) / bins->width);
        bins->count[bin < BINS ? bin : BINS - 1]++;
    }
}

/* Each bin has the same number of values, so a value is in the middle of a bin of its own. */
static void bin_histogram(const struct algorithm_histogram *of, struct bins *bins)
{
    const uint64_t each = of->values > BINS ? (of->values + BINS - 1) / BINS : 1;
    *bins = (struct bins){.name = of->value, .low = -0.5, .high = (double)of->values - 0.5, .width = (double)each};
    for (uint64_t i = 0; i < of->values; i++) bins->count[i / each] += of->count[i];
}

static void print_bins(FILE *script, const struct bins *bins)
{
    fputs("$bins << end\n", script);
    for (uint32_t i = 0; i < BINS; i++)
        if (bins->count[i]) fprintf(script, "%.9g %" PRIu64 "\n", bins->low + (i + 0.5) * bins->width, bins->count[i]);
    fputs("end\n", script);
}

static void print_script(FILE *script, const struct algorithm_report *report, const char *path)
{
    const struct algorithm *algorithm = report->algorithm;
    struct algorithm_histogram of = {.counted = "count"};
    struct bins bins;
    char title[CONSOLE_NAME + 64], name[CONSOLE_NAME];
    if (algorithm->histogram) {
        of = algorithm->histogram(report->state);
        bin_histogram(&of, &bins);
    } else {
        bin_rows(report->top, &bins);
    }
    gnuplot_begin(script, path, 1);
    print_bins(script, &bins);
    snprintf(title, sizeof title, "%s of %s", algorithm->command.name, console_name(report->session.name, name));
    fputs("set title ", script);
    gnuplot_text(script, title);
    fputs(" noenhanced\nset grid\nset key off\nset xlabel ", script);
    gnuplot_text(script, bins.name);
    fprintf(script,
            " noenhanced\nset ylabel '%s'\nset logscale y\nset yrange [0.5:*]\nset style fill solid 1 noborder\n"
            "set boxwidth %.9g\nset xrange [%.9g:%.9g]\nplot $bins using 1:2 with boxes linecolor rgb '#0d1687'\n",
            of.counted, bins.width, bins.low - bins.width, bins.high + bins.width);
}

int ranking_plot(const struct algorithm_report *report, const char *path)
{
    FILE *script = gnuplot_script();
    if (!script) return console_fail("gnuplot: cannot create its script in memory: %s", strerror(errno));
    console_progress_begin("drawing", path);
    print_script(script, report, path);
    int status = gnuplot_draw(script, report->session.runtime, path);
    console_progress_end();
    fclose(script);
    return status;
}
