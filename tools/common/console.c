/* SPDX-License-Identifier: MIT */
/* Errors, names and numbers as text. */
#define _POSIX_C_SOURCE 200809L
#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { LINE = CONSOLE_MESSAGE, SUFFIX = 128 };

static const char *tool_name = "graphws";
static uint64_t memory_max;
static bool memory_given;
static bool muted;
static bool quiet;
static char muted_message[CONSOLE_MESSAGE];

/* Opens /dev/null, in the wrong mode, for each closed standard file. Reads and writes there still fail, and no file
 * opened later gets its descriptor and with it the tool's messages. */
static void reserve_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 &&
            errno == EBADF) /* open() returns the lowest free descriptor, which is this one */
            (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void console_begin(const char *tool)
{
    static char buffer[1 << 16];
    reserve_standard_files();
    tool_name = tool;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails, and the tool reports the error */
}

void console_memory(uint64_t max, bool given)
{
    memory_max = max;
    memory_given = given;
}

void console_mute(void)
{
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0) (void)dup2(null, STDOUT_FILENO);
    if (null >= 0) (void)close(null);
    muted = true;
}

const char *console_muted_message(void)
{
    return muted_message;
}

/* ---- errors ---- */

/* Writes one line with one write, because other processes may write to standard error too. */
static void print_line(const char *text, const char *suffix)
{
    char plain[LINE], line[LINE + 2 * SUFFIX];
    console_progress_end();
    gws_text_plain(text, plain, sizeof plain);
    if (muted) {
        snprintf(muted_message, sizeof muted_message, "%s%s", plain, suffix);
        return;
    }
    snprintf(line, sizeof line, "%s: %s%s\n", tool_name, plain, suffix);
    fputs(line, stderr);
}

/* Returns whether the message is one of another rank, of which rank 0 reports. Rank 0 has no number elsewhere. */
static bool names_other_rank(const char *message)
{
    const char *at = strstr(message, "rank ");
    const size_t digits = at ? strspn(at + 5, "0123456789") : 0;
    return digits > 0 && at[5] != '0' && at[5 + digits] == ':';
}

/* Writes this process's memory limit into suffix if the message is an out-of-memory error of any call. */
static void add_limit(const char *message, char *suffix)
{
    char text[CONSOLE_NUMBER];
    *suffix = '\0';
    if (names_other_rank(message)) return;
    if (memory_max == 0 || !strstr(message, gws_status_text(GWS_NO_MEMORY))) return;
    console_bytes(memory_max, text);
    if (memory_given)
        snprintf(suffix, SUFFIX, "; --max-memory allows %s", text);
    else
        snprintf(suffix, SUFFIX, "; %s were available, and --max-memory can allow more", text);
}

int console_fail(const char *format, ...)
{
    char text[1 << 16], suffix[SUFFIX]; /* text is longer than any file name */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_limit(text, suffix);
    print_line(text, suffix);
    return TOOL_FAILED;
}

/* Ends the tool silently by SIGPIPE, like any filter, if standard output is a pipe without a reader. The library itself
 * reports such a pipe as an error. If the parent process made SIGPIPE ignored, the tool continues and reports the error
 * too. */
static void end_on_broken_pipe(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR)) raise(SIGPIPE);
}

int console_fail_at(gws_status status, const struct gws_diagnostic *where)
{
    if (strcmp(where->file, "standard output") == 0) end_on_broken_pipe();
    char text[sizeof *where + 64];
    return console_fail("%s", gws_diagnostic_text(where, status, text, sizeof text));
}

int console_fail_input(gws_status status, const struct gws_diagnostic *where)
{
    int failure = console_fail_at(status, where);
    return status == GWS_INVALID ? TOOL_MISUSED : failure;
}

int console_finish(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return TOOL_DONE;
    return console_fail("standard output: %s", strerror(errno ? errno : EIO));
}

void console_quiet(bool is_quiet)
{
    quiet = is_quiet;
}

void console_log(void *context, const char *line)
{
    (void)context;
    if (quiet) return;
    /* A muted process, which is a rank other than 0, tells only what it waits for (lib/rank_tasks.h). */
    if (muted && strncmp(line, "rank ", 5) == 0)
        fprintf(stderr, "%s: %s\n", tool_name, line);
    else
        print_line(line, "");
}

/* ---- names and numbers ---- */

char *console_name(const char *name, char *text)
{
    return gws_text_plain(name, text, CONSOLE_NAME);
}

char *console_count(uint64_t number, char *text)
{
    char digits[CONSOLE_NUMBER];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

char *console_bytes(uint64_t bytes, char *text)
{
    static const char *const unit[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    double size = (double)bytes;
    uint32_t i = 0;
    for (; size >= 1000 && i < 6; i++) size /= 1000;
    snprintf(text, CONSOLE_NUMBER, i == 0 || size >= 100 ? "%.0f %s" : "%.1f %s", size, unit[i]);
    return text;
}

char *console_time(double ms, char *text)
{
    if (ms >= 10000)
        snprintf(text, CONSOLE_NUMBER, "%.1f s", ms / 1000);
    else if (ms < 0.1)
        snprintf(text, CONSOLE_NUMBER, "%.2f us", ms * 1000);
    else
        snprintf(text, CONSOLE_NUMBER, ms >= 100 ? "%.0f ms" : ms >= 10 ? "%.1f ms" : "%.2f ms", ms);
    return text;
}

char *console_rate(double number, char *text)
{
    static const char *const unit[] = {"", " k", " M", " G", " T"};
    uint32_t i = 0;
    for (; number >= 1000 && i < 4; i++) number /= 1000;
    snprintf(text, CONSOLE_NUMBER, number >= 99.95 ? "%.0f%s" : number >= 9.995 ? "%.1f%s" : "%.2f%s", number, unit[i]);
    return text;
}
