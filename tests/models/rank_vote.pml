/* SPDX-License-Identifier: MIT */
/* Work stealing and termination among ranks (lib/hetero/rank_tasks.c, rank_vote.c) with messages that keep their order
 * between two ranks only. Rank 0 has all tasks first; SPAWNS more appear anywhere. A victim gives half of its tasks, or
 * refuses. A thief has one unanswered request. Ranks vote in a binary tree.
 *
 * Safety: when the root ends the run, no task exists, neither at a rank nor in a message, and no rank waits for ever for
 * a message. Liveness (LIVE): the run ends. Then a rank receives messages of all ranks before each own step, as
 * receive_all() does; otherwise a message may be on its way for as long as it likes.
 *
 * MUTANT: 1 a gift does not blacken; 2 a rank answers the wave though it waits for tasks; 3 a rank does not wait for the
 * answers of its children; 4 a rank forgets that a child was black; 5 a victim without tasks does not refuse. */
#ifndef RANKS
#define RANKS 3 /* 2 or 3 */
#endif
#ifndef TASKS
#define TASKS 4
#endif
#ifndef SPAWNS
#define SPAWNS 1
#endif
#ifndef MUTANT
#define MUTANT 0
#endif

mtype = { ask, none, tasks, wave, vote, end };

chan link[RANKS * RANKS] = [3] of { mtype, byte }; /* from rank f to rank t: RANKS * f + t */
byte left = TASKS;                                 /* tasks at ranks and in messages */
byte spawned = 0, ended = 0;

#define LINK(f, t) link[RANKS * (f) + (t)]
#define CHILD(i) (2 * rank + 1 + (i))
#define CHILDREN (2 * rank + 2 < RANKS -> 2 : (2 * rank + 1 < RANKS -> 1 : 0))
#define MAY_ANSWER (voting && (MUTANT == 3 || answers == CHILDREN))

inline send_to_children(kind)
{
    i = 0;
    do
    :: i < CHILDREN -> LINK(rank, CHILD(i)) ! kind(0); i++
    :: else -> break
    od
}

inline begin_wave()
{
    voting = true;
    answers = 0;
    child_black = false;
    send_to_children(wave)
}

/* gws__rank_vote() */
inline take_part()
{
    if
    :: rank == 0 && !voting -> begin_wave()
    :: else
    fi;
    if
    :: MAY_ANSWER ->
        voting = false;
        if
        :: rank > 0 -> LINK(rank, (rank - 1) / 2) ! vote(black || (MUTANT != 4 && child_black))
        :: rank == 0 && !black && !(MUTANT != 4 && child_black) ->
            assert(left == 0);
            over = true;
            send_to_children(end)
        :: else
        fi;
        black = false
    :: else
    fi
}

inline receive(f)
{
    if
    :: LINK(f, rank) ? ask(value) ->
        if
        :: own >= 2 ->
            LINK(rank, f) ! tasks(own / 2);
            own = own - own / 2;
            black = black || MUTANT != 1
        :: own < 2 && MUTANT != 5 -> LINK(rank, f) ! none(0)
        :: else
        fi
    :: LINK(f, rank) ? none(value) -> waits = false
    :: LINK(f, rank) ? tasks(value) -> waits = false; own = own + value
    :: LINK(f, rank) ? wave(value) -> begin_wave()
    :: LINK(f, rank) ? vote(value) -> answers++; child_black = child_black || value
    :: LINK(f, rank) ? end(value) ->
        assert(left == 0);
        over = true;
        send_to_children(end)
    fi;
    value = 0
}

/* LIVE: between two own steps a rank receives one message of each other rank that has sent one. */
#ifdef LIVE
#define MAY_RECEIVE(f) (nempty(LINK(f, rank)) && !(received & (1 << f)))
#define SERVED(f) (empty(LINK(f, rank)) || (received & (1 << f)))
#define MAY_STEP (SERVED(0) && SERVED(1) && (RANKS == 2 || SERVED(RANKS - 1)))
#define RECEIVED(f) received = received | (1 << f)
#define STEPPED received = 0
#else
#define MAY_RECEIVE(f) nempty(LINK(f, rank))
#define MAY_STEP true
#define RECEIVED(f) skip
#define STEPPED skip
#endif

proctype Rank(byte rank)
{
    byte own = (rank == 0 -> TASKS : 0), answers = 0, value = 0, received = 0, i = 0;
    bool voting = false, black = false, child_black = false, waits = false, over = false;
    do
    :: over -> break
    :: atomic { !over && MAY_RECEIVE(0) -> receive(0); RECEIVED(0) }
    :: atomic { !over && MAY_RECEIVE(1) -> receive(1); RECEIVED(1) }
#if RANKS > 2
    :: atomic { !over && MAY_RECEIVE(2) -> receive(2); RECEIVED(2) }
#endif
    :: atomic { !over && own > 0 && MAY_STEP -> own--; left--; STEPPED }
    :: atomic { !over && own > 0 && MAY_STEP && spawned < SPAWNS -> own++; left++; spawned++ }
#ifdef LIVE
    :: atomic { !over && own == 0 && waits && received && MAY_STEP -> STEPPED }
#endif
    /* seek() of a rank without tasks */
    :: atomic {
        !over && own == 0 && MAY_STEP && (!waits || (MUTANT == 2 && MAY_ANSWER)) ->
        STEPPED;
        take_part();
        if
        :: !over && !waits ->
            waits = true;
            if
            :: rank != 0 -> LINK(rank, 0) ! ask(0)
            :: rank != 1 -> LINK(rank, 1) ! ask(0)
#if RANKS > 2
            :: rank != 2 -> LINK(rank, 2) ! ask(0)
#endif
            fi
        :: else
        fi
    }
    od;
    ended++
}

init
{
    byte r = 0;
    atomic {
        do
        :: r < RANKS -> run Rank(r); r++
        :: else -> break
        od
    }
}

#ifdef LIVE
ltl run_ends { <> (ended == RANKS) }
#endif
