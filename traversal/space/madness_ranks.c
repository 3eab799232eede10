/* SPDX-License-Identifier: MIT */
/* MADNESS trees on several ranks: the tasks are those of one process, and may run on any rank. A tree that is gathered
 * goes to rank 0 as a stream of 64-bit words of each rank: for each family a head of `head_words` words and the
 * coefficients. */
#include "../madness_ranks.h"

#include <string.h>

#include "../../lib/hetero/ranks.h"
#include "madness_state.h"

enum { head_words = (sizeof(struct gws_madness_family) + 7) / 8 };

struct rank_runner {
    struct gws_runtime *runtime;
    const struct gws_ranks *ranks;
    const struct gws__madness_part *part;
    bool called;
};

static gws_status run_part(void *context, const struct gws_tasks *tasks)
{
    struct rank_runner *runner = context;
    runner->called = true;
    return runner->part->run(runner->part->context, tasks);
}

static void drop(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    (void)context;
    (void)self;
    (void)worker;
    (void)task;
    (void)count;
}

/* Runs the boxes. A rank that lacks memory before the run still takes part, because the others wait for it, and drops
 * the boxes that it gets. */
static gws_status run_boxes(struct rank_runner *runner, const struct gws_madness_problem *problem,
                            struct gws__madness_owner *owner)
{
    const struct gws_tasks none = {.bytes = sizeof(struct gws__madness_task), .run = drop};
    gws_status status = gws__madness_run(runner->runtime, problem, owner, run_part, runner);
    if (!runner->called) (void)gws_rank_tasks_run(runner->runtime, runner->ranks, &none);
    return gws_transport_agree(runner->ranks->transport, status);
}

static uint64_t families_of(const struct gws__madness_owner *owner)
{
    uint64_t families = 0;
    for (const struct gws__madness_slab *slab = owner->slab; slab; slab = slab->next) families += slab->count;
    return families;
}

/* ---- sending ---- */

/* Writes the stream of all families. */
static void pack(const struct gws__madness_owner *owner, uint64_t entries, uint64_t *to)
{
    for (const struct gws__madness_slab *slab = owner->slab; slab; slab = slab->next)
        for (uint64_t i = 0; i < slab->count; i++, to += head_words + entries) {
            memcpy(to, &slab->family[i], sizeof slab->family[i]);
            memcpy(to + head_words, slab->family[i].coefficient, entries * sizeof *to);
        }
}

/* ---- receiving ---- */

/* Where the stream of each rank continues: a family of the slab that is large enough for all. */
struct place {
    uint64_t family, word; /* the current family; words of it that have arrived */
};

struct inbox {
    struct gws__madness_slab *slab;
    struct place *place; /* of each rank */
    uint64_t entries;
};

/* Copies the next words of a family. Returns their number. */
static uint64_t put_words(const struct inbox *inbox, struct place *place, const uint64_t *word, uint64_t words)
{
    struct gws__madness_slab *slab = inbox->slab;
    struct gws_madness_family *family = &slab->family[place->family];
    double *coefficient = slab->coefficient + place->family * inbox->entries;
    const bool in_head = place->word < head_words;
    const uint64_t left = (in_head ? head_words : head_words + inbox->entries) - place->word;
    const uint64_t count = words < left ? words : left;
    if (in_head)
        memcpy((uint64_t *)family + place->word, word, count * sizeof *word);
    else
        memcpy(coefficient + (place->word - head_words), word, count * sizeof *word);
    place->word += count;
    return count;
}

static void receive(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct inbox *inbox = context;
    struct place *place = &inbox->place[rank];
    const uint64_t *word = data;
    for (uint64_t done = 0; done < items;) {
        done += put_words(inbox, place, word + done, items - done);
        if (place->word < head_words + inbox->entries) continue;
        inbox->slab->family[place->family].coefficient = inbox->slab->coefficient + place->family * inbox->entries;
        place->family++;
        place->word = 0;
    }
}

/* ---- both ---- */

/* The memory of a rank for gathering. */
struct tree_gathering {
    struct gws_runtime *runtime;
    struct gws_transport *transport;
    uint32_t rank, ranks;
    uint64_t *families; /* of each rank; filled on rank 0 */
    uint64_t *items;    /* words for each rank */
    uint64_t *stream;   /* of another rank than 0 */
    uint64_t words;     /* of the stream */
    struct inbox inbox;
};

static void close_gathering(struct tree_gathering *gathering)
{
    gws_release(gathering->runtime, gathering->families, gathering->ranks, sizeof *gathering->families);
    gws_release(gathering->runtime, gathering->items, gathering->ranks, sizeof *gathering->items);
    gws_release(gathering->runtime, gathering->stream, gathering->words, sizeof *gathering->stream);
    gws_release(gathering->runtime, gathering->inbox.place, gathering->ranks, sizeof *gathering->inbox.place);
}

/* Allocates. Collective: counts are gathered between. */
static gws_status open_gathering(struct tree_gathering *gathering, const struct gws__madness_owner *owner)
{
    const uint64_t own = families_of(owner), entries = gathering->inbox.entries;
    gathering->families = gws_allocate(gathering->runtime, gathering->ranks, sizeof *gathering->families);
    gathering->items = gws_allocate(gathering->runtime, gathering->ranks, sizeof *gathering->items);
    gathering->inbox.place = gws_allocate(gathering->runtime, gathering->ranks, sizeof *gathering->inbox.place);
    bool has_all = gathering->families && gathering->items && gathering->inbox.place;
    gws_status status = gws_transport_agree(gathering->transport, has_all ? GWS_OK : GWS_NO_MEMORY);
    if (status != GWS_OK || !gathering->families || !gathering->inbox.place) return status;
    gws_transport_gather(gathering->transport, &own, sizeof own, gathering->families);
    if (gathering->rank > 0) {
        gathering->words = own * (head_words + entries);
        gathering->stream = gws_allocate(gathering->runtime, gathering->words, sizeof *gathering->stream);
        return gathering->stream ? GWS_OK : GWS_NO_MEMORY;
    }
    uint64_t others = 0;
    for (uint32_t r = 1; r < gathering->ranks; r++) {
        gathering->inbox.place[r] = (struct place){.family = others};
        others += gathering->families[r];
    }
    gathering->inbox.slab = gws__madness_slab_new(gathering->runtime, entries, others);
    if (gathering->inbox.slab) gathering->inbox.slab->count = others;
    return gathering->inbox.slab ? GWS_OK : GWS_NO_MEMORY;
}

/* Moves the families of all ranks to rank 0's owner, and sums up the counts there. */
static gws_status gather_families(struct tree_gathering *gathering, struct gws__madness_owner *owner)
{
    uint64_t sum[] = {owner->tree.boxes, owner->tree.forced, owner->tree.rough};
    gws_status status = gws_transport_agree(gathering->transport, open_gathering(gathering, owner));
    if (gathering->inbox.slab) { /* the owner frees it */
        gathering->inbox.slab->next = owner->slab;
        owner->slab = gathering->inbox.slab;
    }
    if (status != GWS_OK) return status;
    memset(gathering->items, 0, gathering->ranks * sizeof *gathering->items);
    gathering->items[0] = gathering->words;
    if (gathering->stream) pack(owner, gathering->inbox.entries, gathering->stream);
    gws_transport_exchange(gathering->transport, &(struct gws_exchange){.from = gathering->stream,
                                                                        .items = gathering->items,
                                                                        .item_bytes = sizeof *gathering->stream,
                                                                        .receive = receive,
                                                                        .context = &gathering->inbox,
                                                                        .sum = sum,
                                                                        .sums = sizeof sum / sizeof *sum});
    if (gathering->rank > 0) return GWS_OK;
    owner->tree.boxes = sum[0];
    owner->tree.forced = sum[1];
    owner->tree.rough = sum[2];
    return gws__madness_gather(gathering->runtime, owner);
}

static gws_status gather_on_ranks(struct gws_runtime *runtime, struct gws_transport *transport,
                                  struct gws_madness_tree **tree)
{
    struct gws__madness_owner *owner = (*tree)->owner;
    const uint64_t order = owner->tree.order;
    struct tree_gathering gathering = {.runtime = runtime,
                                       .transport = transport,
                                       .rank = gws_transport_rank(transport),
                                       .ranks = gws_transport_ranks(transport),
                                       .inbox.entries = 8 * order * order * order};
    gws_status status = gws_transport_agree(transport, gather_families(&gathering, owner));
    close_gathering(&gathering);
    if (status == GWS_OK) return status;
    gws_madness_destroy(*tree);
    *tree = NULL;
    return status;
}

gws_status gws_madness_gather_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                       struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    if (!ranks || !ranks->transport) return GWS_CALL(runtime, where, GWS_OK);
    const gws_status status =
        GWS__RANKS_CALL(runtime, ranks->transport, where, gather_on_ranks(runtime, ranks->transport, tree));
    return status == GWS_OK ? status : gws_diagnostic_status(where, status);
}

/* ---- building ---- */

/* Makes the owner, and prepares the run. */
static gws_status open_owner(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                             const struct gws__madness_part *part, struct gws__madness_owner **owner,
                             struct gws_diagnostic *where)
{
    *owner = gws__madness_owner_new(runtime, problem);
    if (!*owner) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    return part->prepare ? part->prepare(part->context, problem, *owner, where) : GWS_OK;
}

static gws_status build(struct rank_runner *runner, const struct gws_madness_problem *problem,
                        struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = runner->runtime;
    struct gws_transport *transport = runner->ranks->transport;
    struct gws_madness_tree *made = NULL;
    struct gws__madness_owner *owner = NULL;
    gws_status status = gws_transport_agree(transport, open_owner(runtime, problem, runner->part, &owner, where));
    if (owner && status == GWS_OK) status = run_boxes(runner, problem, owner);
    if (owner && runner->part->kernel) owner->tree.kernel = runner->part->kernel;
    status = gws_transport_agree(transport, gws__madness_finish(runtime, problem, status, owner, &made, where));
    if (status == GWS_OK)
        *tree = made;
    else
        gws_madness_destroy(made);
    return status;
}

gws_status gws__madness_build_parts(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                    const struct gws_madness_problem *problem, const struct gws__madness_part *part,
                                    struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    struct rank_runner runner = {runtime, ranks, part, false};
    struct gws_diagnostic message = {0};
    gws_status status = gws_transport_agree(ranks->transport, gws__madness_problem_check(problem, &message));
    if (status == GWS_OK) status = build(&runner, problem, tree, &message);
    if (status != GWS_OK) gws__ranks_share_message(ranks->transport, status, &message);
    if (status != GWS_OK && where) *where = message;
    return status;
}

/* ---- on workers ---- */

struct rank_workers {
    struct gws_runtime *runtime;
    const struct gws_ranks *ranks;
};

static gws_status run_on_workers(void *context, const struct gws_tasks *tasks)
{
    const struct rank_workers *workers = context;
    return gws_rank_tasks_run(workers->runtime, workers->ranks, tasks);
}

gws_status gws_madness_build_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                      const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                      struct gws_diagnostic *where)
{
    struct rank_workers workers = {runtime, ranks};
    const struct gws__madness_part part = {.run = run_on_workers, .context = &workers};
    if (!ranks || !ranks->transport) return gws_madness_build(runtime, problem, tree, where);
    return GWS_CALL(runtime, where, gws__madness_build_parts(runtime, ranks, problem, &part, tree, where));
}
