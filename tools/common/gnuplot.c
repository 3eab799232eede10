/* SPDX-License-Identifier: MIT */
/* gnuplot reads the script from a file in memory and draws to its standard output, a pipe, from which the picture goes
 * to an output of the library: gnuplot itself opens nothing, and would not say that a disk is full. */
#define _GNU_SOURCE /* memfd_create, environ */
#include "picture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console.h"
#include "outputs.h"

enum { PIECE = 1 << 16, COMPLAINT = 200, NOT_RUN = 127 /* says a child that could not become the program */ };

/* What a run of gnuplot is given and gives. */
struct run {
    FILE *script, *complaints;
    struct gws_output *output; /* what it draws goes there; NULL: nowhere */
    gws_status status;         /* of the output */
    uint64_t bytes;            /* drawn */
    int ended;                 /* as waitpid() has it */
};

FILE *gnuplot_script(void)
{
    int fd = memfd_create("graphws", MFD_CLOEXEC);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
    if (!file && fd >= 0) close(fd);
    return file;
}

/* Starts gnuplot: 0, or why not, as errno has it. */
static int start(char *const *words, const struct run *run, int out, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual; /* signals that the tool has ignored and gnuplot knows nothing of */
    sigemptyset(&usual);
    sigaddset(&usual, SIGXFSZ);
    int why = posix_spawn_file_actions_init(&actions);
    if (why) return why;
    why = posix_spawnattr_init(&attributes);
    if (why) {
        posix_spawn_file_actions_destroy(&actions);
        return why;
    }
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    why = posix_spawn_file_actions_adddup2(&actions, fileno(run->script), STDIN_FILENO);
    if (!why) why = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!why) why = posix_spawn_file_actions_adddup2(&actions, fileno(run->complaints), STDERR_FILENO);
    if (!why) why = posix_spawnp(child, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return why;
}

/* Until gnuplot has nothing more to say, or what it says cannot be written. */
static bool read_all(int from, struct run *run)
{
    char piece[PIECE];
    while (run->status == GWS_OK) {
        ssize_t got = read(from, piece, sizeof piece);
        if (got == 0) return true;
        if (got < 0 && errno != EINTR) return false;
        if (got < 0) continue;
        run->bytes += (uint64_t)got;
        if (run->output) run->status = gws_output_write(run->output, piece, (uint64_t)got);
    }
    return true;
}

/* Of a pipe that no child inherits but by a copy. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0) return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static int wait_for(pid_t child, struct run *run)
{
    pid_t ended;
    do ended = waitpid(child, &run->ended, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 ? errno : 0;
}

/* Runs gnuplot: 0 once it has ended, or why not, as errno has it. */
static int run_words(char *const *words, struct run *run)
{
    int ends[2];
    pid_t child;
    if (!open_pipe(ends)) return errno;
    int why = start(words, run, ends[1], &child);
    bool started = why == 0;
    close(ends[1]);
    if (started && !read_all(ends[0], run)) why = errno;
    close(ends[0]); /* before waiting: it might still want to write */
    int waited = started ? wait_for(child, run) : 0;
    return why ? why : waited;
}

static bool is_missing(int why, const struct run *run)
{
    return why == ENOENT || (!why && WIFEXITED(run->ended) && WEXITSTATUS(run->ended) == NOT_RUN);
}

/* gnuplot could not be run, or was ended by a signal: the status to exit with; -1 if it ended by itself. */
static int check_end(const char *path, int why, const struct run *run)
{
    if (is_missing(why, run))
        return console_fail("%s: gnuplot draws it, and is not installed, or not on the PATH", path);
    if (why) return console_fail("%s: cannot run gnuplot: %s", path, strerror(why));
    if (!WIFSIGNALED(run->ended)) return -1;
    return console_fail("%s: gnuplot was ended by signal %d: %s", path, WTERMSIG(run->ended),
                        strsignal(WTERMSIG(run->ended)));
}

static int fail_in_memory(int why)
{
    return console_fail("gnuplot: cannot keep its script in memory: %s", strerror(why));
}

static int try_version(const char *path)
{
    char *words[] = {"gnuplot", "--version", NULL};
    struct run run = {.script = gnuplot_script(), .complaints = gnuplot_script()};
    int failure = run.script && run.complaints ? -1 : fail_in_memory(errno);
    if (failure < 0) failure = check_end(path, run_words(words, &run), &run);
    if (failure < 0 && WEXITSTATUS(run.ended) != 0)
        failure = console_fail("%s: cannot run gnuplot: it exits with %d", path, WEXITSTATUS(run.ended));
    if (run.script) fclose(run.script);
    if (run.complaints) fclose(run.complaints);
    return failure;
}

int gnuplot_check(const char *option, const char *path)
{
    int failure = picture_check(option, path);
    return failure < 0 ? try_version(path) : failure;
}

void gnuplot_begin(FILE *script, const char *path, unsigned plots)
{
    bool png = name_ends(path, ".png");
    fprintf(script, "set terminal %s size 900,%u%s\n", png ? "pngcairo" : "svg", 60 + 300 * plots,
            png ? "" : " dynamic background \"white\"");
}

void gnuplot_text(FILE *script, const char *text)
{
    char plain[CONSOLE_NAME];
    fputc('\'', script);
    for (const char *c = console_name(text, plain); *c; c++) {
        if (*c == '\'') fputc('\'', script);
        fputc(*c, script);
    }
    fputc('\'', script);
}

/* The first line of what gnuplot complains of that says something; lines of blanks and ^ only point at it. */
static int fail_as_said(const char *path, FILE *complaints)
{
    char line[COMPLAINT] = "";
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " ^\t")]) break;
    }
    return console_fail("%s: gnuplot says: %s", path, *line ? line + strspn(line, " ") : "nothing, and drew nothing");
}

/* What gnuplot has to say of a drawing once it has ended: -1 if it is whole. */
static int check_drawing(const char *path, int why, const struct run *run, const struct gws_where *where)
{
    if (run->status != GWS_OK) return console_fail_at(run->status, where);
    int failure = check_end(path, why, run);
    if (failure >= 0) return failure;
    return WEXITSTATUS(run->ended) != 0 || run->bytes == 0 ? fail_as_said(path, run->complaints) : -1;
}

/* The script ends here, and is read from its beginning. */
static bool is_whole(FILE *script)
{
    return fflush(script) == 0 && !ferror(script) && lseek(fileno(script), 0, SEEK_SET) == 0;
}

int gnuplot_draw(FILE *script, struct gws_runtime *runtime, const char *path)
{
    char *words[] = {"gnuplot", "--default-settings", NULL};
    struct gws_where where = {0};
    struct run run = {.script = script, .complaints = gnuplot_script()};
    if (!is_whole(script) || !run.complaints) {
        int failure = fail_in_memory(errno);
        if (run.complaints) fclose(run.complaints);
        return failure;
    }
    int why = 0, failure = -1;
    run.status = gws_output_open(runtime, path, &where, &run.output);
    if (run.status == GWS_OK) why = run_words(words, &run);
    failure = check_drawing(path, why, &run, &where);
    if (run.output) run.status = gws_output_close(run.output, failure < 0 ? GWS_OK : GWS_SYSTEM);
    if (failure < 0 && run.status != GWS_OK) failure = console_fail_at(run.status, &where);
    fclose(run.complaints);
    return failure;
}
