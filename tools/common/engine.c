/* SPDX-License-Identifier: MIT */
/* The options for workers, and a runtime. */
#define _POSIX_C_SOURCE 200809L
#include "engine.h"

#include <string.h>

#include "console.h"
#include "interrupts.h"
#include "outputs.h"

enum { TRACE_SLICES = 32768 }; /* for each worker: about 4 MB of text */

#define FIELD(name) offsetof(struct engine_settings, name)

const struct option_row engine_run_row[ENGINE_RUN_ROWS] = {
    {NUMBER("repeat", "N", FIELD(repeat), 1, ENGINE_MAX_RUNS, "runs that count (default: 1)")},
    {NUMBER("warmup", "N", FIELD(warmup), 0, ENGINE_MAX_RUNS, "runs before them that do not (default: 0)")},
    {FLAG("verify", FIELD(verify), 1, "check the result of every run that counts")},
};

const struct option_row engine_worker_row[ENGINE_WORKER_ROWS] = {
    {NUMBER("threads", "N", FIELD(threads), 1, ENGINE_MAX_THREADS,
            "worker threads (default: one for each CPU allowed)")},
    {BYTES("max-memory", "BYTES", FIELD(max_memory), 1, UINT64_MAX,
           "the most memory to take, such as 800M or 8Gi\n(default: nearly all that is available)")},
    {TEXT("policy", "NAME|help", FIELD(policy),
          "how work is balanced; help lists them\n(default: chunked for graphs, chaselev for trees of tasks)")},
    {TEXT("victim", "NAME|help", FIELD(victim), "whom a thief tries first (default: the policy's choice)")},
    {TEXT("amount", "NAME|help", FIELD(amount), "how much it takes (default: the policy's choice)")},
    {NUMBER("chunk", "N", FIELD(chunk), 1, UINT32_MAX, "tasks taken or stolen at once (default: chosen)")},
    {FLAG("pin", FIELD(pin), 1, "bind each thread to a CPU of its own")},
    {NUMBER("seed", "N", FIELD(seed), 0, UINT64_MAX, "for every random choice (default: 0)")},
};

static const char *const termination_name[] = {"counter", "vote", NULL}; /* as engine_settings.vote */

const struct option_row engine_task_row[ENGINE_TASK_ROWS] = {
    {FLAG("wait", FIELD(wait), 1, "thieves wait for a locked queue (default: they give up)")},
    {CHOICE("termination", "NAME", FIELD(vote), termination_name,
            "how the end is found: by a counter or a vote (default: counter)")},
    {NUMBER("sample", "N", FIELD(sample), 1, UINT32_MAX, "look at the lengths of all queues every N batches of tasks")},
};

const struct option_row engine_report_row[ENGINE_REPORT_ROWS] = {
    {FLAG("stats", FIELD(stats), 1, "print a table by worker, which --json has in any case")},
    {TEXT("trace", "FILE", FIELD(trace),
          "write what each worker did when, in the last run, for Perfetto:\n"
          "Chrome trace events, also with .gz")},
};

const struct option_row engine_output_row[ENGINE_OUTPUT_ROWS] = {
    {FLAG("json", FIELD(json), 1, "print one JSON object instead of text")},
    {FLAG("quiet", FIELD(quiet), 1, "no summary, no progress, no warnings")},
    {FLAG("no-sync", FIELD(no_sync), 1,
          "do not wait until files are on the disk: faster, but a power\nloss may leave them broken")},
};

/* ---- names ---- */

typedef bool takes(const char *policy);

static const char *policy_of(const struct engine_settings *settings)
{
    return settings->policy ? settings->policy : gws_policy_at(0, NULL);
}

/* otherwise: where else the option changes something. */
static int check_open(const char *option, takes *open, const struct engine_settings *settings, const char *otherwise)
{
    const char *policy = policy_of(settings), *row;
    if (open(policy)) return -1;
    char list[256] = "";
    for (uint32_t i = 0; (row = gws_policy_at(i, NULL)); i++) {
        size_t used = strlen(list);
        if (open(row)) snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", row);
    }
    return console_usage("--%s changes nothing under the policy %s, only under %s%s", option, policy, list, otherwise);
}

int engine_check_seed(const struct engine_settings *settings, bool drawn, const char *otherwise)
{
    if (!settings->seed || drawn || gws_policy_draws(policy_of(settings), settings->victim)) return -1;
    return console_usage("--seed: nothing is drawn%s", otherwise);
}

static int check_trace(const char *path)
{
    if (!path) return -1;
    if (output_is_stdout(path)) return console_usage("--trace: expected the name of a file, got '-'");
    return output_check(path);
}

int engine_check(const struct engine_settings *settings)
{
    int status = options_check_name("policy", gws_policy_at, 16, settings->policy);
    if (status < 0) status = options_check_name("victim", gws_victim_at, 16, settings->victim);
    if (status < 0) status = options_check_name("amount", gws_amount_at, 16, settings->amount);
    if (status < 0 && settings->victim) status = check_open("victim", gws_policy_takes_victim, settings, "");
    if (status < 0 && settings->amount) status = check_open("amount", gws_policy_takes_amount, settings, "");
    if (status < 0 && settings->wait) status = check_open("wait", gws_policy_takes_wait, settings, "");
    if (status < 0 && settings->vote) status = check_open("termination", gws_policy_takes_vote, settings, "");
    if (status < 0 && settings->sample) status = check_open("sample", gws_policy_takes_sample, settings, "");
    if (status < 0 && settings->stats && settings->json)
        return console_usage("--stats prints a table, and --json has the same in any case");
    return status < 0 ? check_trace(settings->trace) : status;
}

static bool rounds_by_chunks(const char *policy)
{
    return gws_policy_takes_chunk(policy) && !gws_policy_takes_vote(policy);
}

int engine_check_chunk(const struct engine_settings *settings, enum engine_work work)
{
    bool by_chunks = settings->amount && strcmp(settings->amount, "chunk") == 0;
    if (!settings->chunk || by_chunks) return -1;
    if (work == ENGINE_LOOPS) return check_open("chunk", gws_policy_takes_chunk, settings, "");
    return check_open("chunk", rounds_by_chunks, settings, ", and with --amount chunk");
}

/* ---- the runtime ---- */

int engine_open(const struct engine_settings *settings, struct gws_runtime **runtime)
{
    bool terminal = console_progress_allow(settings->quiet);
    uint64_t max_memory = settings->max_memory ? settings->max_memory : memory_available();
    console_memory(max_memory, settings->max_memory > 0);
    struct gws_options options = {.threads = (uint32_t)settings->threads,
                                  .chunk = (uint32_t)settings->chunk,
                                  .policy = settings->policy,
                                  .victim = settings->victim,
                                  .amount = settings->amount,
                                  .wait = settings->wait,
                                  .vote = settings->vote,
                                  .sample = (uint32_t)settings->sample,
                                  .trace = settings->trace ? TRACE_SLICES : 0,
                                  .pin = settings->pin,
                                  .seed = settings->seed,
                                  .allocator = settings->allocator,
                                  .max_memory = max_memory,
                                  .progress = terminal ? console_progress : NULL,
                                  .log = settings->quiet ? NULL : console_log,
                                  .unfinished = interrupts_unfinished,
                                  .no_sync = settings->no_sync};
    interrupts_take(terminal);
    sigset_t before;
    interrupts_hold(&before);
    gws_status status = gws_runtime_open(&options, runtime);
    interrupts_release(&before);
    return status == GWS_OK ? -1 : console_fail("cannot start the workers: %s", gws_status_text(status));
}

int engine_trace(const struct engine_settings *settings, struct gws_runtime *runtime)
{
    if (!settings->trace) return -1;
    struct gws_diagnostic where = {0};
    console_progress_begin("writing", settings->trace);
    gws_status status = gws_trace_write(runtime, settings->trace, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

void engine_json(const struct engine_settings *settings, const struct gws_runtime *runtime, struct json *json)
{
    json_text(json, "policy", gws_runtime_policy(runtime));
    json_name(json, "victim", settings->victim);
    json_name(json, "amount", settings->amount);
    json_count(json, "threads", gws_runtime_workers(runtime));
    json_count(json, "chunk", gws_runtime_chunk(runtime));
}

void engine_devices_json(bool cpu, const char *device, struct json *json)
{
    json_open(json, "devices", '[');
    if (cpu) json_text(json, NULL, "cpu");
    if (device) json_text(json, NULL, device);
    json_close(json, ']');
}

void engine_task_json(const struct engine_settings *settings, struct json *json)
{
    json_bool(json, "wait", settings->wait);
    json_text(json, "termination", termination_name[settings->vote]);
    json_count(json, "sample", settings->sample);
}

char *engine_text(const struct engine_settings *settings, const struct gws_runtime *runtime, char *text)
{
    uint32_t threads = gws_runtime_workers(runtime);
    snprintf(text, ENGINE_TEXT, "%s policy%s%s%s%s%s%s, %u thread%s", gws_runtime_policy(runtime),
             settings->victim ? ", victim " : "", settings->victim ? settings->victim : "",
             settings->amount ? ", amount " : "", settings->amount ? settings->amount : "",
             settings->wait ? ", waiting" : "", settings->vote ? ", voting" : "", threads, threads == 1 ? "" : "s");
    return text;
}
