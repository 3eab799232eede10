/* SPDX-License-Identifier: MIT */
/* When a rank dies, the launcher of MPICH (hydra) kills all others at once, and does not say which rank it was. So
 * under it a rank is the child of a small process, which waits for the rank's end. The launcher learns of the death
 * when this process ends, because it has the same files open. Until then it can name the rank. Open MPI's launcher
 * names a rank itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console.h"
#include "ranks.h"

/* Signals that end the whole job: the launcher passes them on to both processes. */
static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static bool is_passed_on(int number)
{
    bool found = false;
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) found = found || passed_on[i] == number;
    return found;
}

/* Ends this process as the rank has ended. */
static void end_like(uint32_t rank, int status)
{
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    if (!is_passed_on(number))
        (void)console_fail("rank %u was killed by signal %d (%s), which ends the job", rank, number, strsignal(number));
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    _exit(TOOL_FAILED);
}

static void watch(uint32_t rank, pid_t child)
{
    int status = 0;
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) (void)signal(passed_on[i], SIG_IGN);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) _exit(TOOL_FAILED);
    end_like(rank, status);
}

void ranks_watch(uint32_t rank)
{
    if (!getenv("PMI_FD") && !getenv("PMI_PORT")) return;
    const pid_t parent = getpid(), child = fork();
    if (child > 0) watch(rank, child);
    if (child == 0) (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (child == 0 && getppid() != parent) _exit(TOOL_FAILED); /* the parent has died before */
}
