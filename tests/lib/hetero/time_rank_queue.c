/* SPDX-License-Identifier: MIT */
/* Measures steals from the window of a rank that computes: mpirun -n 2 time_rank_queue. Medians: the first steal after
 * the owner's release, of one task and of half of 1,024 tasks of four words; each of the eleven steals that empty such
 * a window; a look at an empty window.
 *
 * Then two costs of the simulator (lib/sim.h), by their names there, of which each is the smallest of some runs:
 * `network`, a load of a word that another rank has just written; `message`, the time until another rank has received
 * one. */
#include <stdio.h>
#include <stdlib.h>

#include "../../../lib/hetero/rank_queue.h"
#include "../../../lib/parallel.h"
#include "../../../lib/transport/transport.h"

enum { words = 4, max_tasks = 1024, rounds = 101, accesses = 1 << 10 };

static const struct gws__rank_protocol *const protocol[] = {&gws__rank_split, &gws__rank_saws};

static uint64_t task[max_tasks * words];
static double took_us[rounds];

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Steals once, or until the window is empty. Returns the number of steals. */
static uint32_t steal(struct gws__rank_queue *queue, bool all)
{
    uint32_t steals = 0;
    uint64_t stolen;
    while (queue->protocol->steal(queue, 0, false, max_tasks, task, &stolen) == GWS_ACQUIRED) {
        steals++;
        if (!all) break;
    }
    return steals;
}

/* Measures, as rank 1, steals from rank 0, which has `count` tasks and computes for 1 ms. */
static void measure(struct gws_transport *transport, struct gws__rank_queue *queue, uint64_t count, bool all)
{
    uint32_t steals = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        const bool owns = gws_transport_rank(transport) == 0;
        if (owns && count > 0) (void)queue->protocol->release(queue, task, count);
        (void)gws_transport_agree(transport, GWS_OK);
        const double began = gws_clock_ms();
        while (owns && gws_clock_ms() - began < 1) continue;
        if (!owns) steals = steal(queue, all);
        took_us[i] = (gws_clock_ms() - began) * 1000 / (steals > 0 ? steals : 1);
        (void)gws_transport_agree(transport, GWS_OK);
        while (owns && queue->protocol->reacquire(queue, max_tasks, task) > 0) continue;
    }
    qsort(took_us, rounds, sizeof *took_us, compare);
    if (gws_transport_rank(transport) == 1)
        printf("%-6s %-5s %2u steals of %4u tasks %8.2f us\n", queue->link->name, queue->protocol->name, steals,
               (unsigned)count, took_us[rounds / 2]);
}

/* ---- costs ---- */

/* The ranks write a word of their own windows in turn. */
static void alternate(const struct gws_transport *transport, const struct gws__window *window)
{
    const uint32_t self = gws_transport_rank(transport), other = 1 - self;
    for (uint64_t i = 1; i <= accesses; i++) {
        uint64_t seen = 0;
        if (self == 0) (void)window->link->swap(window->memory, self, 0, i);
        while (seen < i) window->link->load(window->memory, other, 0, 1, &seen);
        if (self == 1) (void)window->link->swap(window->memory, self, 0, i);
    }
}

/* The ranks send a message in turn. */
static void send_messages(const struct gws_transport *transport, const struct gws__window *window)
{
    const uint32_t self = gws_transport_rank(transport);
    uint32_t from;
    size_t bytes;
    (void)window;
    for (uint64_t i = 0; i < accesses; i++) {
        if (self == 0) transport->kind->send(transport->state, 1, &i, sizeof i);
        while (!transport->kind->receive(transport->state, &from, &bytes)) continue;
        if (self == 1) transport->kind->send(transport->state, 0, &i, sizeof i);
    }
}

/* Prints the time of each of the 2 * accesses operations of both ranks. */
static void print_cost(struct gws_transport *transport, const struct gws__window *window, const char *cost,
                       void (*run)(const struct gws_transport *, const struct gws__window *))
{
    double best = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        if (window) (void)window->link->swap(window->memory, gws_transport_rank(transport), 0, 0);
        (void)gws_transport_agree(transport, GWS_OK);
        const double began = gws_clock_ms();
        run(transport, window);
        (void)gws_transport_agree(transport, GWS_OK);
        const double ns = (gws_clock_ms() - began) * 1e6 / (2 * accesses);
        if (i == 0 || ns < best) best = ns;
    }
    if (gws_transport_rank(transport) == 1)
        printf("%-6s %-8s %8.1f ns\n", window ? window->link->name : "", cost, best);
}

int main(void)
{
    struct gws_transport *transport;
    struct gws_diagnostic where = {0};
    struct gws__rank_queue queue;
    if (gws_transport_open(&transport, &where) != GWS_OK || gws_transport_ranks(transport) != 2) {
        fprintf(stderr, "%s\n", *where.message ? where.message : "two ranks are needed");
        return EXIT_FAILURE;
    }
    for (uint32_t link = GWS__LINK_SHARED; link >= GWS__LINK_RMA; link--) {
        if (gws__links_open(transport, link, 0) != GWS_OK) continue;
        for (uint32_t p = 0; p < sizeof protocol / sizeof *protocol; p++) {
            gws__rank_queue_open(&queue, protocol[p], &transport->links.window[link], gws_transport_rank(transport),
                                 words, max_tasks);
            measure(transport, &queue, 1, false);
            measure(transport, &queue, max_tasks, false);
            measure(transport, &queue, max_tasks, true);
            measure(transport, &queue, 0, false);
        }
        print_cost(transport, &transport->links.window[link], "network", alternate);
    }
    print_cost(transport, NULL, "message", send_messages);
    gws_transport_close(transport);
    return EXIT_SUCCESS;
}
