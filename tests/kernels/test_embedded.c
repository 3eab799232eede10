/* SPDX-License-Identifier: MIT */
/* The programs that the library carries: their texts are those of kernels/, each in its place. */
#include "../harness.h"

#include "../../kernels/kernels.h"

enum { most_bytes = 1 << 16 };

static const char *content(const char *name)
{
    static char text[most_bytes];
    char path[GWS_TEST_PATH];
    const char *source = getenv("GRAPHWS_SOURCE");
    snprintf(path, sizeof path, "%s/kernels/%s", source ? source : ".", name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

static void check_texts(const char *name, const char *const *part, size_t parts)
{
    const struct gws__kernel_program *program = gws__kernel_program_find(name);
    ck_assert_msg(program != NULL, "no program %s", name);
    ck_assert_uint_eq(program->parts, parts);
    for (uint32_t t = 0; t < parts; t++)
        ck_assert_msg(strcmp(program->part[t], content(part[t])) == 0, "%s: %s", name, part[t]);
}

START_TEST(texts_are_those_of_the_folder)
{
    static const char *const engine[] = {"portability/opencl.h",   "hetero/trace_words.h", "hetero/trace.cl",
                                         "hetero/handoff_words.h", "operator/operator.h",  "engine/direction.h",
                                         "engine/grid.cl",         "engine/state.cl",      "operator/bfs.cl",
                                         "engine/push.cl",         "engine/pull.cl",       "engine/serial.cl",
                                         "engine/run.cl",          "engine/run_many.cl"};
    check_texts("engine_bfs", engine, sizeof engine / sizeof *engine);
    static const char *const container[] = {"static", "cursor", "chunked", "abp"};
    for (size_t i = 0; i < sizeof container / sizeof *container; i++) {
        char name[64], queue[64];
        snprintf(name, sizeof name, "bfs_%s", container[i]);
        snprintf(queue, sizeof queue, "queue/queue_%s.cl", container[i]);
        const char *const part[] = {"portability/opencl.h",
                                    "hetero/trace_words.h",
                                    "hetero/trace.cl",
                                    "queue/queue_words.h",
                                    queue,
                                    "queue/take.cl",
                                    "queue/group_push.cl",
                                    "engine/direction.h",
                                    "bfs/bfs.cl",
                                    "bfs/bfs_level.cl",
                                    "bfs/bfs_alone.cl",
                                    "hetero/flags_words.h",
                                    "hetero/flags.cl",
                                    "bfs/bfs_shared.cl"};
        check_texts(name, part, sizeof part / sizeof *part);
    }
}
END_TEST

START_TEST(names_are_found)
{
    uint32_t programs = 0;
    for (const struct gws__kernel_program *program = gws__kernel_programs; program->name; program++, programs++) {
        ck_assert_ptr_eq(gws__kernel_program_find(program->name), program);
        ck_assert_int_eq(program->image == NULL, program->image_bytes == 0);
        ck_assert_int_eq(program->part == NULL, program->parts == 0);
    }
    ck_assert_uint_ge(programs, 4);
    ck_assert_ptr_null(gws__kernel_program_find("bfs_"));
    ck_assert_ptr_null(gws__kernel_program_find(""));
}
END_TEST

static Suite *embedded(void)
{
    Suite *suite = suite_create("embedded kernels");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, texts_are_those_of_the_folder);
    tcase_add_test(tests, names_are_found);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(embedded);
}
