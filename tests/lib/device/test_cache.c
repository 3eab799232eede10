/* SPDX-License-Identifier: MIT */
/* Tests the cache of compiled programs. The cache must return stored data, even with concurrent writers, and leave no
 * other files. */
#include "../../harness.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "../../../lib/device/kind.h"

static const struct gws__cache_key key = {1, 2};
static struct gws_runtime *runtime;

static void begin(void)
{
    struct gws_options options = {.threads = 1};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void end(void)
{
    gws_runtime_close(runtime);
}

/* Counts the files in the folder. Sets *mode to the mode of the last file. */
static int count_files(const char *folder, mode_t *mode)
{
    int count = 0;
    char path[GWS_TEST_PATH + 512];
    struct stat about;
    DIR *all = opendir(folder);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode)) continue;
        *mode = about.st_mode & 07777;
        count++;
    }
    closedir(all);
    return count;
}

static void check_loads(const char *folder, const void *expected, uint64_t size)
{
    void *data;
    uint64_t bytes;
    ck_assert_int_eq(gws__cache_load(runtime, folder, key, &data, &bytes), GWS_OK);
    ck_assert_uint_eq(bytes, size);
    if (size > 0) ck_assert_mem_eq(data, expected, size);
    gws_release(runtime, data, bytes, 1);
}

START_TEST(what_is_stored_is_the_owners_alone)
{
    mode_t mode = 0;
    const char *folder = gws_test_temp("new/folders");
    for (int i = 0; i < 2; i++) {
        gws__cache_store(runtime, folder, key, i ? "second" : "first", i ? 6 : 5);
        ck_assert_int_eq(count_files(folder, &mode), 1);
        ck_assert_uint_eq(mode, 0600);
        check_loads(folder, i ? "second" : "first", i ? 6 : 5);
    }
}
END_TEST

/* A full disk does not end the process. The store leaves no incomplete file, and does not remove the old file. */
START_TEST(a_disk_that_is_full)
{
    static char large[100000];
    mode_t mode = 0;
    const char *folder = gws_test_temp("full");
    struct rlimit before, limit;
    gws__cache_store(runtime, folder, key, "first", 5);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 10000;
    signal(SIGXFSZ, SIG_DFL);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    gws__cache_store(runtime, folder, key, large, sizeof large);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(count_files(folder, &mode), 1);
    check_loads(folder, "first", 5);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{what_is_stored_is_the_owners_alone, 1}, {a_disk_that_is_full, 1}, {0}};
    return gws_test_run_between("cache", test, begin, end);
}
