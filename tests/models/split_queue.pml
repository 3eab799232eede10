/* SPDX-License-Identifier: MIT */
/* The split queue (lib/queue/split.c). An owner makes and pops tasks in any order. Two thieves take half or all of the
 * shared part, and give up if the lock is held. In every interleaving, each task is taken exactly once.
 *
 * A step is one access to a shared word; private operations belong to the step before them. The buffer has fewer slots
 * than there are tasks, so slots are reused. The model has no growth, and it is sequentially consistent: Relacy
 * explores weaker memory (tests/lib/queue/relacy).
 *
 * MUTANT=n breaks the queue in one place, and Spin must detect it:
 *   1 the thief moves tail before it has copied     3 the thief uses values that it read before it had the lock
 *   2 the owner reacquires without the lock         4 the owner releases a slot without a task
 *   5 the owner reuses a slot that a thief has yet to read */
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef TASKS
#define TASKS 5
#endif
#ifndef SLOTS
#define SLOTS 4 /* a power of two */
#endif
#ifndef TRIES
#define TRIES 1 /* attempts of each thief */
#endif
#define NOTHING 255

byte slot[SLOTS];
byte tail, split, head; /* head is private to the owner; all count up from 0 */
bool lock, hungry;
byte seen[TASKS];
byte ended;

inline consume(task) {
    assert(task < TASKS && seen[task] == 0);
    seen[task]++
}

/* ---- the owner ---- */

inline set_head(value) {
    head = value;
    d_step {
        t = tail;
        own = head - released;
        low = own > 2 * (released - t)
    };
    if
    :: low && (own > 1 || hungry) ->
        d_step {
            released = head - (head - t) / 2;
            if
            :: MUTANT == 4 -> released = head + 1
            :: else
            fi;
            split = released
        };
        hungry = false
    :: else
    fi
}

/* reserve() and commit(); a full queue stays unchanged. */
inline push() {
    if
    :: head == limit && MUTANT != 5 -> limit = tail + SLOTS
    :: head == limit && MUTANT == 5 -> limit = split + SLOTS
    :: else
    fi;
    if
    :: head != limit ->
        slot[head % SLOTS] = made;
        made++;
        none = false;
        set_head(head + 1)
    :: else
    fi
}

inline reacquire() {
    if
    :: released == tail -> none = true
    :: else ->
        if
        :: MUTANT == 2
        :: MUTANT != 2 -> atomic { !lock -> lock = true }
        fi;
        d_step { t = tail; own = released - t };
        d_step { released = released - (own + 1) / 2; split = released };
        if
        :: MUTANT != 2 -> lock = false
        :: else
        fi;
        none = own == 0
    fi
}

inline pop() {
    none = false;
    if
    :: head == released -> reacquire()
    :: else
    fi;
    if
    :: !none ->
        task = slot[(head - 1) % SLOTS];
        d_step { consume(task) };
        set_head(head - 1)
    :: else
    fi
}

active proctype owner() {
    byte released, limit = SLOTS, made, own, t, task;
    bool none, low;
    do
    :: made < TASKS -> push()
    :: !(made == TASKS && none) -> pop()
    :: made == TASKS && none -> break
    od;
    ended++
}

/* ---- thieves ---- */

/* Takes half of the shared part, rounded up, or all of it, the oldest first. */
inline take() {
    d_step {
        if
        :: MUTANT != 3 -> t = tail
        :: else
        fi
    };
    d_step {
        if
        :: MUTANT != 3 -> length = split - t
        :: else
        fi;
        i = 0
    };
    if
    :: count = (length + 1) / 2
    :: count = length
    fi;
    if
    :: MUTANT == 1 -> tail = t + count
    :: else
    fi;
    do
    :: i < count -> stolen[i] = slot[(t + i) % SLOTS]; i++
    :: else -> break
    od;
    if
    :: MUTANT != 1 -> tail = t + count
    :: else
    fi
}

inline steal() {
    t = tail;
    length = split - t;
    if
    :: length == 0 || length > 128 -> hungry = true /* over 128: split was read after it had moved below t */
    :: else ->
        if
        :: atomic { !lock -> lock = true };
            take();
            lock = false;
            d_step {
                i = 0;
                do
                :: i < count -> consume(stolen[i]); stolen[i] = NOTHING; i++
                :: else -> break
                od;
                i = 0; count = 0
            }
        :: lock /* aborts */
        fi
    fi
}

active [2] proctype thief() {
    byte tries, t, length, count, i, stolen[SLOTS] = NOTHING;
    do
    :: tries < TRIES -> steal(); tries++
    :: else -> break
    od;
    ended++
}

/* ---- the end ---- */

active proctype judge() {
    byte task;
    ended == 3;
    do
    :: task < TASKS -> assert(seen[task] == 1); task++
    :: else -> break
    od
}
