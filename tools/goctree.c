/* SPDX-License-Identifier: MIT */
/* goctree: builds an octree of points under any policy; measures and checks it, answers queries, draws and writes it.
 *
 * The tool refuses invalid options before any work. It writes standard output last and at once, so a failure leaves it
 * empty. */
#include <string.h>

#include "common/ranks.h"
#include "goctree/goctree.h"

struct tree_session {
    const struct tree_settings *settings;
    struct gws_caching_allocator *cache; /* reuses memory from run to run; NULL if there is only one run */
    struct gws_points points;
    struct gws_octree *tree; /* of the last run */
    struct tree_queries queries;
    struct tree_device device;
    struct tree_report report;
};

static int load(struct tree_session *session)
{
    const struct tree_settings *settings = session->settings;
    struct tree_report *report = &session->report;
    struct gws_diagnostic where = {0};
    struct gws_points_read_options read = {.precision = (enum gws_precision)settings->precision,
                                           .columns = settings->columns,
                                           .trust = settings->trust,
                                           .mapped = settings->mapped};
    if (settings->format) gws_points_format_named(settings->format, &read.format);
    console_progress_begin(gws_points_is_generator(report->name) ? "generating" : "reading", report->name);
    double began = gws_clock_ms();
    gws_status status = gws_points_load(report->runtime, report->name, &read, &session->points, &where);
    report->load_ms = gws_clock_ms() - began;
    console_progress_end();
    report->given = session->points.count;
    report->columns = session->points.columns;
    return status == GWS_OK ? -1 : console_fail_input(status, &where);
}

/* ---- the runs ---- */

/* Destroys the last tree. With --verify, poisons it first, so stale memory cannot pass as the next result. */
static gws_status discard(struct tree_session *session, struct gws_diagnostic *where)
{
    bool verify = session->settings->options.verify;
    if (verify) gws_octree_poison(session->tree);
    gws_octree_destroy(session->tree);
    session->tree = NULL;
    return verify && session->device.builder ? gws_octree_device_poison(session->device.builder, where) : GWS_OK;
}

static int build(struct tree_session *session)
{
    struct tree_report *report = &session->report;
    const struct gws_octree_options options = settings_tree(session->settings);
    struct gws_diagnostic where = {0};
    gws_status status = discard(session, &where);
    if (status != GWS_OK) return device_fail(status, &where);
    gws_runtime_stats_reset(report->runtime);
    double began = gws_clock_ms();
    status = session->device.builder
                 ? gws_octree_device_build(session->device.builder, &session->points, &session->tree, &where)
                 : gws_octree_build(report->runtime, &session->points, &options, &session->tree, &where);
    session->device.call_ms = gws_clock_ms() - began;
    if (session->device.builder) gws_octree_device_stats(session->device.builder, &session->device.stats);
    report->tree = session->tree;
    if (status == GWS_OK) return -1;
    const char *why = *where.message ? where.message : gws_status_text(status);
    return console_fail("%s: %s%s", report->name, why, status == GWS_OUT_OF_RANGE ? " (--drop omits such points)" : "");
}

static int verify(struct tree_session *session)
{
    struct tree_report *report = &session->report;
    struct gws_diagnostic where = {0};
    if (session->settings->options.repeat == 1) console_progress_begin("verifying the octree of", report->name);
    gws_status status = gws_octree_check(report->runtime, &session->points, session->tree, &where);
    report->verified = status == GWS_OK;
    if (status == GWS_OK) return -1;
    const char *why = *where.message ? where.message : gws_status_text(status);
    console_fail("%s: %s: %s", report->name, status == GWS_WRONG_RESULT ? "the tree is wrong" : "not verified", why);
    return status == GWS_WRONG_RESULT ? TOOL_WRONG : TOOL_FAILED;
}

static int run_all(struct tree_session *session)
{
    const struct tree_settings *settings = session->settings;
    int failure = -1;
    console_progress_begin("building the octree of", session->report.name);
    for (uint64_t i = 0; i < settings->options.warmup && failure < 0; i++) failure = build(session);
    for (uint64_t i = 0; i < settings->options.repeat && failure < 0; i++) {
        if (i > 0) console_progress(NULL, "building", i, settings->options.repeat);
        failure = build(session);
        if (failure >= 0) break;
        report_add_run(&session->report);
        if (i + 1 == settings->options.repeat)
            failure = runtime_options_trace(&settings->options, session->report.runtime);
        if (failure < 0 && settings->options.verify) failure = verify(session);
    }
    console_progress_end();
    return failure;
}

/* ---- use of the tree ---- */

static int sort_points(struct tree_session *session)
{
    console_progress_begin("sorting", session->report.name);
    gws_status status = gws_octree_sort_points(session->report.runtime, session->tree, &session->points);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail("%s: %s", session->report.name, gws_status_text(status));
}

static int answer_queries(struct tree_session *session)
{
    struct tree_report *report = &session->report;
    int failure = query_values(&session->queries, session->tree, &session->points);
    if (failure >= 0) return failure;
    console_progress_begin("answering", session->settings->query);
    failure = query_answer(&session->queries, report->runtime, session->device.device, session->tree,
                           session->settings->query);
    console_progress_end();
    report->queries = &session->queries;
    return failure;
}

/* Writes the outputs that go to files or, with `standard`, the outputs that go to standard output. The latter come
 * last. */
static int write_files(struct tree_session *session, bool standard)
{
    const struct tree_settings *settings = session->settings;
    struct gws_runtime *runtime = session->report.runtime;
    int failure = -1;
    if (settings->out && output_is_stdout(settings->out) == standard)
        failure = files_out(runtime, session->tree, &session->points, settings->out);
    if (failure < 0 && settings->picture && !standard)
        failure = files_picture(runtime, session->tree, settings_axis(settings), settings->picture);
    if (failure < 0 && settings->nodes && output_is_stdout(settings->nodes) == standard)
        failure = files_nodes(runtime, session->tree, settings->nodes);
    if (failure < 0 && settings->answers && output_is_stdout(settings->answers) == standard)
        failure = query_write(&session->queries, runtime, settings->answers);
    return failure;
}

static int use_tree(struct tree_session *session)
{
    const struct tree_settings *settings = session->settings;
    int failure = settings->out || settings->query ? sort_points(session) : -1;
    if (failure < 0 && settings->query) failure = answer_queries(session);
    return failure < 0 ? write_files(session, false) : failure;
}

/* ---- output ---- */

static bool is_stdout(const char *path)
{
    return path && output_is_stdout(path);
}

/* Prints the report, also for a wrong tree. If a table goes to standard output, the report goes to standard error. */
static int print_all(struct tree_session *session, int failure)
{
    const struct tree_settings *settings = session->settings;
    const struct tree_report *report = &session->report;
    if (failure >= 0 && report->verified != 0) return failure;
    int status = -1;
    bool table = is_stdout(settings->out) || is_stdout(settings->nodes) || is_stdout(settings->answers);
    FILE *out = table ? stderr : stdout;
    if (settings->options.json)
        status = json_print(report_json, report);
    else if (!settings->options.quiet)
        report_print(report, out);
    if (settings->options.stats && !settings->options.json) {
        shape_levels_print(report, out);
        workers_print(&report->workers, out);
    }
    if (status < 0 && failure < 0) status = write_files(session, true);
    if (status < 0) status = console_finish();
    return status != TOOL_DONE || failure < 0 ? status : failure;
}

static int run(struct tree_session *session)
{
    const struct tree_settings *settings = session->settings;
    struct tree_report *report = &session->report;
    int failure = load(session);
    session->queries.counts = settings->count || settings->sum;
    session->queries.sum_of = settings->sum;
    if (failure < 0 && settings->query) failure = query_read(&session->queries, report->runtime, settings->query);
    if (failure < 0 && !report_begin(report, settings->options.repeat))
        failure = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    if (failure < 0) failure = run_all(session);
    if (failure < 0) failure = use_tree(session);
    return print_all(session, failure);
}

static int open_cache(struct tree_session *session, struct runtime_options *options)
{
    if (options->warmup + options->repeat < 2) return -1;
    gws_status status = gws_caching_allocator_open(NULL, &session->cache);
    if (status != GWS_OK) return console_fail("%s", gws_status_text(status));
    options->allocator = gws_caching_allocator_calls(session->cache);
    return -1;
}

int main(int argc, char **argv)
{
    struct tree_settings settings = {.options.repeat = 1, .picture_axis = -1, .form = -1};
    struct tree_session session = {.settings = &settings};
    session.report.settings = &settings;
    session.report.verified = -1;
    int failure = ranks_refuse("goctree");
    if (failure >= 0) return failure;
    console_begin("goctree");
    failure = settings_parse(&settings, argc, argv, &session.report.name);
    if (failure >= 0) return failure;
    failure = open_cache(&session, &settings.options);
    if (failure < 0) failure = runtime_options_open(&settings.options, &session.report.runtime);
    if (failure >= 0) {
        gws_caching_allocator_close(session.cache);
        return failure;
    }
    failure = tree_device_open(&session.device, session.report.runtime, &settings);
    session.report.device = &session.device;
    if (failure < 0) failure = run(&session);
    report_clear(&session.report);
    query_clear(&session.queries, session.report.runtime);
    gws_octree_destroy(session.tree);
    tree_device_close(&session.device);
    gws_points_clear(&session.points);
    gws_runtime_close(session.report.runtime);
    gws_caching_allocator_close(session.cache);
    return failure;
}
