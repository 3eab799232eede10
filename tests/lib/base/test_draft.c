/* SPDX-License-Identifier: MIT */
/* Tests drafts with O_TMPFILE and with names: rights to read, clear and replace files, and syncs to the disk. This
 * program includes lib/base/draft.c a second time with replaced system calls. With them O_TMPFILE and syncs can fail,
 * a rename can end the process, and the program counts syncs. */
#define _XOPEN_SOURCE 700 /* for the strerror_r of XSI */
#define _DEFAULT_SOURCE   /* setgroups */
#include "../../harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../../../lib/base/draft.h"
#include "../../../lib/base/draft_file.h"

static bool has_tmpfile, dies;
static int syncs, failing_sync, sync_error;

static int open_tmpfile(const char *folder, mode_t mode)
{
    return has_tmpfile ? gws__tmpfile_open(folder, mode) : -1;
}

static int rename_or_die(const char *from, const char *to)
{
    if (dies) raise(SIGKILL);
    return rename(from, to);
}

static int sync_or_fail(int fd)
{
    if (++syncs != failing_sync) return fsync(fd);
    errno = sync_error;
    return -1;
}

#define gws__tmpfile_open open_tmpfile
#define rename rename_or_die
#define fsync sync_or_fail
#include "../../../lib/base/draft.c" /* NOLINT(bugprone-suspicious-include): a second time, with the macros above */
#undef rename
#undef fsync

static char unfinished_path[GWS__DRAFT_PATH]; /* the last argument of unfinished(); empty if it was NULL */
static int calls;

static void unfinished(void *context, const char *path)
{
    (void)context;
    calls++;
    snprintf(unfinished_path, sizeof unfinished_path, "%s", path ? path : "");
}

static struct gws_runtime runtime = {.unfinished = unfinished};
static struct gws_diagnostic where;
static char home[GWS_TEST_PATH];

static void begin(void)
{
    snprintf(home, sizeof home, "%s", gws_test_temp("home"));
    ck_assert_int_eq(mkdir(home, 0700), 0);
    where = (struct gws_diagnostic){0};
    runtime.no_sync = true;
    syncs = failing_sync = calls = 0;
    dies = false;
    has_tmpfile = true;
}

static void end(void)
{
    char command[GWS_TEST_PATH + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", home);
    ck_assert_int_eq(system(command), 0); /* NOLINT(cert-env33-c): the command names a folder of this test only */
}

static const char *in(const char *name)
{
    static char path[4][GWS_TEST_PATH + 512];
    static int next;
    char *made = path[next++ % 4];
    snprintf(made, sizeof path[0], "%s/%s", home, name);
    return made;
}

/* Counts all entries except "." and "..". */
static int count_files(void)
{
    int count = -2;
    DIR *folder = opendir(home);
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void check_holds(const char *path, const char *text)
{
    char found[64] = "";
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(found, text);
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    ck_assert_int_eq(lstat(path, &about), 0);
    return about.st_mode & 07777;
}

static void open_it(struct gws__draft *draft, const char *path)
{
    ck_assert_msg(gws__draft_open(draft, &runtime, path, 0666, &where) == GWS_OK, "%s", where.message);
}

static void write_it(struct gws__draft *draft, const char *text)
{
    ck_assert_int_eq(gws__draft_write(draft, text, strlen(text), &where), GWS_OK);
}

static gws_status put_draft(const char *path, const char *text)
{
    struct gws__draft draft;
    where = (struct gws_diagnostic){0};
    gws_status status = gws__draft_open(&draft, &runtime, path, 0666, &where);
    if (status != GWS_OK) return status;
    write_it(&draft, text);
    return gws__draft_commit(&draft, &where);
}

/* ---- one draft, with O_TMPFILE if _i is true ---- */

START_TEST(it_becomes_the_file)
{
    struct gws__draft draft;
    has_tmpfile = _i;
    open_it(&draft, in("a"));
    ck_assert(draft.drafted && draft.named == !has_tmpfile);
    write_it(&draft, "word");
    ck_assert_int_eq(access(in("a"), F_OK), -1);
    ck_assert_int_eq(count_files(), !has_tmpfile);
    ck_assert_str_eq(unfinished_path, has_tmpfile ? "" : draft.draft);
    ck_assert_int_eq(gws__draft_commit(&draft, &where), GWS_OK);
    check_holds(in("a"), "word");
    ck_assert_int_eq(count_files(), 1);
    ck_assert_str_eq(unfinished_path, "");
}
END_TEST

START_TEST(nothing_is_left_of_one_given_up)
{
    struct gws__draft draft;
    has_tmpfile = _i;
    open_it(&draft, in("b"));
    write_it(&draft, "word");
    gws__draft_discard(&draft);
    ck_assert_int_eq(count_files(), 0);
    ck_assert_str_eq(unfinished_path, "");
}
END_TEST

START_TEST(nothing_is_left_of_one_that_cannot_take_its_place)
{
    struct gws__draft draft;
    for (int pipe = 0; pipe < 2; pipe++) {
        has_tmpfile = _i;
        open_it(&draft, in("c"));
        ck_assert_int_eq(pipe ? mkfifo(in("c"), 0700) : mkdir(in("c"), 0700), 0);
        ck_assert_int_eq(gws__draft_commit(&draft, &where), GWS_SYSTEM);
        ck_assert_str_ne(where.message, "");
        ck_assert_int_eq(remove(in("c")), 0);
        ck_assert_int_eq(count_files(), 0);
        ck_assert_str_eq(unfinished_path, "");
    }
}
END_TEST

/* ---- several drafts, and drafts of dead writers ---- */

START_TEST(two_at_once_are_both_whole)
{
    struct gws__draft one, other;
    has_tmpfile = _i;
    open_it(&one, in("a"));
    open_it(&other, in("a"));
    write_it(&one, "one");
    write_it(&other, "the other");
    ck_assert_int_eq(gws__draft_commit(&other, &where), GWS_OK);
    check_holds(in("a"), "the other");
    ck_assert_int_eq(gws__draft_commit(&one, &where), GWS_OK);
    check_holds(in("a"), "one");
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* Writes path in a child process that is killed at the rename. */
static void die_writing(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        dies = true;
        put_draft(path, "of the dead");
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

START_TEST(the_next_writer_clears_what_the_dead_left)
{
    has_tmpfile = _i;
    put(in("a"), "old");
    die_writing(in("a"));
    ck_assert_int_eq(count_files(), 2);
    check_holds(in("a"), "old");
    ck_assert_int_eq(put_draft(in("b"), "of another name"), GWS_OK);
    ck_assert_int_eq(count_files(), 3);
    has_tmpfile = true;
    ck_assert_int_eq(put_draft(in("a"), "new"), GWS_OK);
    /* Three files remain if writers clear no drafts on this file system (for example, a network file system). */
    if (count_files() == 3) {
        printf("skipped: drafts of the dead are not cleared on this file system\n");
        return;
    }
    ck_assert_int_eq(count_files(), 2);
    check_holds(in("a"), "new");
}
END_TEST

/* A new writer removes the drafts of dead writers and keeps the draft of a live process. */
START_TEST(live_writers_keep_their_drafts)
{
    int go[2], done[2];
    char byte = 0;
    has_tmpfile = false;
    die_writing(in("a"));
    ck_assert(pipe(go) == 0 && pipe(done) == 0);
    pid_t child = fork();
    if (child == 0) {
        struct gws__draft draft;
        bool right = gws__draft_open(&draft, &runtime, in("a"), 0666, &where) == GWS_OK;
        right = right && write(done[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1;
        right = right && gws__draft_write(&draft, "living", 6, &where) == GWS_OK;
        _exit(right && gws__draft_commit(&draft, &where) == GWS_OK ? 0 : 1);
    }
    ck_assert_int_eq(read(done[0], &byte, 1), 1);
    for (int i = 0; i < 3; i++) ck_assert_int_eq(put_draft(in("a"), "another"), GWS_OK);
    ck_assert_int_ge(count_files(), 2);
    check_holds(in("a"), "another");
    int status;
    ck_assert_int_eq(write(go[1], &byte, 1), 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    check_holds(in("a"), "living");
}
END_TEST

/* A writer neither follows nor changes other files that have names of drafts. */
START_TEST(names_that_are_taken)
{
    struct gws__draft draft;
    char name[GWS__DRAFT_PATH];
    has_tmpfile = false;
    put(in("precious"), "precious");
    open_it(&draft, in("a"));
    snprintf(name, sizeof name, "%s", draft.draft);
    gws__draft_discard(&draft);
    char *number = name + strlen(name) - strlen("0.tmp");
    ck_assert_str_eq(number, "0.tmp");
    for (unsigned i = 0; i < 32; i++) {
        sprintf(number, "%x.tmp", i);
        ck_assert_int_eq(i % 3 == 0   ? symlink("precious", name)
                         : i % 3 == 1 ? mkdir(name, 0700)
                                      : mkfifo(name, 0600),
                         0);
    }
    for (int tmpfile = 0; tmpfile < 2; tmpfile++) {
        has_tmpfile = tmpfile;
        ck_assert_int_eq(put_draft(in("a"), "word"), GWS_OK);
        check_holds(in("a"), "word");
        check_holds(in("precious"), "precious");
        ck_assert_int_eq(count_files(), 34);
    }
}
END_TEST

/* ---- the target ---- */

START_TEST(links_are_followed_also_to_nothing)
{
    char target[GWS__DRAFT_PATH];
    ck_assert_int_eq(mkdir(in("far"), 0700), 0);
    ck_assert_int_eq(symlink("far/near", in("one")), 0);
    ck_assert_int_eq(symlink("../target", in("far/near")), 0);
    ck_assert_int_eq(symlink(in("one"), in("all")), 0);
    ck_assert_int_eq(symlink("loop", in("loop")), 0);
    for (int exists = 0; exists < 2; exists++) {
        ck_assert_int_eq(put_draft(in("all"), exists ? "second" : "first"), GWS_OK);
        check_holds(in("target"), exists ? "second" : "first");
        ck_assert_int_eq(count_files(), 5);
    }
    ck_assert(gws__draft_target(in("all"), target));
    ck_assert_str_eq(target, in("far/../target"));
    ck_assert(!gws__draft_target(in("loop"), target));
    ck_assert_int_eq(errno, ELOOP);
    ck_assert_int_eq(put_draft(in("loop"), "x"), GWS_SYSTEM);
    ck_assert(!gws__draft_target("", target) && !gws__draft_target("a/", target));
}
END_TEST

START_TEST(a_pipe_is_written_straight)
{
    char found[8] = "";
    struct stat about;
    ck_assert_int_eq(mkfifo(in("pipe"), 0600), 0);
    int fd = open(in("pipe"), O_RDWR);
    runtime.no_sync = false; /* a file without sync support causes no error */
    ck_assert_msg(put_draft(in("pipe"), "word") == GWS_OK, "%s", where.message);
    ck_assert_int_eq(read(fd, found, sizeof found), 4);
    close(fd);
    ck_assert_str_eq(found, "word");
    ck_assert(lstat(in("pipe"), &about) == 0 && S_ISFIFO(about.st_mode));
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* ---- access ---- */

START_TEST(permissions_are_preserved)
{
    static const mode_t modes[] = {0600, 0640, 0604, 0777, 0200};
    struct gws__draft draft;
    struct stat about;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        has_tmpfile = _i;
        put(in("a"), "old");
        ck_assert_int_eq(chmod(in("a"), modes[i]), 0);
        open_it(&draft, in("a"));
        ck_assert_int_eq(fstat(draft.fd, &about), 0);
        ck_assert_uint_eq(about.st_mode & 077, 0); /* the draft is private */
        ck_assert_int_eq(gws__draft_commit(&draft, &where), GWS_OK);
        ck_assert_uint_eq(mode_of(in("a")), modes[i]);
        unlink(in("a"));
    }
}
END_TEST

START_TEST(a_lost_group_gets_no_access)
{
    struct stat about;
    if (geteuid() != 0) {
        printf("skipped: only root can make files of others\n");
        return;
    }
    put(in("a"), "old");
    ck_assert(chown(in("a"), 1234, 4321) == 0 && chmod(in("a"), 0664) == 0 && chmod(home, 0777) == 0);
    ck_assert_int_eq(put_draft(in("a"), "by root"), GWS_OK);
    ck_assert(stat(in("a"), &about) == 0 && about.st_uid == 1234 && about.st_gid == 4321);
    ck_assert_uint_eq(mode_of(in("a")), 0664);
    ck_assert_int_eq(chdir(home), 0); /* a relative path, because other users may not traverse the absolute one */
    ck_assert(setgroups(0, NULL) == 0 && setegid(65534) == 0 && seteuid(65534) == 0);
    gws_status status = put_draft("a", "by another"); /* access() checks the real user, who has access */
    ck_assert(seteuid(0) == 0 && setegid(0) == 0);
    ck_assert_int_eq(status, GWS_OK);
    ck_assert(stat(in("a"), &about) == 0 && about.st_uid == 65534 && about.st_gid == 65534);
    ck_assert_uint_eq(mode_of(in("a")), 0644);
}
END_TEST

/* An access control list excludes the file's group. The mode does not show this exclusion, because the middle digit of
 * the mode is the list's mask. */
START_TEST(lists_are_preserved)
{
    static const struct {
        uint32_t version;
        struct {
            uint16_t tag, may;
            uint32_t id;
        } entry[5];
    } list = {2, {{1, 6, UINT32_MAX}, {2, 4, 12345}, {4, 0, UINT32_MAX}, {16, 4, UINT32_MAX}, {32, 0, UINT32_MAX}}};
    static const char name[] = "system.posix_acl_access";
    char found[2 * sizeof list];
    put(in("a"), "old");
    if (setxattr(in("a"), name, &list, sizeof list, 0) != 0) {
        printf("skipped: no access control lists here: %s\n", strerror(errno));
        return;
    }
    has_tmpfile = _i;
    ck_assert_int_eq(put_draft(in("a"), "new"), GWS_OK);
    ck_assert_int_eq(getxattr(in("a"), name, found, sizeof found), sizeof list);
    ck_assert_mem_eq(found, &list, sizeof list);
    ck_assert_uint_eq(mode_of(in("a")), 0640);
    put(in("b"), "old"); /* the test writes this file before the folder has a default list */
    ck_assert_int_eq(chmod(in("b"), 0640), 0);
    ck_assert_int_eq(setxattr(home, "system.posix_acl_default", &list, sizeof list, 0), 0);
    ck_assert_int_eq(put_draft(in("b"), "new"), GWS_OK);
    ck_assert_int_eq(getxattr(in("b"), name, found, sizeof found), -1);
    ck_assert_uint_eq(mode_of(in("b")), 0640);
}
END_TEST

/* ---- the disk ---- */

START_TEST(the_file_and_its_folder_are_synced)
{
    has_tmpfile = _i;
    ck_assert_int_eq(put_draft(in("a"), "old"), GWS_OK);
    ck_assert_int_eq(syncs, 0);
    runtime.no_sync = false;
    ck_assert_int_eq(put_draft(in("a"), "new"), GWS_OK);
    ck_assert_int_eq(syncs, 2);
}
END_TEST

START_TEST(a_sync_that_fails_is_a_write_that_fails)
{
    has_tmpfile = _i;
    put(in("a"), "old");
    runtime.no_sync = false;
    sync_error = EIO;
    failing_sync = 1;
    ck_assert_int_eq(put_draft(in("a"), "new"), GWS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(where.message, "cannot sync: "));
    ck_assert_int_eq(count_files(), 1);
    check_holds(in("a"), "old");
    syncs = 0;
    failing_sync = 2;
    ck_assert_int_eq(put_draft(in("a"), "new"), GWS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(where.message, "cannot sync its folder: "));
    ck_assert_int_eq(count_files(), 1);
    syncs = 0;
    failing_sync = 1;
    sync_error = EINVAL;
    ck_assert_int_eq(put_draft(in("a"), "newer"), GWS_OK);
    check_holds(in("a"), "newer");
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{it_becomes_the_file, 2},
                                    {nothing_is_left_of_one_given_up, 2},
                                    {nothing_is_left_of_one_that_cannot_take_its_place, 2},
                                    {two_at_once_are_both_whole, 2},
                                    {the_next_writer_clears_what_the_dead_left, 2},
                                    {live_writers_keep_their_drafts, 1},
                                    {names_that_are_taken, 1},
                                    {links_are_followed_also_to_nothing, 1},
                                    {a_pipe_is_written_straight, 1},
                                    {permissions_are_preserved, 2},
                                    {a_lost_group_gets_no_access, 1},
                                    {lists_are_preserved, 2},
                                    {the_file_and_its_folder_are_synced, 2},
                                    {a_sync_that_fails_is_a_write_that_fails, 2},
                                    {0}};
    return gws_test_run_between("draft", test, begin, end);
}
