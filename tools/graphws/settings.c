/* SPDX-License-Identifier: MIT */
/* The options of graphws and their checks. */
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/outputs.h"
#include "../common/picture.h"
#include "algorithm.h"

#define FIELD(name) offsetof(struct algorithm_settings, name)

#define ALGORITHM_ROW(name) &algorithm_##name.command,
static const struct subcommand *const table[] = {ALGORITHMS(ALGORITHM_ROW) NULL};

static const struct option_row device_row[] = {
    {TEXT("device", "DEVICE|auto|help", FIELD(device),
          "run on cpu (the default) or KIND[:N], cc, pagerank and sssp also on\n"
          "several, such as cuda:0,1 or cuda:all, among which the graph is parted\n"
          "(all: unless one holds the graph and is expected to be faster alone);\n"
          "auto is the first CUDA device, or else the cpu; help lists the kinds,\n"
          "gdevices the devices")},
};

static const struct option_row graph_row[] = {
    {TEXT("weights", "MIN:MAX", FIELD(weights),
          "draw the weight of each edge from this range of integers, 0 or\n"
          "more, by --seed (default: those of the file, or 1)")},
};

static const struct option_row output_row[] = {
    {TEXT("out", "FILE", FIELD(out),
          "write the result of the last run as a table: .csv, .tsv or\n"
          ".npy, also with .gz; - is CSV on standard output")},
    {NUMBER("top", "N", FIELD(top), 1, 1000000, "print the N rows with the largest values")},
    {TEXT("plot", "FILE", FIELD(plot), "plot a histogram of the values with gnuplot: .svg or .png")},
};

static const char closing[] = "Exit status\n"
                              "  0 success; 1 a file could not be read or written, or memory ran out;\n"
                              "  2 wrong usage; 3 a result failed --verify; 4 no such device\n"
                              "\n"
                              "Examples\n"
                              "  graphws cc kron:18 --repeat 5 --verify --stats\n"
                              "  graphws cc roads.gr.gz --out components.csv.gz --top 3\n";

/* ---- checks ---- */

static int check_device(struct algorithm_settings *settings, const struct algorithm *algorithm)
{
    const char *device = settings->device;
    if (!device || strcmp(device, "cpu") == 0) return -1;
    if (strcmp(device, "help") == 0) return device_name_help(DEVICE_ABOUT_AUTO);
    settings->automatic = strcmp(device, "auto") == 0;
    if (settings->automatic) return -1;
    struct device_choice one;
    int failure = algorithm->part ? -1 : device_choose(device, "used", &one);
    if (failure < 0) failure = device_choices_parse(device, &settings->devices);
    if (failure >= 0 || settings->devices.count == 0 || !settings->devices.cpu) return failure;
    return console_usage("--device: %s runs on the cpu or on %s, not on both", algorithm->command.name,
                         algorithm->part ? "devices" : "one device");
}

static int check_weights(struct algorithm_settings *settings, const struct algorithm *algorithm)
{
    uint64_t min, max;
    char text[32];
    const char *colon = settings->weights ? strchr(settings->weights, ':') : NULL;
    if (!settings->weights) return -1;
    if (!algorithm->weights) return console_usage("--weights: %s reads no weights", algorithm->command.name);
    const size_t length = colon ? (size_t)(colon - settings->weights) : sizeof text;
    if (length < sizeof text) memcpy(text, settings->weights, length);
    text[length < sizeof text ? length : 0] = '\0';
    if (length >= sizeof text || !options_number(text, 0, INT32_MAX, &min) ||
        !options_number(colon + 1, min, INT32_MAX, &max))
        return console_usage("--weights: expected MIN:MAX, at least 0 and at most 2147483647, got '%s'",
                             settings->weights);
    settings->min_weight = (int32_t)min;
    settings->max_weight = (int32_t)max;
    return -1;
}

static int check_seed(const struct algorithm_settings *settings, const struct algorithm *algorithm, const void *state)
{
    const char *source = algorithm_source(algorithm, state);
    bool random = source && strcmp(source, "random") == 0;
    bool drawn = random || settings->weights || (algorithm->draws && algorithm->draws(state));
    return runtime_options_check_seed(&settings->session.options, drawn, " by this algorithm under this --policy");
}

/* Returns the file of --sources, or NULL. */
static const char *list_file(const struct algorithm *algorithm, const void *state)
{
    const char *list = algorithm->list ? *(const char *const *)((const char *)state + algorithm->list) : NULL;
    return list && packed_name_ends(list, ".ss") ? list : NULL;
}

static int check_files(const struct algorithm_settings *settings, const struct subcommand_call *call)
{
    const struct algorithm *algorithm = (const struct algorithm *)call->command;
    const char *graph = call->operand, *source = algorithm_source(algorithm, call->state);
    const struct named_file file[] = {{"GRAPH", session_is_generator(graph) ? NULL : graph, false},
                                      {"--source", source && packed_name_ends(source, ".ss") ? source : NULL, false},
                                      {"--sources", list_file(algorithm, call->state), false},
                                      {"--out", settings->out, true},
                                      {"--plot", settings->plot, true},
                                      {"--trace", settings->session.options.trace, true}};
    int failure = outputs_check(file, sizeof file / sizeof *file);
    if (failure < 0 && settings->plot) failure = gnuplot_check("plot", settings->plot);
    if (failure >= 0 || !settings->out) return failure;
    if (settings->session.options.json && output_is_stdout(settings->out))
        return console_usage("--out - and --json both need standard output");
    return output_check_table("out", settings->out);
}

static int check(struct algorithm_settings *settings, const struct subcommand_call *call)
{
    const struct algorithm *algorithm = (const struct algorithm *)call->command;
    int failure = session_check(&settings->session, call->operand);
    if (failure < 0) failure = check_device(settings, algorithm);
    if (failure < 0) failure = runtime_options_check_chunk(&settings->session.options, RUNTIME_LOOPS);
    if (failure < 0 && algorithm->sources) failure = sources_check(algorithm_source(algorithm, call->state));
    if (failure < 0) failure = check_weights(settings, algorithm);
    if (failure < 0) failure = check_seed(settings, algorithm, call->state);
    if (failure < 0 && algorithm->check) failure = algorithm->check(call->state);
    if (failure >= 0) return failure;
    if (!call->operand) return console_usage("expected a GRAPH; graphws %s --help says more", algorithm->command.name);
    return check_files(settings, call);
}

/* ---- command line ---- */

int algorithm_parse(struct algorithm_settings *settings, struct ranks *ranks, int argc, char **argv,
                    struct subcommand_call *call)
{
    const struct option_group common[] = {
        {"Runs", runtime_run_row, RUNTIME_RUN_ROWS, &settings->session.options},
        {"Graph", session_file_row, SESSION_FILE_ROWS, &settings->session},
        {NULL, session_edges_row, SESSION_EDGES_ROWS, &settings->session},
        {NULL, graph_row, sizeof graph_row / sizeof *graph_row, settings},
        {"Workers", runtime_worker_row, RUNTIME_WORKER_ROWS, &settings->session.options},
        {"Devices", device_row, sizeof device_row / sizeof *device_row, settings},
        {"Ranks", ranks_row, RANKS_GRAPH_ROWS, ranks},
        {"Output", output_row, sizeof output_row / sizeof *output_row, settings},
        {NULL, runtime_report_row, RUNTIME_REPORT_ROWS, &settings->session.options},
        {NULL, runtime_output_row, RUNTIME_OUTPUT_ROWS, &settings->session.options},
    };
    const struct subcommand_tool tool = {
        .name = "graphws",
        .kind = "ALGORITHM",
        .operand = "GRAPH",
        .about = "Graph algorithms on CPU threads and devices. GRAPH is a file (plain or gzip), - for\n"
                 "standard input, or a generator: kron:SCALE[:EDGEFACTOR[:SEED]],\n"
                 "uniform:SCALE[:EDGEFACTOR[:SEED]], grid:WxH, road:N[:SEED]. ALGORITHM comes first:\n"
                 "  bfs           Breadth-first search; the same as gbfs, which has its options",
        .also = "bfs",
        .closing = closing,
        .table = table,
        .common = common,
        .commons = sizeof common / sizeof *common};
    int status = subcommand_parse(&tool, argc, argv, call);
    if (status >= 0) return status;
    if (call->command) return check(settings, call);
    status = runtime_options_check(&settings->session.options);
    return status < 0 ? subcommand_refuse_none(&tool) : status;
}
