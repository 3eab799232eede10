/* SPDX-License-Identifier: MIT */
/* The options of goctree, and what they say together. */
#include "goctree.h"

#include <string.h>

#define FIELD(name) offsetof(struct settings, name)

static const struct option_row points_row[] = {
    {TEXT("format", "NAME|help", FIELD(format), "the file's format (default: found by its content and name)")},
    {TEXT("columns", "LIST", FIELD(columns),
          "names of the columns of text, raw numbers or a plain .npy array,\n"
          "such as x,y,z,intensity or x:f64,y:f64,z:f64,-:u8")},
    {FLAG("float", FIELD(precision), GWS_PRECISION_FLOAT, "coordinates in 32 bits")},
    {FLAG("double", FIELD(precision), GWS_PRECISION_DOUBLE, "coordinates in 64 bits (default: as the file has them)")},
    {FLAG("trust", FIELD(trust), 1, "check only the head of a .gwsp file, not its checksums")},
    {FLAG("mmap", FIELD(mapped), 1, "map the file, which must not change meanwhile (default: read it)")},
};

static const char *const form_name[] = {"auto", "device", "shared", "handoff", NULL}; /* as enum gws_octree_form */
static const char *const form_was[] = {"kept", "shared", "bridged", "handoff", NULL};

static const struct option_row tree_row[] = {
    {NUMBER("leaf", "K", FIELD(leaf), 1, INT64_MAX, "points that an octant may hold undivided (default: 32)")},
    {NUMBER("max-depth", "D", FIELD(max_depth), 1, GWS_OCTREE_DEPTH,
            "levels below the root at most (default and most: 21)")},
    {TEXT("box", "X0,Y0,Z0,X1,Y1,Z1", FIELD(box), "the root's corners (default: the points' bounding cube)")},
    {FLAG("drop", FIELD(drop), 1, "leave out points that are not finite or not in the box\n(default: refuse them)")},
    {TEXT("builder", "NAME|help", FIELD(builder), "how the tree is built; all build the same one (default: auto)")},
    {TEXT("device", "LIST|auto|help", FIELD(devices),
          "what builds it: cpu (the default), KIND[:N], or both, such as\ncpu,opencl:1; auto is the first CUDA "
          "device if there is one;\nhelp lists the kinds, gdevices the devices")},
    {CHOICE("form", "NAME", FIELD(form), form_name,
            "who builds: the device alone, or how it shares with the CPU: shared or\nhandoff (default: auto, the best "
            "that both can)"),
     .was = form_was},
    {NUMBER("piece", "N", FIELD(piece), 1, UINT32_MAX,
            "octants of more than 2 N points are divided by several groups\n(default: chosen)")},
};

static const char *const axis_name[] = {"x", "y", "z", NULL};

static const struct option_row out_row[] = {
    {TEXT("out", "FILE", FIELD(out),
          "write the points leaf by leaf, with the columns leaf, level and point:\n"
          ".ply (coloured by leaf), .csv, .tsv, .npy, .gwsp or .vtp;\n"
          "or the leaves' boxes: .vtu. Also with .gz; - is CSV on standard output")},
    {TEXT("nodes", "FILE", FIELD(nodes),
          "write a table of the nodes: .csv, .tsv or .npy, also with .gz;\n- is CSV on standard output")},
    {TEXT("query", "FILE", FIELD(query),
          "answer the questions in it, one a line (- is standard input):\n"
          "box X0 Y0 Z0 X1 Y1 Z1, ball X Y Z RADIUS, nearest X Y Z K,\n"
          "ray X Y Z DX DY DZ RADIUS")},
    {TEXT("answers", "FILE", FIELD(answers),
          "write the answers as a table: .csv, .tsv or .npy, also with .gz;\n- is CSV on standard output")},
    {TEXT("picture", "FILE.svg", FIELD(picture), "draw the leaves as seen along an axis, shaded by depth")},
    {CHOICE("along", "AXIS", FIELD(picture_axis), axis_name, "the axis of the picture: x, y or z (default: z)")},
};

static const char closing[] = "POINTS is a file, - for standard input, or a generator:\n"
                              "  uniform:N[:SEED] gauss:N[:SEED] plummer:N[:SEED] shell:N[:SEED], N such as 15M\n"
                              "\n"
                              "Exit status\n"
                              "  0 success; 1 a file could not be read or written, a point does not belong, or memory\n"
                              "  was short; 2 wrong usage; 3 a tree did not pass --verify; 4 no such device\n"
                              "\n"
                              "Examples\n"
                              "  goctree --leaf 32 --verify --stats uniform:2M\n"
                              "  goctree --device auto --verify plummer:1M\n"
                              "  goctree --device cpu,opencl --threads 1 --stats uniform:1M\n"
                              "  goctree --drop --out leaves.vtu scan.pcd.gz\n"
                              "  goctree --query questions.txt --answers - bunny.ply\n"
                              "  goctree --picture tree.svg --along y --quiet plummer:100k\n";

/* ---- what is wrong with them ---- */

static int check_format(const char *format)
{
    enum gws_points_format found;
    const char *name, *about;
    if (!format || (gws_points_format_named(format, &found) && found != GWS_POINTS_VTP)) return -1;
    if (strcmp(format, "help") != 0) return console_usage("--format: no format '%s'; --format help lists them", format);
    for (uint32_t i = 0; (name = gws_points_format_name((enum gws_points_format)i, &about)); i++)
        if (i != GWS_POINTS_VTP) printf("%-16s%s\n", name, about);
    return console_finish();
}

static int read_box(struct settings *settings)
{
    const char *p = settings->box;
    for (int i = 0; settings->box && i < 6; i++) {
        double value;
        const char *end = options_real(p, &value);
        if (!end || *end != (i < 5 ? ',' : '\0'))
            return console_usage("--box: expected six numbers X0,Y0,Z0,X1,Y1,Z1, got '%s'", settings->box);
        (i < 3 ? settings->low : settings->high)[i % 3] = value;
        p = end + 1;
    }
    for (int a = 0; settings->box && a < 3; a++)
        if (settings->low[a] > settings->high[a])
            return console_usage("--box: %s0 is larger than %s1", (const char *[]){"X", "Y", "Z"}[a],
                                 (const char *[]){"X", "Y", "Z"}[a]);
    return -1;
}

static int check_out(const char *out)
{
    static const char *const ending[] = {".ply", ".csv", ".tsv", ".xyz", ".txt", ".npy", ".gwsp", ".vtp", ".vtu"};
    if (!out || output_is_stdout(out)) return -1;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (packed_name_ends(out, ending[i])) return output_check(out);
    return console_usage(
        "--out: expected a name ending in .ply, .csv, .tsv, .xyz, .npy, .gwsp, .vtp or .vtu, or one of "
        "these and .gz, got '%s'",
        out);
}

static int check_outputs(const struct settings *settings)
{
    int status = check_out(settings->out);
    if (status < 0 && settings->nodes) status = output_check_table("nodes", settings->nodes);
    if (status < 0 && settings->answers) status = output_check_table("answers", settings->answers);
    if (status < 0 && settings->answers && !settings->query)
        return console_usage("--answers: there are none without --query");
    if (status < 0 && settings->picture && !name_ends(settings->picture, ".svg"))
        return console_usage("--picture: expected a name ending in .svg, got '%s'", settings->picture);
    if (status < 0 && settings->picture_axis >= 0 && !settings->picture)
        return console_usage("--along: there is no --picture");
    if (status < 0 && settings->picture) status = output_check(settings->picture);
    int standard = settings->engine.json;
    standard += settings->out && output_is_stdout(settings->out);
    standard += settings->nodes && output_is_stdout(settings->nodes);
    standard += settings->answers && output_is_stdout(settings->answers);
    if (status < 0 && standard > 1)
        return console_usage("standard output can take one of --json, --out -, --nodes - and --answers -");
    return status;
}

static int check_points(const struct settings *settings, const char *points)
{
    bool for_files = settings->format || settings->columns || settings->trust || settings->mapped;
    if (gws_points_is_generator(points) && for_files)
        return console_usage("--format, --columns, --trust and --mmap are for files, and %s is a generator", points);
    if (strcmp(points, "-") == 0 && settings->query && strcmp(settings->query, "-") == 0)
        return console_usage("standard input cannot be both the points and the questions");
    const struct named_file file[] = {{"POINTS", gws_points_is_generator(points) ? NULL : points, false},
                                      {"--query", settings->query, false},
                                      {"--out", settings->out, true},
                                      {"--nodes", settings->nodes, true},
                                      {"--answers", settings->answers, true},
                                      {"--picture", settings->picture, true},
                                      {"--trace", settings->engine.trace, true}};
    return outputs_check(file, sizeof file / sizeof *file);
}

/* Deques keep the queues as short as the tree is deep, which rounds of levels, the library's default, do not. */
static const char *choose_policy(const struct settings *settings)
{
    if (tree_device_wanted(settings)) return "chunked";
    return settings_tree(settings).builder == GWS_OCTREE_BY_TASK ? "chaselev" : NULL;
}

/* What the workers are asked for, now that it is known what they do. */
static int check_engine(struct settings *settings)
{
    struct engine_settings *engine = &settings->engine;
    if (!engine->policy) engine->policy = choose_policy(settings);
    int status = engine_check(engine);
    if (status >= 0 || tree_device_wanted(settings)) return status;
    bool by_task = settings_tree(settings).builder == GWS_OCTREE_BY_TASK;
    status =
        engine_check_seed(engine, false, " under this --policy; a generator takes a seed after its number of points");
    if (status >= 0) return status;
    return engine_check_chunk(engine, by_task ? ENGINE_TASKS : ENGINE_LOOPS);
}

static int check(struct settings *settings)
{
    int status = check_format(settings->format);
    if (status < 0) status = options_check_name("builder", gws_octree_builder_at, 16, settings->builder);
    if (status < 0) status = tree_device_choose(settings);
    if (status < 0) status = check_engine(settings);
    if (status < 0) status = tree_device_check(settings);
    if (status < 0) status = read_box(settings);
    return status < 0 ? check_outputs(settings) : status;
}

/* ---- the call ---- */

int settings_parse(struct settings *settings, int argc, char **argv, const char **points)
{
    const struct option_group group[] = {
        {"Points", points_row, sizeof points_row / sizeof *points_row, settings},
        {"Tree", tree_row, sizeof tree_row / sizeof *tree_row, settings},
        {NULL, device_groups_row, DEVICE_GROUPS_ROWS, &settings->groups},
        {"Runs", engine_run_row, ENGINE_RUN_ROWS, &settings->engine},
        {"Workers", engine_worker_row, ENGINE_WORKER_ROWS, &settings->engine},
        {NULL, engine_task_row, ENGINE_TASK_ROWS, &settings->engine},
        {"Output", out_row, sizeof out_row / sizeof *out_row, settings},
        {NULL, engine_report_row, ENGINE_REPORT_ROWS, &settings->engine},
        {NULL, engine_output_row, ENGINE_OUTPUT_ROWS, &settings->engine},
    };
    const struct command_line line = {
        .name = "goctree",
        .synopsis = "[options] POINTS",
        .about = "Divides the space around points into an octree, by work stealing, and answers questions about them.",
        .closing = closing,
        .group = group,
        .groups = sizeof group / sizeof *group};
    int first, status = options_parse(&line, argc, argv, &first);
    if (status < 0) status = check(settings);
    if (status >= 0) return status;
    if (first == argc) return console_usage("expected POINTS: a file, or a generator such as uniform:1M");
    if (argc - first > 1) return console_usage("expected one set of points, got '%s' too", argv[first + 1]);
    *points = argv[first];
    return check_points(settings, *points);
}

int settings_axis(const struct settings *settings)
{
    return settings->picture_axis < 0 ? 2 : settings->picture_axis;
}

struct gws_octree_options settings_tree(const struct settings *settings)
{
    struct gws_octree_options options = {.leaf = settings->leaf,
                                         .max_depth = (uint32_t)settings->max_depth,
                                         .drop = settings->drop,
                                         .has_box = settings->box != NULL};
    const char *name;
    memcpy(options.low, settings->low, sizeof options.low);
    memcpy(options.high, settings->high, sizeof options.high);
    for (uint32_t i = 0; settings->builder && (name = gws_octree_builder_at(i, NULL)); i++)
        if (strcmp(name, settings->builder) == 0) options.builder = (enum gws_octree_builder)i;
    return options;
}
