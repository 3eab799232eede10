/* SPDX-License-Identifier: MIT */
/* The options for workers, and a runtime. */
#define _POSIX_C_SOURCE 200809L
#include "engine.h"

#include <string.h>

#include "console.h"
#include "interrupts.h"
#include "memory.h"
#include "outputs.h"

enum { TRACE_SLICES = 32768 }; /* for each worker: about 4 MB of text */

#define FIELD(name) .field = offsetof(struct engine_settings, name)

const struct option_row engine_run_row[ENGINE_RUN_ROWS] = {
    {.name = "repeat",
     .argument = "N",
     .help = "runs that count (default: 1)",
     .kind = OPTION_NUMBER,
     FIELD(repeat),
     .least = 1,
     .most = ENGINE_MAX_RUNS},
    {.name = "warmup",
     .argument = "N",
     .help = "runs before them that do not (default: 0)",
     .kind = OPTION_NUMBER,
     FIELD(warmup),
     .most = ENGINE_MAX_RUNS},
    {.name = "verify",
     .help = "check the result of every run that counts",
     .kind = OPTION_SET,
     FIELD(verify),
     .value = 1},
};

const struct option_row engine_worker_row[ENGINE_WORKER_ROWS] = {
    {.name = "threads",
     .argument = "N",
     .help = "worker threads (default: one for each CPU allowed)",
     .kind = OPTION_NUMBER,
     FIELD(threads),
     .least = 1,
     .most = ENGINE_MAX_THREADS},
    {.name = "max-memory",
     .argument = "BYTES",
     .help = "the most memory to take, such as 800M or 8Gi\n(default: nearly all that is available)",
     .kind = OPTION_BYTES,
     FIELD(max_memory),
     .least = 1,
     .most = UINT64_MAX},
    {.name = "policy",
     .argument = "NAME|help",
     .help = "how work is balanced; help lists them\n(default: chunked for graphs, chaselev for trees of tasks)",
     .kind = OPTION_TEXT,
     FIELD(policy)},
    {.name = "victim",
     .argument = "NAME|help",
     .help = "whom a thief tries first (default: the policy's choice)",
     .kind = OPTION_TEXT,
     FIELD(victim)},
    {.name = "amount",
     .argument = "NAME|help",
     .help = "how much it takes (default: the policy's choice)",
     .kind = OPTION_TEXT,
     FIELD(amount)},
    {.name = "chunk",
     .argument = "N",
     .help = "tasks taken or stolen at once (default: chosen)",
     .kind = OPTION_NUMBER,
     FIELD(chunk),
     .least = 1,
     .most = UINT32_MAX},
    {.name = "pin", .help = "bind each thread to a CPU of its own", .kind = OPTION_SET, FIELD(pin), .value = 1},
    {.name = "seed",
     .argument = "N",
     .help = "for every random choice (default: 0)",
     .kind = OPTION_NUMBER,
     FIELD(seed),
     .most = UINT64_MAX},
};

static const char *const termination_name[] = {"counter", "vote", NULL}; /* as engine_settings.vote */

const struct option_row engine_task_row[ENGINE_TASK_ROWS] = {
    {.name = "wait",
     .help = "thieves wait for a locked queue (default: they give up)",
     .kind = OPTION_SET,
     FIELD(wait),
     .value = 1},
    {.name = "termination",
     .argument = "NAME",
     .help = "how the end is found: by a counter or a vote (default: counter)",
     .kind = OPTION_CHOICE,
     FIELD(vote),
     .choice = termination_name},
    {.name = "sample",
     .argument = "N",
     .help = "look at the lengths of all queues every N batches of tasks",
     .kind = OPTION_NUMBER,
     FIELD(sample),
     .least = 1,
     .most = UINT32_MAX},
};

const struct option_row engine_report_row[ENGINE_REPORT_ROWS] = {
    {.name = "stats",
     .help = "print a table by worker, which --json has in any case",
     .kind = OPTION_SET,
     FIELD(stats),
     .value = 1},
    {.name = "trace",
     .argument = "FILE",
     .help = "write what each worker did when, in the last run, for Perfetto:\n"
             "Chrome trace events, also with .gz",
     .kind = OPTION_TEXT,
     FIELD(trace)},
};

const struct option_row engine_output_row[ENGINE_OUTPUT_ROWS] = {
    {.name = "json", .help = "print one JSON object instead of text", .kind = OPTION_SET, FIELD(json), .value = 1},
    {.name = "quiet", .help = "no summary, no progress, no warnings", .kind = OPTION_SET, FIELD(quiet), .value = 1},
    {.name = "no-sync",
     .help = "do not wait until files are on the disk: faster, but a power\nloss may leave them broken",
     .kind = OPTION_SET,
     FIELD(no_sync),
     .value = 1},
};

/* ---- names ---- */

typedef const char *name_at(uint32_t i, const char **about);
typedef bool takes(const char *policy);

/* The option's name is what its values are called, too. */
static int check_name(const char *option, name_at *at, const char *name)
{
    const char *about, *row;
    if (!name) return -1;
    bool help = strcmp(name, "help") == 0;
    for (uint32_t i = 0; (row = at(i, &about)); i++) {
        if (help) printf("%-16s%s\n", row, about);
        if (strcmp(name, row) == 0) return -1;
    }
    if (help) return console_finish();
    return console_usage("--%s: no %s '%s'; --%s help lists them", option, option, name, option);
}

/* otherwise: where else the option changes something. */
static int check_open(const char *option, takes *open, const struct engine_settings *settings, const char *otherwise)
{
    const char *policy = settings->policy ? settings->policy : gws_policy_at(0, NULL), *row;
    if (open(policy)) return -1;
    char list[256] = "";
    for (uint32_t i = 0; (row = gws_policy_at(i, NULL)); i++) {
        size_t used = strlen(list);
        if (open(row)) snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", row);
    }
    return console_usage("--%s changes nothing under the policy %s, only under %s%s", option, policy, list, otherwise);
}

/* What a policy, or a thief, draws. */
static bool draws(const struct engine_settings *settings)
{
    return gws_policy_draws(settings->policy ? settings->policy : gws_policy_at(0, NULL), settings->victim);
}

int engine_check_seed(const struct engine_settings *settings, bool drawn, const char *otherwise)
{
    if (!settings->seed || drawn || draws(settings)) return -1;
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
    int status = check_name("policy", gws_policy_at, settings->policy);
    if (status < 0) status = check_name("victim", gws_victim_at, settings->victim);
    if (status < 0) status = check_name("amount", gws_amount_at, settings->amount);
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
    struct gws_where where = {0};
    console_progress_begin("writing", settings->trace);
    gws_status status = gws_trace_write(runtime, settings->trace, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

static void name_json(struct json *json, const char *key, const char *name)
{
    if (name)
        json_text(json, key, name);
    else
        json_null(json, key);
}

void engine_json(const struct engine_settings *settings, const struct gws_runtime *runtime, struct json *json)
{
    json_text(json, "policy", gws_runtime_policy(runtime));
    name_json(json, "victim", settings->victim);
    name_json(json, "amount", settings->amount);
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
