/* SPDX-License-Identifier: MIT */
/* Work stealing by SimGrid's S4U interface, a peer of lib/sim: the bouncing producers and consumers (workloads/bpc.h)
 * under the policy chaselev, on a flat machine where an access to any other worker takes the same time.
 *
 * A worker is an actor, and each of its steps is a sleep: as many as lib/sim has events, with the same decisions. A
 * thief looks at up to 64 victims in a step. While no queue has tasks, thieves are suspended. A second of SimGrid
 * stands for a nanosecond, because SimGrid rounds times.
 *
 * usage: simgrid_stealing WORKERS DEPTH CONSUMERS WORK POP PUSH ACCESS WORD SEED (times in nanoseconds)
 * Prints the virtual milliseconds, steals, failed steals, steps and the milliseconds that the simulation took. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

namespace s4u = simgrid::s4u;

namespace
{

struct Worker {
    std::deque<uint64_t> queue; /* 0: a consumer; otherwise a producer and 1 + the number of producers that follow */
    uint64_t removed = 0, random = 0;
    double word_free = 0;
    s4u::ActorPtr actor;
};

struct Idle {
    uint32_t worker;
    double since;
};

struct Simulation {
    uint32_t workers;
    uint64_t consumers;
    double work, pop, push, access, word;
    std::vector<Worker> worker;
    std::vector<Idle> idle;
    uint32_t stealable = 0; /* queues with tasks */
    uint64_t outstanding = 1, steals = 0, failed = 0, steps = 0;
    double end = 0;
};

struct Search {
    uint32_t victim = 0, tried = 0;
};

double now()
{
    return s4u::Engine::get_clock();
}

void sleep_until(Simulation &sim, double time)
{
    sim.steps++;
    s4u::this_actor::sleep_until(time);
}

uint64_t draw(uint64_t &state)
{
    uint64_t bits = state += UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

void wake_idle(Simulation &sim)
{
    for (const Idle &idle : sim.idle) sim.worker[idle.worker].actor->resume();
    sim.idle.clear();
}

/* ---- queues ---- */

void push(Simulation &sim, uint32_t self, uint64_t task)
{
    std::deque<uint64_t> &queue = sim.worker[self].queue;
    queue.push_back(task);
    if (queue.size() > 1) return;
    sim.stealable++;
    wake_idle(sim);
}

uint64_t take(Simulation &sim, uint32_t from, bool oldest)
{
    std::deque<uint64_t> &queue = sim.worker[from].queue;
    const uint64_t task = oldest ? queue.front() : queue.back();
    if (oldest)
        queue.pop_front();
    else
        queue.pop_back();
    if (queue.empty()) sim.stealable--;
    if (oldest || queue.empty()) sim.worker[from].removed++; /* the owner competes with thieves for the last task */
    return task;
}

/* ---- thieves ---- */

/* Looks at one victim after another from a random one on, and adds the times. Returns whether the last one has tasks.
 */
bool look_around(Simulation &sim, uint32_t self, Search &search, double &time)
{
    for (int looks = 0; looks < 64; looks++) {
        if (search.tried == 0 || search.tried + 1 >= sim.workers) {
            search.tried = 0;
            search.victim = static_cast<uint32_t>(draw(sim.worker[self].random) % (sim.workers - 1));
            search.victim += search.victim >= self;
        } else {
            do search.victim = search.victim + 1 < sim.workers ? search.victim + 1 : 0;
            while (search.victim == self);
        }
        search.tried++;
        time += sim.access;
        if (!sim.worker[search.victim].queue.empty()) return true;
    }
    return false;
}

/* Suspends a thief until a queue has tasks. Returns the time of its next look. */
double wait_for_tasks(Simulation &sim, uint32_t self, Search &search, double time)
{
    sim.idle.push_back({self, time});
    sim.steps++;
    s4u::this_actor::suspend();
    const double looks = time < now() ? std::ceil((now() - time) / sim.access) : 0;
    if (looks > 0) search.tried = 0;
    return time + looks * sim.access;
}

/* Tries to steal the oldest task of the victim by a compare-and-swap. */
bool steal(Simulation &sim, uint32_t from, uint64_t &task)
{
    Worker &victim = sim.worker[from];
    const uint64_t seen = victim.removed;
    sleep_until(sim, now() + 1.5 * sim.access);
    victim.word_free = std::max(victim.word_free, now()) + sim.word;
    sleep_until(sim, victim.word_free);
    const bool stolen = victim.removed == seen && !victim.queue.empty();
    if (stolen) task = take(sim, from, true);
    sleep_until(sim, now() + sim.access / 2);
    (stolen ? sim.steals : sim.failed)++;
    return stolen;
}

/* Looks for tasks from that time on. Returns false when all tasks have ended. */
bool search_for_task(Simulation &sim, uint32_t self, double time, uint64_t &task)
{
    for (Search search; sim.outstanding > 0; time = now()) {
        if (sim.stealable == 0) {
            time = wait_for_tasks(sim, self, search, time);
            if (sim.outstanding == 0) return false;
        }
        const bool found = look_around(sim, self, search, time);
        sleep_until(sim, time);
        if (found && !sim.worker[search.victim].queue.empty() && steal(sim, search.victim, task)) return true;
    }
    return false;
}

/* ---- workers ---- */

/* Returns the time of spawning. */
double finish(Simulation &sim, uint32_t self, uint64_t task)
{
    const uint64_t children = task > 1 ? sim.consumers + 1 : 0;
    sim.outstanding += children;
    if (children > 0) push(sim, self, task - 1);
    for (uint64_t i = 1; i < children; i++) push(sim, self, 0);
    if (--sim.outstanding == 0) {
        sim.end = now();
        wake_idle(sim);
    }
    return static_cast<double>(children) * sim.push;
}

void work(Simulation &sim, uint32_t self)
{
    uint64_t task;
    for (double debt = 0;;) {
        if (!sim.worker[self].queue.empty()) {
            task = take(sim, self, false);
        } else {
            if (!search_for_task(sim, self, now() + debt, task)) return;
            debt = 0;
        }
        sleep_until(sim, now() + debt + sim.pop + (task == 0 ? sim.work : 0));
        debt = finish(sim, self, task);
    }
}

} // namespace

int main(int argc, char **argv)
{
    static char quiet[] = "--log=root.thresh:error", stack[] = "--cfg=contexts/stack-size:128";
    char *settings[] = {argv[0], quiet, stack, nullptr};
    int count = 3;
    s4u::Engine engine(&count, settings);
    if (argc != 10) return 2;
    Simulation sim{};
    sim.workers = static_cast<uint32_t>(std::atoi(argv[1]));
    sim.consumers = std::strtoull(argv[3], nullptr, 10);
    double *const times[] = {&sim.work, &sim.pop, &sim.push, &sim.access, &sim.word};
    for (int i = 0; i < 5; i++) *times[i] = std::atof(argv[4 + i]);
    sim.worker.resize(sim.workers);
    push(sim, 0, 1 + std::strtoull(argv[2], nullptr, 10));
    s4u::NetZone *zone = s4u::create_full_zone("machine");
    std::vector<s4u::Host *> host;
    for (uint32_t w = 0; w < sim.workers; w++) host.push_back(zone->create_host("worker" + std::to_string(w), 1.0));
    zone->seal();
    for (uint32_t w = 0; w < sim.workers; w++) {
        sim.worker[w].random = std::strtoull(argv[9], nullptr, 10) << 32 | w;
        sim.worker[w].actor = s4u::Actor::create("worker", host[w], [&sim, w] { work(sim, w); });
    }
    const auto began = std::chrono::steady_clock::now();
    engine.run();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    std::printf("%.6f %llu %llu %llu %.3f\n", (sim.end + sim.word + sim.access) * 1e-6,
                static_cast<unsigned long long>(sim.steals), static_cast<unsigned long long>(sim.failed),
                static_cast<unsigned long long>(sim.steps), took.count());
    return 0;
}
