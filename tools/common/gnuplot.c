/* SPDX-License-Identifier: MIT */
/* gnuplot reads the script from a nameless file and draws to its standard output, so that the picture comes here whole
 * before anything is written: gnuplot itself would not say that a disk is full. */
#define _POSIX_C_SOURCE 200809L
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console.h"
#include "outputs.h"
#include "picture.h"

extern char **environ;

enum { PIECE = 1 << 16, COMPLAINT = 200, NOT_RUN = 127 /* says a child that could not become the program */ };

/* Starts gnuplot: 0, or why not, as errno has it. */
static int start(char *const *words, FILE *script, int out, FILE *complaints, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int why = posix_spawn_file_actions_init(&actions);
    if (why) return why;
    why = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    if (!why) why = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!why) why = posix_spawn_file_actions_adddup2(&actions, fileno(complaints), STDERR_FILENO);
    if (!why) why = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return why;
}

static bool read_all(int from, FILE *to)
{
    char piece[PIECE];
    for (;;) {
        ssize_t got = read(from, piece, sizeof piece);
        if (got == 0) return true;
        if (got < 0 && errno != EINTR) return false;
        if (got > 0 && fwrite(piece, 1, (size_t)got, to) != (size_t)got) return false;
    }
}

/* Of a pipe that no child inherits but by a copy. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0) return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static int wait_for(pid_t child)
{
    int status;
    pid_t ended;
    do ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : NOT_RUN - 1;
}

/* Runs gnuplot; what it draws goes to picture: its exit status, or -1 and errno. */
static int run(char *const *words, FILE *script, FILE *picture, FILE *complaints)
{
    int ends[2], status = -1;
    pid_t child;
    if (!open_pipe(ends)) return -1;
    int why = start(words, script, ends[1], complaints, &child);
    bool started = why == 0;
    close(ends[1]);
    if (started && !read_all(ends[0], picture)) why = errno ? errno : EIO;
    close(ends[0]); /* before waiting: it might still want to write */
    if (started) status = wait_for(child);
    if (why) errno = why;
    return why ? -1 : status;
}

static int fail_to_run(const char *path, int status)
{
    if (status == NOT_RUN || errno == ENOENT)
        return console_fail("%s: gnuplot draws it, and is not installed, or not on the PATH", path);
    return console_fail("%s: cannot run gnuplot: %s", path, strerror(errno));
}

int gnuplot_check(const char *option, const char *path)
{
    int failure = picture_check(option, path);
    if (failure >= 0) return failure;
    char *words[] = {"gnuplot", "--version", NULL};
    FILE *script = tmpfile(), *complaints = tmpfile(), *answer = tmpfile();
    bool files = script && complaints && answer;
    int status = files ? run(words, script, answer, complaints) : -1;
    if (!files)
        failure = console_fail("a temporary file: %s", strerror(errno));
    else if (status != 0)
        failure = fail_to_run(path, status);
    if (script) fclose(script);
    if (complaints) fclose(complaints);
    if (answer) fclose(answer);
    return failure;
}

void gnuplot_begin(FILE *script, const char *path, unsigned plots)
{
    bool png = name_ends(path, ".png");
    fprintf(script, "set terminal %s size 900,%u%s\n", png ? "pngcairo" : "svg", 60 + 300 * plots,
            png ? "" : " dynamic background \"white\"");
}

void gnuplot_text(FILE *script, const char *text)
{
    fputc('\'', script);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '\'') fputc('\'', script);
        fputc(*c < ' ' || *c == 127 ? '?' : *c, script);
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

int gnuplot_draw(FILE *script, const char *path)
{
    char *words[] = {"gnuplot", "--default-settings", NULL};
    char *text = NULL;
    size_t size = 0;
    FILE *complaints = tmpfile(), *picture = open_memstream(&text, &size);
    bool ready = fflush(script) == 0 && !ferror(script) && complaints && picture;
    if (ready) rewind(script);
    int status = ready ? run(words, script, picture, complaints) : -1, why = errno;
    bool whole = picture && (ferror(picture) | fclose(picture)) == 0;
    int failure = -1;
    errno = why;
    if (status < 0)
        failure = ready ? fail_to_run(path, status) : console_fail("a temporary file: %s", strerror(why));
    else if (status != 0 || !whole || size == 0)
        failure = fail_as_said(path, complaints);
    if (failure < 0) failure = output_write(path, text, size);
    if (complaints) fclose(complaints);
    free(text);
    return failure;
}
