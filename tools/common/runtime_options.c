/* SPDX-License-Identifier: MIT */
/* Options of the runtime. */
#define _POSIX_C_SOURCE 200809L
#include "runtime_options.h"

#include <string.h>

#include "console.h"
#include "device.h"
#include "outputs.h"

enum { TRACE_SLICES = 32768 }; /* maximum per worker; about 4 MB of text */

#define FIELD(name) offsetof(struct runtime_options, name)

const struct option_row runtime_run_row[RUNTIME_RUN_ROWS] = {
    {NUMBER("repeat", "N", FIELD(repeat), 1, RUNTIME_MAX_RUNS, "measure N runs (default: 1)")},
    {NUMBER("warmup", "N", FIELD(warmup), 0, RUNTIME_MAX_RUNS, "do N unmeasured runs first (default: 0)")},
    {FLAG("verify", FIELD(verify), 1, "check the result of every measured run")},
};

const struct option_row runtime_worker_row[RUNTIME_WORKER_ROWS] = {
    {NUMBER("threads", "N", FIELD(threads), 1, RUNTIME_MAX_THREADS,
            "use N worker threads (default: one for each allowed CPU)")},
    {BYTES("max-memory", "BYTES", FIELD(max_memory), 1, UINT64_MAX,
           "limit the memory, such as 800M or 8Gi\n(default: nearly all available memory)")},
    {TEXT("policy", "NAME|help", FIELD(policy),
          "balance work by this policy; help lists them\n(default: chunked for graphs, chaselev for trees of tasks)")},
    {TEXT("victim", "NAME|help", FIELD(victim), "select victims this way (default: the policy's own)")},
    {TEXT("amount", "NAME|help", FIELD(amount), "steal this amount (default: the policy's own)")},
    {NUMBER("chunk", "N", FIELD(chunk), 1, UINT32_MAX, "take or steal N tasks at once (default: automatic)")},
    {FLAG("pin", FIELD(pin), 1, "bind each thread to its own CPU")},
    {NUMBER("seed", "N", FIELD(seed), 0, UINT64_MAX, "seed every random choice with N (default: 0)")},
};

static const char *const termination_name[] = {"counter", "vote", NULL}; /* indexed by runtime_options.vote */

const struct option_row runtime_task_row[RUNTIME_TASK_ROWS] = {
    {FLAG("wait", FIELD(wait), 1, "make thieves wait for a locked queue (default: they give up)")},
    {CHOICE("termination", "NAME", FIELD(vote), termination_name,
            "detect termination by counter or vote (default: counter)")},
    {NUMBER("sample", "N", FIELD(sample), 1, UINT32_MAX, "sample the lengths of all queues every N batches of tasks")},
};

const struct option_row runtime_report_row[RUNTIME_REPORT_ROWS] = {
    {FLAG("stats", FIELD(stats), 1, "print a table by worker, which --json always has")},
    {TEXT("trace", "FILE", FIELD(trace),
          "write a timeline of the last run's workers for Perfetto:\n"
          "Chrome trace events, also with .gz")},
};

const struct option_row runtime_output_row[RUNTIME_OUTPUT_ROWS] = {
    {FLAG("json", FIELD(json), 1, "print one JSON object instead of text")},
    {FLAG("quiet", FIELD(quiet), 1, "print no summary, no progress, no warnings")},
    {FLAG("no-sync", FIELD(no_sync), 1,
          "do not wait until files are on the disk: faster, but a power\nloss may corrupt them")},
};

/* ---- names ---- */

typedef bool supports(const char *policy);

static const char *policy_of(const struct runtime_options *options)
{
    return options->policy ? options->policy : gws_policy_at(0, NULL);
}

/* Refuses an option that the policy does not support. otherwise: the end of the message, which says where the option
 * has an effect. */
static int check_support(const char *option, supports *supported, const struct runtime_options *options,
                         const char *otherwise)
{
    const char *policy = policy_of(options), *row;
    if (supported(policy)) return -1;
    char list[256] = "";
    for (uint32_t i = 0; (row = gws_policy_at(i, NULL)); i++) {
        size_t used = strlen(list);
        if (supported(row)) snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", row);
    }
    return console_usage("--%s has no effect under the policy %s, only under %s%s", option, policy, list, otherwise);
}

int runtime_options_check_seed(const struct runtime_options *options, bool drawn, const char *otherwise)
{
    if (!options->seed || drawn || gws_policy_draws(policy_of(options), options->victim)) return -1;
    return console_usage("--seed: nothing is drawn%s", otherwise);
}

static int check_trace(const char *path)
{
    if (!path) return -1;
    if (output_is_stdout(path)) return console_usage("--trace: expected the name of a file, got '-'");
    return output_check(path);
}

int runtime_options_check(const struct runtime_options *options)
{
    int status = options_check_name("policy", gws_policy_at, 16, options->policy);
    if (status < 0) status = options_check_name("victim", gws_victim_at, 16, options->victim);
    if (status < 0) status = options_check_name("amount", gws_amount_at, 16, options->amount);
    if (status < 0 && options->victim) status = check_support("victim", gws_policy_takes_victim, options, "");
    if (status < 0 && options->amount) status = check_support("amount", gws_policy_takes_amount, options, "");
    if (status < 0 && options->wait) status = check_support("wait", gws_policy_takes_wait, options, "");
    if (status < 0 && options->vote) status = check_support("termination", gws_policy_takes_vote, options, "");
    if (status < 0 && options->sample) status = check_support("sample", gws_policy_takes_sample, options, "");
    if (status < 0 && options->stats && options->json)
        return console_usage("--stats prints a table, which --json always has");
    return status < 0 ? check_trace(options->trace) : status;
}

static bool rounds_by_chunks(const char *policy)
{
    return gws_policy_takes_chunk(policy) && !gws_policy_takes_vote(policy);
}

int runtime_options_check_chunk(const struct runtime_options *options, enum runtime_work work)
{
    bool by_chunks = options->amount && strcmp(options->amount, "chunk") == 0;
    if (!options->chunk || by_chunks) return -1;
    if (work == RUNTIME_LOOPS) return check_support("chunk", gws_policy_takes_chunk, options, "");
    return check_support("chunk", rounds_by_chunks, options, ", and with --amount chunk");
}

/* ---- the runtime ---- */

int runtime_options_open(const struct runtime_options *options, struct gws_runtime **runtime)
{
    bool terminal = console_progress_allow(options->quiet);
    uint64_t max_memory = options->max_memory ? options->max_memory : memory_available();
    console_memory(max_memory, options->max_memory > 0);
    struct gws_options of_library = {.threads = (uint32_t)options->threads,
                                     .chunk = (uint32_t)options->chunk,
                                     .policy = options->policy,
                                     .victim = options->victim,
                                     .amount = options->amount,
                                     .wait = options->wait,
                                     .vote = options->vote,
                                     .sample = (uint32_t)options->sample,
                                     .trace = options->trace ? TRACE_SLICES : 0,
                                     .pin = options->pin,
                                     .seed = options->seed,
                                     .allocator = options->allocator,
                                     .max_memory = max_memory,
                                     .progress = terminal ? console_progress : NULL,
                                     .log = options->quiet ? NULL : console_log,
                                     .unfinished = interrupts_unfinished,
                                     .no_sync = options->no_sync};
    interrupts_catch(terminal);
    gws_status status = interrupts_open_runtime(&of_library, runtime);
    return status == GWS_OK ? -1 : console_fail("cannot start the workers: %s", gws_status_text(status));
}

int runtime_options_trace(const struct runtime_options *options, struct gws_runtime *runtime)
{
    if (!options->trace) return -1;
    struct gws_diagnostic where = {0};
    console_progress_begin("writing", options->trace);
    gws_status status = gws_trace_write(runtime, options->trace, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

void runtime_options_json(const struct runtime_options *options, const struct gws_runtime *runtime, struct json *json)
{
    json_text(json, "policy", gws_runtime_policy(runtime));
    json_name(json, "victim", options->victim);
    json_name(json, "amount", options->amount);
    json_count(json, "threads", gws_runtime_workers(runtime));
    json_count(json, "chunk", gws_runtime_chunk(runtime));
}

void runtime_devices_json(bool cpu, const char *device, struct json *json)
{
    json_open(json, "devices", '[');
    if (cpu) json_text(json, NULL, "cpu");
    while (device && *device) {
        int length = (int)strcspn(device, ",");
        char address[DEVICE_ADDRESS];
        snprintf(address, sizeof address, "%.*s", length, device);
        json_text(json, NULL, address);
        device += length + (device[length] == ',');
    }
    json_close(json, ']');
}

void runtime_options_task_json(const struct runtime_options *options, struct json *json)
{
    json_bool(json, "wait", options->wait);
    json_text(json, "termination", termination_name[options->vote]);
    json_count(json, "sample", options->sample);
}

char *runtime_options_text(const struct runtime_options *options, const struct gws_runtime *runtime, char *text)
{
    uint32_t threads = gws_runtime_workers(runtime);
    snprintf(text, RUNTIME_OPTIONS_TEXT, "%s policy%s%s%s%s%s%s, %u thread%s", gws_runtime_policy(runtime),
             options->victim ? ", victim " : "", options->victim ? options->victim : "",
             options->amount ? ", amount " : "", options->amount ? options->amount : "",
             options->wait ? ", waiting" : "", options->vote ? ", voting" : "", threads, threads == 1 ? "" : "s");
    return text;
}
