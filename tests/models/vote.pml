/* SPDX-License-Identifier: MIT */
/* The vote in a tree of workers (lib/pool/termination.c), which detects termination. In every interleaving, no worker
 * reports the end while a task exists (an assertion), and all workers end (the formula ends, under weak fairness).
 *
 * Tasks are numbers only: the tasks in each worker's queue, and the running ones. Each worker starts with one. A
 * running task may spawn others, up to TASKS in all. Thieves take one task, and may fail even if there is one. The
 * parent of worker w is (w - 1) / 2. An idle worker sleeps until it gets a message or a queue has a task. GIFTS times,
 * a worker puts one of its tasks into another queue, as workpiles balance, unless the other worker is marked idle.
 *
 * MUTANT=n breaks the vote in one place, and Spin must detect it:
 *   1 the thief marks its victim after the steal      3 the root sleeps on a wave that it has not sent (ends fails)
 *   2 the thief marks itself but not its victim       4 a worker answers without the answers of its children
 *   5 a worker gives a task to one that has just gone idle */
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef TASKS
#define TASKS (WORKERS + 1)
#endif
#ifndef GIFTS
#define GIFTS 0
#endif
#define OVER 100

byte wave[WORKERS], answer[WORKERS]; /* answer: twice the wave, and 1 if black; 0 before the first */
bool black[WORKERS], news[WORKERS], idle[WORKERS];
byte queue[WORKERS], queued;               /* tasks in each, and in all */
byte left = WORKERS;                       /* all tasks, including the running ones */
byte made = WORKERS, ended, gifts = GIFTS;

#define child(n) (2 * self + n)
#define has_child(n) (child(n) < WORKERS)

/* ---- tasks ---- */

/* Runs the current task. */
inline run_task() {
    do
    :: d_step { made < TASKS -> made++; left++; queue[self]++; queued++ }
    :: break
    od;
    left--
}

/* No other worker reads or clears black[self], so both are one step. */
inline mark() {
    d_step {
        if
        :: MUTANT != 2 -> black[victim] = true
        :: else
        fi;
        black[self] = true
    }
}

/* Tries to steal from one neighbour; in_hand is true on success. */
inline steal_one() {
    atomic {
        if
        :: victim = (self + 1) % WORKERS
        :: victim = (self + WORKERS - 1) % WORKERS
        fi;
        filled = queue[victim] > 0
    };
    if
    :: filled ->
        filled = false;
        if
        :: MUTANT != 1 -> mark()
        :: else
        fi;
        if
        :: d_step { queue[victim] > 0 -> queue[victim]--; queued--; in_hand = true }
        :: true /* aborted, or another thief won */
        fi;
        if
        :: MUTANT == 1 -> mark()
        :: else
        fi
    :: else
    fi;
    victim = 0
}

/* Puts one of its own tasks into the queue of a neighbour that is not idle. */
inline give() {
    victim = (self + 1) % WORKERS;
    if
    :: queue[self] > 0 && !idle[victim] ->
        mark();
        d_step {
            if
            :: queue[self] > 0 && (!idle[victim] || MUTANT == 5) -> queue[self]--; queue[victim]++
            :: else
            fi
        }
    :: else
    fi;
    victim = 0
}

/* ---- the vote ---- */

inline send_to(n) {
    if
    :: has_child(n) -> d_step { wave[child(n)] = now; news[child(n)] = true }
    :: else
    fi
}

inline read_answer(n) {
    if
    :: has_child(n) && answered ->
        said = answer[child(n)];
        d_step {
            answered = said / 2 == now || MUTANT == 4;
            dark = dark || said % 2 == 1
        }
    :: else
    fi
}

inline give_answer() {
    d_step {
        dark = dark || black[self];
        black[self] = false
    };
    if
    :: self > 0 -> d_step { answer[self] = 2 * now + dark; news[(self - 1) / 2] = true }
    :: self == 0 && !dark ->
        assert(left == 0);
        d_step { wave[0] = OVER; news[0] = true }
    :: self == 0 && dark -> d_step { wave[0] = now + 1; news[0] = MUTANT != 3 }
    fi
}

/* One iteration of vote_over(). */
inline vote() {
    news[self] = false;
    now = wave[self];
    if
    :: self == 0 && now == 0 -> d_step { now = 1; wave[0] = 1 }
    :: else
    fi;
    if
    :: sent != now ->
        sent = now;
        send_to(1);
        send_to(2)
    :: else
    fi;
    if
    :: now != OVER && now > 0 && (self == 0 || answer[self] / 2 != now) ->
        answered = true;
        read_answer(1);
        read_answer(2);
        if
        :: answered -> give_answer()
        :: else
        fi
    :: else
    fi
}

active [WORKERS] proctype worker() {
    byte self = _pid, now, sent, said, victim;
    bool in_hand = true, filled, answered, dark;
    do
    :: in_hand ->
        in_hand = false;
        run_task()
    :: d_step { !in_hand && queue[self] > 0 -> queue[self]--; queued--; in_hand = true }
    :: d_step { !in_hand && queue[self] > 0 && gifts > 0 -> gifts-- };
        give()
    :: !in_hand && queue[self] == 0 ->
        steal_one();
        if
        :: !in_hand && queue[self] > 0 /* it got a task */
        :: d_step { !in_hand && queue[self] == 0 -> idle[self] = true };
            vote();
            if
            :: now == OVER -> break
            :: else
            fi;
            d_step { now = 0; said = 0; answered = false; dark = false };
            d_step { news[self] || queued > 0 -> idle[self] = false }
        :: in_hand
        fi
    od;
    ended++
}

ltl ends { <> (ended == WORKERS) }
