/* SPDX-License-Identifier: MIT */
/* Tests of links and windows, on any transport; see threads.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "threads.h"

static void check_that(bool condition, const char *text, int line)
{
    if (condition) return;
    fprintf(stderr, "windows.c, line %d: %s\n", line, text);
    abort(); /* ends the other ranks too */
}
#define EXPECT(condition) check_that(condition, #condition, __LINE__)

enum { lock_word, sum_word, flag_word, block_word = 16, block_words = 100, increments = 30 };

/* All ranks add to the words of all ranks that they reach, and count there under a lock by swap(). */
static void check_atomics(struct gws_transport *transport, const struct gws__window *window, uint32_t reached)
{
    const struct gws__links *links = &transport->links;
    uint64_t sum, count;
    for (uint32_t i = 0; i < increments; i++)
        for (uint32_t r = 0; r < gws_transport_ranks(transport); r++) {
            if (&links->window[links->kind[r]] != window) continue;
            (void)window->link->add(window->memory, r, sum_word, i + 1);
            while (window->link->swap(window->memory, r, lock_word, 1) != 0) continue;
            window->link->get(window->memory, r, block_word, 1, &count);
            window->link->flush(window->memory, r);
            count++;
            window->link->put(window->memory, r, block_word, 1, &count);
            window->link->flush(window->memory, r);
            EXPECT(window->link->swap(window->memory, r, lock_word, 0) == 1);
        }
    (void)gws_transport_agree(transport, GWS_OK);
    window->link->load(window->memory, gws_transport_rank(transport), sum_word, 1, &sum);
    window->link->get(window->memory, gws_transport_rank(transport), block_word, 1, &count);
    window->link->flush(window->memory, gws_transport_rank(transport));
    EXPECT(sum == (uint64_t)reached * increments * (increments + 1) / 2);
    EXPECT(count == (uint64_t)reached * increments);
    (void)gws_transport_agree(transport, GWS_OK);
}

/* Every rank puts a block into its own window and then sets a flag; the others see the flag, and then the block. */
static void check_order(struct gws_transport *transport, const struct gws__window *window)
{
    const uint32_t self = gws_transport_rank(transport);
    uint64_t block[block_words], flag = 0;
    for (uint32_t i = 0; i < block_words; i++) block[i] = self * 1000 + i;
    window->link->put(window->memory, self, block_word, 50, block);
    window->link->put(window->memory, self, block_word + 50, block_words - 50, block + 50);
    window->link->flush(window->memory, self);
    EXPECT(window->link->swap(window->memory, self, flag_word, self + 1) == 0);
    for (uint32_t r = 0; r < gws_transport_ranks(transport); r++) {
        if (&transport->links.window[transport->links.kind[r]] != window) continue;
        for (flag = 0; flag == 0;) window->link->load(window->memory, r, flag_word, 1, &flag);
        EXPECT(flag == r + 1);
        window->link->get(window->memory, r, block_word, block_words, block);
        window->link->flush(window->memory, r);
        for (uint32_t i = 0; i < block_words; i++) EXPECT(block[i] == r * 1000 + i);
    }
    (void)gws_transport_agree(transport, GWS_OK);
}

/* kind: of pairs on different hosts, which have per_host ranks. */
static void check_links(struct gws_transport *transport, uint32_t wanted, uint32_t per_host, enum gws__link_kind kind)
{
    const uint32_t self = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    const struct gws__links *links = &transport->links;
    EXPECT(gws__links_open(transport, wanted, per_host) == GWS_OK);
    for (uint32_t r = 0; r < ranks; r++) {
        const bool near = !per_host || r / per_host == self / per_host;
        const bool any = !near && wanted == gws__link_auto; /* messages if RMA is not one-sided */
        EXPECT(any ? links->kind[r] <= GWS__LINK_RMA : links->kind[r] == (near ? GWS__LINK_SHARED : kind));
    }
    for (uint32_t k = GWS__LINK_RMA; k <= GWS__LINK_SHARED; k++) {
        if (!links->window[k].link) continue;
        const uint32_t reached = links->count[k] + (links->kind[self] == k);
        check_atomics(transport, &links->window[k], reached);
        check_order(transport, &links->window[k]);
    }
}

void check_windows(struct gws_transport *transport)
{
    const uint32_t ranks = gws_transport_ranks(transport);
    check_links(transport, gws__link_auto, 0, GWS__LINK_SHARED);
    check_links(transport, GWS__LINK_SHARED, 0, GWS__LINK_SHARED);
    if (ranks > 2) check_links(transport, gws__link_auto, 2, GWS__LINK_RMA);
    EXPECT(ranks < 3 || gws__links_open(transport, GWS__LINK_SHARED, 2) == GWS_UNSUPPORTED);
    EXPECT(ranks < 3 || !transport->links.kind);
    EXPECT(gws_transport_choose_links(transport, "nonsense") == GWS_INVALID);
    EXPECT(gws_transport_choose_links(transport, "messages") == GWS_OK);
    EXPECT(transport->links.count[GWS__LINK_MESSAGES] == ranks - 1);
    EXPECT(gws_transport_choose_links(transport, "rma") == GWS_OK);
    EXPECT(transport->links.count[GWS__LINK_RMA] == ranks - 1);
    check_atomics(transport, &transport->links.window[GWS__LINK_RMA], ranks);
    check_order(transport, &transport->links.window[GWS__LINK_RMA]);
}
