/* SPDX-License-Identifier: MIT */
/* Files where the system has none without a name: the draft lies beside the target, and goes with it. io/output/file.c
 * is compiled into this program once more, with an open that always says so. */
#define _XOPEN_SOURCE 700 /* what file.c asks for */
#include "../../harness.h"

#include <dirent.h>

#include "../../../io/output/unnamed.h"
#define gws__unnamed_open(folder) ((void)(folder), -1)
#include "../../../io/output/file.c" /* NOLINT(bugprone-suspicious-include): once more, with that open */

static int count_files(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.' || entry->d_name[1] == 'g';
    closedir(folder);
    return count;
}

static const char *home(void)
{
    const char *path = gws_test_temp("named");
    mkdir(path, 0700);
    return path;
}

static void begin(struct gws__output_file *file, const char *path)
{
    struct gws_where where = {0};
    ck_assert_int_eq(gws__output_file_open(file, path, &where), GWS_OK);
    ck_assert(file->drafted && file->named);
    ck_assert_int_eq(gws__output_file_write(file, "word", 4, &where), GWS_OK);
}

START_TEST(a_draft_lies_beside_and_becomes_the_file)
{
    char path[4096];
    struct gws__output_file file;
    struct stat made;
    snprintf(path, sizeof path, "%s/a", home());
    begin(&file, path);
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(count_files(home()), 1);
    ck_assert_int_eq(gws__output_file_commit(&file, NULL), GWS_OK);
    ck_assert_int_eq(stat(path, &made), 0);
    ck_assert_int_eq(made.st_size, 4);
    ck_assert_int_eq(count_files(home()), 1);
    unlink(path);
}
END_TEST

START_TEST(nothing_is_left_of_one_given_up)
{
    char path[4096];
    struct gws__output_file file;
    snprintf(path, sizeof path, "%s/b", home());
    begin(&file, path);
    gws__output_file_discard(&file);
    ck_assert_int_eq(count_files(home()), 0);
}
END_TEST

START_TEST(nothing_is_left_of_one_that_cannot_take_its_place)
{
    char path[4096];
    struct gws_where where = {0};
    struct gws__output_file file;
    snprintf(path, sizeof path, "%s/c", home());
    begin(&file, path);
    mkdir(path, 0700);
    ck_assert_int_eq(gws__output_file_commit(&file, &where), GWS_SYSTEM);
    ck_assert_str_ne(where.message, "");
    rmdir(path);
    ck_assert_int_eq(count_files(home()), 0);
}
END_TEST

static Suite *named_suite(void)
{
    Suite *suite = suite_create("named");
    TCase *drafts = tcase_create("drafts");
    tcase_add_test(drafts, a_draft_lies_beside_and_becomes_the_file);
    tcase_add_test(drafts, nothing_is_left_of_one_given_up);
    tcase_add_test(drafts, nothing_is_left_of_one_that_cannot_take_its_place);
    suite_add_tcase(suite, drafts);
    return suite;
}

int main(void)
{
    return gws_test_main(named_suite);
}
