/* SPDX-License-Identifier: MIT */
/* Tests programs and launches on each usable device: results, invalid launches, objects of another device, barriers of
 * resident groups. */
#include "devices.h"

enum { words = 1000 };

DEVICE_TEST(kernels_run, "")
{
    uint32_t data[words], factor = 3;
    uint64_t count = words;
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *from = new_buffer(device, sizeof data), *to = new_buffer(device, sizeof data);
    struct gws_device_argument argument[] = {{.buffer = from},
                                             {.buffer = to},
                                             {.value = &factor, .bytes = sizeof factor},
                                             {.value = &count, .bytes = sizeof count}};
    struct gws_device_launch launch = {.program = program,
                                       .kernel = "scale",
                                       .groups = (words + 63) / 64,
                                       .group_size = 64,
                                       .argument = argument,
                                       .arguments = 4};
    ck_assert(gws_device_translate_ms(device) > 0);
    for (uint32_t i = 0; i < words; i++) data[i] = i;
    ck_assert_int_eq(gws_device_write(from, 0, data, sizeof data, NULL), GWS_OK);
    runs(device, &launch);
    argument[0].buffer = to; /* the launch has already copied its arguments */
    argument[1].buffer = from;
    factor = 5;
    runs(device, &launch);
    waits(device);
    waits(device);
    ck_assert_int_eq(gws_device_read(from, 0, data, sizeof data, NULL), GWS_OK);
    for (uint32_t i = 0; i < words; i++)
        if (data[i] != (i * 3 + 64) * 5 + 64) ck_abort_msg("%s: %u at %u", address, data[i], i);
    gws_device_buffer_free(from);
    gws_device_buffer_free(to);
    gws_device_program_free(program);
    gws_device_program_free(NULL);
    gws_device_close(device);
}

static void refuses_launch(struct gws_device *device, struct gws_device_launch launch, gws_status expected,
                           const char *says)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_device_run(device, &launch, &where);
    ck_assert_msg(status == expected, "%s, not %s: %s", gws_status_text(status), gws_status_text(expected), says);
    ck_assert_msg(strstr(where.message, says) != NULL, "%s", where.message);
}

DEVICE_TEST(wrong_launches_are_refused, "")
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, 64);
    uint64_t wide = 1, max = gws_device_describe(device)->max_group_size;
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.buffer = buffer}, {.value = &wide, .bytes = 4}};
    struct gws_device_launch good = {.program = program,
                                     .kernel = "nothing",
                                     .groups = 1,
                                     .group_size = 1,
                                     .argument = argument,
                                     .arguments = 1},
                             bad = good;
    bad.kernel = "scal";
    refuses_launch(device, bad, GWS_INVALID, "no kernel scal");
    bad = good;
    bad.groups = 0;
    refuses_launch(device, bad, GWS_INVALID, "0 groups");
    bad.groups = UINT64_MAX;
    bad.group_size = 2;
    refuses_launch(device, bad, GWS_TOO_LARGE, "groups");
    bad.groups = 1;
    bad.group_size = max + 1;
    refuses_launch(device, bad, GWS_INVALID, "work-items");
    bad = good;
    bad.cluster = gws_device_describe(device)->max_cluster + 1;
    refuses_launch(device, bad, GWS_INVALID, "clusters of");
    bad = good;
    bad.kernel = "scale";
    bad.arguments = 3;
    refuses_launch(device, bad, GWS_INVALID, "the kernel takes 4 arguments, not 3");
    runs(device, &good);
    waits(device);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

DEVICE_TEST(things_of_another_device_are_refused, "")
{
    struct gws_device *device = device_at(address, NULL), *other = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(other, 64);
    struct gws_device_argument argument[] = {{.buffer = buffer}};
    struct gws_device_launch launch = {
        .program = program, .kernel = "nothing", .groups = 1, .group_size = 1, .argument = argument, .arguments = 1};
    refuses_launch(other, launch, GWS_INVALID, "the program belongs to another device");
    refuses_launch(device, launch, GWS_INVALID, "argument 0 is a buffer of another device");
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(other);
    gws_device_close(device);
}

/* A program's source needs a part for the device's kind. */
DEVICE_TEST(sources_for_another_kind_are_refused, "")
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_source source = test_source();
    struct gws_device_program *program = NULL;
    struct gws_diagnostic where = {0};
    if (strncmp(address, "cuda", 4) == 0)
        source.image = NULL, source.image_bytes = 0;
    else
        source.part = NULL, source.parts = 0;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_UNSUPPORTED);
    ck_assert_msg(strncmp(where.message, "kernels.cl: ", 12) == 0, "%s", where.message);
    ck_assert_ptr_null(program);
    gws_device_close(device);
}

/* ---- resident launches ---- */

DEVICE_TEST(resident_groups_pass_a_barrier, "")
{
    uint32_t rounds = gws_test_quick() ? 5 : 20, word[2];
    uint64_t patience = UINT64_C(1) << 32, groups = 0;
    struct gws_diagnostic where = {0};
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, sizeof word);
    struct gws_device_argument argument[] = {
        {.buffer = buffer}, {.value = &rounds, .bytes = sizeof rounds}, {.value = &patience, .bytes = sizeof patience}};
    struct gws_device_launch launch = {.program = program,
                                       .kernel = "grid_barrier",
                                       .group_size = 32,
                                       .resident = true,
                                       .argument = argument,
                                       .arguments = 3};
    ck_assert_int_eq(gws_device_resident(device, &launch, &groups, NULL), GWS_OK);
    ck_assert_uint_ge(groups, gws_device_describe(device)->groups);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, 2, NULL), GWS_OK);
    launch.groups = groups;
    runs(device, &launch);
    ck_assert_int_eq(gws_device_read(buffer, 0, word, sizeof word, &where), GWS_OK);
    ck_assert_uint_eq(word[0], rounds * groups);
    ck_assert_uint_eq(word[1], 0);
    launch.groups = groups + 1;
    ck_assert_int_eq(gws_device_run(device, &launch, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "groups that wait for each other") != NULL, "%s", where.message);
    launch.kernel = "grid_barrie";
    ck_assert_int_eq(gws_device_resident(device, &launch, &groups, &where), GWS_INVALID);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

int main(void)
{
    const struct gws_test test[] = {{kernels_run, 1},
                                    {wrong_launches_are_refused, 1},
                                    {things_of_another_device_are_refused, 1},
                                    {sources_for_another_kind_are_refused, 1},
                                    {resident_groups_pass_a_barrier, 1},
                                    {0}};
    return gws_test_run_between("launches", test, open_runtime, close_runtime);
}
