/* SPDX-License-Identifier: MIT */
/* The options for pictures, and where coordinates come from. */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/console.h"
#include "../common/outputs.h"
#include "../common/picture.h"
#include "../common/session.h"

#define FIELD(name) offsetof(struct picture_settings, name)

const struct option_row picture_row[PICTURE_ROWS] = {
    {TEXT("plot", "FILE", FIELD(plot),
          "time each level; draw sizes and times of the last run's levels\nthrough gnuplot: .svg or .png")},
    {TEXT("map", "FILE", FIELD(map),
          "draw a graph that has coordinates, coloured by depth in the last\nrun: .svg or .png")},
    {TEXT("positions", "FILE.co", FIELD(positions), "take the vertices' coordinates from FILE.co")},
};

static bool takes_positions(const char *name)
{
    return !gws_graph_is_generator(name) && !bridge_takes(name, NULL);
}

int pictures_check(const struct picture_settings *settings, const char *name)
{
    if (settings->positions && !settings->map) return console_usage("--positions is for --map");
    if (settings->positions && !takes_positions(name))
        return console_usage("--positions is for files, and %s is none that takes them", name);
    int failure = settings->map ? picture_check("map", settings->map) : -1;
    return failure < 0 && settings->plot ? gnuplot_check("plot", settings->plot) : failure;
}

/* The length of name without .gr or .gr.gz; 0 if it ends in neither. */
static size_t stem_of(const char *name)
{
    static const char *const ending[] = {".gr", ".gr.gz"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (name_ends(name, ending[i])) return length - strlen(ending[i]);
    return 0;
}

int pictures_positions(const struct picture_settings *settings, const char *name, char **path)
{
    static const char *const ending[] = {".co", ".co.gz"};
    *path = NULL;
    if (!settings->map) return -1;
    size_t stem = stem_of(name), size = stem + sizeof ".co.gz";
    char *found = settings->positions ? strdup(settings->positions) : malloc(size);
    if (!found) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    bool there = settings->positions != NULL;
    for (size_t i = 0; !there && stem > 0 && i < sizeof ending / sizeof *ending; i++) {
        snprintf(found, size, "%.*s%s", (int)stem, name, ending[i]);
        there = access(found, F_OK) == 0;
    }
    if (there) *path = found;
    if (!there) free(found);
    return -1;
}

int pictures_ready(const struct picture_settings *settings, const struct session *session)
{
    if (!settings->map || session->graph->position) return -1;
    return console_fail("%s: a map takes coordinates, and this graph has none%s", session->name,
                        takes_positions(session->name) ? "; --positions FILE.co gives them" : "");
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
