/* SPDX-License-Identifier: MIT */
/* A session is one complete use of a device. Tests of failing drivers repeat the session while each driver call fails
 * in turn. In every case the library must set a message, free all memory, and never pass the caller's memory to the
 * driver. A sweep tests a sample of the calls. GWS_TEST_SWEEP sets the size of the sample. */
#ifndef GWS_TESTS_LIB_DEVICE_SESSION_H
#define GWS_TESTS_LIB_DEVICE_SESSION_H

#include "devices.h"
#include "failing.h"

#include "../../../lib/stream.h"

enum { session_words = (3 << 20) / 4, session_group = 64 };

/* The parameters of a session. The program has a kernel add(global uint *word, uint more). */
struct session_of {
    const char *address;
    const struct gws_device_source *source;
    struct gws_test_driver *driver;
    double limit_ms;                           /* of waits for commands that never complete */
    void (*opened)(struct gws_device *device); /* NULL: nothing */
    void (*end)(void);                         /* runs after the session has freed everything; NULL: nothing */
};

struct device_session {
    struct gws_device *device;
    struct gws_device_buffer *buffer, *shared;
    struct gws_device_program *program;
    void *host, *pinned;
    uint32_t *word; /* on the heap; the test frees it immediately after the session */
};

static inline gws_status session_add(struct device_session *session, struct gws_device_buffer *buffer,
                                     struct gws_diagnostic *where)
{
    uint32_t more = 3;
    uint64_t groups;
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.value = &more, .bytes = sizeof more}};
    struct gws_device_launch launch = {.program = session->program,
                                       .kernel = "add",
                                       .groups = 1,
                                       .group_size = session_group,
                                       .argument = argument,
                                       .arguments = 2};
    gws_status status = gws_device_resident(session->device, &launch, &groups, where);
    return status == GWS_OK ? gws_device_run(session->device, &launch, where) : status;
}

/* Returns the numbers 0, 1 ... Copying and comparing them as a block takes far less time than a loop, above all with
 * sanitizers. */
static inline const uint32_t *session_numbers(void)
{
    static uint32_t number[session_words];
    for (uint32_t i = 0; i < session_words && number[session_words - 1] == 0; i++) number[i] = i;
    return number;
}

/* Writes the numbers 0, 1 ..., sets the second half of the first group's numbers to 7, and adds 3 to this group's
 * numbers. */
static inline gws_status session_compute(struct device_session *session, struct gws_device_buffer *buffer,
                                         struct gws_diagnostic *where)
{
    const uint64_t words = gws_device_buffer_bytes(buffer) / 4, half = session_group / 2;
    const uint32_t *number = session_numbers();
    bool done = false;
    memcpy(session->word, number, words * sizeof *number);
    gws_status status = gws_device_write(buffer, 0, session->word, words * 4, where);
    if (status == GWS_OK) status = gws_device_fill(buffer, half, 7, half, where);
    if (status == GWS_OK) status = session_add(session, buffer, where);
    if (status == GWS_OK) status = gws_device_poll(session->device, &done, where);
    if (status == GWS_OK) status = gws_device_wait(session->device, where);
    if (status == GWS_OK) status = gws_device_read(buffer, 0, session->word, words * 4, where);
    if (status != GWS_OK) return status;
    for (uint32_t i = 0; i < session_group; i++) {
        uint32_t expected = i < half ? i + 3 : 10;
        if (session->word[i] != expected) ck_abort_msg("%u at %u, not %u", session->word[i], i, expected);
    }
    ck_assert_mem_eq(session->word + session_group, number + session_group, (words - session_group) * sizeof *number);
    return status;
}

/* Copies and fills on a stream other than the default stream, through pinned memory. */
static inline gws_status session_stream(struct device_session *session, struct gws_stream *stream,
                                        struct gws_device_buffer *pinned, struct gws_diagnostic *where)
{
    const uint64_t bytes = gws_device_buffer_bytes(pinned);
    struct gws_stream *own = gws_device_stream(session->device);
    gws_status status = gws_device_fill(session->buffer, 0, 7, session_group, where);
    if (status == GWS_OK) status = gws_stream_after(stream, own, where);
    if (status == GWS_OK) status = gws_stream_copy(stream, session->buffer, bytes, session->buffer, 0, bytes, where);
    if (status == GWS_OK) status = gws_stream_copy(stream, pinned, 0, session->buffer, bytes, bytes, where);
    if (status == GWS_OK) status = gws_stream_wait(stream, where);
    if (status == GWS_OK) ck_assert_uint_eq(((uint32_t *)session->pinned)[session_group - 1], 7);
    if (status == GWS_OK) status = gws_stream_fill(stream, pinned, 0, 9, session_group, where);
    if (status == GWS_OK) status = gws_stream_copy(stream, session->buffer, 0, pinned, 0, bytes, where);
    if (status == GWS_OK) status = gws_stream_read(stream, session->buffer, 0, session->word, bytes, where);
    if (status == GWS_OK) ck_assert_uint_eq(session->word[session_group - 1], 9);
    return status;
}

static inline gws_status session_streams(struct device_session *session, struct gws_diagnostic *where)
{
    struct gws_stream *stream = NULL;
    struct gws_device_buffer *pinned = NULL;
    gws_status status = gws_stream_open(session->device, &stream, where);
    if (status == GWS_OK)
        status = gws_device_pinned_new(session->device, session_group * 4, &pinned, &session->pinned, where);
    if (status == GWS_OK) status = session_stream(session, stream, pinned, where);
    gws_device_buffer_free(pinned);
    gws_stream_close(stream);
    return status;
}

/* Uses a large buffer, a small buffer, and a shared buffer if the device supports shared memory. */
static inline gws_status session_use(struct device_session *session, struct gws_diagnostic *where)
{
    struct gws_device *device = session->device;
    uint64_t left;
    gws_status status = gws_device_memory_left(device, &left, where);
    if (status == GWS_OK) status = session_streams(session, where);
    if (status == GWS_OK) status = session_compute(session, session->buffer, where);
    if (status != GWS_OK || gws_device_describe(device)->max_shared == 0) return status;
    status = gws_device_shared_new(device, session_group * 4, &session->shared, &session->host, where);
    return status == GWS_OK ? session_compute(session, session->shared, where) : status;
}

static inline gws_status session_run(const struct session_of *of, struct gws_runtime *own, struct gws_diagnostic *where)
{
    const struct gws_device_options options = {.limit_ms = of->driver->stall ? of->limit_ms : 0};
    struct device_session session = {.word = malloc(session_words * sizeof(uint32_t))};
    struct gws_device_buffer *small = NULL;
    gws_status status = gws_device_open(own, of->address, &options, &session.device, where);
    if (status == GWS_OK && of->opened) of->opened(session.device);
    if (status == GWS_OK) status = gws_device_buffer_new(session.device, session_words * 4, &session.buffer, where);
    if (status == GWS_OK) status = gws_device_buffer_new(session.device, session_group * 4, &small, where);
    if (status == GWS_OK) status = gws_device_program_build(session.device, of->source, &session.program, where);
    if (status == GWS_OK) status = session_use(&session, where);
    if (status == GWS_OK) status = session_compute(&session, small, where);
    free(session.word);
    gws_device_buffer_free(small);
    gws_device_buffer_free(session.buffer);
    gws_device_buffer_free(session.shared);
    gws_device_program_free(session.program);
    gws_device_close(session.device);
    return status;
}

/* Runs a session with the failing driver. Returns true if the session made the call that fails. */
static inline bool session_survives(const struct session_of *of, struct gws_test_driver driver)
{
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory), .log = keep_line};
    struct gws_runtime *own = NULL;
    struct gws_diagnostic where = {0};
    unsigned long long call = driver.fail_at;
    logged[0] = '\0';
    *of->driver = driver; /* no other thread exists yet */
    ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
    gws_status status = session_run(of, own, &where);
    const char *failed = of->driver->failed;
    gws_runtime_close(own);
    if (of->end) of->end();
    ck_assert_msg(status == GWS_OK || where.message[0], "call %llu, %s: no message", call, failed);
    ck_assert_msg(status == GWS_OK || failed, "nothing failed, but: %s", where.message);
    ck_assert_msg(of->driver->lent == 0, "call %llu, %s: the driver was given memory of the caller's", call, failed);
    gws_test_memory_check(&memory);
    return failed;
}

/* Fails every call in turn, or every n-th call if the session has more calls than the sample. */
static inline void session_sweep(const struct session_of *of, struct gws_test_driver driver, uint64_t some)
{
    for (int i = 0; i < 2; i++) /* the first session fills the program cache */
        (void)session_survives(of, (struct gws_test_driver){0});
    const char *setting = getenv("GWS_TEST_SWEEP");
    if (setting)
        some = strtoull(setting, NULL, 10);
    else if (gws_test_races())
        some -= some / 3 * 2; /* what threads share is the same in every session */
    uint64_t calls = of->driver->calls, step = calls <= some || some == 0 ? 1 : calls / some;
    for (driver.fail_at = 1; session_survives(of, driver); driver.fail_at += step) continue;
    printf("%s: %llu calls, every %llu.\n", of->address, (unsigned long long)calls, (unsigned long long)step);
}

/* Returns false, with a message, if there is no such device. */
static inline bool session_has_device(const struct session_of *of, bool is_here)
{
    struct gws_device *device = NULL;
    *of->driver = (struct gws_test_driver){0};
    bool has = is_here && gws_device_open(runtime, of->address, NULL, &device, NULL) == GWS_OK;
    if (!has) printf("skipped: no %s to fail\n", of->address);
    gws_device_close(device);
    return has;
}

/* Checks that a failed wait loses the device. Commands may still run after such a wait, even if memory was lacking.
 * of->driver fails the k-th call after the session's start with the error. */
static inline void session_lose_waits(const struct session_of *of, uint64_t calls, int error)
{
    for (uint64_t k = 1; k <= calls; k++) {
        struct gws_diagnostic where = {0};
        *of->driver = (struct gws_test_driver){.error = error};
        struct gws_device *device = device_at(of->address, NULL);
        struct gws_device_buffer *buffer = new_buffer(device, 64);
        ck_assert_int_eq(gws_device_fill(buffer, 0, 1, 16, NULL), GWS_OK);
        of->driver->fail_at = atomic_load(&of->driver->calls) + k;
        ck_assert_int_eq(gws_device_wait(device, &where), GWS_DEVICE);
        ck_assert_ptr_nonnull(of->driver->failed);
        ck_assert_int_eq(gws_device_wait(device, &where), GWS_DEVICE);
        ck_assert_msg(strstr(where.message, "lost earlier") != NULL, "%s", where.message);
        gws_device_buffer_free(buffer);
        gws_device_close(device);
        if (of->end) of->end();
    }
}

/* Reads while the driver copies late and never reports the copy as complete. */
static inline void session_give_up_read(const struct session_of *of, uint64_t bytes, void (*late)(void))
{
    const struct gws_device_options options = {.limit_ms = of->limit_ms};
    struct gws_diagnostic where = {0};
    char answer[64];
    snprintf(answer, sizeof answer, "no answer after %g ms", of->limit_ms);
    struct gws_device *device = device_at(of->address, &options);
    struct gws_device_buffer *buffer = new_buffer(device, bytes);
    char *memory = malloc(bytes);
    memset(memory, 1, bytes);
    ck_assert_int_eq(gws_device_write(buffer, 0, memory, bytes, NULL), GWS_OK);
    memset(memory, 2, bytes);
    of->driver->stall = true;
    of->driver->fail_at = atomic_load(&of->driver->calls) + 1;
    ck_assert_int_eq(gws_device_read(buffer, 0, memory, bytes, &where), GWS_DEVICE);
    ck_assert_msg(strstr(where.message, answer) != NULL, "%s", where.message);
    gws_device_buffer_free(buffer);
    gws_device_close(device);
    ck_assert_msg(strstr(logged, "the device is lost") != NULL, "%s", logged);
    late();
    for (uint64_t i = 0; i < bytes; i++)
        if (memory[i] != 2) ck_abort_msg("byte %llu was written", (unsigned long long)i);
    free(memory);
}

#endif
