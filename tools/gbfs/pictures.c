/* SPDX-License-Identifier: MIT */
/* Options of pictures, the source of coordinates, and the picture of the levels. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/console.h"
#include "../common/outputs.h"
#include "../common/picture.h"
#include "../common/session.h"
#include "gbfs.h"

#define FIELD(name) offsetof(struct picture_settings, name)

const struct option_row picture_row[PICTURE_ROWS] = {
    {TEXT("plot", "FILE", FIELD(plot),
          "time each level; plot sizes and times of the last run's levels\nwith gnuplot: .svg or .png")},
    {TEXT("map", "FILE", FIELD(map),
          "draw a graph with coordinates, coloured by depth in the last\nrun: .svg or .png")},
    {TEXT("positions", "FILE.co", FIELD(positions), "read the vertices' coordinates from FILE.co")},
};

static bool accepts_positions(const char *name)
{
    return !gws_graph_is_generator(name) && !igraph_adapter_reads(name, NULL);
}

int pictures_check(const struct picture_settings *settings, const char *name)
{
    if (settings->positions && !settings->map) return console_usage("--positions requires --map");
    if (settings->positions && !accepts_positions(name))
        return console_usage("--positions: %s cannot have coordinates from a file", name);
    int failure = settings->map ? picture_check("map", settings->map) : -1;
    return failure < 0 && settings->plot ? gnuplot_check("plot", settings->plot) : failure;
}

/* Returns the length of name without .gr or .gr.gz, or 0 if it has neither ending. */
static size_t stem_of(const char *name)
{
    static const char *const suffix[] = {".gr", ".gr.gz"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
        if (name_ends(name, suffix[i])) return length - strlen(suffix[i]);
    return 0;
}

int pictures_positions(const struct picture_settings *settings, const char *name, char **path)
{
    static const char *const suffix[] = {".co", ".co.gz"};
    *path = NULL;
    if (!settings->map) return -1;
    size_t stem = stem_of(name), size = stem + sizeof ".co.gz";
    char *found = settings->positions ? strdup(settings->positions) : malloc(size);
    if (!found) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    bool exists = settings->positions != NULL;
    for (size_t i = 0; !exists && stem > 0 && i < sizeof suffix / sizeof *suffix; i++) {
        snprintf(found, size, "%.*s%s", (int)stem, name, suffix[i]);
        exists = access(found, F_OK) == 0;
    }
    if (exists) *path = found;
    if (!exists) free(found);
    return -1;
}

int pictures_ready(const struct picture_settings *settings, const struct session *session)
{
    if (!settings->map || session->graph->position) return -1;
    return console_fail("%s: a map needs coordinates, and this graph has none%s", session->name,
                        accepts_positions(session->name) ? "; --positions FILE.co gives them" : "");
}

int pictures_draw(const struct picture_settings *settings, const struct bfs_report *report)
{
    int failure = -1;
    if (settings->plot) {
        console_progress_begin("drawing", settings->plot);
        failure = picture_of_levels(report, settings->plot);
    }
    if (settings->map && failure < 0) {
        console_progress_begin("drawing", settings->map);
        failure = picture_of_map(report, settings->map);
    }
    console_progress_end();
    return failure;
}

/* ---- the picture of the levels ---- */

/* The picture has two curves: the number of vertices of each level, as in Abdelmageed's thesis, Figures 2.2 and 4.3,
 * and the time of each level. A device does not time levels, so its picture has only the first curve. */

enum {
    TITLE = 200,
    NAME = 80,       /* bytes of the graph's name; longer lines than about 110 letters leave the page */
    MANY = 20,       /* so many levels and fewer each have a number on the axis */
    APART = 100,     /* up to so many levels, gaps separate the bars */
    LOGARITHMIC = 50 /* times the median level: a level this slow makes the axis of times logarithmic */
};

static void print_data(FILE *script, const struct bfs_report *report)
{
    fputs("$levels << end\n", script);
    for (uint32_t i = 0; i < report->result.levels; i++)
        fprintf(script, "%" PRIu32 " %" PRIu64 " %.9g\n", i, (uint64_t)report->result.level[i].size,
                report->result.level[i].ms);
    fputs("end\n", script);
}

/* Writes "split policy, 2 threads", or with a device "chunked policy, 2 threads and opencl:0", into text (TITLE bytes).
 * Returns text. */
static const char *workers_text(const struct bfs_report *report, char *text)
{
    const struct device_search *device = report->device;
    char policy[RUNTIME_OPTIONS_TEXT];
    const char *between = !device->device ? "" : device->chosen.cpu ? " and " : ", ";
    snprintf(text, TITLE, "%s%s%s", bfs_report_policy_text(report, policy), between,
             device->device ? gws_device_describe(device->device)->address : "");
    return text;
}

/* Prints two lines: "NAME from SOURCE", and "1,234 vertices in 56 levels, split policy, 2 threads". The function
 * shortens a long name in the middle. */
static void print_title(FILE *script, const struct bfs_report *report)
{
    char line[3 * TITLE], reached[CONSOLE_NUMBER], levels[CONSOLE_NUMBER], workers[TITLE], name[NAME],
        source[CONSOLE_NAME];
    const struct gws_bfs_result *result = &report->result;
    snprintf(line, sizeof line, "%s from %s", gws_text_plain(report->session->name, name, sizeof name),
             session_vertex_text(report->session->graph, result->source, source));
    fputs("set title ", script);
    gnuplot_text(script, line);
    snprintf(line, sizeof line, "%s vertices in %s levels, %s", console_count(result->reached, reached),
             console_count(result->levels, levels), workers_text(report, workers));
    fputs(" . \"\\n\" . ", script);
    gnuplot_text(script, line);
    fputs(" noenhanced\n", script);
}

/* Prints the plot of a column of the data, in bars. Borders of many bars hide the seams between them, which would make
 * a pattern of their own. */
static void print_bars(FILE *script, const struct bfs_report *report, const char *column, const char *colour)
{
    if (report->result.levels <= APART)
        fputs("set boxwidth 0.9\nset style fill solid 1 noborder\n", script);
    else
        fprintf(script, "set boxwidth 1\nset style fill solid 1 border linecolor rgb '%s'\n", colour);
    fprintf(script, "plot $levels using 1:%s with boxes linecolor rgb '%s'\n", column, colour);
}

static int compare_ms(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The times of the levels, in milliseconds; min: above 0. */
struct level_times {
    double min, median, max;
};

static bool find_times(const struct gws_bfs_result *result, struct level_times *times)
{
    const uint32_t levels = result->levels;
    double *ms = calloc(levels + (size_t)1, sizeof *ms);
    *times = (struct level_times){0};
    if (!ms) return false;
    for (uint32_t i = 0; i < levels; i++) ms[i] = result->level[i].ms;
    qsort(ms, levels, sizeof *ms, compare_ms);
    uint32_t first = 0;
    while (first + 1 < levels && ms[first] <= 0) first++;
    if (levels > 0) *times = (struct level_times){ms[first], ms[levels / 2], ms[levels - 1]};
    free(ms);
    return true;
}

/* Chooses a unit with short numbers. The axis is logarithmic if one level takes many times as long as the others, which
 * a linear axis would not show. */
static void print_times(FILE *script, const struct bfs_report *report, const struct level_times *times)
{
    const char *unit = times->max < 0.5 ? "microseconds" : times->max < 5000 ? "milliseconds" : "seconds";
    const char *scale = times->max < 0.5 ? "1e3" : times->max < 5000 ? "1" : "1e-3";
    char column[32];
    snprintf(column, sizeof column, "($3*%s)", scale);
    fputs("unset title\nset format y '%g'\n", script);
    if (times->min > 0 && times->max > LOGARITHMIC * times->median)
        fprintf(script, "set logscale y\nset yrange [%.3g*%s:*]\nset ylabel '%s, logarithmic'\n", times->min / 2, scale,
                unit);
    else
        fprintf(script, "unset logscale y\nset yrange [0:*]\nset ylabel '%s'\n", unit);
    print_bars(script, report, column, "#cc4778");
    fputs("unset multiplot\n", script);
}

static void print_script(FILE *script, const struct bfs_report *report, const struct level_times *times,
                         const char *path)
{
    bool timed = report->device->device == NULL;
    gnuplot_begin(script, path, timed ? 2 : 1);
    print_data(script, report);
    if (timed) fputs("set multiplot layout 2, 1\n", script);
    print_title(script, report);
    fprintf(script,
            "set lmargin 12\nset rmargin 4\nset grid\nset key off\nset xlabel 'level'\nset xrange [-0.5:%" PRIu32
            ".5]\n",
            report->result.levels > 0 ? report->result.levels - 1 : 0);
    if (report->result.levels <= MANY) fputs("set xtics 1\n", script);
    fputs("set ylabel 'vertices, logarithmic'\nset format y '%.0s %c'\nset logscale y\nset yrange [0.5:*]\n", script);
    print_bars(script, report, "2", "#0d1687");
    if (timed) print_times(script, report, times);
}

int picture_of_levels(const struct bfs_report *report, const char *path)
{
    FILE *script = gnuplot_script();
    if (!script) return console_fail("gnuplot: cannot create its script in memory: %s", strerror(errno));
    struct level_times times;
    if (!find_times(&report->result, &times)) {
        fclose(script);
        return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    }
    print_script(script, report, &times, path);
    int status = gnuplot_draw(script, report->session->runtime, path);
    fclose(script);
    return status;
}
