/* SPDX-License-Identifier: MIT */
/* The options of gbfs and their checks. */
#include "gbfs.h"

#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/options.h"
#include "../common/outputs.h"

static const char *const direction_name[] = {"auto", "top-down", "bottom-up",
                                             NULL}; /* indexed by enum gws_bfs_direction */

#define FIELD(name) offsetof(struct bfs_settings, name)

static const struct option_row search_row[] = {
    {CHOICE("direction", "NAME", FIELD(direction), direction_name,
            "run levels top-down, bottom-up or auto\n(default: auto, chosen for each level)")},
    {FLAG("index", FIELD(index), 1,
          "first find each vertex's neighbour of highest degree, which\n"
          "bottom-up levels then try first; only without --device")},
};

static const struct option_row graph500_row[] = {
    {NUMBER("graph500", "SCALE", FIELD(graph500), 1, 31,
            "run the Graph500 benchmark on 2^SCALE vertices, without GRAPH:\n"
            "64 verified searches, and its lines of output")},
    {NUMBER("edge-factor", "N", FIELD(edge_factor), 1, UINT32_MAX,
            "edges for each vertex of --graph500 (default: 16)")},
};

static const struct option_row output_row[] = {
    {TEXT("out", "FILE", FIELD(out),
          "write vertex,depth,parent of the last run: .csv, .tsv or .npy,\n"
          "also with .gz; - is CSV on standard output")},
    {FLAG("levels", FIELD(levels), 1, "time each level; print a table of the last run's levels")},
};

static const char closing[] = "Exit status\n"
                              "  0 success; 1 a file could not be read or written, or memory ran out;\n"
                              "  2 wrong usage; 3 a result failed --verify; 4 no such device\n"
                              "\n"
                              "Examples\n"
                              "  gbfs kron:18 --repeat 16 --verify --stats\n"
                              "  gbfs USA-road-d.NY.gr.gz --source 1 --out depths.csv.gz\n"
                              "  gbfs road:1000000 --device cpu,opencl --threads 2 --groups 16 --stats\n"
                              "  gbfs road:100000 --source 0 --map map.svg\n";

/* ---- checks ---- */

/* Refuses a seed without effect. Devices select victims without random numbers. */
static int check_seed(const struct bfs_settings *settings)
{
    const struct runtime_options *options = &settings->session.options;
    if (strcmp(settings->source, "random") == 0) return -1;
    if (options->seed && settings->choice.address[0])
        return console_usage("--seed: nothing is drawn with --device and a --source");
    return runtime_options_check_seed(options, false, " with this --source and under this --policy");
}

/* Refuses --index where it has no effect. Devices have their own indexes. */
static int check_index(const struct bfs_settings *settings)
{
    if (!settings->index) return -1;
    if (settings->choice.address[0] || settings->choice.automatic)
        return console_usage("--index is not supported with --device");
    if (settings->direction == GWS_BFS_TOP_DOWN)
        return console_usage("--index has no effect with --direction top-down");
    return -1;
}

static int check_files(const struct bfs_settings *settings, const char *graph)
{
    const struct picture_settings *pictures = &settings->pictures;
    char *positions = NULL; /* includes the file beside GRAPH */
    int failure = pictures_positions(pictures, graph, &positions);
    const struct named_file file[] = {
        {"GRAPH", session_is_generator(graph) ? NULL : graph, false},
        {"--source", packed_name_ends(settings->source, ".ss") ? settings->source : NULL, false},
        {"--positions", positions, false},
        {"--out", settings->out, true},
        {"--map", pictures->map, true},
        {"--plot", pictures->plot, true},
        {"--trace", settings->session.options.trace, true}};
    if (failure < 0) failure = outputs_check(file, sizeof file / sizeof *file);
    free(positions);
    return failure;
}

static int check(struct bfs_settings *settings, int operands, char **operand)
{
    int failure = session_check(&settings->session, operands ? operand[0] : NULL);
    if (failure < 0)
        failure = device_check(&settings->devices, &settings->session.options, &settings->choice, &settings->list);
    if (failure < 0 && !settings->choice.address[0]) /* devices use chunks under all their policies */
        failure = runtime_options_check_chunk(&settings->session.options, RUNTIME_LOOPS);
    if (failure < 0) failure = sources_check(settings->source);
    if (failure < 0) failure = check_seed(settings);
    if (failure < 0) failure = check_index(settings);
    if (failure >= 0) return failure;
    if (operands == 0) return console_usage("expected a GRAPH; gbfs --help says more");
    if (operands > 1) return console_usage("expected one GRAPH, got '%s' too", operand[1]);
    if (settings->devices.fetch > 0 && (settings->session.options.verify || settings->out || settings->pictures.map))
        return console_usage("--fetch: --verify, --out and --map need both depth and parent");
    failure = check_files(settings, operand[0]);
    if (failure < 0) failure = pictures_check(&settings->pictures, operand[0]);
    if (failure >= 0 || !settings->out) return failure;
    if (settings->session.options.json && output_is_stdout(settings->out))
        return console_usage("--out - and --json both need standard output");
    return output_check_table("out", settings->out);
}

/* ---- command line ---- */

int settings_parse(struct bfs_settings *settings, struct ranks *ranks, int argc, char **argv, const char **graph)
{
    const struct option_group group[] = {
        {"Search", sources_row, SOURCES_ROWS, &settings->source},
        {NULL, search_row, sizeof search_row / sizeof *search_row, settings},
        {NULL, graph500_row, sizeof graph500_row / sizeof *graph500_row, settings},
        {"Runs", runtime_run_row, RUNTIME_RUN_ROWS, &settings->session.options},
        {"Graph", session_file_row, SESSION_FILE_ROWS, &settings->session},
        {NULL, session_edges_row, SESSION_EDGES_ROWS, &settings->session},
        {"Workers", runtime_worker_row, RUNTIME_WORKER_ROWS, &settings->session.options},
        {"Devices", device_row, DEVICE_ROWS, &settings->devices},
        {NULL, device_groups_row, DEVICE_GROUPS_ROWS, &settings->devices.groups},
        {"Ranks", ranks_row, RANKS_GRAPH_ROWS, ranks},
        {"Output", output_row, sizeof output_row / sizeof *output_row, settings},
        {NULL, picture_row, PICTURE_ROWS, &settings->pictures},
        {NULL, runtime_report_row, RUNTIME_REPORT_ROWS, &settings->session.options},
        {NULL, runtime_output_row, RUNTIME_OUTPUT_ROWS, &settings->session.options},
    };
    const struct command_line line = {
        .name = "gbfs",
        .synopsis = "[options] GRAPH\n[options] --graph500 SCALE",
        .about = "Breadth-first search. GRAPH is a file (plain or gzip), - for standard input, or a generator:\n"
                 "kron:SCALE[:EDGEFACTOR[:SEED]], uniform:SCALE[:EDGEFACTOR[:SEED]], grid:WxH, road:N[:SEED].",
        .closing = closing,
        .group = group,
        .groups = sizeof group / sizeof *group};
    int first, status = options_parse(&line, argc, argv, &first);
    int operands = argc - first;
    char **operand = argv + first, *generated = settings->graph500_name;
    if (status < 0) status = graph500_begin(settings, operands);
    if (status < 0 && settings->graph500) {
        operands = 1;
        operand = &generated;
    }
    if (status < 0) status = check(settings, operands, operand);
    if (status < 0) *graph = operand[0];
    return status;
}

const char *settings_direction(const struct bfs_settings *settings)
{
    return direction_name[settings->direction];
}
