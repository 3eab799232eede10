/* SPDX-License-Identifier: MIT */
/* Compares files of traces, byte for byte, with text that the tests format independently of the writer. */
#include "../harness.h"

#include <inttypes.h>
#include <zlib.h>

#include "../../io/trace_io.h"
#include "../../lib/parallel.h"
#include "../../lib/tasks.h"

static struct gws_diagnostic where;

static struct gws_runtime *open_traced(uint32_t slices, const char *policy, struct gws_allocator allocator)
{
    struct gws_options options = {.threads = 2, .trace = slices, .policy = policy, .allocator = allocator};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

/* Spawns a binary tree of tasks. The number in a task is the remaining height. */
static void grow(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    (void)context, (void)worker, (void)count;
    uint64_t height = *(const uint64_t *)task;
    for (int i = 0; height > 0 && i < 2; i++) gws_spawn(self, &(uint64_t){height - 1});
}

static void run_tree(struct gws_runtime *runtime, uint64_t height)
{
    struct gws_tasks tasks = {.bytes = sizeof height, .root = &height, .roots = 1, .run = grow};
    ck_assert_int_eq(gws_tasks_run(runtime, &tasks), GWS_OK);
}

/* Reads a file, inflated if it is a .gz. gzread() reads other files without change. */
static char *read_back(const char *path)
{
    static const unsigned max = 1 << 24;
    char *bytes = malloc(max);
    gzFile file = gzopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    int got = gzread(file, bytes, max - 1);
    ck_assert_int_ge(got, 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    bytes[got] = 0;
    return bytes;
}

/* ---- the expected file ---- */

static void expect_slice(FILE *out, uint32_t worker, const struct gws_slice *slice)
{
    static const char *const kind[] = {"busy", "idle", "steal"}, *const how[] = {"level", "push", "pull"};
    char name[64];
    sprintf(name, "%s", kind[slice->kind]);
    if (worker >= 2 && slice->kind == GWS_SLICE_BUSY && slice->level != GWS_TRACE_NONE)
        sprintf(name, "%s %u", how[slice->direction], slice->level);
    if (worker >= 2 && slice->kind == GWS_SLICE_STEAL && slice->victim != GWS_TRACE_NONE)
        sprintf(name, "steal from %u", slice->victim);
    if (worker >= 2) sprintf(name + strlen(name), "\", \"cat\": \"%s", kind[slice->kind]);
    fprintf(out, ",\n{\"name\": \"%s\", \"ph\": \"X\", \"pid\": 1, \"tid\": %u, \"ts\": %.3f, \"dur\": %.3f", name,
            worker, (double)slice->begin_ns / 1e3, (double)(slice->end_ns - slice->begin_ns) / 1e3);
    char text[96] = "";
    static const char *const direction[] = {"", ", \"direction\": \"push\"", ", \"direction\": \"pull\""};
    if (slice->tasks) sprintf(text, ", \"tasks\": %u", slice->tasks);
    if (slice->victim != GWS_TRACE_NONE) sprintf(text + strlen(text), ", \"victim\": %u", slice->victim);
    if (slice->level != GWS_TRACE_NONE) sprintf(text + strlen(text), ", \"level\": %u", slice->level);
    strcat(text, direction[slice->direction]);
    if (text[0]) fprintf(out, ", \"args\": {%s}", text + 2);
    fputc('}', out);
}

static void expect_worker(FILE *out, const struct gws_runtime *runtime, uint32_t worker)
{
    uint64_t slices, lost;
    const struct gws_slice *slice = gws_runtime_trace(runtime, worker, &slices, &lost);
    fprintf(out, ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": %u, ", worker);
    const char *device = gws_trace_name(runtime, worker);
    ck_assert((device != NULL) == (worker >= 2));
    if (device)
        fprintf(out, "\"args\": {\"name\": \"%s\"}}", device);
    else
        fprintf(out, "\"args\": {\"name\": \"worker %u\"}}", worker);
    for (uint64_t i = 0; i < slices; i++) expect_slice(out, worker, &slice[i]);
    if (lost == 0) return;
    fprintf(out, ",\n{\"name\": \"slices lost\", \"ph\": \"i\", \"s\": \"t\", \"pid\": 1, \"tid\": %u, ", worker);
    fprintf(out, "\"ts\": %.3f, \"args\": {\"slices\": %" PRIu64 "}}", (double)slice[slices - 1].end_ns / 1e3, lost);
}

static char *expected(const struct gws_runtime *runtime, const char *policy)
{
    char *text;
    size_t size;
    uint64_t slices, lost[2];
    FILE *out = open_memstream(&text, &size);
    for (uint32_t w = 0; w < 2; w++) gws_runtime_trace(runtime, w, &slices, &lost[w]);
    fprintf(out, "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"library\": \"graphws %s\", ", gws_version());
    fprintf(out, "\"policy\": \"%s\", \"workers\": 2, \"slices_lost\": %" PRIu64 "},\n", policy, lost[0] + lost[1]);
    fprintf(out, "\"traceEvents\": [\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, ");
    fprintf(out, "\"args\": {\"name\": \"graphws, policy %s\"}}", policy);
    for (uint32_t w = 0; w < gws_trace_tracks(runtime); w++) expect_worker(out, runtime, w);
    fprintf(out, "\n]}\n");
    fclose(out);
    return text;
}

static void check_file(const char *policy, const char *name, uint32_t slices, uint64_t height)
{
    struct gws_runtime *runtime = open_traced(slices, policy, (struct gws_allocator){0});
    if (height) run_tree(runtime, height);
    char *want = expected(runtime, policy);
    ck_assert_msg(gws_trace_write(runtime, gws_test_temp(name), &where) == GWS_OK, "%s", where.message);
    char *text = read_back(gws_test_temp(name));
    ck_assert_str_eq(text, want);
    free(text);
    free(want);
    gws_runtime_close(runtime);
}

START_TEST(test_slices)
{
    check_file("split", "a.json", 100000, 10);
    check_file("chunked", "b.json", 100000, 10);
    check_file("chaselev", "c.json.gz", 100000, 10);
}
END_TEST

START_TEST(test_no_slices)
{
    check_file("split", "none.json", 0, 10);
    check_file("split", "unused.json", 10, 0);
}
END_TEST

/* Tracks of devices follow the tracks of workers. A slice of a level has the number of the level. */
START_TEST(test_devices)
{
    static const struct gws_slice largest = {UINT64_C(4000000000000), UINT64_C(8000000000000), UINT32_MAX,
                                             UINT32_MAX - 1,          GWS_TRACE_NONE,          GWS_TRACE_NONE,
                                             GWS_SLICE_IDLE,          GWS_SLICE_PULL};
    static const char *const name[] = {"opencl:0", "cuda:1", "opencl:0"};
    struct gws_runtime *runtime = open_traced(100, "chunked", (struct gws_allocator){0});
    for (uint32_t i = 0; i < 3; i++) ck_assert_uint_eq(gws_trace_track(runtime, name[i]), 2 + i % 2);
    gws_trace_level(runtime, 7, GWS_SLICE_PULL);
    gws_trace_busy(runtime, 2, 1000, 2500, 3);
    run_tree(runtime, 6);
    gws_trace_level(runtime, GWS_TRACE_NONE, GWS_SLICE_NO_DIRECTION);
    gws_trace_busy(runtime, 3, 3000, gws_trace_now(runtime), 0);
    const struct gws_slice slice = {2500, 4000, 1, 8, GWS_TRACE_NONE, GWS_TRACE_NONE, GWS_SLICE_BUSY, GWS_SLICE_PUSH};
    gws_trace_add(runtime, 2, &slice);
    gws_trace_add(runtime, GWS_TRACE_NONE, &slice);
    const struct gws_slice steal = {4000, 4000, 2, GWS_TRACE_NONE, 5, GWS_TRACE_NONE, GWS_SLICE_STEAL, 0};
    gws_trace_add(runtime, 2, &steal);
    gws_trace_add(runtime, 2, &largest);
    char *want = expected(runtime, "chunked");
    ck_assert_int_eq(gws_trace_write(runtime, gws_test_temp("devices.json"), &where), GWS_OK);
    char *text = read_back(gws_test_temp("devices.json"));
    ck_assert_str_eq(text, want);
    ck_assert_ptr_nonnull(strstr(text, "{\"tasks\": 3, \"level\": 7, \"direction\": \"pull\"}"));
    ck_assert_ptr_nonnull(strstr(text, "{\"tasks\": 1, \"level\": 8, \"direction\": \"push\"}"));
    ck_assert_ptr_nonnull(strstr(text, "{\"name\": \"pull 7\", \"cat\": \"busy\", "));
    ck_assert_ptr_nonnull(strstr(text, "{\"name\": \"push 8\", \"cat\": \"busy\", "));
    ck_assert_ptr_nonnull(strstr(text, "{\"name\": \"steal from 5\", \"cat\": \"steal\", "));
    ck_assert_ptr_nonnull(strstr(text, "{\"name\": \"idle\", \"cat\": \"idle\", "));
    free(text);
    free(want);
    uint64_t slices, lost;
    gws_runtime_stats_reset(runtime);
    gws_runtime_trace(runtime, 2, &slices, &lost);
    ck_assert_uint_eq(slices + lost, 0);
    for (char more[] = "a"; more[0] < 'o'; more[0]++) ck_assert_uint_lt(gws_trace_track(runtime, more), GWS_TRACE_NONE);
    ck_assert_uint_eq(gws_trace_track(runtime, "one too many"), GWS_TRACE_NONE);
    gws_runtime_close(runtime);
    runtime = open_traced(0, "chunked", (struct gws_allocator){0});
    ck_assert_uint_eq(gws_trace_track(runtime, "opencl:0"), GWS_TRACE_NONE);
    gws_runtime_close(runtime);
}
END_TEST

/* Each round of levels adds a slice to the track of worker 0, until the slices exceed the capacity. */
START_TEST(test_lost)
{
    struct gws_runtime *runtime = open_traced(2, "chunked", (struct gws_allocator){0});
    for (int i = 0; i < 5; i++) run_tree(runtime, 8);
    uint64_t slices, lost;
    gws_runtime_trace(runtime, 0, &slices, &lost);
    ck_assert_uint_eq(slices, 2);
    ck_assert_uint_gt(lost, 0);
    char *want = expected(runtime, "chunked");
    ck_assert_int_eq(gws_trace_write(runtime, gws_test_temp("lost.json.gz"), &where), GWS_OK);
    char *text = read_back(gws_test_temp("lost.json.gz"));
    ck_assert_str_eq(text, want);
    ck_assert_ptr_nonnull(strstr(text, "slices lost"));
    free(text);
    free(want);
    gws_runtime_close(runtime);
}
END_TEST

/* The caller's tracks make the file that the runtime's equal tracks make. */
START_TEST(test_tracks)
{
    struct gws_runtime *runtime = open_traced(20, "split", (struct gws_allocator){0});
    ck_assert_uint_eq(gws_trace_track(runtime, "opencl:0"), 2);
    gws_trace_busy(runtime, 2, 1000, 2500, 3);
    run_tree(runtime, 10);
    struct gws_track track[3];
    for (uint32_t w = 0; w < 3; w++) {
        track[w].slice = gws_runtime_trace(runtime, w, &track[w].count, &track[w].lost);
        track[w].name = gws_trace_name(runtime, w);
    }
    char *want = expected(runtime, "split"); /* before the writer's own slices */
    ck_assert_int_eq(gws_trace_write_tracks(runtime, track, 3, "split", gws_test_temp("tracks.json"), &where), GWS_OK);
    char *text = read_back(gws_test_temp("tracks.json"));
    ck_assert_str_eq(text, want);
    free(text);
    free(want);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_system)
{
    struct gws_runtime *runtime = open_traced(10, NULL, (struct gws_allocator){0});
    ck_assert_int_eq(gws_trace_write(runtime, gws_test_temp("no/folder.json"), &where), GWS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(where.message, "No such file"));
    ck_assert_ptr_nonnull(strstr(where.file, "no/folder.json"));
    ck_assert_int_eq(gws_trace_write(runtime, gws_test_temp("no/folder.json"), NULL), GWS_SYSTEM);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_memory)
{
    static const char *const names[] = {"k.json", "k.json.gz"};
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_runtime *runtime = open_traced(100, "split", gws_test_allocator(&memory));
        run_tree(runtime, 6);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_trace_write(runtime, gws_test_temp(names[_i]), &where);
        ck_assert_int_eq(status, atomic_load(&memory.failed) ? GWS_NO_MEMORY : GWS_OK);
        if (status != GWS_OK) ck_assert_str_eq(where.file, gws_test_temp(names[_i]));
        if (status != GWS_OK) ck_assert_ptr_nonnull(strstr(where.message, "out of memory"));
        where = (struct gws_diagnostic){0};
        ck_assert_int_eq(access(gws_test_temp(names[_i]), F_OK) == 0, status == GWS_OK);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!atomic_load(&memory.failed)) break;
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_slices, 1}, {test_no_slices, 1}, {test_devices, 1}, {test_lost, 1},
                                    {test_tracks, 1}, {test_system, 1},    {test_memory, 2},  {0}};
    return gws_test_run("trace", test);
}
