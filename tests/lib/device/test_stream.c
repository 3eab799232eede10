/* SPDX-License-Identifier: MIT */
/* Streams (lib/stream.h): several threads on one device, waits between streams, asynchronous copies. */
#include "devices.h"

#include "../../../lib/stream.h"

#include <pthread.h>

enum { words = 1 << 14, threads = 4, rounds = 8 };

static struct gws_stream *new_stream(struct gws_device *device)
{
    struct gws_stream *stream = NULL;
    ck_assert_int_eq(gws_stream_open(device, &stream, NULL), GWS_OK);
    ck_assert_ptr_nonnull(gws_stream_native(stream));
    return stream;
}

static uint32_t *new_pinned(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer)
{
    void *host = NULL;
    ck_assert_int_eq(gws_device_pinned_new(device, bytes, buffer, &host, NULL), GWS_OK);
    ck_assert_uint_eq((uintptr_t)host % 64, 0);
    ck_assert_ptr_eq(gws_device_buffer_native(*buffer), host);
    return host;
}

/* ---- several threads ---- */

struct stream_team {
    struct gws_device *device;
    struct gws_device_program *program;
    atomic_uint wrong;
};

/* Scales by a different factor each round, with all kinds of copies. */
static bool work(struct stream_team *team, struct gws_stream *stream, uint32_t seed)
{
    uint64_t count = words;
    struct gws_device_buffer *pinned = NULL, *from = NULL, *to = NULL;
    void *memory = NULL;
    bool well = gws_device_pinned_new(team->device, words * 4, &pinned, &memory, NULL) == GWS_OK &&
                gws_device_buffer_new(team->device, words * 4, &from, NULL) == GWS_OK &&
                gws_device_buffer_new(team->device, words * 4, &to, NULL) == GWS_OK;
    uint32_t *host = memory, *in = malloc(words * 4);
    for (uint32_t round = 0; well && round < rounds; round++) {
        uint32_t factor = seed + round;
        struct gws_device_argument argument[] = {
            {.buffer = from}, {.buffer = to}, {.value = &factor, .bytes = 4}, {.value = &count, .bytes = 8}};
        struct gws_device_launch launch = {.program = team->program,
                                           .kernel = "scale",
                                           .groups = words / 32,
                                           .group_size = 32,
                                           .argument = argument,
                                           .arguments = 4};
        for (uint32_t i = 0; i < words; i++) host[i] = in[i] = i * seed;
        well = round % 2 ? gws_stream_copy(stream, from, 0, pinned, 0, words * 4, NULL) == GWS_OK
                         : gws_stream_write(stream, from, 0, in, words * 4, NULL) == GWS_OK;
        well = well && gws_stream_run(stream, &launch, NULL) == GWS_OK &&
               gws_stream_copy(stream, pinned, 0, to, 0, words * 4, NULL) == GWS_OK &&
               gws_stream_read(stream, to, 0, in, words * 4, NULL) == GWS_OK;
        for (uint32_t i = 0; well && i < words; i++) well = in[i] == (i ^ 1) * seed * factor + 32 && host[i] == in[i];
    }
    gws_device_buffer_free(to);
    gws_device_buffer_free(from);
    gws_device_buffer_free(pinned);
    free(in);
    return well;
}

struct stream_thread {
    struct stream_team *team;
    uint32_t number;
};

static void *live(void *argument)
{
    struct stream_thread *member = argument;
    struct gws_stream *stream = NULL;
    bool well = gws_stream_open(member->team->device, &stream, NULL) == GWS_OK;
    well = well && work(member->team, stream, 3 + member->number * 100);
    gws_stream_close(stream);
    atomic_fetch_add(&member->team->wrong, !well);
    return NULL;
}

/* Each thread works on its own stream, and the calling thread works on the default stream. */
DEVICE_TEST(threads_share_a_device, "")
{
    pthread_t thread[threads];
    struct stream_thread member[threads];
    struct stream_team team = {.device = device_at(address, NULL)};
    team.program = test_program(team.device);
    for (uint32_t i = 0; i < threads; i++) {
        member[i] = (struct stream_thread){&team, i};
        ck_assert_int_eq(pthread_create(&thread[i], NULL, live, &member[i]), 0);
    }
    ck_assert(work(&team, gws_device_stream(team.device), 1));
    for (uint32_t i = 0; i < threads; i++) ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    ck_assert_uint_eq(team.wrong, 0);
    ck_assert_uint_eq(gws_device_memory_held(team.device), 0);
    gws_device_program_free(team.program);
    gws_device_close(team.device);
}

/* Builds a program in each thread. */
static void *build(void *argument)
{
    struct stream_team *team = argument;
    const struct gws_device_source source = test_source();
    struct gws_device_program *program = NULL;
    bool well = gws_device_program_build(team->device, &source, &program, NULL) == GWS_OK;
    gws_device_program_free(program);
    atomic_fetch_add(&team->wrong, !well);
    return NULL;
}

DEVICE_TEST(threads_build_programs, "")
{
    pthread_t thread[2];
    struct stream_team team = {.device = device_at(address, NULL)};
    for (int i = 0; i < 2; i++) ck_assert_int_eq(pthread_create(&thread[i], NULL, build, &team), 0);
    for (int i = 0; i < 2; i++) ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    ck_assert_uint_eq(team.wrong, 0);
    gws_device_close(team.device);
}

/* ---- waits between streams ---- */

DEVICE_TEST(streams_wait_for_each_other, "")
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_stream *first = new_stream(device), *second = new_stream(device);
    struct gws_device_buffer *buffer = new_buffer(device, words * 4), *other = new_buffer(device, words * 4), *pinned;
    uint32_t *host = new_pinned(device, words * 4, &pinned);
    bool done = false;
    ck_assert_int_eq(gws_stream_after(first, second, NULL), GWS_OK); /* first is idle */
    for (uint32_t round = 1; round <= 20; round++) {
        ck_assert_int_eq(gws_stream_fill(first, buffer, 0, round, words, NULL), GWS_OK);
        ck_assert_int_eq(gws_stream_after(second, first, NULL), GWS_OK);
        ck_assert_int_eq(gws_stream_copy(second, other, 0, buffer, 0, words * 4, NULL), GWS_OK);
        ck_assert_int_eq(gws_stream_copy(second, pinned, 0, other, 0, words * 4, NULL), GWS_OK);
        ck_assert_int_eq(gws_stream_after(first, second, NULL), GWS_OK); /* the first stream still reads buffer */
        if (round % 2)
            ck_assert_int_eq(gws_stream_wait(second, NULL), GWS_OK);
        else
            for (done = false; !done;) ck_assert_int_eq(gws_stream_poll(second, &done, NULL), GWS_OK);
        for (uint32_t i = 0; i < words; i++) ck_assert_uint_eq(host[i], round);
    }
    ck_assert_int_eq(gws_stream_after(first, first, NULL), GWS_OK);
    ck_assert_int_eq(gws_stream_wait(first, NULL), GWS_OK);
    gws_stream_close(second);
    gws_stream_close(first);
    gws_stream_close(NULL);
    gws_device_buffer_free(pinned);
    gws_device_buffer_free(other);
    gws_device_buffer_free(buffer);
    gws_device_close(device);
}

/* ---- pinned memory ---- */

DEVICE_TEST(pinned_memory_is_copied, "")
{
    enum { max = 5 << 20 };
    struct gws_device *device = device_at(address, NULL);
    struct gws_stream *stream = new_stream(device);
    struct gws_device_buffer *buffer = new_buffer(device, max), *pinned, *none;
    uint32_t *host = new_pinned(device, max, &pinned), seven[2] = {7, 7};
    (void)new_pinned(device, 0, &none);
    for (uint32_t i = 0; i < max / 4; i++) host[i] = i * 2654435761u;
    ck_assert_int_eq(gws_stream_copy(stream, buffer, 4, pinned, 8, max - 8, NULL), GWS_OK);
    ck_assert_int_eq(gws_stream_copy(stream, none, 0, pinned, 0, 0, NULL), GWS_OK);
    ck_assert_int_eq(gws_stream_fill(stream, pinned, 0, 5, max / 4, NULL), GWS_OK);
    ck_assert_uint_eq(host[max / 4 - 1], 5);
    ck_assert_int_eq(gws_stream_copy(stream, pinned, 0, buffer, 4, max - 8, NULL), GWS_OK);
    ck_assert_int_eq(gws_stream_wait(stream, NULL), GWS_OK);
    for (uint32_t i = 0; i < max / 4 - 2; i++) ck_assert_uint_eq(host[i], (i + 2) * 2654435761u);
    ck_assert_int_eq(gws_device_write(pinned, 4, seven, 8, NULL), GWS_OK);
    ck_assert_uint_eq(host[2], 7);
    ck_assert_int_eq(gws_device_read(pinned, 12, seven, 8, NULL), GWS_OK);
    ck_assert_uint_eq(seven[1], 6 * 2654435761u);
    ck_assert_uint_eq(gws_device_memory_held(device), max);
    gws_device_buffer_free(none);
    gws_device_buffer_free(pinned);
    gws_device_buffer_free(buffer);
    gws_stream_close(stream);
    gws_device_close(device);
}

DEVICE_TEST(mistakes_are_refused, "")
{
    struct gws_device *device = device_at(address, NULL), *second = device_at(address, NULL);
    struct gws_stream *stream = new_stream(device), *others = new_stream(second);
    struct gws_device_buffer *buffer = new_buffer(device, 64), *foreign = new_buffer(second, 64), *pinned, *more = NULL;
    struct gws_device_program *program = test_program(device);
    struct gws_device_argument argument[] = {{.buffer = NULL}};
    struct gws_device_launch launch = {
        .program = program, .kernel = "nothing", .groups = 1, .group_size = 1, .argument = argument, .arguments = 1};
    struct gws_diagnostic where = {0};
    void *host;
    (void)new_pinned(device, 64, &pinned);
    argument[0].buffer = pinned;
    ck_assert_int_eq(gws_stream_run(stream, &launch, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "argument 0 is pinned") != NULL, "%s", where.message);
    argument[0].buffer = foreign;
    ck_assert_int_eq(gws_stream_run(stream, &launch, NULL), GWS_INVALID);
    ck_assert_int_eq(gws_stream_copy(stream, buffer, 0, foreign, 0, 4, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "another device") != NULL, "%s", where.message);
    ck_assert_int_eq(gws_stream_copy(stream, pinned, 0, pinned, 32, 4, &where), GWS_INVALID);
    ck_assert_int_eq(gws_stream_copy(stream, buffer, 0, buffer, 3, 4, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "overlapping") != NULL, "%s", where.message);
    ck_assert_int_eq(gws_stream_copy(stream, buffer, 0, pinned, 61, 4, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_stream_copy(stream, buffer, UINT64_MAX, pinned, 0, 4, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_stream_fill(others, buffer, 0, 1, 1, NULL), GWS_INVALID);
    ck_assert_int_eq(gws_stream_after(stream, others, NULL), GWS_INVALID);
    ck_assert_int_eq(gws_device_pinned_new(device, UINT64_MAX, &more, &host, NULL), GWS_TOO_LARGE);
    ck_assert_int_eq(gws_stream_copy(stream, buffer, 0, buffer, 4, 4, NULL), GWS_OK);
    ck_assert_int_eq(gws_stream_wait(stream, NULL), GWS_OK);
    gws_device_program_free(program);
    gws_device_buffer_free(pinned);
    gws_device_buffer_free(foreign);
    gws_device_buffer_free(buffer);
    gws_stream_close(others);
    gws_stream_close(stream);
    gws_device_close(second);
    gws_device_close(device);
}

int main(void)
{
    const struct gws_test test[] = {{threads_share_a_device, 1},      {threads_build_programs, 1},
                                    {streams_wait_for_each_other, 1}, {pinned_memory_is_copied, 1},
                                    {mistakes_are_refused, 1},        {0}};
    return gws_test_run_between("stream", test, open_runtime, close_runtime);
}
