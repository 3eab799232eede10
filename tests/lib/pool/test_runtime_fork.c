/* SPDX-License-Identifier: MIT */
/* Tests a runtime and fork(). A child has none of the threads. The child closes the runtime and exits. The parent's
 * runtime must still work. */
#include "../../harness.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../lib/parallel.h"

static void count(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    atomic_fetch_add_explicit((_Atomic uint64_t *)context, end - begin, memory_order_relaxed);
}

static void run_loop(struct gws_runtime *runtime)
{
    _Atomic uint64_t sum = 0;
    gws_parallel_for(runtime, 100000, 16, count, &sum);
    ck_assert_uint_eq(sum, 100000);
}

/* Waits long enough for every thread to sleep. */
static void rest(void)
{
    const struct timespec time = {.tv_nsec = 50000000};
    nanosleep(&time, NULL);
}

/* Checks in the child that a new runtime works. */
static int live_on(void)
{
    struct gws_runtime *own;
    if (gws_runtime_open(&(struct gws_options){.threads = 1}, &own) != GWS_OK) return 2;
    run_loop(own);
    gws_runtime_close(own);
    return 0;
}

static int status_of(pid_t child)
{
    int status = -1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

START_TEST(a_child_closes)
{
    static const struct gws_options options[] = {{.threads = 4},
                                                 {.threads = 4, .policy = "split", .vote = true},
                                                 {.threads = 2, .max_memory = 1 << 28},
                                                 {.threads = 1},
                                                 {.threads = 2, .pin = true}};
    struct gws_runtime *runtime;
    ck_assert_int_eq(gws_runtime_open(&options[_i], &runtime), GWS_OK);
    run_loop(runtime);
    rest();
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(20); /* ends the child if it hangs */
        gws_runtime_close(runtime);
        _exit(live_on());
    }
    ck_assert_int_eq(status_of(child), 0);
    run_loop(runtime);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{a_child_closes, 5}, {0}};
    return gws_test_run("a runtime and fork()", test);
}
