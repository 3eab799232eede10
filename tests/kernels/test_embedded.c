/* SPDX-License-Identifier: MIT */
/* The sources of the programs that the library embeds are the files of kernels/, in the order of the table. */
#include "../harness.h"

#include "../../kernels/kernels.h"

enum { max_bytes = 1 << 16, max_parts = 32 };

static const char *content(const char *name)
{
    static char text[max_bytes];
    char path[GWS_TEST_PATH];
    const char *source = getenv("GRAPHWS_SOURCE");
    snprintf(path, sizeof path, "%s/kernels/%s", source ? source : ".", name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

static void check_sources(const char *name, char *const *part, uint32_t parts)
{
    const struct gws__kernel_program *program = gws__kernel_program_find(name);
    ck_assert_msg(program != NULL, "no program %s", name);
    ck_assert_uint_eq(program->parts, parts + 1);
    ck_assert_str_eq(program->part[0], content("portability/opencl.h"));
    for (uint32_t i = 0; i < parts; i++)
        ck_assert_msg(strcmp(program->part[i + 1], content(part[i])) == 0, "%s: %s", name, part[i]);
}

/* The test reads kernels/programs: "NAME:", followed by the program's sources. */
START_TEST(sources_are_those_of_the_table)
{
    char *table = strdup(content("programs")), *line_end, *word_end, *name = NULL, *part[max_parts] = {NULL};
    uint32_t parts = 0, programs = 0;
    for (char *line = strtok_r(table, "\n", &line_end); line; line = strtok_r(NULL, "\n", &line_end)) {
        if (*line == '#') continue;
        for (char *word = strtok_r(line, " ", &word_end); word; word = strtok_r(NULL, " ", &word_end)) {
            if (word[strlen(word) - 1] != ':') {
                ck_assert_uint_lt(parts, max_parts);
                part[parts++] = word;
                continue;
            }
            if (name) check_sources(name, part, parts);
            word[strlen(word) - 1] = '\0';
            name = word;
            parts = 0;
            programs++;
        }
    }
    check_sources(name, part, parts);
    ck_assert_uint_ge(programs, 10);
    free(table);
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

int main(void)
{
    const struct gws_test test[] = {{sources_are_those_of_the_table, 1}, {names_are_found, 1}, {0}};
    return gws_test_run("embedded kernels", test);
}
