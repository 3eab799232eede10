/* SPDX-License-Identifier: MIT */
/* Output that is written whole or not at all: drafts, modes, links, full disks, closed pipes, compression. */
#define _GNU_SOURCE
#include "../../harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>

#include "../../../io/output/output.h"
#include "../../../io/output/text.h"
#include "../graphs.h"

static struct gws_runtime *runtime;
static struct gws_diagnostic where;

static void open_runtime(void)
{
    runtime = gws_open_runtime(2, (struct gws_allocator){0});
    where = (struct gws_diagnostic){0};
}

static void close_runtime(void)
{
    gws_runtime_close(runtime);
}

/* Writes size bytes in steps of step. */
static gws_status write_bytes(struct gws_runtime *with, const char *path, const char *bytes, size_t size, size_t step)
{
    struct gws_output *output = NULL;
    gws_status status = gws_output_open(with, path, &where, &output);
    if (status != GWS_OK) return status;
    for (size_t at = 0; at < size && status == GWS_OK; at += step)
        status = gws_output_write(output, bytes + at, size - at < step ? size - at : step);
    return gws_output_close(output, status);
}

static gws_status write_word(const char *path)
{
    return write_bytes(runtime, path, "word\n", 5, 5);
}

static void check_holds(const char *path, const char *bytes, size_t size)
{
    size_t found;
    char *text = gws_slurp(path, &found);
    ck_assert_uint_eq(found, size);
    ck_assert(memcmp(text, bytes, size) == 0);
    free(text);
}

/* Returns the path of the test's own folder `name`. */
static const char *folder(const char *name)
{
    const char *path = gws_test_temp(name);
    ck_assert(mkdir(path, 0700) == 0 || access(path, F_OK) == 0);
    return path;
}

static int count_files(const char *path)
{
    int count = 0;
    DIR *all = opendir(path);
    for (struct dirent *entry; (entry = readdir(all)) != NULL;)
        count += entry->d_name[0] != '.' || entry->d_name[1] == 'g';
    closedir(all);
    return count;
}

static const char *in(const char *folder_path, const char *name)
{
    static char path[GWS_TEST_PATH + 512];
    snprintf(path, sizeof path, "%s/%s", folder_path, name);
    return path;
}

/* ---- names, modes, links ---- */

START_TEST(test_new_file_has_the_usual_mode)
{
    const char *home = folder("new");
    struct stat about;
    mode_t old = umask(027);
    ck_assert_int_eq(write_word(in(home, "a")), GWS_OK);
    umask(old);
    ck_assert_int_eq(stat(in(home, "a"), &about), 0);
    ck_assert_int_eq(about.st_mode & 07777, 0640);
    check_holds(in(home, "a"), "word\n", 5);
    ck_assert_int_eq(count_files(home), 1);
}
END_TEST

START_TEST(test_replaced_file_keeps_its_mode)
{
    const char *path = gws_test_file("old", "something longer", 16);
    struct stat about;
    chmod(path, 0604);
    ck_assert_int_eq(write_word(path), GWS_OK);
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(about.st_mode & 07777, 0604);
    check_holds(path, "word\n", 5);
}
END_TEST

START_TEST(test_link_stays_a_link)
{
    const char *home = folder("links");
    struct stat about;
    char real[GWS_TEST_PATH];
    snprintf(real, sizeof real, "%s", gws_test_file("linked", "old", 3));
    ck_assert_int_eq(symlink(real, in(home, "link")), 0);
    ck_assert_int_eq(write_word(in(home, "link")), GWS_OK);
    ck_assert_int_eq(lstat(in(home, "link"), &about), 0);
    ck_assert(S_ISLNK(about.st_mode));
    check_holds(real, "word\n", 5);
}
END_TEST

START_TEST(test_relative_name)
{
    const char *home = folder("relative");
    char before[GWS_TEST_PATH];
    ck_assert(getcwd(before, sizeof before) && chdir(home) == 0);
    ck_assert_int_eq(write_word("plain"), GWS_OK);
    check_holds("plain", "word\n", 5);
    ck_assert_int_eq(chdir(before), 0);
    ck_assert_int_eq(count_files(home), 1);
}
END_TEST

/* Returns true if two names denote one file in the test's own folder. Checks both orders of the names. */
static bool same(const char *home, const char *one, const char *other)
{
    char path[GWS_TEST_PATH + 512];
    snprintf(path, sizeof path, "%s", one[0] == '/' || one[0] == '-' ? one : in(home, one));
    if (other[0] != '/' && other[0] != '-') other = in(home, other);
    ck_assert_int_eq(gws_output_same(path, other), gws_output_same(other, path));
    return gws_output_same(path, other);
}

START_TEST(test_same)
{
    static const char *const to_new[] = {"new", "./new", "below/../new", "here/new", "link", "here/link", "below/link"};
    static const char *const to_old[] = {"old", "here/old", "hard", "below/soft"};
    const char *home = folder("same");
    ck_assert_int_eq(mkdir(in(home, "below"), 0700), 0);
    ck_assert_int_eq(symlink(".", in(home, "here")), 0);
    ck_assert_int_eq(symlink("new", in(home, "link")), 0);
    ck_assert_int_eq(symlink("../link", in(home, "below/link")), 0);
    ck_assert_int_eq(symlink("../old", in(home, "below/soft")), 0);
    ck_assert_int_eq(symlink("loop", in(home, "loop")), 0);
    char old[GWS_TEST_PATH + 512];
    snprintf(old, sizeof old, "%s", in(home, "old"));
    close(open(old, O_WRONLY | O_CREAT, 0600));
    ck_assert_int_eq(link(old, in(home, "hard")), 0);
    for (size_t i = 0; i < sizeof to_new / sizeof *to_new; i++) ck_assert(same(home, "new", to_new[i]));
    for (size_t i = 0; i < sizeof to_old / sizeof *to_old; i++) {
        ck_assert(same(home, "old", to_old[i]));
        ck_assert(!same(home, "new", to_old[i]));
    }
    ck_assert(!same(home, "new", "below/new") && !same(home, "new", "newer") && !same(home, "no/new", "new"));
    ck_assert(!same(home, "loop", "loop") && !same(home, "/dev/null", "/dev/null"));
    ck_assert(same(home, "-", "-") && !same(home, "-", "new"));
}
END_TEST

/* ---- outputs that cannot be written ---- */

static void check_refused(const char *path, const char *reason)
{
    where = (struct gws_diagnostic){0};
    ck_assert_int_eq(write_word(path), GWS_SYSTEM);
    ck_assert_msg(strstr(where.message, reason) != NULL, "%s", where.message);
    if (strlen(path) < sizeof where.file) ck_assert_str_eq(where.file, *path ? path : "''");
}

START_TEST(test_refused)
{
    const char *home = folder("refused");
    check_refused("", "No such file");
    check_refused(in(home, "no/such/folder"), "No such file");
    check_refused(home, "Is a directory");
    check_refused(in(home, "new/"), "Is a directory");
    check_refused(in(gws_test_file("file", "", 0), "below"), "Not a directory");
    ck_assert_int_eq(count_files(home), 0);
    char long_name[6000];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    check_refused(long_name, "File name too long");
}
END_TEST

START_TEST(test_unwritable)
{
    if (geteuid() == 0) {
        printf("skipped: root may write to every folder\n");
        return;
    }
    const char *home = folder("closed");
    chmod(home, 0500);
    check_refused(in(home, "a"), "Permission denied");
    chmod(home, 0700);
}
END_TEST

/* If root runs the tests, the test checks an unwritable folder as another user. */
START_TEST(test_unwritable_for_others)
{
    if (geteuid() != 0) return;
    const char *home = folder("closed");
    chmod(home, 0555);
    ck_assert_int_eq(seteuid(65534), 0);
    gws_status status = write_word(in(home, "a"));
    ck_assert_int_eq(seteuid(0), 0);
    ck_assert_int_eq(status, GWS_SYSTEM);
    ck_assert_int_eq(count_files(home), 0);
}
END_TEST

START_TEST(test_devices)
{
    ck_assert_int_eq(write_word("/dev/null"), GWS_OK);
    struct stat about;
    ck_assert(stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode));
    if (access("/dev/full", W_OK) != 0) return;
    check_refused("/dev/full", "No space left");
    ck_assert(stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode));
}
END_TEST

/* A limit on the file size simulates a disk that is full after 100 kB. SIGXFSZ must not end the process. */
START_TEST(test_full_disk)
{
    static const char *const names[] = {"big", "big.gz"};
    const char *home = folder("full");
    size_t size = 3 << 20;
    char *bytes = malloc(size);
    for (size_t i = 0; i < size; i++) bytes[i] = (char)((i * i * 2654435761u) >> 13);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 100000;
    ck_assert_int_eq(write_bytes(runtime, in(home, names[_i]), "first", 5, 5), GWS_OK);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    gws_status large = write_bytes(runtime, in(home, names[_i]), bytes, size, size);
    gws_status small = write_bytes(runtime, in(home, names[_i]), bytes, size, 1000);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    free(bytes);
    ck_assert_int_eq(large, GWS_SYSTEM);
    ck_assert_int_eq(small, GWS_SYSTEM);
    ck_assert_msg(strstr(where.message, "File too large") != NULL, "%s", where.message);
    ck_assert_int_eq(count_files(home), 1);
    struct stat about;
    ck_assert_int_eq(stat(in(home, names[_i]), &about), 0);
    ck_assert_int_lt(about.st_size, 60); /* the file still has the first version */
}
END_TEST

static gws_status write_to_stdout(int fd, const char *bytes, size_t size)
{
    int saved = dup(STDOUT_FILENO);
    fflush(stdout);
    dup2(fd, STDOUT_FILENO);
    gws_status status = write_bytes(runtime, "-", bytes, size, size);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    return status;
}

START_TEST(test_closed_pipe)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    ck_assert_int_eq(write_to_stdout(ends[1], "word\n", 5), GWS_SYSTEM);
    ck_assert_str_eq(where.file, "standard output");
    ck_assert_msg(strstr(where.message, "Broken pipe") != NULL, "%s", where.message);
    close(ends[1]);
    sigset_t pending;
    sigpending(&pending);
    ck_assert(!sigismember(&pending, SIGPIPE));
}
END_TEST

START_TEST(test_standard_output)
{
    int fd = open(gws_test_temp("stdout"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    ck_assert_int_eq(write_to_stdout(fd, "word\n", 5), GWS_OK);
    ck_assert_int_eq(write_to_stdout(fd, "more\n", 5), GWS_OK);
    close(fd);
    check_holds(gws_test_temp("stdout"), "word\nmore\n", 10);
}
END_TEST

START_TEST(test_given_up)
{
    const char *home = folder("given-up");
    struct gws_output *output = NULL;
    ck_assert_int_eq(gws_output_open(runtime, in(home, "a"), &where, &output), GWS_OK);
    ck_assert_int_eq(gws_output_write(output, "word", 4), GWS_OK);
    ck_assert_int_le(count_files(home), 1); /* the draft has a name if the file system has no unnamed files */
    ck_assert_int_eq(gws_output_close(output, GWS_OUT_OF_RANGE), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(count_files(home), 0);
}
END_TEST

/* ---- contents ---- */

static char *pattern(size_t size)
{
    char *bytes = malloc(size + 1);
    for (size_t i = 0; i < size; i++) bytes[i] = (char)('a' + i * i % 23 % 7 + i / 100000 % 5);
    return bytes;
}

static void check_unpacks(const char *path, const char *bytes, size_t size)
{
    char *found = malloc(size + 100);
    gzFile file = gzopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(gzread(file, found, (unsigned)size + 100), (int)size);
    ck_assert_int_eq(gzclose(file), Z_OK);
    ck_assert(memcmp(found, bytes, size) == 0);
    free(found);
}

START_TEST(test_steps)
{
    static const size_t sizes[] = {0, 1, 1000, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 3000000};
    static const size_t steps[] = {3000000, 1 << 18, 100001, 777};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *bytes = pattern(sizes[i]);
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            const char *plain = gws_test_temp("steps"), *packed = gws_test_temp("steps.gz");
            ck_assert_int_eq(write_bytes(runtime, plain, bytes, sizes[i], steps[k]), GWS_OK);
            check_holds(plain, bytes, sizes[i]);
            ck_assert_int_eq(write_bytes(runtime, packed, bytes, sizes[i], steps[k]), GWS_OK);
            check_unpacks(packed, bytes, sizes[i]);
        }
        free(bytes);
    }
}
END_TEST

static char *format_squares(void *context, uint64_t begin, uint64_t end, char *text)
{
    (void)context;
    for (uint64_t i = begin; i < end; i++) {
        text = gws__text_u64(text, i * i);
        *text++ = '\n';
    }
    return text;
}

/* The output has chunks and plain writes in the order of the calls. */
START_TEST(test_chunks)
{
    static const uint64_t counts[] = {0, 1, 12000, 300000};
    static const char *const names[] = {"chunks", "chunks.gz"};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct gws__output_chunks chunks = {.count = counts[k], .item_bytes = 21, .format = format_squares};
        struct gws_output *output = NULL;
        const char *path = gws_test_temp(names[_i]);
        ck_assert_int_eq(gws_output_open(runtime, path, &where, &output), GWS_OK);
        gws_status status = gws_output_print(output, "%d squares:\n", (int)counts[k]);
        if (status == GWS_OK) status = gws__output_chunks(output, &chunks);
        if (status == GWS_OK) status = gws_output_print(output, "end\n");
        ck_assert_int_eq(gws_output_close(output, status), GWS_OK);
        char *want = malloc(counts[k] * 21 + 100), *at = want + sprintf(want, "%d squares:\n", (int)counts[k]);
        for (uint64_t i = 0; i < counts[k]; i++) at += sprintf(at, "%llu\n", (unsigned long long)(i * i));
        at += sprintf(at, "end\n");
        if (_i == 0)
            check_holds(path, want, (size_t)(at - want));
        else
            check_unpacks(path, want, (size_t)(at - want));
        free(want);
    }
}
END_TEST

START_TEST(test_memory)
{
    static const char *const names[] = {"memory", "memory.gz"};
    char *bytes = pattern(700000);
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_runtime *failing = gws_open_runtime(2, gws_test_allocator(&memory));
        const char *home = folder("memory-home");
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = write_bytes(failing, in(home, names[_i]), bytes, 700000, 700000);
        ck_assert_int_eq(status, atomic_load(&memory.failed) ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_int_eq(count_files(home), status == GWS_OK);
        unlink(in(home, names[_i]));
        gws_runtime_close(failing);
        gws_test_memory_check(&memory);
        if (!atomic_load(&memory.failed)) break;
    }
    free(bytes);
}
END_TEST

/* ---- numbers ---- */

START_TEST(test_numbers)
{
    char text[64], want[64];
    uint64_t value = 1;
    for (int i = 0; i < 3000; i++) {
        value = value * UINT64_C(6364136223846793005) + 99991;
        uint64_t number = i < 200 ? (uint64_t)i : value >> (i % 64);
        *gws__text_u64(text, number) = 0;
        sprintf(want, "%llu", (unsigned long long)number);
        ck_assert_str_eq(text, want);
        *gws__text_i64(text, (int64_t)number) = 0;
        sprintf(want, "%lld", (long long)number);
        ck_assert_str_eq(text, want);
        *gws__text_u32(text, (uint32_t)number) = 0;
        sprintf(want, "%u", (uint32_t)number);
        ck_assert_str_eq(text, want);
        *gws__text_i32(text, (int32_t)number) = 0;
        sprintf(want, "%d", (int32_t)number);
        ck_assert_str_eq(text, want);
    }
    *gws__text_i64(text, INT64_MIN) = 0;
    ck_assert_str_eq(text, "-9223372036854775808");
    *gws__text_u64(text, UINT64_MAX) = 0;
    ck_assert_str_eq(text, "18446744073709551615");
    *gws__text_i32(text, INT32_MIN) = 0;
    ck_assert_str_eq(text, "-2147483648");
    for (uint64_t power = 1; power <= 1000000000; power *= 10) {
        *gws__text_u32(text, (uint32_t)power) = 0;
        sprintf(want, "%u", (uint32_t)power);
        ck_assert_str_eq(text, want);
        *gws__text_u32(text, (uint32_t)power - 1) = 0;
        sprintf(want, "%u", (uint32_t)power - 1);
        ck_assert_str_eq(text, want);
    }
}
END_TEST

START_TEST(test_doubles)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {1, "1"},
                 {-73530767, "-73530767"},
                 {0.1, "0.1"},
                 {1e300, "1e+300"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1.5e-7, "1.5e-07"},
                 {9007199254740993e3, "9.007199254740993e+18"},
                 {INFINITY, "inf"}};
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        *gws__text_f64(text, cases[i].value) = 0;
        ck_assert_str_eq(text, cases[i].text);
    }
    uint64_t bits = 7;
    for (int i = 0; i < 2000; i++) {
        double value;
        bits = bits * UINT64_C(6364136223846793005) + 99991;
        memcpy(&value, &bits, sizeof value);
        if (isnan(value)) continue;
        char *end = gws__text_f64(text, value);
        *end = 0;
        ck_assert(end - text <= GWS__TEXT_F64);
        ck_assert(strtod(text, NULL) == value);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_new_file_has_the_usual_mode, 1},
                                    {test_replaced_file_keeps_its_mode, 1},
                                    {test_link_stays_a_link, 1},
                                    {test_relative_name, 1},
                                    {test_same, 1},
                                    {test_refused, 1},
                                    {test_unwritable, 1},
                                    {test_unwritable_for_others, 1},
                                    {test_devices, 1},
                                    {test_full_disk, 2},
                                    {test_closed_pipe, 1},
                                    {test_standard_output, 1},
                                    {test_given_up, 1},
                                    {test_steps, 1},
                                    {test_chunks, 2},
                                    {test_memory, 2},
                                    {test_numbers, 1},
                                    {test_doubles, 1},
                                    {0}};
    return gws_test_run_between("output", test, open_runtime, close_runtime);
}
