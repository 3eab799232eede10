/* SPDX-License-Identifier: MIT */
/* The options of goctree and their checks. */
#include "goctree.h"

#include <string.h>

#define FIELD(name) offsetof(struct tree_settings, name)

static const struct option_row points_row[] = {
    {TEXT("format", "NAME|help", FIELD(format),
          "read the file in this format (default: detected by content and name)")},
    {TEXT("columns", "LIST", FIELD(columns),
          "name the columns of text, raw numbers or a plain .npy array,\n"
          "such as x,y,z,intensity or x:f64,y:f64,z:f64,-:u8")},
    {FLAG("float", FIELD(precision), GWS_PRECISION_FLOAT, "store coordinates in 32 bits")},
    {FLAG("double", FIELD(precision), GWS_PRECISION_DOUBLE, "store coordinates in 64 bits (default: as in the file)")},
    {FLAG("trust", FIELD(trust), 1, "check only the header of a .gwsp file, not its checksums")},
    {FLAG("mmap", FIELD(mapped), 1, "map the file, which must not change meanwhile (default: read it)")},
};

static const char *const form_name[] = {"auto", "device", "shared", "handoff",
                                        NULL}; /* indexed by enum gws_octree_form */
static const char *const form_renamed[] = {"kept", "shared", "bridged", "handoff", NULL}; /* refused */

static const struct option_row tree_row[] = {
    {NUMBER("leaf", "K", FIELD(leaf), 1, INT64_MAX, "divide octants of more than K points (default: 32)")},
    {NUMBER("max-depth", "D", FIELD(max_depth), 1, GWS_OCTREE_DEPTH,
            "limit the levels below the root to D (default and maximum: 21)")},
    {TEXT("box", "X0,Y0,Z0,X1,Y1,Z1", FIELD(box), "set the root's corners (default: the points' bounding cube)")},
    {FLAG("drop", FIELD(drop), 1, "omit points that are not finite or not in the box\n(default: refuse them)")},
    {TEXT("builder", "NAME|help", FIELD(builder), "choose the algorithm; all build the same tree (default: auto)")},
    {TEXT("device", "LIST|auto|help", FIELD(devices),
          "build on cpu (the default), KIND[:N], or both, such as\ncpu,opencl:1; auto uses the first CUDA "
          "device, if there is one;\nhelp lists the kinds, gdevices the devices")},
    {CHOICE("form", "NAME", FIELD(form), form_name,
            "build on the device alone, or share with the CPU: shared or handoff\n(default: auto, the best form "
            "that both support)"),
     .renamed = form_renamed},
    {NUMBER("tile", "N", FIELD(tile), 1, UINT32_MAX,
            "divide octants of more than 2 N points by several groups\n(default: automatic)")},
};

static const char *const axis_name[] = {"x", "y", "z", NULL};

static const struct option_row out_row[] = {
    {TEXT("out", "FILE", FIELD(out),
          "write the points in leaf order, with the columns leaf, level and point:\n"
          ".ply or .pcd (coloured by leaf), .las, .csv, .tsv, .npy, .gwsp or .vtp;\n"
          "or the leaves' boxes: .vtu; also with .gz; - is CSV on standard output")},
    {TEXT("nodes", "FILE", FIELD(nodes),
          "write a table of the nodes: .csv, .tsv or .npy, also with .gz;\n- is CSV on standard output")},
    {TEXT("query", "FILE", FIELD(query),
          "answer the queries in FILE, one a line (- is standard input):\n"
          "box X0 Y0 Z0 X1 Y1 Z1, ball X Y Z RADIUS, nearest X Y Z K,\n"
          "ray X Y Z DX DY DZ RADIUS")},
    {FLAG("count", FIELD(count), 1, "answer boxes and balls with the number of their points only")},
    {TEXT("sum", "COLUMN", FIELD(sum), "like --count, but add the sum of a column over these points")},
    {TEXT("answers", "FILE", FIELD(answers),
          "write the answers as a table: .csv, .tsv or .npy, also with .gz;\n- is CSV on standard output")},
    {TEXT("picture", "FILE.svg", FIELD(picture), "draw the leaves, seen along an axis and shaded by depth")},
    {CHOICE("axis", "AXIS", FIELD(picture_axis), axis_name, "look along x, y or z in the picture (default: z)")},
};

/* Former option names, which are refused. */
static const char *const renamed[] = {"along", "axis", "piece", "tile", NULL};

static const char closing[] = "POINTS is a file, - for standard input, or a generator:\n"
                              "  uniform:N[:SEED] gauss:N[:SEED] plummer:N[:SEED] shell:N[:SEED], N such as 15M\n"
                              "\n"
                              "Exit status\n"
                              "  0 success; 1 a file could not be read or written, a point is invalid, or memory ran\n"
                              "  out; 2 wrong usage; 3 a tree failed --verify; 4 no such device\n"
                              "\n"
                              "Examples\n"
                              "  goctree --leaf 32 --verify --stats uniform:2M\n"
                              "  goctree --device auto --verify plummer:1M\n"
                              "  goctree --device cpu,opencl --threads 1 --stats uniform:1M\n"
                              "  goctree --drop --out leaves.vtu scan.pcd.gz\n"
                              "  goctree --query queries.txt --answers - bunny.ply\n"
                              "  goctree --picture tree.svg --axis y --quiet plummer:100k\n";

/* ---- checks ---- */

static int check_format(const char *format)
{
    enum gws_points_format found;
    const char *name, *about;
    if (!format || (gws_points_format_named(format, &found) && found != GWS_POINTS_VTP)) return -1;
    if (strcmp(format, "help") != 0)
        return console_usage("--format: unknown format '%s'; --format help lists them", format);
    for (uint32_t i = 0; (name = gws_points_format_name((enum gws_points_format)i, &about)); i++)
        if (i != GWS_POINTS_VTP) printf("%-16s%s\n", name, about);
    return console_finish();
}

static int read_box(struct tree_settings *settings)
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
            return console_usage("--box: invalid box: %s0 is larger than %s1", (const char *[]){"X", "Y", "Z"}[a],
                                 (const char *[]){"X", "Y", "Z"}[a]);
    return -1;
}

static int check_out(const char *out)
{
    static const char *const suffix[] = {".ply", ".csv", ".tsv",  ".xyz", ".txt", ".npy",
                                         ".pcd", ".las", ".gwsp", ".vtp", ".vtu"};
    if (!out || output_is_stdout(out)) return -1;
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
        if (packed_name_ends(out, suffix[i])) return output_check(out);
    return console_usage(
        "--out: expected a name ending in .ply, .pcd, .las, .csv, .tsv, .xyz, .npy, .gwsp, .vtp or .vtu, or one of "
        "these and .gz, got '%s'",
        out);
}

static int check_outputs(const struct tree_settings *settings)
{
    int status = check_out(settings->out);
    if (status < 0 && settings->nodes) status = output_check_table("nodes", settings->nodes);
    if (status < 0 && settings->answers) status = output_check_table("answers", settings->answers);
    if (status < 0 && settings->answers && !settings->query) return console_usage("--answers requires --query");
    if (status < 0 && (settings->count || settings->sum) && !settings->query)
        return console_usage("--%s requires --query", settings->sum ? "sum" : "count");
    if (status < 0 && settings->picture && !name_ends(settings->picture, ".svg"))
        return console_usage("--picture: expected a name ending in .svg, got '%s'", settings->picture);
    if (status < 0 && settings->picture_axis >= 0 && !settings->picture)
        return console_usage("--axis requires --picture");
    if (status < 0 && settings->picture) status = output_check(settings->picture);
    int standard = settings->options.json;
    standard += settings->out && output_is_stdout(settings->out);
    standard += settings->nodes && output_is_stdout(settings->nodes);
    standard += settings->answers && output_is_stdout(settings->answers);
    if (status < 0 && standard > 1)
        return console_usage("standard output can have only one of --json, --out -, --nodes - and --answers -");
    return status;
}

static int check_points(const struct tree_settings *settings, const char *points)
{
    bool for_files = settings->format || settings->columns || settings->trust || settings->mapped;
    if (gws_points_is_generator(points) && for_files)
        return console_usage("--format, --columns, --trust and --mmap require a file, and %s is a generator", points);
    if (strcmp(points, "-") == 0 && settings->query && strcmp(settings->query, "-") == 0)
        return console_usage("standard input cannot be both the points and the queries");
    const struct named_file file[] = {{"POINTS", gws_points_is_generator(points) ? NULL : points, false},
                                      {"--query", settings->query, false},
                                      {"--out", settings->out, true},
                                      {"--nodes", settings->nodes, true},
                                      {"--answers", settings->answers, true},
                                      {"--picture", settings->picture, true},
                                      {"--trace", settings->options.trace, true}};
    return outputs_check(file, sizeof file / sizeof *file);
}

/* For the builder by tasks, the default is chaselev: with deques, the length of a queue is bounded by the depth of the
 * tree. The library's default, rounds of levels, has longer queues. */
static const char *choose_policy(const struct tree_settings *settings)
{
    if (tree_device_given(settings)) return "chunked";
    return settings_tree(settings).builder == GWS_OCTREE_BY_TASK ? "chaselev" : NULL;
}

static int check_runtime_options(struct tree_settings *settings)
{
    struct runtime_options *options = &settings->options;
    if (!options->policy) options->policy = choose_policy(settings);
    int status = runtime_options_check(options);
    if (status >= 0 || tree_device_given(settings)) return status;
    bool by_task = settings_tree(settings).builder == GWS_OCTREE_BY_TASK;
    status = runtime_options_check_seed(options, false,
                                        " under this --policy; a generator has a seed after its number of points");
    if (status >= 0) return status;
    return runtime_options_check_chunk(options, by_task ? RUNTIME_TASKS : RUNTIME_LOOPS);
}

static int check(struct tree_settings *settings)
{
    int status = check_format(settings->format);
    if (status < 0) status = options_check_name("builder", gws_octree_builder_at, 16, settings->builder);
    if (status < 0) status = tree_device_choose(settings);
    if (status < 0) status = check_runtime_options(settings);
    if (status < 0) status = tree_device_check(settings);
    if (status < 0) status = read_box(settings);
    return status < 0 ? check_outputs(settings) : status;
}

/* ---- command line ---- */

int settings_parse(struct tree_settings *settings, int argc, char **argv, const char **points)
{
    const struct option_group group[] = {
        {"Points", points_row, sizeof points_row / sizeof *points_row, settings},
        {"Tree", tree_row, sizeof tree_row / sizeof *tree_row, settings},
        {NULL, device_groups_row, DEVICE_GROUPS_ROWS, &settings->groups},
        {"Runs", runtime_run_row, RUNTIME_RUN_ROWS, &settings->options},
        {"Workers", runtime_worker_row, RUNTIME_WORKER_ROWS, &settings->options},
        {NULL, runtime_task_row, RUNTIME_TASK_ROWS, &settings->options},
        {"Output", out_row, sizeof out_row / sizeof *out_row, settings},
        {NULL, runtime_report_row, RUNTIME_REPORT_ROWS, &settings->options},
        {NULL, runtime_output_row, RUNTIME_OUTPUT_ROWS, &settings->options},
    };
    const struct command_line line = {
        .name = "goctree",
        .synopsis = "[options] POINTS",
        .about = "Builds an octree of points by work stealing, and answers queries about them.",
        .closing = closing,
        .renamed = renamed,
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

int settings_axis(const struct tree_settings *settings)
{
    return settings->picture_axis < 0 ? 2 : settings->picture_axis;
}

struct gws_octree_options settings_tree(const struct tree_settings *settings)
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
