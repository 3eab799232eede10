/* SPDX-License-Identifier: MIT */
/* The progress line: the current activity, a bar if the total is known, and the seconds since its start after the first
 * second. A thread refreshes the line, because many long calls report nothing while they run. This file also has the
 * signal handler that clears the line and deletes the unfinished output file. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "console.h"

enum { SHOW_EVERY_MS = 100, POLL_EVERY_MS = 200, LONG_MS = 1000, BAR = 20, LINE = 160, PATH = 4096 };

/* The lock protects this state and the terminal's line. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool forwarded;        /* standard error is a pipe to a terminal */
    bool allowed, watched; /* watched: the thread exists */
    bool active, visible;  /* active: there is an activity; visible: the line is on the terminal */
    bool fresh;            /* line is newer than the terminal */
    double began, shown;   /* clock times in ms */
    char work[LINE], line[LINE];
} progress;

void console_progress_forwarded(void)
{
    progress.forwarded = true;
}

bool console_progress_allow(bool quiet)
{
    progress.allowed = !quiet && (progress.forwarded || isatty(STDERR_FILENO));
    console_quiet(quiet);
    return progress.allowed;
}

/* ---- functions that need the lock ---- */

static void show(double now)
{
    double passed = now - progress.began;
    char text[LINE + 32], time[24] = "";
    if (passed >= LONG_MS) snprintf(time, sizeof time, ", %.0f s", passed / 1000);
    snprintf(text, sizeof text, "\r%s%s\033[K", progress.line, time);
    fputs(text, stderr); /* one write, because other processes may write to the terminal too */
    progress.shown = now;
    progress.visible = true;
    progress.fresh = false;
}

static void begin(const char *work, double now)
{
    if (progress.active && strcmp(progress.work, work) == 0) return;
    snprintf(progress.work, sizeof progress.work, "%s", work);
    progress.began = now;
    progress.active = true;
}

static void set_bar(const char *work, double part)
{
    static const char full[] = "####################", empty[] = "....................";
    int length = (int)(part * BAR + 0.5);
    snprintf(progress.line, sizeof progress.line, "%s [%.*s%.*s] %3.0f %%", work, length, full, BAR - length, empty,
             100 * part);
}

/* ---- signals that the handler below catches ---- */

static const int handled[] = {SIGINT, SIGTERM, SIGHUP};
enum { HANDLED = sizeof handled / sizeof *handled };

static void fill(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 0; i < HANDLED; i++) sigaddset(set, handled[i]);
}

/* Blocks the signals. Threads that the tool creates meanwhile inherit the mask. */
static void block_signals(sigset_t *before)
{
    sigset_t set;
    fill(&set);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

/* ---- the thread ---- */

static void *watch(void *context)
{
    const struct timespec pause = {.tv_nsec = POLL_EVERY_MS * 1000000L};
    (void)context;
    for (;;) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&lock);
        double now = gws_clock_ms();
        if (progress.active && (progress.fresh || now - progress.began >= LONG_MS)) show(now);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

/* If the thread cannot start, the line changes only when a call updates it. */
static void start_watch(void)
{
    pthread_t thread;
    if (progress.watched) return;
    progress.watched = true;
    sigset_t before;
    block_signals(&before);
    if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- calls ---- */

static void update(const char *work, uint64_t done, uint64_t total, bool at_once)
{
    if (!progress.allowed) return;
    pthread_mutex_lock(&lock);
    start_watch();
    double now = gws_clock_ms();
    begin(work, now);
    if (total)
        set_bar(work, done < total ? (double)done / (double)total : 1); /* done may exceed total: a file may grow */
    else
        snprintf(progress.line, sizeof progress.line, "%.*s ...", LINE - 8, work);
    progress.fresh = true;
    if (at_once || now - progress.shown >= SHOW_EVERY_MS) show(now);
    pthread_mutex_unlock(&lock);
}

void console_progress_begin(const char *work, const char *name)
{
    char text[LINE], plain[LINE - 32];
    snprintf(text, sizeof text, "%s %s", work, gws_text_plain(name, plain, sizeof plain));
    update(text, 0, 0, true);
}

void console_progress(void *context, const char *work, uint64_t done, uint64_t total)
{
    (void)context;
    update(work, done, total, false);
}

void console_progress_end(void)
{
    pthread_mutex_lock(&lock);
    if (progress.visible) fputs("\r\033[K", stderr);
    progress.visible = progress.active = false;
    pthread_mutex_unlock(&lock);
}

/* ---- the signal handler ---- */

static char unfinished[PATH];
static atomic_bool has_unfinished; /* release: unfinished is written; pairs with the acquire in end() */
static bool clears_line;

/* The handler runs once (SA_RESETHAND); raise() then ends the tool as the signal would have. It calls only functions
 * that signal-safety(7) lists: write(), unlink(), raise(). */
static void end(int signal)
{
    static const char clear[] = "\r\033[K";
    ssize_t written = clears_line ? write(STDERR_FILENO, clear, sizeof clear - 1) : 0;
    (void)written;
    /* acquire: pairs with the release in interrupts_unfinished() */
    if (atomic_load_explicit(&has_unfinished, memory_order_acquire)) unlink(unfinished);
    raise(signal);
}

void interrupts_catch(bool terminal)
{
    struct sigaction before, action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND};
    clears_line = terminal;
    fill(&action.sa_mask);
    for (int i = 0; i < HANDLED; i++)
        if (sigaction(handled[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(handled[i], &action, NULL);
}

gws_status interrupts_open_runtime(const struct gws_options *options, struct gws_runtime **runtime)
{
    sigset_t before;
    block_signals(&before);
    gws_status status = gws_runtime_open(options, runtime);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

void interrupts_unfinished(void *context, const char *path)
{
    (void)context;
    /* relaxed: all signals are blocked while the function writes the path below */
    atomic_store_explicit(&has_unfinished, false, memory_order_relaxed);
    if (!path) return;
    snprintf(unfinished, sizeof unfinished, "%s", path);
    atomic_store_explicit(&has_unfinished, true, memory_order_release); /* pairs with the acquire in end() */
}
