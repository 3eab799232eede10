/* SPDX-License-Identifier: MIT */
/* --graph500: the searches of the Graph500 benchmark and its output (specification 2.0, "Output"). Each statistic is
 * over the 64 searches. Rates are edges a second, so their mean and standard deviation are harmonic. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "gbfs.h"

enum { searches = 64, name_column = 32 };

int graph500_begin(struct bfs_settings *settings, int operands)
{
    struct runtime_options *options = &settings->session.options;
    if (!settings->graph500)
        return settings->edge_factor
                   ? console_usage("--edge-factor requires --graph500; kron:SCALE:EDGEFACTOR has it too")
                   : -1;
    if (operands > 0) return console_usage("--graph500 generates its graph; GRAPH is one too many");
    if (strcmp(settings->source, "random") != 0 || options->repeat != 1)
        return console_usage("--graph500 searches once from each of 64 random vertices, without --source and --repeat");
    snprintf(settings->graph500_name, sizeof settings->graph500_name, "kron:%u:%u", (unsigned)settings->graph500,
             settings->edge_factor ? (unsigned)settings->edge_factor : 16);
    options->repeat = searches;
    options->verify = 1;
    return -1;
}

static int compare(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Returns the quantile of sorted numbers, between two of them by linear interpolation. */
static double quantile(const double *sorted, double part)
{
    const double at = part * (searches - 1);
    const int below = (int)at;
    return below + 1 < searches ? sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]) : sorted[below];
}

static void print_line(const char *before, const char *name, double value, FILE *out)
{
    char label[64];
    snprintf(label, sizeof label, "%s%s:", before, name);
    fprintf(out, "%-*s%.9g\n", name_column, label, value);
}

static double mean_of(const double *number)
{
    double sum = 0;
    for (int i = 0; i < searches; i++) sum += number[i];
    return sum / searches;
}

static double deviation_of(const double *number, double mean)
{
    double squares = 0;
    for (int i = 0; i < searches; i++) squares += (number[i] - mean) * (number[i] - mean);
    return sqrt(squares / (searches - 1));
}

static void print_quartiles(const double number[searches], const char *name, FILE *out)
{
    static const char *const label[] = {"min_", "firstquartile_", "median_", "thirdquartile_", "max_"};
    double sorted[searches];
    memcpy(sorted, number, sizeof sorted);
    qsort(sorted, searches, sizeof *sorted, compare);
    for (int i = 0; i < 5; i++) print_line(label[i], name, quantile(sorted, i / 4.0), out);
}

static void print_statistics(const double number[searches], const char *name, FILE *out)
{
    const double mean = mean_of(number);
    print_quartiles(number, name, out);
    print_line("mean_", name, mean, out);
    print_line("stddev_", name, deviation_of(number, mean), out);
}

/* The deviation of a harmonic mean: that of the inverse numbers, by the jackknife (the specification's sample code). */
static void print_rates(const double rate[searches], FILE *out)
{
    double inverse[searches];
    for (int i = 0; i < searches; i++) inverse[i] = rate[i] > 0 ? 1 / rate[i] : 0;
    const double mean = mean_of(inverse);
    print_quartiles(rate, "TEPS", out);
    print_line("harmonic_mean_", "TEPS", mean > 0 ? 1 / mean : 0, out);
    print_line("harmonic_stddev_", "TEPS",
               mean > 0 ? deviation_of(inverse, mean) / (mean * mean * sqrt(searches - 1)) : 0, out);
}

void graph500_print(const struct bfs_report *report, const struct bfs_settings *settings, uint32_t ranks, FILE *out)
{
    double seconds[searches], edges[searches], rate[searches], check[searches];
    if (report->runs != searches) return;
    for (int i = 0; i < searches; i++) {
        seconds[i] = report->run[i].ms / 1000;
        edges[i] = (double)report->run[i].edges;
        rate[i] = seconds[i] > 0 ? edges[i] / seconds[i] : 0;
        check[i] = report->run[i].verify_ms / 1000;
    }
    print_line("", "SCALE", (double)settings->graph500, out);
    print_line("", "edgefactor", settings->edge_factor ? (double)settings->edge_factor : 16, out);
    print_line("", "NBFS", searches, out);
    if (report->draw_ms > 0) print_line("", "graph_generation", report->draw_ms / 1000, out);
    print_line("", "num_mpi_processes", ranks, out);
    print_line("", "construction_time", (report->session->load_ms + report->index.ms - report->draw_ms) / 1000, out);
    print_statistics(seconds, "time", out);
    print_statistics(edges, "nedge", out);
    print_rates(rate, out);
    print_statistics(check, "validate", out);
    fprintf(out, "%-*s%s\n", name_column, "validation:", report->verified == 1 ? "passed" : "FAILED");
}
