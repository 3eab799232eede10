/* SPDX-License-Identifier: MIT */
/* The pictures of --plot: of one simulation over virtual time, or of several numbers of workers. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/picture.h"
#include "simulation.h"
#include "timeline.h"

/* A unit with short numbers on the axis; gnuplot omits the axis label beside long ones. */
struct time_unit {
    const char *name;
    double ms;
};

static struct time_unit unit_for(double ms)
{
    if (ms < 0.5) return (struct time_unit){"microseconds", 1e-3};
    return ms < 5000 ? (struct time_unit){"milliseconds", 1} : (struct time_unit){"seconds", 1e3};
}

/* Prints two lines: the workload, then `line`. */
static void print_title(FILE *script, const struct sim_report *report, const char *line)
{
    char *text = NULL;
    size_t size;
    FILE *work = open_memstream(&text, &size);
    if (work) sim_report_print_work(report, work);
    if (work) fclose(work);
    fputs("set title ", script);
    gnuplot_text(script, text ? text : report->simulation->command.name);
    fputs(" . \"\\n\" . ", script);
    gnuplot_text(script, line);
    fputs(" noenhanced\nset lmargin 12\nset rmargin 4\nset grid\nset key off\n", script);
    free(text);
}

/* ---- over virtual time ---- */

/* Prints the middle of each span, the workers that were busy in it and the tasks in queues, both in the mean. */
static void print_spans(FILE *script, const struct timeline *timeline, double end_ns, const struct time_unit *unit)
{
    if (!(end_ns > 0)) end_ns = 1; /* a span of no tasks */
    const double span = (double)timeline->span_ns;
    fputs("$spans << end\n", script);
    for (uint32_t i = 0; i < TIMELINE_SPANS && i * span < end_ns; i++) {
        const double width = end_ns - i * span < span ? end_ns - i * span : span;
        fprintf(script, "%.9g %.9g %.9g\n", (i + 0.5) * span / (1e6 * unit->ms), timeline->busy[i] / width,
                timeline->queued[i] / width);
    }
    fputs("end\n", script);
}

static void print_area(FILE *script, int column, const char *colour)
{
    fprintf(script,
            "set style fill solid 1 border linecolor rgb '%s'\nplot $spans using 1:%d with boxes linecolor rgb '%s'\n",
            colour, column, colour);
}

/* Returns whether a curve of busy workers shows on an axis up to all workers. */
static bool is_visible(const struct timeline *timeline, uint32_t workers)
{
    static const double enough = 0.05; /* of the axis */
    double peak = 0;
    for (uint32_t i = 0; i < TIMELINE_SPANS; i++)
        if (timeline->busy[i] > peak) peak = timeline->busy[i];
    return peak == 0 || peak >= enough * workers * (double)timeline->span_ns;
}

static void print_timeline(FILE *script, const struct sim_report *report, const struct timeline *timeline)
{
    const double ms = report->found.virtual_ms;
    const struct time_unit unit = unit_for(ms);
    const bool has_queues = !report->simulation->levels;
    char line[256], workers[CONSOLE_NUMBER], time[CONSOLE_NUMBER];
    snprintf(line, sizeof line, "%s policy, %s workers, %s: %s", report->settings->policy,
             console_count(report->options->workers, workers), report->machine->preset, console_time(ms, time));
    print_spans(script, timeline, ms * 1e6, &unit);
    if (has_queues) fputs("set multiplot layout 2, 1\n", script);
    print_title(script, report, line);
    fprintf(script, "set xlabel 'virtual time, %s'\nset xrange [0:%.9g]\nset boxwidth %.9g\nset format y '%%.0s %%c'\n",
            unit.name, ms > 0 ? ms / unit.ms : 1, (double)timeline->span_ns / (1e6 * unit.ms));
    fprintf(script, "set ylabel 'workers busy, of %s'\n", workers);
    if (is_visible(timeline, report->options->workers))
        fprintf(script, "set yrange [0:%" PRIu32 "]\n", report->options->workers);
    else
        fputs("set yrange [0:*]\n", script);
    print_area(script, 2, "#0d1687");
    if (!has_queues) return;
    fputs("unset title\nset ylabel 'tasks in queues'\nset yrange [0:1<*]\n", script);
    print_area(script, 3, "#cc4778");
    fputs("unset multiplot\n", script);
}

/* ---- by number of workers ---- */

static void print_scaling(FILE *script, const struct sim_report *report)
{
    double longest = 0;
    for (uint32_t i = 0; i < report->rows; i++)
        if (report->row[i].virtual_ms > longest) longest = report->row[i].virtual_ms;
    const struct time_unit unit = unit_for(longest);
    fputs("$rows << end\n", script);
    for (uint32_t i = 0; i < report->rows; i++)
        fprintf(script, "%" PRIu64 " %.9g %.9g\n", report->row[i].workers, 100 * report->row[i].efficiency,
                report->row[i].virtual_ms / unit.ms);
    fputs("end\nset multiplot layout 2, 1\n", script);
    char line[256];
    snprintf(line, sizeof line, "%s policy, %s", report->settings->policy, report->machine->preset);
    print_title(script, report, line);
    fputs("set xlabel 'workers'\nset logscale x 2\nset format x '%.0f'\nset offsets graph 0.02, graph 0.02, 0, 0\n"
          "set ylabel 'efficiency, %'\nset yrange [0:105]\n"
          "plot $rows using 1:2 smooth unique with linespoints linewidth 2 pointtype 7 linecolor rgb '#0d1687'\n",
          script);
    fprintf(script,
            "unset title\nset logscale y\nset yrange [*:*]\nset format y '%%g'\nset ylabel 'virtual time, %s'\n"
            "plot $rows using 1:3 smooth unique with linespoints linewidth 2 pointtype 7 linecolor rgb '#cc4778'\n"
            "unset multiplot\n",
            unit.name);
}

int sim_plot(const struct sim_report *report, const struct timeline *timeline, struct gws_runtime *runtime,
             const char *path)
{
    FILE *script = gnuplot_script();
    if (!script) return console_fail("gnuplot: cannot create its script in memory: %s", strerror(errno));
    const bool has_queues = !report->simulation->levels;
    console_progress_begin("drawing", path);
    gnuplot_begin(script, path, report->rows > 1 || has_queues ? 2 : 1);
    if (report->rows > 1)
        print_scaling(script, report);
    else
        print_timeline(script, report, timeline);
    int status = gnuplot_draw(script, runtime, path);
    console_progress_end();
    fclose(script);
    return status;
}
