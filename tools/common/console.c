/* SPDX-License-Identifier: MIT */
/* Errors, names and numbers for people. */
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

enum { LINE = 1024, /* the most that one message takes */ MORE = 128 };

static const char *tool_name = "graphws";
static uint64_t memory_max;
static bool memory_given;

/* A file that was closed to us stays one that cannot be read or written, so that nothing that is opened later gets its
 * number, and with it what is meant for people. */
static void keep_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF) /* it is the lowest number that is free, which open() gives */
            (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void console_begin(const char *tool)
{
    static char buffer[1 << 16];
    keep_standard_files();
    tool_name = tool;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failure that is said */
}

void console_memory(uint64_t max, bool given)
{
    memory_max = max;
    memory_given = given;
}

/* ---- errors ---- */

/* One line in one write, as others may write there. */
static void put_line(const char *text, const char *more)
{
    char plain[LINE], line[LINE + 2 * MORE];
    console_progress_end();
    gws_text_plain(text, plain, sizeof plain);
    snprintf(line, sizeof line, "%s: %s%s\n", tool_name, plain, more);
    fputs(line, stderr);
}

/* How much memory there was, after a message that it is short: any of them, whichever call found it. */
static void explain(const char *message, char *more)
{
    char text[CONSOLE_NUMBER];
    *more = '\0';
    if (memory_max == 0 || !strstr(message, gws_status_text(GWS_NO_MEMORY))) return;
    console_bytes(memory_max, text);
    if (memory_given)
        snprintf(more, MORE, "; --max-memory allows %s", text);
    else
        snprintf(more, MORE, "; %s were available, and --max-memory can allow more", text);
}

int console_fail(const char *format, ...)
{
    char text[1 << 16], more[MORE]; /* longer than any name of a file */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    explain(text, more);
    put_line(text, more);
    return TOOL_FAILED;
}

/* The library answers a pipe that nobody reads any more with an error. A tool then ends as any filter does: by SIGPIPE,
 * in silence, unless whoever started it has that ignored. */
static void end_if_unread(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR)) raise(SIGPIPE);
}

int console_fail_at(gws_status status, const struct gws_diagnostic *where)
{
    if (strcmp(where->file, "standard output") == 0) end_if_unread();
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

void console_log(void *context, const char *line)
{
    (void)context;
    put_line(line, "");
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
