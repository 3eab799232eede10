/* SPDX-License-Identifier: MIT */
/* The simulation against closed forms: one worker, equal tasks on one pile, and a queue with several servers (Erlang's
 * C formula). Refused options, failing memory, cancelling. */
#include "runtimes.h"

#include <math.h>

#include "../../../lib/random.h"
#include "../../../lib/sim.h"

static const char *const policies[] = {"abp", "chaselev", "split", "workpile", "global"};
enum { policy_count = sizeof policies / sizeof *policies };

/* A tree: a task spawns `children` tasks while its depth is not 0. */
struct tree {
    uint32_t children;
    bool repeats;
    double ns, quantum; /* ns: of a task */
    uint32_t batch;
    uint64_t ran;
};

static double cost_of_tree(void *context, const void *task)
{
    (void)task;
    return ((struct tree *)context)->ns;
}

static void run_tree(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    struct tree *tree = context;
    const uint64_t depth = *(const uint64_t *)task, next = depth - 1;
    (void)worker;
    tree->ran++;
    for (uint32_t i = 0; depth > 0 && i < tree->children; i++) gws_sim_spawn(sim, &next);
}

static gws_status run_depth(struct gws_runtime *runtime, const struct gws_sim_options *options, struct tree *tree,
                            uint64_t depth, struct gws_sim_result *result)
{
    const struct gws_sim_tasks tasks = {.bytes = sizeof depth,
                                        .batch = tree->batch,
                                        .quantum = tree->quantum,
                                        .repeats = tree->repeats,
                                        .root = &depth,
                                        .roots = 1,
                                        .cost = cost_of_tree,
                                        .run = run_tree,
                                        .context = tree};
    return gws_sim_run(runtime, options, &tasks, result, NULL);
}

static const struct gws_sim_machine *preset(const char *name)
{
    uint32_t i = 0;
    while (strcmp(gws_sim_preset_at(i)->name, name) != 0) i++;
    return &gws_sim_preset_at(i)->machine;
}

/* ---- closed forms ---- */

START_TEST(one_worker_takes_the_sum)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    struct gws_sim_options options = {.workers = 1, .policy = policies[_i], .machine = *preset("threads")};
    const double *cost = options.machine.cost;
    struct tree tree = {.children = 3, .ns = 100};
    struct gws_sim_result result;
    ck_assert_int_eq(run_depth(runtime, &options, &tree, 5, &result), GWS_OK);
    const double tasks = (729 - 1) / 2, spawned = tasks - 1;
    double ns = tasks * (100 + cost[GWS_SIM_pop]) + spawned * cost[GWS_SIM_push];
    if (_i == 3) ns += (tasks + spawned) * cost[GWS_SIM_lock]; /* each pop and push locks */
    if (_i < 2) ck_assert_double_eq_tol(result.virtual_ms, ns / 1e6, 1e-9);
    if (_i == 3) ck_assert_double_eq_tol(result.virtual_ms, ns / 1e6, 1e-9);
    ck_assert_double_ge(result.virtual_ms, ns / 1e6 - 1e-9);
    ck_assert_uint_eq(result.tasks, (uint64_t)tasks);
    ck_assert_uint_eq(tree.ran, (uint64_t)tasks);
    ck_assert_uint_eq(result.steals + result.failed_steals + result.aborted_steals, 0);
    ck_assert_double_eq_tol(result.work_ms, tasks * 100 / 1e6, 1e-9);
    gws_runtime_close(runtime);
}
END_TEST

/* Alone, a worker pops up to five tasks, which together take whole quanta. */
START_TEST(popped_tasks_take_whole_quanta)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    const struct gws_sim_options options = {
        .workers = 1, .policy = policies[_i], .machine = {.cache = 1, .host = 1, .cost[GWS_SIM_shared] = 1}};
    struct tree tree = {.children = 12, .ns = 100, .quantum = 300, .batch = 5};
    struct gws_sim_result result;
    ck_assert_int_eq(run_depth(runtime, &options, &tree, 1, &result), GWS_OK);
    if (_i != 2) ck_assert_double_eq_tol(result.work_ms, (300 + 600 + 600 + 300) / 1e6, 1e-9); /* 1, 5, 5, 2 tasks */
    ck_assert_double_ge(result.work_ms, 13 * 100 / 1e6);
    tree.quantum = -1;
    ck_assert_int_eq(run_depth(runtime, &options, &tree, 1, &result), GWS_INVALID);
    gws_runtime_close(runtime);
}
END_TEST

/* Without costs, n equal tasks on one pile take as many rounds of all workers as they fill. */
START_TEST(equal_tasks_on_one_pile)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    for (uint32_t workers = 1; workers <= 4096; workers *= 8)
        for (uint32_t tasks = 1; tasks <= 3000; tasks = 3 * tasks + 1) {
            struct gws_sim_options options = {.workers = workers, .policy = "global"};
            options.machine = (struct gws_sim_machine){.cache = 1, .host = 1, .cost[GWS_SIM_shared] = 1};
            struct tree tree = {.children = tasks, .ns = 1000};
            struct gws_sim_result result;
            ck_assert_int_eq(run_depth(runtime, &options, &tree, 1, &result), GWS_OK);
            const uint32_t rounds = 1 + (tasks + workers - 1) / workers;
            ck_assert_double_eq_tol(result.virtual_ms, rounds * 1e-3, 1e-4); /* an access takes a picosecond */
            ck_assert_uint_ge(result.started, tasks < workers ? tasks : workers);
            ck_assert_uint_le(result.started, tasks < workers ? tasks + 1 : workers);
        }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(the_vote_passes_the_tree_four_times)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    struct gws_sim_options options = {.workers = 1000, .policy = "split", .machine = *preset("dinan")};
    struct tree tree = {.children = 5000, .ns = 1e6};
    struct gws_sim_result vote, counter;
    ck_assert_int_eq(run_depth(runtime, &options, &tree, 1, &vote), GWS_OK);
    ck_assert_double_eq_tol(vote.termination_ms, 4 * 9 * options.machine.cost[GWS_SIM_message] / 1e6, 1e-9);
    options.machine.vote = false;
    ck_assert_int_eq(run_depth(runtime, &options, &tree, 1, &counter), GWS_OK);
    ck_assert_double_lt(counter.termination_ms, vote.termination_ms);
    ck_assert_double_eq_tol(counter.virtual_ms - counter.termination_ms, vote.virtual_ms - vote.termination_ms, 1e-9);
    gws_runtime_close(runtime);
}
END_TEST

/* Customers arrive at random, wait in the order of their arrival for one of c servers, and are served for a random
 * time. The source is a task of worker 0, which spawns a customer and itself; the servers are thieves. */
struct shop {
    uint64_t random;
    double between_ns, service_ns;
};

static double draw(struct shop *shop, double mean)
{
    return -mean * log(1 - (double)(gws_random_next(&shop->random) >> 11) / (double)(UINT64_C(1) << 53));
}

static double cost_of_shop(void *context, const void *task)
{
    struct shop *shop = context;
    return draw(shop, *(const uint64_t *)task ? shop->between_ns : shop->service_ns);
}

static void run_shop(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    const uint64_t to_come = *(const uint64_t *)task, customer = 0, source = to_come - 1;
    (void)context;
    (void)worker;
    if (to_come == 0) return;
    gws_sim_spawn(sim, &customer);
    if (source) gws_sim_spawn(sim, &source);
}

/* Returns the mean number of customers that wait, where `load` servers are busy in the mean. */
static double erlang(uint32_t servers, double load)
{
    double term = 1, sum = 0;
    for (uint32_t k = 0; k < servers; k++, term *= load / k) sum += term;
    const double rho = load / servers, waiting = term / (1 - rho);
    return waiting / (sum + waiting) * rho / (1 - rho);
}

START_TEST(several_servers_and_one_queue)
{
    static const struct {
        uint32_t servers;
        double load;
    } cases[] = {{1, 0.7}, {3, 2.4}, {8, 7}};
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    const uint64_t customers = 150000;
    struct shop shop = {.random = 7, .service_ns = 1e6, .between_ns = 1e6 / cases[_i].load};
    struct gws_sim_options options = {.workers = cases[_i].servers + 1, .policy = "chaselev"};
    options.machine = (struct gws_sim_machine){.cache = 1, .host = 1, .cost[GWS_SIM_shared] = 1};
    const struct gws_sim_tasks tasks = {.bytes = sizeof customers,
                                        .root = &customers,
                                        .roots = 1,
                                        .cost = cost_of_shop,
                                        .run = run_shop,
                                        .context = &shop};
    struct gws_sim_result result;
    ck_assert_int_eq(gws_sim_run(runtime, &options, &tasks, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.tasks, 2 * customers);
    const double waiting = result.queue_mean * options.workers, expected = erlang(cases[_i].servers, cases[_i].load);
    if (fabs(waiting / expected - 1) > 0.06) ck_abort_msg("%g customers wait, not %g", waiting, expected);
    gws_runtime_close(runtime);
}
END_TEST

/* Idle thieves of a large machine find the one queue with tasks as often as their looks hit it: each of n - 1 thieves
 * looks at one of n - 1 workers in the time of a look, so one look in that time. */
START_TEST(idle_thieves_find_one_queue)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    struct gws_sim_options options = {.workers = 1 << 14, .policy = "abp", .seed = (uint64_t)_i};
    options.machine = (struct gws_sim_machine){.cache = 1, .host = 1, .cost[GWS_SIM_shared] = 1};
    options.machine.cost[GWS_SIM_cache] = options.machine.cost[GWS_SIM_host] = 1000;
    struct tree tree = {.children = 2000, .ns = 1e9};
    struct gws_sim_result result;
    ck_assert_int_eq(run_depth(runtime, &options, &tree, 1, &result), GWS_OK);
    ck_assert_uint_eq(result.started, 2000);
    const double found = (double)(result.steals + result.failed_steals), looks = (result.last_start_ms - 1e3) * 1e3;
    if (fabs(found / looks - 1) > 0.1) ck_abort_msg("%g looks found tasks in the time of %g", found, looks);
    ck_assert_double_gt((double)result.probes, 0.9 * looks * options.workers);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- every policy on every machine ---- */

START_TEST(all_tasks_run_and_the_seed_decides)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    const struct gws_sim_preset *machine;
    for (uint32_t i = 0; (machine = gws_sim_preset_at(i)); i++)
        for (int topology = GWS_SIM_FLAT; topology <= GWS_SIM_TREE; topology++)
            for (int how = 0; how < (strcmp(policies[_i], "split") == 0 ? 3 : 1); how++) {
                struct gws_sim_options options = {.workers = 300,
                                                  .policy = policies[_i],
                                                  .wait = how > 0,
                                                  .ticket = how > 1,
                                                  .machine = machine->machine};
                options.machine.topology = (enum gws_sim_topology)topology;
                options.machine.host = 1 + 7 * (i % 2);
                struct gws_sim_result one, two;
                memset(&one, 0, sizeof one);
                memset(&two, 0, sizeof two);
                struct tree tree = {.children = 5, .ns = 3000};
                ck_assert_int_eq(run_depth(runtime, &options, &tree, 4, &one), GWS_OK);
                ck_assert_uint_eq(tree.ran, (3125 - 1) / 4);
                tree.repeats = true; /* the same queues in less memory */
                ck_assert_int_eq(run_depth(runtime, &options, &tree, 4, &two), GWS_OK);
                ck_assert_mem_eq(&one, &two, sizeof one);
                options.seed = 5;
                ck_assert_int_eq(run_depth(runtime, &options, &tree, 4, &two), GWS_OK);
                if (_i < 4) ck_assert_uint_ne(one.events, two.events);
                ck_assert_double_le(one.work_ms, one.busy_ms);
                ck_assert_double_le(one.busy_ms, one.virtual_ms * options.workers);
                ck_assert_uint_ge(one.started, 2);
            }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- upcoming tasks ---- */

enum { listing_tasks = 500 };

struct listing {
    uint64_t spawned, listed;         /* tasks */
    const void *place[listing_tasks]; /* by task: where it was listed */
    bool ran[listing_tasks];
};

/* Runs task i, which spawns two others while there are some, and lists the next ones. */
static void run_listing(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    enum { max = 20 };
    struct listing *listing = context;
    const void *next[max];
    const uint64_t self = *(const uint64_t *)task;
    (void)worker;
    if (listing->place[self]) ck_assert_ptr_eq(task, listing->place[self]);
    ck_assert_uint_eq(gws_sim_upcoming(sim, next, 1), 1);
    const uint32_t count = gws_sim_upcoming(sim, next, max);
    ck_assert(count >= 1 && count <= max && next[0] == task);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t id = *(const uint64_t *)next[i];
        ck_assert(!listing->ran[id]);
        listing->listed += i > 0;
        listing->place[id] = next[i];
    }
    listing->ran[self] = true;
    for (int i = 0; i < 2 && listing->spawned < listing_tasks; i++) {
        gws_sim_spawn(sim, &listing->spawned);
        listing->spawned++;
    }
}

static double cost_of_listing(void *context, const void *task)
{
    (void)context;
    return (double)(100 + *(const uint64_t *)task % 7);
}

START_TEST(upcoming_tasks_run_from_where_they_were_listed)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    struct gws_sim_options options = {.workers = 40, .policy = policies[_i], .machine = *preset("threads")};
    const uint64_t root = 0;
    struct listing listing = {.spawned = 1};
    const struct gws_sim_tasks tasks = {.bytes = sizeof root,
                                        .batch = 3,
                                        .root = &root,
                                        .roots = 1,
                                        .cost = cost_of_listing,
                                        .run = run_listing,
                                        .context = &listing};
    struct gws_sim_result result;
    ck_assert_int_eq(gws_sim_run(runtime, &options, &tasks, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.tasks, listing_tasks);
    for (int i = 0; i < listing_tasks; i++) ck_assert(listing.ran[i]);
    ck_assert_uint_gt(listing.listed, listing_tasks / 2);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- failures ---- */

START_TEST(options_out_of_bounds_are_refused)
{
    const struct gws_sim_options good = {.workers = 4, .policy = "split", .machine = *preset("threads")};
    struct gws_sim_options wrong[12];
    for (int i = 0; i < 12; i++) wrong[i] = good;
    wrong[0].workers = 0;
    wrong[1].workers = GWS_SIM_MAX_WORKERS + 1;
    wrong[2].policy = "none";
    wrong[3].victim = "none";
    wrong[4].amount = "none";
    wrong[5].policy = "chaselev", wrong[5].amount = "half";
    wrong[6].policy = "chaselev", wrong[6].wait = true;
    wrong[7].ticket = true;
    wrong[8].machine.cost[GWS_SIM_pop] = -1;
    wrong[9].machine.cost[GWS_SIM_word] = NAN;
    wrong[10].machine.cache = 0;
    wrong[11].machine.topology = (enum gws_sim_topology)4;
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    struct tree tree = {.children = 2};
    struct gws_sim_result result = {.tasks = 77};
    for (int i = 0; i < 12; i++) ck_assert_int_eq(run_depth(runtime, &wrong[i], &tree, 3, &result), GWS_INVALID);
    struct gws_sim_options rounds = good;
    rounds.policy = "chunked";
    ck_assert_int_eq(run_depth(runtime, &rounds, &tree, 3, &result), GWS_UNSUPPORTED);
    ck_assert_uint_eq(result.tasks, 77);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status run_policy(struct gws_runtime *runtime, const void *policy)
{
    const struct gws_sim_options options = {.workers = 20, .policy = policy, .machine = *preset("rudolph")};
    struct tree tree = {.children = 40, .ns = 3000};
    struct gws_sim_result result = {.tasks = 77};
    gws_status status = run_depth(runtime, &options, &tree, 2, &result);
    ck_assert_uint_eq(result.tasks, status == GWS_OK ? 1641 : 77);
    return status;
}

START_TEST(short_memory)
{
    gws_test_each_allocation(1, run_policy, policies[_i]);
}
END_TEST

START_TEST(cancelling_ends_it)
{
    int polls = 0;
    struct gws_runtime *runtime = open_with((struct gws_options){.cancel = cancel, .context = &polls});
    struct gws_sim_options options = {.workers = 4, .policy = "chaselev", .machine = *preset("threads")};
    struct tree tree = {.children = 2};
    struct gws_sim_result result = {.tasks = 77};
    ck_assert_int_eq(run_depth(runtime, &options, &tree, 62, &result), GWS_CANCELLED);
    ck_assert_uint_eq(result.tasks, 77);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{one_worker_takes_the_sum, policy_count},
                                    {popped_tasks_take_whole_quanta, policy_count},
                                    {equal_tasks_on_one_pile, 1},
                                    {the_vote_passes_the_tree_four_times, 1},
                                    {idle_thieves_find_one_queue, 2},
                                    {several_servers_and_one_queue, 3},
                                    {all_tasks_run_and_the_seed_decides, policy_count},
                                    {upcoming_tasks_run_from_where_they_were_listed, policy_count},
                                    {options_out_of_bounds_are_refused, 1},
                                    {short_memory, policy_count},
                                    {cancelling_ends_it, 1},
                                    {0}};
    return gws_test_run("sim", test);
}
