/* SPDX-License-Identifier: MIT */
/* goctree: points in files or made, divided into an octree under any policy; measured, checked, asked, drawn, written.
 *
 * Everything that can be refused beforehand is; standard output is written last and at once, so that nothing is on it
 * when something fails. */
#include <string.h>

#include "goctree/goctree.h"

struct session {
    const struct settings *settings;
    struct gws_caching_allocator
        *cache; /* of memory that one run gives back and the next one wants; NULL: there is one run */
    struct gws_points points;
    struct gws_octree *tree; /* of the last run */
    struct query query;
    struct tree_device device;
    struct report report;
};

static int load(struct session *session)
{
    const struct settings *settings = session->settings;
    struct report *report = &session->report;
    struct gws_diagnostic where = {0};
    struct gws_points_read_options read = {.precision = (enum gws_precision)settings->precision,
                                           .columns = settings->columns,
                                           .trust = settings->trust,
                                           .mapped = settings->mapped};
    if (settings->format) gws_points_format_named(settings->format, &read.format);
    console_progress_begin(gws_points_is_generator(report->name) ? "making" : "reading", report->name);
    double began = gws_clock_ms();
    gws_status status = gws_points_load(report->runtime, report->name, &read, &session->points, &where);
    report->load_ms = gws_clock_ms() - began;
    console_progress_end();
    report->given = session->points.count;
    report->columns = session->points.columns;
    return status == GWS_OK ? -1 : console_fail_input(status, &where);
}

/* ---- the runs ---- */

/* The last tree goes. If the next one is to be verified, it must not pass by what is left of this one. */
static gws_status discard(struct session *session, struct gws_diagnostic *where)
{
    bool verify = session->settings->engine.verify;
    if (verify) gws_octree_poison(session->tree);
    gws_octree_destroy(session->tree);
    session->tree = NULL;
    return verify && session->device.builder ? gws_octree_device_poison(session->device.builder, where) : GWS_OK;
}

static int build(struct session *session)
{
    struct report *report = &session->report;
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
    return console_fail("%s: %s%s", report->name, why,
                        status == GWS_OUT_OF_RANGE ? " (--drop leaves such points out)" : "");
}

static int verify(struct session *session)
{
    struct report *report = &session->report;
    struct gws_diagnostic where = {0};
    if (session->settings->engine.repeat == 1) console_progress_begin("verifying the octree of", report->name);
    gws_status status = gws_octree_check(report->runtime, &session->points, session->tree, &where);
    report->verified = status == GWS_OK;
    if (status == GWS_OK) return -1;
    const char *why = *where.message ? where.message : gws_status_text(status);
    console_fail("%s: %s: %s", report->name, status == GWS_WRONG_RESULT ? "the tree is wrong" : "not verified", why);
    return status == GWS_WRONG_RESULT ? TOOL_WRONG : TOOL_FAILED;
}

static int run_all(struct session *session)
{
    const struct settings *settings = session->settings;
    int failure = -1;
    console_progress_begin("building the octree of", session->report.name);
    for (uint64_t i = 0; i < settings->engine.warmup && failure < 0; i++) failure = build(session);
    for (uint64_t i = 0; i < settings->engine.repeat && failure < 0; i++) {
        if (i > 0) console_progress(NULL, "building", i, settings->engine.repeat);
        failure = build(session);
        if (failure >= 0) break;
        report_note(&session->report);
        if (i + 1 == settings->engine.repeat) failure = engine_trace(&settings->engine, session->report.runtime);
        if (failure < 0 && settings->engine.verify) failure = verify(session);
    }
    console_progress_end();
    return failure;
}

/* ---- what is done with the tree ---- */

static int sort_points(struct session *session)
{
    console_progress_begin("sorting", session->report.name);
    gws_status status = gws_octree_sort_points(session->report.runtime, session->tree, &session->points);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail("%s: %s", session->report.name, gws_status_text(status));
}

static int ask(struct session *session)
{
    struct report *report = &session->report;
    console_progress_begin("answering", session->settings->query);
    int failure =
        query_answer(&session->query, report->runtime, session->device.device, session->tree, session->settings->query);
    console_progress_end();
    report->query = &session->query;
    return failure;
}

/* Files first, since standard output is last. */
static int write_files(struct session *session, bool standard)
{
    const struct settings *settings = session->settings;
    struct gws_runtime *runtime = session->report.runtime;
    int failure = -1;
    if (settings->out && output_is_stdout(settings->out) == standard)
        failure = files_out(runtime, session->tree, &session->points, settings->out);
    if (failure < 0 && settings->picture && !standard)
        failure = files_picture(runtime, session->tree, settings_axis(settings), settings->picture);
    if (failure < 0 && settings->nodes && output_is_stdout(settings->nodes) == standard)
        failure = files_nodes(runtime, session->tree, settings->nodes);
    if (failure < 0 && settings->answers && output_is_stdout(settings->answers) == standard)
        failure = query_write(&session->query, runtime, settings->answers);
    return failure;
}

static int use_tree(struct session *session)
{
    const struct settings *settings = session->settings;
    int failure = settings->out || settings->query ? sort_points(session) : -1;
    if (failure < 0 && settings->query) failure = ask(session);
    return failure < 0 ? write_files(session, false) : failure;
}

/* ---- what comes out ---- */

static bool takes_stdout(const char *path)
{
    return path && output_is_stdout(path);
}

/* A tree that is wrong is shown, too. A table on standard output has it for itself. */
static int print_all(struct session *session, int failure)
{
    const struct settings *settings = session->settings;
    const struct report *report = &session->report;
    if (failure >= 0 && report->verified != 0) return failure;
    int status = -1;
    bool table = takes_stdout(settings->out) || takes_stdout(settings->nodes) || takes_stdout(settings->answers);
    FILE *out = table ? stderr : stdout;
    if (settings->engine.json)
        status = json_print(report_json, report);
    else if (!settings->engine.quiet)
        report_print(report, out);
    if (settings->engine.stats && !settings->engine.json) workers_print(&report->workers, out);
    if (status < 0 && failure < 0) status = write_files(session, true);
    if (status < 0) status = console_finish();
    return status != TOOL_DONE || failure < 0 ? status : failure;
}

static int run(struct session *session)
{
    const struct settings *settings = session->settings;
    struct report *report = &session->report;
    int failure = load(session);
    if (failure < 0 && settings->query) failure = query_read(&session->query, report->runtime, settings->query);
    if (failure < 0 && !report_begin(report, settings->engine.repeat))
        failure = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    if (failure < 0) failure = run_all(session);
    if (failure < 0) failure = use_tree(session);
    return print_all(session, failure);
}

static int open_cache(struct session *session, struct engine_settings *engine)
{
    if (engine->warmup + engine->repeat < 2) return -1;
    gws_status status = gws_caching_allocator_open(NULL, &session->cache);
    if (status != GWS_OK) return console_fail("%s", gws_status_text(status));
    engine->allocator = gws_caching_allocator_calls(session->cache);
    return -1;
}

int main(int argc, char **argv)
{
    struct settings settings = {.engine.repeat = 1, .picture_axis = -1, .form = -1};
    struct session session = {.settings = &settings};
    session.report.settings = &settings;
    session.report.verified = -1;
    console_begin("goctree");
    int failure = settings_parse(&settings, argc, argv, &session.report.name);
    if (failure >= 0) return failure;
    failure = open_cache(&session, &settings.engine);
    if (failure < 0) failure = engine_open(&settings.engine, &session.report.runtime);
    if (failure >= 0) {
        gws_caching_allocator_close(session.cache);
        return failure;
    }
    failure = tree_device_open(&session.device, session.report.runtime, &settings);
    session.report.device = &session.device;
    if (failure < 0) failure = run(&session);
    report_clear(&session.report);
    query_clear(&session.query, session.report.runtime);
    gws_octree_destroy(session.tree);
    tree_device_close(&session.device);
    gws_points_clear(&session.points);
    gws_runtime_close(session.report.runtime);
    gws_caching_allocator_close(session.cache);
    return failure;
}
