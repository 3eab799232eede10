/* SPDX-License-Identifier: MIT */
/* The slots of queues in windows. */
#include "rank_queue.h"

static uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void gws__rank_queue_open(struct gws__rank_queue *queue, const struct gws__rank_protocol *protocol,
                          const struct gws__window *window, uint32_t self, uint32_t words, uint64_t max_tasks)
{
    *queue = (struct gws__rank_queue){
        .protocol = protocol, .link = window->link, .memory = window->memory, .self = self, .words = words};
    queue->capacity = min_of((gws__window_words - gws__rank_queue_words) / words, max_tasks);
    for (uint32_t word = 0; word < gws__rank_queue_words; word++) (void)queue->link->swap(queue->memory, self, word, 0);
}

static uint64_t slot_word(const struct gws__rank_queue *queue, uint64_t slot)
{
    return gws__rank_queue_words + slot * queue->words;
}

void gws__rank_queue_put(struct gws__rank_queue *queue, uint64_t position, uint64_t count, const uint64_t *task)
{
    const uint64_t slot = position % queue->capacity, first = min_of(count, queue->capacity - slot);
    const struct gws__link *link = queue->link;
    link->put(queue->memory, queue->self, slot_word(queue, slot), first * queue->words, task);
    if (count > first)
        link->put(queue->memory, queue->self, slot_word(queue, 0), (count - first) * queue->words,
                  task + first * queue->words);
    link->flush(queue->memory, queue->self);
}

void gws__rank_queue_get(struct gws__rank_queue *queue, uint32_t rank, uint64_t position, uint64_t count,
                         uint64_t *task)
{
    const uint64_t slot = position % queue->capacity, first = min_of(count, queue->capacity - slot);
    const struct gws__link *link = queue->link;
    link->get(queue->memory, rank, slot_word(queue, slot), first * queue->words, task);
    if (count > first)
        link->get(queue->memory, rank, slot_word(queue, 0), (count - first) * queue->words,
                  task + first * queue->words);
    link->flush(queue->memory, rank);
}
