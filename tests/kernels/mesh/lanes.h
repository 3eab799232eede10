/* SPDX-License-Identifier: MIT */
/* The threads of emulated blocks ("lanes"), and barriers. A few system threads each run the lanes of some warps in
 * turn. A lane runs until it waits. The order of turns varies. ThreadSanitizer treats each lane as a thread, and a
 * switch between lanes creates no happens-before order. */
#ifndef GWS_TESTS_KERNELS_MESH_LANES_H
#define GWS_TESTS_KERNELS_MESH_LANES_H

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <ucontext.h>
#include <vector>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#define UNCHECKED __attribute__((no_sanitize_thread))
#else
#define UNCHECKED
inline void *__tsan_get_current_fiber()
{
    return nullptr;
}
inline void *__tsan_create_fiber(unsigned)
{
    return nullptr;
}
inline void __tsan_switch_to_fiber(void *, unsigned)
{
}
inline void __tsan_destroy_fiber(void *)
{
}
#endif

struct emulated_dim {
    unsigned x;
};
inline thread_local emulated_dim threadIdx, blockIdx, blockDim, gridDim;

/* A place where a lane goes on, for the compiler's setjmp and longjmp. Unlike swapcontext() they make no system call,
 * which would take most of the time of a switch. */
typedef void *emulated_place[5];

struct emulated_lane {
    unsigned block, thread;
    ucontext_t begin;
    emulated_place place;
    bool begun;
    void *fiber;
    std::unique_ptr<char[]> stack;
    bool ended;
    static constexpr size_t stack_bytes = 1 << 17;
};

/* The lanes that one system thread runs. */
struct emulated_runner {
    std::vector<emulated_lane> owned;
    emulated_lane
        *lane; /* the lanes of `owned`, as a pointer because ThreadSanitizer would see the reads inside a vector */
    size_t lanes;
    emulated_place home;
    void *home_fiber;
    const std::function<void()> *kernel;
    size_t now, step, pauses; /* pauses: number of turns since a lane last made progress */
    std::atomic<size_t> running;
};

inline thread_local emulated_runner *emulated_runner_here;

UNCHECKED __attribute__((noinline)) inline void emulated_switch(emulated_place from, emulated_lane *to)
{
    emulated_runner *runner = emulated_runner_here;
    if (to) blockIdx.x = to->block, threadIdx.x = to->thread;
    __tsan_switch_to_fiber(to ? to->fiber : runner->home_fiber, 1); /* 1: a switch orders nothing */
    if (__builtin_setjmp(from)) return;
    if (!to) __builtin_longjmp(runner->home, 1);
    if (to->begun) __builtin_longjmp(to->place, 1);
    to->begun = true;
    setcontext(&to->begin);
}

/* Switches to another lane that has not ended, or to `home` if all lanes have ended. */
UNCHECKED inline void emulated_pause()
{
    emulated_runner *runner = emulated_runner_here;
    const size_t lanes = runner->lanes;
    emulated_lane *from = &runner->lane[runner->now], *to = nullptr;
    if (++runner->pauses >= lanes) {
        std::this_thread::yield();
        do runner->step = runner->step % lanes + 1;
        while (std::gcd(runner->step, lanes) != 1); /* a step that is coprime to `lanes` reaches all lanes */
        runner->pauses = 0;
    }
    for (size_t tried = 0; tried < lanes && !to; tried++) {
        runner->now = (runner->now + runner->step) % lanes;
        if (!runner->lane[runner->now].ended) to = &runner->lane[runner->now];
    }
    if (to != from) emulated_switch(from->place, to);
}

UNCHECKED inline void emulated_goes_on()
{
    emulated_runner_here->pauses = 0;
}

template <class F> void emulated_wait(F over)
{
    while (!over()) emulated_pause();
    emulated_goes_on();
}

struct emulated_barrier {
    std::atomic<unsigned> phase{0}, awaited;
    const unsigned size;

    explicit emulated_barrier(unsigned lanes) : awaited(lanes), size(lanes)
    {
    }

    /* Polls without order: an ordered load takes ThreadSanitizer a time in proportion to the number of lanes. */
    void arrive_and_wait()
    {
        unsigned mine = phase.load(std::memory_order_relaxed);
        if (awaited.fetch_sub(1, std::memory_order_release) == 1) {
            (void)awaited.load(std::memory_order_acquire); /* pairs with the release of all lanes' subtractions */
            awaited.store(size, std::memory_order_relaxed);
            phase.store(mine + 1, std::memory_order_release); /* pairs with the acquire of those that waited */
        } else {
            emulated_wait([&] { return phase.load(std::memory_order_relaxed) != mine; });
            (void)phase.load(std::memory_order_acquire);
        }
    }
};

UNCHECKED inline void emulated_end()
{
    emulated_runner_here->lane[emulated_runner_here->now].ended = true;
    emulated_pause();
}

inline void emulated_run_lane()
{
    emulated_runner *runner = emulated_runner_here;
    (*runner->kernel)();
    runner->running.fetch_sub(1, std::memory_order_release);
    emulated_end();
}

/* Runs the lanes until all have ended. */
inline void emulated_run_lanes(emulated_runner *runner)
{
    runner->now = 0, runner->step = 1, runner->pauses = 0;
    runner->lane = runner->owned.data(), runner->lanes = runner->owned.size();
    runner->running = runner->lanes;
    runner->home_fiber = __tsan_get_current_fiber();
    emulated_runner_here = runner;
    for (emulated_lane &lane : runner->owned) {
        lane.ended = lane.begun = false;
        lane.stack.reset(new char[lane.stack_bytes]);
        getcontext(&lane.begin);
        lane.begin.uc_stack.ss_sp = lane.stack.get();
        lane.begin.uc_stack.ss_size = lane.stack_bytes;
        makecontext(&lane.begin, emulated_run_lane, 0);
        lane.fiber = __tsan_create_fiber(0);
    }
    emulated_switch(runner->home, &runner->lane[0]);
    if (runner->running.load(std::memory_order_acquire) != 0) std::abort();
    for (emulated_lane &lane : runner->owned) __tsan_destroy_fiber(lane.fiber);
}

/* Runs the kernel in `blocks` concurrent blocks of `threads` threads, a multiple of 32. Returns when all threads have
 * ended. */
inline void emulate_blocks(unsigned blocks, unsigned threads, const std::function<void()> &kernel)
{
    std::vector<std::thread> running;
    emulated_runner runners[3];
    for (unsigned lane = 0; lane < blocks * threads; lane++) {
        std::vector<emulated_lane> &lanes = runners[lane / 32 % 3].owned;
        lanes.emplace_back();
        lanes.back().block = lane / threads, lanes.back().thread = lane % threads;
    }
    for (emulated_runner &some : runners) {
        if (some.owned.empty()) continue;
        running.emplace_back([&] {
            blockDim.x = threads, gridDim.x = blocks;
            some.kernel = &kernel;
            emulated_run_lanes(&some);
        });
    }
    for (auto &thread : running) thread.join();
}

#endif
