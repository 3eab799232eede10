/* SPDX-License-Identifier: MIT */
/* Measures memory bandwidth by the triad a[i] = b[i] + 3 c[i] of McCalpin's STREAM. Each thread has its own arrays.
 *
 * usage: stream THREADS MEGABYTES (of all arrays together). Prints the best of ten rounds in GB/s, where an element
 * counts 24 bytes. As in STREAM, the read of a line before its write does not count. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { rounds = 10, max_threads = 1024 };

struct stream_thread {
    pthread_t thread;
    pthread_barrier_t *barrier;
    double *array; /* a, b and c one after the other */
    size_t size;   /* elements of each */
    double best;   /* seconds of the fastest round for this thread */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void triad(double *restrict a, const double *restrict b, const double *restrict c, size_t size)
{
    for (size_t i = 0; i < size; i++) a[i] = b[i] + 3.0 * c[i];
}

static void *work(void *context)
{
    struct stream_thread *own = context;
    for (size_t i = 0; i < 3 * own->size; i++) own->array[i] = 1.0;
    own->best = 1e30;
    for (int round = 0; round < rounds; round++) {
        pthread_barrier_wait(own->barrier);
        double began = now();
        triad(own->array, own->array + own->size, own->array + 2 * own->size, own->size);
        pthread_barrier_wait(own->barrier);
        double took = now() - began;
        if (took < own->best) own->best = took;
    }
    return NULL;
}

/* Returns the seconds of the fastest round, or 0 if threads or memory are short. Threads that have started end with
 * the process. */
static double measure(int threads, size_t size)
{
    static struct stream_thread thread[max_threads];
    pthread_barrier_t barrier;
    if (pthread_barrier_init(&barrier, NULL, (unsigned)threads)) return 0;
    for (int i = 0; i < threads; i++) {
        thread[i] =
            (struct stream_thread){.barrier = &barrier, .array = malloc(3 * size * sizeof(double)), .size = size};
        if (!thread[i].array || pthread_create(&thread[i].thread, NULL, work, &thread[i])) return 0;
    }
    double worst = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i].thread, NULL);
        if (thread[i].best > worst) worst = thread[i].best;
        free(thread[i].array);
    }
    pthread_barrier_destroy(&barrier);
    return worst;
}

int main(int argc, char **argv)
{
    int threads = argc == 3 ? (int)strtol(argv[1], NULL, 10) : 0;
    double megabytes = argc == 3 ? strtod(argv[2], NULL) : 0;
    if (threads < 1 || threads > max_threads || megabytes < 1) {
        fputs("usage: stream THREADS MEGABYTES\n", stderr);
        return 2;
    }
    size_t size = (size_t)(megabytes * 1e6 / 24 / threads);
    double seconds = measure(threads, size);
    if (seconds <= 0) return 1;
    printf("%.2f\n", 24e-9 * (double)size * threads / seconds);
    return 0;
}
