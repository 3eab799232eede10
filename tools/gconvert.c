/* SPDX-License-Identifier: MIT */
/* gconvert: converts graphs between formats, with optional changes (gconvert/change.c), and describes graphs. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/console.h"
#include "common/outputs.h"
#include "common/ranks.h"
#include "gconvert/gconvert.h"

const char *const relabel_name[] = {"none", "degree", "random", "locality", "hilbert", "rcm", NULL};

#define FIELD(name) offsetof(struct convert_settings, name)

static const struct option_row convert_row[] = {
    {FLAG("info", FIELD(info), 1, "describe GRAPH and write nothing")},
    {TEXT("from", "FORMAT|help", FIELD(session.format), "read IN in this format (default: detected)")},
    {TEXT("to", "FORMAT|help", FIELD(to), "write OUT in this format (default: by the name's ending, before .gz)")},
    {TEXT("positions", "FILE.co", FIELD(positions), "read the vertices' coordinates from FILE.co")},
};

static const struct option_row change_row[] = {
    {FLAG("remove-loops", FIELD(remove_loops), 1, "remove arcs from a vertex to itself")},
    {FLAG("remove-duplicates", FIELD(remove_duplicates), 1, "keep only the lightest of parallel arcs")},
    {FLAG("round-weights", FIELD(weights), GWS_WEIGHTS_ROUND,
          "round weights to whole numbers (default: real weights are kept)")},
    {FLAG("drop-weights", FIELD(weights), GWS_WEIGHTS_DROP, "omit weights")},
    {FLAG("symmetrise", FIELD(symmetrise), 1, "add the reverse of every arc: an undirected graph")},
    {FLAG("largest-component", FIELD(largest), 1, "keep the largest weakly connected component")},
    {CHOICE("relabel", "ORDER", FIELD(relabel), relabel_name,
            "renumber the vertices: by degree (descending), random, locality\n"
            "(neighbours near each other: hilbert with positions, degree with\n"
            "hubs, otherwise rcm), hilbert, rcm or none. OUT.gwsg keeps the\n"
            "old ids")},
    {NUMBER("seed", "N", FIELD(session.options.seed), 0, UINT64_MAX,
            "seed the order of --relabel=random with N (default: 0)")},
};

static const char closing[] = "Exit status\n"
                              "  0 success; 1 a file could not be read or written, or memory ran out; 2 wrong usage\n"
                              "\n"
                              "Examples\n"
                              "  gconvert USA-road-d.NY.gr.gz NY.gwsg --positions USA-road-d.NY.co.gz\n"
                              "  gconvert web.txt.gz web.mtx --symmetrise --largest-component\n"
                              "  gconvert --info kron:18\n";

/* ---- formats ---- */

/* Returns true if the name ends in suffix, or in suffix and .gz, in upper or lower case, as in the library. */
static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    if (length >= 3 && strcasecmp(name + length - 3, ".gz") == 0) length -= 3;
    return length >= tail && strncasecmp(name + length - tail, suffix, tail) == 0;
}

/* Returns true if OUT can hold ids that do not ascend with the vertices, and positions beside arcs. */
static bool is_gwsg(const char *out, enum gws_format to)
{
    return to == GWS_FORMAT_AUTO ? ends_with(out, ".gwsg") : to == GWS_FORMAT_GWSG;
}

/* Returns true if the output format has positions: GWSG, and the text format .co, which has only positions. */
static bool holds_positions(const char *out, enum gws_format to)
{
    return is_gwsg(out, to) || (to == GWS_FORMAT_AUTO && ends_with(out, ".co"));
}

/* ---- conversion ---- */

struct graph_conversion {
    const char *in, *out;
    struct gws_graph before, after; /* only the counts are valid; the arrays may be freed */
    double read_ms, change_ms, write_ms;
    struct relabelling relabelling;
    uint64_t bytes; /* of out; 0 if it is a stream */
};

static int write_graph(struct session *session, const struct convert_settings *settings,
                       struct graph_conversion *conversion)
{
    struct gws_diagnostic where = {0};
    struct gws_graph view = *session->graph;
    if (settings->weights == GWS_WEIGHTS_DROP) view.weight = NULL; /* a generator's graph still has weights */
    console_progress_begin("writing", conversion->out);
    double begin = gws_clock_ms();
    gws_status status = gws_graph_write(session->runtime, &view, conversion->out, session_format(settings->to), &where);
    conversion->write_ms = gws_clock_ms() - begin;
    conversion->after = view;
    console_progress_end();
    if (status != GWS_OK) return console_fail_at(status, &where);
    struct stat file;
    if (!output_is_stdout(conversion->out) && stat(conversion->out, &file) == 0 && S_ISREG(file.st_mode))
        conversion->bytes = (uint64_t)file.st_size;
    return -1;
}

static void print_side(FILE *out, const char *what, const char *name, const struct gws_graph *graph, double ms,
                       uint64_t bytes)
{
    char text[SESSION_GRAPH_TEXT], plain[CONSOLE_NAME], time[CONSOLE_NUMBER], size[CONSOLE_NUMBER];
    fprintf(out, "%-10s%s: %s%s%s, in %s", what, console_name(name, plain), session_graph_text(graph, text),
            graph->weight || graph->real_weight ? ", weights" : "", graph->position ? ", positions" : "",
            console_time(ms, time));
    if (bytes) fprintf(out, ", %s", console_bytes(bytes, size));
    fputc('\n', out);
}

static void print_conversion(const struct graph_conversion *conversion, FILE *out)
{
    char time[CONSOLE_NUMBER];
    print_side(out, "read", conversion->in, &conversion->before, conversion->read_ms, 0);
    if (conversion->change_ms > 0) fprintf(out, "changed   in %s\n", console_time(conversion->change_ms, time));
    if (conversion->relabelling.order) relabelling_print(&conversion->relabelling, out);
    print_side(out, "wrote", conversion->out, &conversion->after, conversion->write_ms, conversion->bytes);
}

static void conversion_json(const void *data, struct json *json)
{
    const struct graph_conversion *conversion = data;
    session_graph_json(json, "input", conversion->in, &conversion->before);
    session_graph_json(json, "output", conversion->out, &conversion->after);
    json_number(json, "read_ms", conversion->read_ms);
    json_number(json, "change_ms", conversion->change_ms);
    relabelling_json(&conversion->relabelling, json);
    json_number(json, "write_ms", conversion->write_ms);
    json_count(json, "bytes", conversion->bytes);
    json_text(json, "version", gws_version());
}

static int convert(struct session *session, const struct convert_settings *settings, const char *out)
{
    struct graph_conversion conversion = {
        .in = session->name, .out = out, .before = *session->graph, .read_ms = session->load_ms};
    if (settings->relabel == 1 + GWS_ORDER_HILBERT && !session->graph->position)
        return console_fail("--relabel=hilbert: %s has no positions", session->name);
    if (settings->symmetrise || settings->largest || settings->relabel != RELABEL_NONE) {
        double begin = gws_clock_ms();
        const bool keep_ids = is_gwsg(out, session_format(settings->to));
        gws_status status = convert_change(session, settings, keep_ids, &conversion.relabelling);
        conversion.change_ms = gws_clock_ms() - begin - conversion.relabelling.gaps_ms;
        if (status != GWS_OK) return console_fail("%s: %s", session->name, gws_status_text(status));
    }
    int failure = write_graph(session, settings, &conversion);
    if (failure < 0 && settings->session.options.json)
        failure = json_print(conversion_json, &conversion);
    else if (failure < 0 && !settings->session.options.quiet)
        print_conversion(&conversion, output_is_stdout(out) ? stderr : stdout);
    return failure < 0 ? console_finish() : failure;
}

/* ---- command line ---- */

static int run(const struct convert_settings *settings, char **operand)
{
    struct session session = {0};
    struct gws_read_options read = {.weights = (enum gws_weights)settings->weights,
                                    .remove_loops = settings->remove_loops,
                                    .remove_duplicates = settings->remove_duplicates,
                                    .positions = settings->positions};
    int failure = session_start(&session, &settings->session);
    if (failure < 0) failure = session_load(&session, &settings->session, operand[0], read);
    if (failure < 0)
        failure = settings->info ? graph_info(&session, settings->session.options.json)
                                 : convert(&session, settings, operand[1]);
    session_close(&session);
    return failure;
}

/* Refuses options for reading a file if IN is a generator, and --positions if igraph reads IN. */
static int check_reading(const struct convert_settings *settings, const char *in)
{
    const char *given = settings->remove_loops                   ? "remove-loops"
                        : settings->remove_duplicates            ? "remove-duplicates"
                        : settings->weights == GWS_WEIGHTS_ROUND ? "round-weights"
                        : settings->positions                    ? "positions"
                                                                 : NULL;
    if (given && session_is_generator(in))
        return console_usage("--%s requires a file, and %s is a generator", given, in);
    if (settings->positions && igraph_adapter_reads(in, settings->session.format))
        return console_usage("--positions: igraph reads %s with its own positions", in);
    return -1;
}

/* Returns true if the output format has no weights. */
static bool lacks_weights(const char *out, enum gws_format to)
{
    return to == GWS_FORMAT_AUTO ? ends_with(out, ".col") || ends_with(out, ".co")
                                 : to == GWS_FORMAT_PACE || to == GWS_FORMAT_DIMACS_EDGE;
}

/* Refuses a change that another change includes, or that does not affect the output. */
static int check_changes(const struct convert_settings *settings, const char *out)
{
    bool undirected = settings->session.direction == GWS_EDGES_UNDIRECTED;
    if (settings->remove_duplicates && (undirected || settings->symmetrise))
        return console_usage("--remove-duplicates: --%s includes it", undirected ? "undirected" : "symmetrise");
    if (settings->symmetrise && undirected) return console_usage("--symmetrise: --undirected includes it");
    if (out && settings->weights == GWS_WEIGHTS_ROUND && lacks_weights(out, session_format(settings->to)))
        return console_usage("--round-weights: %s has no weights; --drop-weights ignores them", out);
    return -1;
}

static int check_info(const struct convert_settings *settings, int operands)
{
    if (operands != 1) return console_usage("--info: expected one GRAPH");
    if (settings->to || settings->symmetrise || settings->largest || settings->relabel != RELABEL_NONE)
        return console_usage("--info excludes --to, --symmetrise, --largest-component and --relabel");
    return -1;
}

static int check(const struct convert_settings *settings, int operands, char **operand)
{
    int failure = session_check_format("from", settings->session.format, true);
    if (failure < 0) failure = session_check_format("to", settings->to, false);
    if (failure < 0) failure = session_check(&settings->session, operands ? operand[0] : NULL);
    if (failure >= 0) return failure;
    if (settings->session.options.seed && settings->relabel != 1 + GWS_ORDER_RANDOM)
        return console_usage("--seed has no effect without --relabel random");
    if (operands) failure = check_reading(settings, operand[0]);
    if (failure < 0) failure = check_changes(settings, operands == 2 ? operand[1] : NULL);
    if (failure >= 0) return failure;
    if (settings->info) return check_info(settings, operands);
    if (operands != 2) return console_usage("expected IN and OUT; gconvert --help says more");
    const bool ordered = settings->relabel == 1 + GWS_ORDER_LOCALITY || settings->relabel == 1 + GWS_ORDER_HILBERT;
    if (settings->positions && !ordered && !holds_positions(operand[1], session_format(settings->to)))
        return console_usage("--positions: only .gwsg and .co hold them, and %s is neither", operand[1]);
    if (output_is_stdout(operand[1]) && !settings->to)
        return console_usage("OUT is standard output, which has no ending: --to is required");
    if (settings->session.options.json && output_is_stdout(operand[1]))
        return console_usage("OUT - and --json both need standard output");
    const struct named_file file[] = {{"IN", session_is_generator(operand[0]) ? NULL : operand[0], false},
                                      {"--positions", settings->positions, false},
                                      {"OUT", operand[1], true}};
    failure = outputs_check(file, sizeof file / sizeof *file);
    return failure < 0 ? output_check(operand[1]) : failure;
}

int main(int argc, char **argv)
{
    struct convert_settings settings = {0};
    const struct option_group group[] = {
        {"Files", convert_row, sizeof convert_row / sizeof *convert_row, &settings},
        {"Changes, in this order", session_edges_row, SESSION_EDGES_ROWS, &settings.session},
        {NULL, change_row, sizeof change_row / sizeof *change_row, &settings},
        {"Other", runtime_worker_row, 2, &settings.session.options}, /* --threads, --max-memory */
        {NULL, runtime_output_row, RUNTIME_OUTPUT_ROWS, &settings.session.options},
    };
    const struct command_line line = {
        .name = "gconvert",
        .synopsis = "[options] IN OUT\n--info [options] GRAPH",
        .about =
            "Converts graphs between formats. IN is a file (plain or gzip), - for standard input, or a generator:\n"
            "kron:SCALE[:EDGEFACTOR[:SEED]], uniform:SCALE[:EDGEFACTOR[:SEED]], grid:WxH, road:N[:SEED].\n"
            "OUT is a file, written atomically, or - for standard output; .co holds only coordinates.",
        .closing = closing,
        .group = group,
        .groups = sizeof group / sizeof *group};
    int first = argc, status = ranks_refuse("gconvert");
    if (status < 0) status = options_parse(&line, argc, argv, &first);
    if (status < 0) status = check(&settings, argc - first, argv + first);
    return status < 0 ? run(&settings, argv + first) : status;
}
