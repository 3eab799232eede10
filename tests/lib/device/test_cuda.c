/* SPDX-License-Identifier: MIT */
/* Tests of CUDA alone: damaged images, sizes of arguments, dynamic shared memory, clusters, kernels that fault. The
 * tests run on every NVIDIA device. test_device.c tests the common properties of all kinds. */
#include "devices.h"

static struct gws_device_launch launch_of(struct gws_device_program *program, const char *kernel,
                                          const struct gws_device_argument *argument, uint32_t arguments)
{
    return (struct gws_device_launch){.program = program,
                                      .kernel = kernel,
                                      .groups = 1,
                                      .group_size = 32,
                                      .argument = argument,
                                      .arguments = arguments};
}

/* ---- images ---- */

static void refuses_image(struct gws_device *device, const void *image, uint64_t bytes)
{
    struct gws_device_source source = test_source();
    struct gws_device_program *program = NULL;
    struct gws_diagnostic where = {0};
    source.image = image;
    source.image_bytes = bytes;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "not a complete fatbin") != NULL, "%s", where.message);
    ck_assert_ptr_null(program);
}

DEVICE_TEST(broken_images_are_refused, "cuda")
{
    struct gws_device_source whole = test_source();
    struct gws_device *device = device_at(address, NULL);
    unsigned char *other = malloc(whole.image_bytes);
    memcpy(other, whole.image, whole.image_bytes);
    refuses_image(device, whole.image, whole.image_bytes - 1);
    refuses_image(device, whole.image, 15);
    refuses_image(device, whole.image, 0);
    other[0] ^= 1;
    refuses_image(device, other, whole.image_bytes);
    other[0] ^= 1;
    other[7] = 0x7f; /* the head claims more bytes than the file has */
    refuses_image(device, other, whole.image_bytes);
    free(other);
    gws_device_program_free(test_program(device));
    gws_device_close(device);
}

/* ---- launches ---- */

DEVICE_TEST(arguments_have_sizes, "cuda")
{
    uint64_t wide = 1;
    struct gws_diagnostic where = {0};
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, 32 * sizeof(uint32_t));
    struct gws_device_argument argument[] = {{.buffer = buffer},
                                             {.buffer = buffer},
                                             {.value = &wide, .bytes = 8},
                                             {.value = &wide, .bytes = 8},
                                             {.bytes = 64}};
    struct gws_device_launch launch = launch_of(program, "scale", argument, 5);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, 32, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_run(device, &launch, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "argument 2 does not match") != NULL, "%s", where.message);
    argument[2].bytes = 4;
    argument[3].buffer = buffer;
    runs(device, &launch); /* a pointer has the size of a 64-bit word, and local memory is not a parameter */
    waits(device);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

/* A launch can have more local memory than the default, up to the device's limit. */
DEVICE_TEST(local_memory_is_limited, "cuda")
{
    uint64_t groups = 0, fewer = 0;
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, 64);
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.bytes = 1024}};
    struct gws_device_launch launch = launch_of(program, "nothing", argument, 2);
    ck_assert_int_eq(gws_device_resident(device, &launch, &groups, NULL), GWS_OK);
    argument[1].bytes = 64 << 10;
    ck_assert_int_eq(gws_device_resident(device, &launch, &fewer, NULL), GWS_OK);
    ck_assert(fewer > 0 && fewer < groups);
    runs(device, &launch);
    argument[1].bytes = 1 << 30;
    ck_assert_int_eq(gws_device_resident(device, &launch, &groups, NULL), GWS_UNSUPPORTED);
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_INVALID);
    argument[1].bytes = UINT64_C(1) << 40;
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_TOO_LARGE);
    waits(device);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

/* Runs launches in sequence, some of which begin early. Each launch must see the writes of the previous launch. */
DEVICE_TEST(launches_begin_early, "cuda")
{
    enum { steps = 60, size = 64 };
    struct gws_device *device = device_at(address, NULL);
    uint64_t groups = 40 * (uint64_t)gws_device_describe(device)->units; /* more groups than can run concurrently */
    uint32_t step, *word = malloc(groups * size * sizeof *word);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, groups * size * sizeof *word);
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.value = &step, .bytes = sizeof step}};
    struct gws_device_launch launch = launch_of(program, "follow", argument, 2);
    launch.groups = groups;
    launch.group_size = size;
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, groups * size, NULL), GWS_OK);
    for (step = 0; step < steps; step++) {
        launch.early = step % 5 != 0;
        runs(device, &launch);
    }
    ck_assert_int_eq(gws_device_read(buffer, 0, word, groups * size * sizeof *word, NULL), GWS_OK);
    for (uint64_t i = 0; i < groups * size; i++) ck_assert_uint_eq(word[i], steps);
    free(word);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

static void pass_cluster_barriers(struct gws_device *device, uint32_t cluster)
{
    uint32_t rounds = 3, word[2] = {0};
    uint64_t patience = UINT64_C(1) << 32;
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, sizeof word);
    struct gws_device_argument argument[] = {
        {.buffer = buffer}, {.value = &rounds, .bytes = sizeof rounds}, {.value = &patience, .bytes = sizeof patience}};
    struct gws_device_launch launch = launch_of(program, "grid_barrier", argument, 3);
    launch.cluster = cluster;
    launch.resident = true;
    ck_assert_int_eq(gws_device_resident(device, &launch, &launch.groups, NULL), GWS_OK);
    ck_assert_uint_gt(launch.groups, 0);
    ck_assert_uint_eq(launch.groups % cluster, 0);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, 2, NULL), GWS_OK);
    runs(device, &launch);
    ck_assert_int_eq(gws_device_read(buffer, 0, word, sizeof word, NULL), GWS_OK);
    ck_assert_uint_eq(word[0], rounds * launch.groups);
    ck_assert_uint_eq(word[1], 0);
    launch.groups++;
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_INVALID);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
}

DEVICE_TEST(clusters_run, "cuda")
{
    struct gws_device *device = device_at(address, NULL);
    uint32_t max = gws_device_describe(device)->max_cluster;
    if (max == 0) printf("skipped: %s has no clusters\n", address);
    for (uint32_t cluster = 2; cluster <= max; cluster *= 2) pass_cluster_barriers(device, cluster);
    gws_device_close(device);
}

/* ---- large copies ---- */

/* Makes the k-th allocation of two copies fail. Returns true if there was such an allocation. */
static bool copies_without(const char *address, uint64_t k)
{
    enum { bytes = 5 << 20 };
    struct gws_test_memory memory = {0};
    const struct gws_options with = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *before = runtime;
    ck_assert_int_eq(gws_runtime_open(&with, &runtime), GWS_OK);
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_buffer *buffer = new_buffer(device, bytes);
    char *out = malloc(bytes), *in = malloc(bytes);
    for (uint32_t i = 0; i < bytes; i++) out[i] = (char)(i * 2654435761u >> 24);
    memory.fail_at = atomic_load(&memory.calls) + k;
    for (int round = 0; round < 2; round++) {
        memset(in, 0, bytes);
        ck_assert_int_eq(gws_device_write(buffer, 0, out, bytes, NULL), GWS_OK);
        ck_assert_int_eq(gws_device_read(buffer, 0, in, bytes, NULL), GWS_OK);
        ck_assert(memcmp(in, out, bytes) == 0);
    }
    free(in);
    free(out);
    gws_device_buffer_free(buffer);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    runtime = before;
    return memory.failed;
}

/* Copies while memory is too short for staging buffers. These copies and all later copies use the stream's slot. */
DEVICE_TEST(copies_need_no_staging, "cuda")
{
    uint64_t k = 1;
    while (copies_without(address, k)) k++;
    ck_assert_uint_gt(k, 1);
}

/* ---- faults ---- */

static void fault(const char *address)
{
    uint64_t nowhere = 64;
    uint32_t rounds = 1;
    struct gws_diagnostic where = {0};
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_argument argument[] = {{.value = &nowhere, .bytes = 8}, {.value = &rounds, .bytes = 4}};
    struct gws_device_launch launch = launch_of(program, "count", argument, 2);
    runs(device, &launch);
    ck_assert_int_eq(gws_device_wait(device, &where), GWS_DEVICE);
    ck_assert_msg(strstr(where.message, "cudaErrorIllegalAddress") != NULL, "%s", where.message);
    ck_assert_int_eq(gws_device_wait(device, &where), GWS_DEVICE);
    ck_assert_msg(strstr(where.message, "lost earlier") != NULL, "%s", where.message);
    gws_device_program_free(program);
    gws_device_close(device);
}

/* A fault ends CUDA in the whole process, so a second device cannot be tried after it. */
START_TEST(a_fault_loses_the_device)
{
    for_each_device("cuda:0", fault);
}
END_TEST

static Suite *cuda_suite(void)
{
    Suite *suite = suite_create("cuda");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, open_runtime, close_runtime);
    tcase_add_test(all, broken_images_are_refused);
    tcase_add_test(all, arguments_have_sizes);
    tcase_add_test(all, local_memory_is_limited);
    tcase_add_test(all, launches_begin_early);
    tcase_add_test(all, clusters_run);
    tcase_add_test(all, copies_need_no_staging);
    suite_add_tcase(suite, all);
    TCase *lost = tcase_create("lost"); /* a separate case, for tools that report its leaks */
    tcase_add_checked_fixture(lost, open_runtime, close_runtime);
    tcase_add_test(lost, a_fault_loses_the_device);
    suite_add_tcase(suite, lost);
    return suite;
}

int main(void)
{
    return gws_test_main(cuda_suite);
}
