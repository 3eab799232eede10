/* SPDX-License-Identifier: MIT */
/* The progress line: what is being done, with a bar where the whole is known, and for how many seconds where that is
 * more than one. A thread looks after it, since much of what takes long says nothing while it runs. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "console.h"
#include "interrupts.h"

enum { SHOW_EVERY_MS = 100, LOOK_EVERY_MS = 200, LONG_MS = 1000, BAR = 20, LINE = 160 };

/* Under the lock, and so is what is on the terminal's line. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool allowed, watched; /* there is a thread */
    bool active, visible;  /* something is being done; it is on the terminal */
    bool fresh;            /* what line says is not there yet */
    double began, shown;   /* when, in ms */
    char work[LINE], line[LINE];
} progress;

bool console_progress_allow(bool quiet)
{
    progress.allowed = !quiet && isatty(STDERR_FILENO);
    return progress.allowed;
}

/* ---- under the lock ---- */

static void show(double now)
{
    double passed = now - progress.began;
    char text[LINE + 32], time[24] = "";
    if (passed >= LONG_MS) snprintf(time, sizeof time, ", %.0f s", passed / 1000);
    snprintf(text, sizeof text, "\r%s%s\033[K", progress.line, time);
    fputs(text, stderr); /* in one go, as others write there */
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

/* ---- the thread ---- */

static void *watch(void *context)
{
    const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000000L};
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

/* Without it, for want of memory say, the line is as it was when it was last set. */
static void have_watch(void)
{
    pthread_t thread;
    if (progress.watched) return;
    progress.watched = true;
    sigset_t before;
    interrupts_hold(&before);
    if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
    interrupts_release(&before);
}

/* ---- the calls ---- */

static void update(const char *work, uint64_t done, uint64_t total, bool at_once)
{
    if (!progress.allowed) return;
    pthread_mutex_lock(&lock);
    have_watch();
    double now = gws_clock_ms();
    begin(work, now);
    if (total)
        set_bar(work, done < total ? (double)done / (double)total : 1); /* a file may have grown */
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
