/* SPDX-License-Identifier: MIT */
/* Stealing from windows (lib/hetero/rank_split.c) and the vote on it (lib/hetero/rank_vote.c). Every rank has tasks of
 * its own and a ring of slots in its window: tail, split. It releases tasks without the lock, and takes them back with
 * it. Any other rank reads tail and split, takes the lock by swapping a value that is no position for the tail, or gives
 * up when the victim is empty, copies, and writes the new tail, which frees the lock. A rank is black if its tail has
 * moved since its last answer. While its window is locked, it knows the last tail that it saw.
 *
 * A thief takes half of the tasks or all of them. A step is one access to a window. The vote is a ring of answers in place of messages in a tree: rank 0 starts a wave,
 * each rank answers once when it has no tasks, and rank 0 judges when all have answered (rank_vote.pml has the tree).
 *
 * In every interleaving each task runs exactly once, and when the vote ends no task is left. No rank waits for ever: an
 * end in which a rank is not done is invalid.
 *
 * MUTANT=n breaks one place, and Spin must detect it:
 *   1 a thief moves the tail before it has copied      3 a rank answers while its window has tasks
 *   2 a thief that moved the tail does not blacken     4 a thief gives up and frees a lock that it does not hold
 * split_queue.pml has mutants without the lock. */
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef RANKS
#define RANKS 3
#endif
#ifndef TASKS
#define TASKS 4 /* at rank 0, at most 4 */
#endif
#ifndef SLOTS
#define SLOTS 2 /* a power of two, so that positions of a byte may overflow; slots are reused */
#endif
#define NOTHING 255

byte slot[RANKS * SLOTS] = NOTHING;
byte tail[RANKS], split[RANKS]; /* count up; slot: modulo SLOTS */
bool lock[RANKS];               /* the tail's word has no position; tail[] is what the holder knows */
byte seen[TASKS];
byte left = TASKS; /* tasks that have not run */
bool over;
byte answers;      /* of this wave; rank r answers as number r */
bool wave, black;

#define AT(r, p) slot[SLOTS * (r) + (p) % SLOTS]

inline run_one()
{
    d_step {
        own--;
        assert(task[own] < TASKS && seen[task[own]] == 0);
        seen[task[own]]++;
        task[own] = NOTHING;
        left--
    }
}

/* Releases the oldest of at least two tasks. */
inline release()
{
    d_step { value = task[0]; task[0] = task[1]; task[1] = task[2]; task[2] = task[3]; task[3] = NOTHING; own-- };
    AT(rank, split[rank]) = value;
    split[rank] = split[rank] + 1;
    value = 0
}

/* Takes the newest released task back. */
inline reacquire()
{
    atomic { !lock[rank] -> lock[rank] = true };
    t = tail[rank];
    if
    :: split[rank] > t ->
        split[rank] = split[rank] - 1;
        lock[rank] = false;
        d_step { task[own] = AT(rank, split[rank]); own++ }
    :: else -> lock[rank] = false
    fi;
    d_step { known = t; t = 0 }
}

/* Copies the oldest `count` tasks of the victim, one in a step. */
inline copy()
{
    do
    :: i < count -> d_step { task[own] = AT(victim, t + i); own++; i++ }
    :: else -> break
    od
}

inline move_tail()
{
    d_step { tail[victim] = t + count; lock[victim] = false };
}

inline steal()
{
    d_step {
        if
        :: lock[victim] -> t = 0
        :: else -> t = tail[victim]
        fi;
        looked = lock[victim]
    };
    s = split[victim];
    if
    :: !looked && s <= t
    :: else ->
        do
        :: atomic { !lock[victim] -> lock[victim] = true; t = tail[victim] };
            s = split[victim];
            if
            :: s > t ->
                if
                :: count = (s - t + 1) / 2
                :: count = s - t
                fi;
                if
                :: MUTANT == 1 -> move_tail(); copy()
                :: else -> copy(); move_tail()
                fi
            :: else -> lock[victim] = false
            fi;
            break
        :: lock[victim] ->
            if
            :: !lock[victim] && tail[victim] >= split[victim] -> break
            :: lock[victim] -> /* after many looks */
                if
                :: MUTANT == 4 -> lock[victim] = false
                :: else
                fi;
                break
            :: else
            fi
        od
    fi;
    atomic { t = 0; s = 0; i = 0; count = 0; looked = false }
}

#define EMPTY (split[rank] == (lock[rank] -> known : tail[rank]))
#define PASSIVE (own == 0 && (MUTANT == 3 || EMPTY))

inline answer()
{
    d_step {
        known = (lock[rank] -> known : tail[rank]);
        black = black || (MUTANT != 2 && known != answered);
        answered = known;
        answers++
    }
}

proctype Rank(byte rank)
{
    byte task[TASKS] = NOTHING, own = 0, t = 0, s = 0, i = 0, count = 0, value = 0, victim = 0, answered = 0, known = 0;
    bool looked = false;
    if
    :: rank == 0 ->
        do
        :: own < TASKS -> task[own] = own; own++
        :: else -> break
        od
    :: else
    fi;
    do
    :: over -> break
    :: own > 0 -> run_one()
    :: own > 1 && split[rank] - (lock[rank] -> known : tail[rank]) < SLOTS -> release()
    :: own == 0 && !EMPTY -> reacquire()
    :: own == 0 && EMPTY && !over ->
        victim = (rank + 1) % RANKS;
        steal();
        victim = 0
#if RANKS > 2
    :: own == 0 && EMPTY && !over ->
        victim = (rank + 2) % RANKS;
        steal();
        victim = 0
#endif
    :: atomic { !over && rank == 0 && PASSIVE && !wave -> wave = true; answers = 0; black = false }
    :: atomic { !over && wave && answers == (RANKS - 1) - rank && PASSIVE ->
        answer();
        if
        :: answers == RANKS && !black -> assert(left == 0); over = true
        :: answers == RANKS && black -> wave = false
        :: else
        fi }
    od
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
