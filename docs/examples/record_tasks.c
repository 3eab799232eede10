/* SPDX-License-Identifier: MIT */
/* Records a tree of tasks for `gsim recorded`: a program's own tasks, with their times and their parents. The tasks are
 * the recursive calls of Fibonacci's function, with a loop as their work. */
#include <graphws/graphws.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct fib {
    uint64_t n, parent; /* parent: the line of the task that spawned this one; 0: none */
};

struct record {
    pthread_mutex_t lock;
    uint64_t lines;
};

/* Prints a task that has ended. Returns the number of its line. */
static uint64_t print(struct record *record, uint64_t parent, double ms)
{
    pthread_mutex_lock(&record->lock);
    printf("task %" PRIu64 " %.0f\n", parent, 1e6 * ms);
    uint64_t line = ++record->lines;
    pthread_mutex_unlock(&record->lock);
    return line;
}

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct fib *fib = task;
    (void)worker;
    (void)count; /* always 1: .batch below is not set */
    double began = gws_clock_ms();
    for (volatile uint64_t i = 0; i < 1000 * fib->n; i++) {
    }
    uint64_t line = print(context, fib->parent, gws_clock_ms() - began);
    for (uint64_t less = 1; less <= 2 && fib->n >= 2; less++) {
        struct fib next = {fib->n - less, line};
        gws_spawn(self, &next);
    }
}

int main(int argc, char **argv)
{
    struct fib root = {argc > 1 ? strtoull(argv[1], NULL, 10) : 12, 0};
    struct record record = {.lines = 0};
    struct gws_options options = {.policy = "chaselev"};
    struct gws_runtime *runtime = NULL;
    struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run, .context = &record};
    pthread_mutex_init(&record.lock, NULL);
    gws_status status = gws_runtime_open(&options, &runtime);
    if (status == GWS_OK) status = gws_tasks_run(runtime, &tasks);
    if (status != GWS_OK) fprintf(stderr, "%s\n", gws_status_text(status));
    gws_runtime_close(runtime);
    return status != GWS_OK;
}
