/* SPDX-License-Identifier: MIT */
/* The vote in a tree of workers (lib/pool/termination.c) that ends the tasks: whatever the order of steps, nobody says that all
 * is over while there is a task (an assertion), and all end (the formula ends, under weak fairness).
 *
 * Tasks are numbers only: how many lie in each worker's queue, how many are in hands. Each worker begins with one; a
 * running task may make others, up to TASKS in all; thieves take one, and may fail though there is one. The parent of
 * worker w is (w - 1) / 2. Who is idle rests until somebody sends it something or there is a task in a queue. GIFTS times
 * a worker puts a task of its own into another's queue, as workpiles balance, unless the other has retired: who is idle
 * has.
 *
 * MUTANT=n breaks the vote in one place, and spin must find it:
 *   1 the thief marks its victim after the theft      3 the root rests on a wave that it has not sent (ends fails)
 *   2 the thief marks itself but not its victim       4 a worker answers for itself without hearing its children
 *   5 a worker gives to one who has just retired */
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
bool black[WORKERS], news[WORKERS], retired[WORKERS];
byte queue[WORKERS], queued;               /* tasks in each, and in all */
byte left = WORKERS;                       /* tasks anywhere, those in hands among them */
byte made = WORKERS, ended, gifts = GIFTS;

#define child(n) (2 * self + n)
#define has_child(n) (child(n) < WORKERS)

/* ---- tasks ---- */

/* Runs the task in hand. */
inline run_task() {
    do
    :: d_step { made < TASKS -> made++; left++; queue[self]++; queued++ }
    :: break
    od;
    left--
}

/* Nobody else reads or clears black[self], so both are one step. */
inline mark() {
    d_step {
        if
        :: MUTANT != 2 -> black[victim] = true
        :: else
        fi;
        black[self] = true
    }
}

/* Looks at the queue of one neighbour; in_hand says whether it got something. */
inline rob() {
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
        :: true /* aborted, or another was quicker */
        fi;
        if
        :: MUTANT == 1 -> mark()
        :: else
        fi
    :: else
    fi;
    victim = 0
}

/* Puts one of its own tasks into the queue of one neighbour who has not retired. */
inline give() {
    victim = (self + 1) % WORKERS;
    if
    :: queue[self] > 0 && !retired[victim] ->
        mark();
        d_step {
            if
            :: queue[self] > 0 && (!retired[victim] || MUTANT == 5) -> queue[self]--; queue[victim]++
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

inline hear(n) {
    if
    :: has_child(n) && heard ->
        said = answer[child(n)];
        d_step {
            heard = said / 2 == now || MUTANT == 4;
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

/* Once through the loop of vote_over(). */
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
        heard = true;
        hear(1);
        hear(2);
        if
        :: heard -> give_answer()
        :: else
        fi
    :: else
    fi
}

active [WORKERS] proctype worker() {
    byte self = _pid, now, sent, said, victim;
    bool in_hand = true, filled, heard, dark;
    do
    :: in_hand ->
        in_hand = false;
        run_task()
    :: d_step { !in_hand && queue[self] > 0 -> queue[self]--; queued--; in_hand = true }
    :: d_step { !in_hand && queue[self] > 0 && gifts > 0 -> gifts-- };
        give()
    :: !in_hand && queue[self] == 0 ->
        rob();
        if
        :: !in_hand && queue[self] > 0 /* it was given something */
        :: d_step { !in_hand && queue[self] == 0 -> retired[self] = true };
            vote();
            if
            :: now == OVER -> break
            :: else
            fi;
            d_step { now = 0; said = 0; heard = false; dark = false };
            d_step { news[self] || queued > 0 -> retired[self] = false }
        :: in_hand
        fi
    od;
    ended++
}

ltl ends { <> (ended == WORKERS) }
