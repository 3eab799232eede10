/* SPDX-License-Identifier: MIT */
/* Draws by gnuplot. gnuplot reads the script from a file in memory and draws to its standard output, a pipe. The tool
 * copies the picture from the pipe to an output of the library. gnuplot itself opens no file, because it would not
 * report a full disk. */
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

enum { BUFFER = 1 << 16, COMPLAINT = 200, NOT_FOUND = 127 /* exit status of a shell that cannot run the program */ };

/* Input and results of a run of gnuplot. */
struct gnuplot_run {
    FILE *script, *complaints;
    struct gws_output *output; /* receives the picture; NULL: discard it */
    gws_status status;         /* of the output */
    uint64_t bytes;            /* size of the picture so far */
    int ended;                 /* status of waitpid() */
};

FILE *gnuplot_script(void)
{
    int fd = memfd_create("graphws", MFD_CLOEXEC);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
    if (!file && fd >= 0) close(fd);
    return file;
}

/* Runs gnuplot through a shell. Reads gnuplot's output to the end, or to a write error. Returns 0 when gnuplot has
 * ended, or an errno. */
static int run_gnuplot(const char *option, struct gnuplot_run *run)
{
    char command[128], buffer[BUFFER];
    const int self = (int)getpid();
    snprintf(command, sizeof command, "exec gnuplot %s </proc/%d/fd/%d 2>/proc/%d/fd/%d", option, self,
             fileno(run->script), self, fileno(run->complaints));
    FILE *drawn = popen(command, "re");
    if (!drawn) return errno;
    for (size_t got; run->status == GWS_OK && (got = fread(buffer, 1, sizeof buffer, drawn)) > 0; run->bytes += got)
        if (run->output) run->status = gws_output_write(run->output, buffer, got);
    int why = ferror(drawn) ? errno : 0;
    run->ended = pclose(drawn);
    return why || run->ended >= 0 ? why : errno;
}

/* Returns the exit status if gnuplot could not run or a signal ended it, or -1 if gnuplot exited. */
static int check_end(const char *path, int why, const struct gnuplot_run *run)
{
    if (!why && WIFEXITED(run->ended) && WEXITSTATUS(run->ended) == NOT_FOUND)
        return console_fail("%s: this picture needs gnuplot, which is not installed or not on the PATH", path);
    if (why) return console_fail("%s: cannot run gnuplot: %s", path, strerror(why));
    if (!WIFSIGNALED(run->ended)) return -1;
    return console_fail("%s: signal %d ended gnuplot: %s", path, WTERMSIG(run->ended), strsignal(WTERMSIG(run->ended)));
}

static int fail_in_memory(int why)
{
    return console_fail("gnuplot: cannot create its script in memory: %s", strerror(why));
}

static int try_version(const char *path)
{
    struct gnuplot_run run = {.script = gnuplot_script(), .complaints = gnuplot_script()};
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
    fprintf(script, "set terminal %s size 900,%u%s\n", png ? "pngcairo font 'sans,9'" : "svg", 60 + 300 * plots,
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

/* Reports the first line of gnuplot's error output that has text; lines of blanks and ^ only mark a column. */
static int fail_with_complaint(const char *path, FILE *complaints)
{
    char line[COMPLAINT] = "";
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " ^\t")]) break;
    }
    return console_fail("%s: gnuplot failed: %s", path, *line ? line + strspn(line, " ") : "no message and no picture");
}

/* Checks the picture after gnuplot has ended: -1 if it is complete, otherwise the exit status. */
static int check_drawing(const char *path, int why, const struct gnuplot_run *run, const struct gws_diagnostic *where)
{
    if (run->status != GWS_OK) return console_fail_at(run->status, where);
    int failure = check_end(path, why, run);
    if (failure >= 0) return failure;
    return WEXITSTATUS(run->ended) != 0 || run->bytes == 0 ? fail_with_complaint(path, run->complaints) : -1;
}

int gnuplot_draw(FILE *script, struct gws_runtime *runtime, const char *path)
{
    struct gws_diagnostic where = {0};
    struct gnuplot_run run = {.script = script, .complaints = gnuplot_script()};
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
