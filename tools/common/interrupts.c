/* SPDX-License-Identifier: MIT */
/* A handler may call little (signal-safety(7)): write(), unlink() and raise() are among it. */
#define _POSIX_C_SOURCE 200809L
#include "interrupts.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

enum { PATH = 4096 };

static const int ours[] = {SIGINT, SIGTERM, SIGHUP};
enum { OURS = sizeof ours / sizeof *ours };

static char unfinished[PATH];
static atomic_bool lies_there; /* release: unfinished is written; pairs with the acquire in end() */
static bool clears_line;

/* The tool then ends as it would have by itself (SA_RESETHAND). */
static void end(int signal)
{
    static const char clear[] = "\r\033[K";
    ssize_t written = clears_line ? write(STDERR_FILENO, clear, sizeof clear - 1) : 0;
    (void)written;
    /* acquire: pairs with the release in interrupts_unfinished() */
    if (atomic_load_explicit(&lies_there, memory_order_acquire)) unlink(unfinished);
    raise(signal);
}

static void fill(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 0; i < OURS; i++) sigaddset(set, ours[i]);
}

void interrupts_take(bool terminal)
{
    struct sigaction before, action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND};
    clears_line = terminal;
    fill(&action.sa_mask);
    for (int i = 0; i < OURS; i++)
        if (sigaction(ours[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(ours[i], &action, NULL);
}

void interrupts_hold(sigset_t *before)
{
    sigset_t set;
    fill(&set);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

void interrupts_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

void interrupts_unfinished(void *context, const char *path)
{
    (void)context;
    /* relaxed: what the handler must not see yet is written behind it, with all signals blocked */
    atomic_store_explicit(&lies_there, false, memory_order_relaxed);
    if (!path) return;
    snprintf(unfinished, sizeof unfinished, "%s", path);
    atomic_store_explicit(&lies_there, true, memory_order_release); /* pairs with the acquire in end() */
}
