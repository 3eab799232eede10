/* SPDX-License-Identifier: MIT */
/* An OpenCL driver that fails: whichever call it is, and whether one fails, all from there on, or no command is seen to
 * end any more, there is a message, all memory comes back, and the driver never gets memory of the caller's. Every call
 * in turn where GWS_TEST_SWEEP is set, otherwise some. */
#include "devices.h"

#include <time.h>

#include "failing_opencl.h"

enum { out_of_resources = -5, out_of_host_memory = -6, count = 64 };

static const char *const add_text[] = {"kernel void add(global uint *word, uint more)\n"
                                       "{\n"
                                       "    word[get_global_id(0)] += more;\n"
                                       "}\n"};
static const struct gws_device_source add_source = {.name = "add.cl", .text = add_text, .texts = 1};

/* ---- all that a device does ---- */

struct session {
    struct gws_device *device;
    struct gws_device_buffer *buffer, *shared;
    struct gws_device_program *program;
    void *host;
    uint32_t *word; /* on the heap, and freed as soon as all is over */
};

static gws_status add(struct session *session, struct gws_device_buffer *buffer, struct gws_where *where)
{
    uint32_t more = 3;
    uint64_t groups;
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.value = &more, .bytes = sizeof more}};
    struct gws_device_launch launch = {.program = session->program,
                                       .kernel = "add",
                                       .groups = 1,
                                       .group_size = count,
                                       .argument = argument,
                                       .arguments = 2};
    gws_status status = gws_device_resident(session->device, &launch, &groups, where);
    return status == GWS_OK ? gws_device_run(session->device, &launch, where) : status;
}

/* Adds 3 to the numbers from 0 on, but 7 where they are filled. */
static gws_status compute(struct session *session, struct gws_device_buffer *buffer, struct gws_where *where)
{
    bool done = false;
    for (uint32_t i = 0; i < count; i++) session->word[i] = i;
    gws_status status = gws_device_write(buffer, 0, session->word, count * sizeof(uint32_t), where);
    if (status == GWS_OK) status = gws_device_fill(buffer, count / 2, 7, count / 2, where);
    if (status == GWS_OK) status = add(session, buffer, where);
    if (status == GWS_OK) status = gws_device_poll(session->device, &done, where);
    if (status == GWS_OK) status = gws_device_wait(session->device, where);
    if (status == GWS_OK) status = gws_device_read(buffer, 0, session->word, count * sizeof(uint32_t), where);
    for (uint32_t i = 0; i < count && status == GWS_OK; i++)
        ck_assert_uint_eq(session->word[i], (i < count / 2 ? i : 7) + 3);
    return status;
}

static gws_status use_all(struct gws_runtime *own, struct gws_where *where)
{
    const struct gws_device_options options = {.limit_ms = gws_test_opencl.stall ? 20 : 0};
    struct session session = {.word = malloc(count * sizeof(uint32_t))};
    gws_status status = gws_device_open(own, "opencl", &options, &session.device, where);
    if (status == GWS_OK) status = gws_device_buffer_new(session.device, count * 4, &session.buffer, where);
    if (status == GWS_OK) status = gws_device_program_build(session.device, &add_source, &session.program, where);
    if (status == GWS_OK) status = compute(&session, session.buffer, where);
    if (status == GWS_OK && gws_device_describe(session.device)->max_shared > 0) {
        status = gws_device_shared_new(session.device, count * 4, &session.shared, &session.host, where);
        if (status == GWS_OK) status = compute(&session, session.shared, where);
    }
    free(session.word);
    gws_device_buffer_free(session.buffer);
    gws_device_buffer_free(session.shared);
    gws_device_program_free(session.program);
    gws_device_close(session.device);
    return status;
}

/* ---- the sweep ---- */

/* Whether there was such a call. */
static bool survives(struct gws_test_opencl driver)
{
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory), .log = keep_line};
    struct gws_runtime *own = NULL;
    struct gws_where where = {0};
    logged[0] = '\0';
    ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
    gws_test_opencl = driver;
    gws_status status = use_all(own, &where);
    const char *failed = gws_test_opencl.failed;
    bool said = status == GWS_OK || strlen(where.message) > 0;
    ck_assert_msg(said, "call %llu, %s: no message", (unsigned long long)driver.fail_at, failed);
    ck_assert_msg(failed || status == GWS_OK, "%s", where.message);
    ck_assert_msg(gws_test_opencl.lent == 0, "the driver was given memory to copy");
    gws_runtime_close(own);
    gws_test_memory_check(&memory);
    return failed;
}

/* Every call, or one of each so many that their number is about some. */
static void sweep(struct gws_test_opencl driver, uint64_t some)
{
    for (int i = 0; i < 2; i++) (void)survives((struct gws_test_opencl){0}); /* what is translated first is kept */
    uint64_t calls = gws_test_opencl.calls, step = getenv("GWS_TEST_SWEEP") || calls < some ? 1 : calls / some;
    for (driver.fail_at = 1; survives(driver); driver.fail_at += step) continue;
    printf("%llu calls, every %llu.\n", (unsigned long long)calls, (unsigned long long)step);
}

/* False, after a line that says so, where there is no OpenCL to fail. */
static bool has_device(void)
{
    struct gws_device *device = NULL;
    bool has = gws_test_opencl_is_here() && gws_device_open(runtime, "opencl", NULL, &device, NULL) == GWS_OK;
    if (!has) printf("skipped: no OpenCL device\n");
    gws_device_close(device);
    return has;
}

START_TEST(one_call_fails)
{
    if (has_device()) sweep((struct gws_test_opencl){.error = out_of_resources}, 60);
}
END_TEST

START_TEST(one_call_finds_no_memory)
{
    if (has_device()) sweep((struct gws_test_opencl){.error = out_of_host_memory}, 30);
}
END_TEST

START_TEST(the_device_goes_away)
{
    if (has_device()) sweep((struct gws_test_opencl){.error = out_of_resources, .fail_after = true}, 30);
}
END_TEST

START_TEST(nothing_ends)
{
    if (has_device()) sweep((struct gws_test_opencl){.stall = true}, 30);
}
END_TEST

/* ---- memory of the caller's ---- */

/* The driver does copy; but that it has is never seen. */
START_TEST(a_read_that_is_given_up_leaves_memory_alone)
{
    enum { bytes = 1 << 20, late_ns = 100000000 };
    const struct gws_device_options options = {.limit_ms = 50};
    const struct timespec late = {.tv_nsec = late_ns};
    struct gws_where where = {0};
    if (!has_device()) return;
    gws_test_opencl = (struct gws_test_opencl){0};
    struct gws_device *device = device_at("opencl", &options);
    struct gws_device_buffer *buffer = new_buffer(device, bytes);
    char *memory = malloc(bytes);
    memset(memory, 1, bytes);
    ck_assert_int_eq(gws_device_write(buffer, 0, memory, bytes, NULL), GWS_OK);
    memset(memory, 2, bytes);
    gws_test_opencl.stall = true;
    gws_test_opencl.fail_at = atomic_load(&gws_test_opencl.calls) + 1;
    ck_assert_int_eq(gws_device_read(buffer, 0, memory, bytes, &where), GWS_DEVICE);
    ck_assert_msg(strstr(where.message, "no answer after 50 ms") != NULL, "%s", where.message);
    (void)nanosleep(&late, NULL);
    for (uint32_t i = 0; i < bytes; i++)
        if (memory[i] != 2) ck_abort_msg("byte %u was written", i);
    free(memory);
    gws_device_buffer_free(buffer);
    gws_device_close(device);
    ck_assert_msg(strstr(logged, "the device was lost") != NULL, "%s", logged);
}
END_TEST

static Suite *failing_suite(void)
{
    Suite *suite = suite_create("opencl_failing");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, open_runtime, close_runtime);
    tcase_add_test(all, one_call_fails);
    tcase_add_test(all, one_call_finds_no_memory);
    tcase_add_test(all, the_device_goes_away);
    tcase_add_test(all, nothing_ends);
    tcase_add_test(all, a_read_that_is_given_up_leaves_memory_alone);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(failing_suite);
}
