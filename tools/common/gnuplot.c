/* SPDX-License-Identifier: MIT */
/* gnuplot reads the script from a file in memory and draws to its standard output, a pipe, from which the picture goes
 * to an output of the library: gnuplot itself opens nothing, and would not say that a disk is full. */
#define _GNU_SOURCE /* memfd_create */
#include "picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console.h"
#include "outputs.h"

enum { PIECE = 1 << 16, COMPLAINT = 200, NOT_FOUND = 127 /* says a shell that could not become the program */ };

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

/* Runs gnuplot by a shell that becomes it: 0 once it has ended, or why not, as errno has it. Reads until it has nothing
 * more to say, or what it says cannot be written. */
static int run_gnuplot(const char *option, struct run *run)
{
    char command[128], piece[PIECE];
    const int self = (int)getpid();
    snprintf(command, sizeof command, "exec gnuplot %s </proc/%d/fd/%d 2>/proc/%d/fd/%d", option, self,
             fileno(run->script), self, fileno(run->complaints));
    FILE *drawn = popen(command, "re");
    if (!drawn) return errno;
    for (size_t got; run->status == GWS_OK && (got = fread(piece, 1, sizeof piece, drawn)) > 0; run->bytes += got)
        if (run->output) run->status = gws_output_write(run->output, piece, got);
    int why = ferror(drawn) ? errno : 0;
    run->ended = pclose(drawn);
    return why || run->ended >= 0 ? why : errno;
}

/* gnuplot could not be run, or was ended by a signal: the status to exit with; -1 if it ended by itself. */
static int check_end(const char *path, int why, const struct run *run)
{
    if (!why && WIFEXITED(run->ended) && WEXITSTATUS(run->ended) == NOT_FOUND)
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
    struct run run = {.script = gnuplot_script(), .complaints = gnuplot_script()};
    int failure = run.script && run.complaints ? -1 : fail_in_memory(errno);
    if (failure < 0) failure = check_end(path, run_gnuplot("--version", &run), &run);
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
static int check_drawing(const char *path, int why, const struct run *run, const struct gws_diagnostic *where)
{
    if (run->status != GWS_OK) return console_fail_at(run->status, where);
    int failure = check_end(path, why, run);
    if (failure >= 0) return failure;
    return WEXITSTATUS(run->ended) != 0 || run->bytes == 0 ? fail_as_said(path, run->complaints) : -1;
}

int gnuplot_draw(FILE *script, struct gws_runtime *runtime, const char *path)
{
    struct gws_diagnostic where = {0};
    struct run run = {.script = script, .complaints = gnuplot_script()};
    if (fflush(script) != 0 || ferror(script) || !run.complaints) {
        int failure = fail_in_memory(errno);
        if (run.complaints) fclose(run.complaints);
        return failure;
    }
    int why = 0, failure = -1;
    run.status = gws_output_open(runtime, path, &where, &run.output);
    if (run.status == GWS_OK) why = run_gnuplot("--default-settings", &run);
    failure = check_drawing(path, why, &run, &where);
    if (run.output) run.status = gws_output_close(run.output, failure < 0 ? GWS_OK : GWS_SYSTEM);
    if (failure < 0 && run.status != GWS_OK) failure = console_fail_at(run.status, &where);
    fclose(run.complaints);
    return failure;
}
