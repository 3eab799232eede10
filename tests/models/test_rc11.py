# SPDX-License-Identifier: MIT
"""The orders of the library's Dekker pairs, checked with the axioms of RC11 and of C11 (rc11.py). Relacy, which
explores the sources themselves (tests/lib/queue), is weaker than RC11 in one point: a seq_cst load always returns the
last seq_cst store. Here each pattern is small, and the test checks every execution that a model allows.

The test reads the orders from the sources. With these orders, no model may allow a bad outcome. With one order
weakened, the models named beside it must allow one, and the others must not. So PATTERNS says which orders RC11
needs, which C11 needs too, and which are redundant in the pattern. Relacy checks that tasks are whole."""
import re
import unittest
from pathlib import Path

from rc11 import fence, possible, read, update, write

ROOT = Path(__file__).resolve().parents[2]
BOTH, RC11, NONE = {'RC11', 'C11'}, {'RC11'}, set()
CALLS = {'load': 'load', 'store': 'store', 'cas': r'(?:compare_exchange_strong|cas)', 'swap': '(?:exchange|swap)',
         'fence': 'thread_fence'}
NEXT_TAG = 1 << 32


def order_in(source, function, call, on):
    """The order of the first such call in the function; on: its word."""
    text = re.sub(r'/\*.*?\*/', '', (ROOT / source).read_text(), flags=re.S)
    body = re.search(rf'\b{function}\([^;{{}}]*\)\n\{{\n.*?\n\}}', text, re.S).group()
    found = re.search(rf'\batom(?:ic)?_{CALLS[call]}(?:_explicit)?\({re.escape(on)}.*?order_(\w+)', body, re.S)
    return found.group(1)


def weaker(order, call):
    if order == 'seq_cst':
        return {'load': 'acquire', 'store': 'release'}.get(call, 'acq_rel')
    return {'acq_rel': 'acquire'}.get(order, 'relaxed')  # Relacy checks that slots are not filled too early


def unique(outcome):
    taken = [task for part in outcome for task in part]
    return len(taken) == len(set(taken))


def take_if(expected, new):
    return lambda value: new if value == expected else None


# ---- the patterns: (threads, initial and possible values of places, bad outcomes) ----

def chaselev(o, max_popped):
    """Tasks 0 and 1; the owner pops up to max_popped, two thieves try once each."""
    def owner():
        begin = 2 - max_popped
        yield write('bottom', begin, o['lower'])
        top = yield read('top', o['look'])
        if begin > top:
            return list(range(begin, 2))
        seen = yield update('top', take_if(top, top + 1), o['last']) if top < 2 else read('top', 'acquire')
        yield write('bottom', min(top + 1, 2), 'relaxed')
        return list(range(top + (seen != top), 2)) if top < 2 else []

    def thief():
        top = yield read('top', o['steal top'])
        bottom = yield read('bottom', o['steal bottom'])
        if top >= bottom:
            return []
        return [top] if (yield update('top', take_if(top, top + 1), o['steal'])) == top else []
    return [owner, thief, thief], {'top': (0, 1, 2), 'bottom': (2, 0, 1)}, lambda outcome: not unique(outcome)


def abp(o, max_popped):
    """The same with a tag; the owner restarts at index 0 when it takes the last task."""
    def start_over(head):
        yield write('tail', 0, 'relaxed')
        if head < 2 and (yield update('head', take_if(head, NEXT_TAG), o['anew'])) == head:
            return list(range(head, 2))
        yield update('head', lambda value: NEXT_TAG, o['anew swap'])
        return list(range(head + 1, 2))

    def owner():
        begin = 2 - max_popped
        yield write('tail', begin, o['lower'])
        head = yield read('head', o['look'])
        return list(range(begin, 2)) if begin > head else (yield from start_over(head))

    def thief():
        head = yield read('head', o['steal head'])
        tail = yield read('tail', o['steal tail'])
        if head % NEXT_TAG >= tail:
            return []
        return [head % NEXT_TAG] if (yield update('head', take_if(head, head + 1), o['steal'])) == head else []
    return [owner, thief, thief], {'head': (0, 1, 2, NEXT_TAG, NEXT_TAG + 1), 'tail': (2, 0, 1)}, \
        lambda outcome: not unique(outcome)


def parking(o, _):
    """Sleeper and waker: one of them must see the write of the other."""
    def sleeper():
        yield write('parked', 1, 'relaxed')
        yield fence(o['sleeper'])
        return (yield read('work', 'relaxed'))

    def waker():
        yield write('work', 1, 'relaxed')
        yield fence(o['waker'])
        return (yield read('parked', 'relaxed'))
    return [sleeper, waker], {'parked': (0, 1), 'work': (0, 1)}, lambda outcome: outcome == [0, 0]


def vote_answer(o, _):
    """A parent that reads a child's answer sees the child's earlier writes."""
    def child():
        yield write('work', 1, 'relaxed')
        yield write('answer', 1, o['answer'])

    def parent():
        answer = yield read('answer', o['children'])
        yield fence(o['fence'])
        return answer, (yield read('work', 'relaxed'))
    return [child, parent], {'work': (0, 1), 'answer': (0, 1)}, lambda outcome: outcome[1] == (1, 0)


def vote_stolen(o, _):
    """A victim that finds its queue emptied by a steal, a release, sees its mark."""
    def thief():
        yield write('black', 1, 'relaxed')
        yield write('queue', 0, 'release')

    def victim():
        length = yield read('queue', 'relaxed')
        yield fence(o['fence'])
        return length, (yield update('black', lambda value: 0, 'relaxed'))
    return [thief, victim], {'queue': (1, 0), 'black': (0, 1)}, lambda outcome: outcome[1] == (0, 0)


# ---- the sites of the orders: (source, function, call, word, models that need the order) ----

def abp_orders(source, functions, head, tail):
    pop, start_over, steal = functions
    return {
        'lower': (source, pop, 'store', tail, BOTH),
        'look': (source, pop, 'load', head, BOTH),
        'anew': (source, start_over, 'cas', head, BOTH),
        'anew swap': (source, start_over, 'swap', head, NONE),  # it needs a third steal; Relacy explores that
        'steal head': (source, steal, 'load', head, RC11),
        'steal tail': (source, steal, 'load', tail, BOTH),
        'steal': (source, steal, 'cas', head, BOTH),
    }


CHASELEV = 'lib/queue/chaselev.c'
VOTE = 'lib/pool/termination.c'
PARKING = 'lib/pool/parking.c'
PATTERNS = {
    'chaselev': (chaselev, {
        'lower': (CHASELEV, 'claim', 'store', '&q->bottom', BOTH),
        'look': (CHASELEV, 'claim', 'load', '&q->top', BOTH),
        'last': (CHASELEV, 'empty_out', 'cas', '&q->top', NONE),  # see tests/lib/queue/test_mutants.py
        'steal top': (CHASELEV, 'chaselev_steal', 'load', '&q->top', RC11),
        'steal bottom': (CHASELEV, 'chaselev_steal', 'load', '&q->bottom', BOTH),
        'steal': (CHASELEV, 'chaselev_steal', 'cas', '&q->top', BOTH),
    }),
    'abp': (abp, abp_orders('lib/queue/abp.c', ('claim', 'start_over', 'abp_steal'), '&q->head', '&q->tail')),
    'device tasks': (abp, abp_orders('kernels/queue/deque_abp.cl', ('pool_pop', 'deque_start_over', 'pool_steal'),
                                     '&q[DEQUE_ENDS]', '&q[DEQUE_TAIL]')),
    'device chunks': (abp, abp_orders('kernels/queue/queue_abp.cl', ('queue_pop', 'queue_last', 'queue_steal'),
                                      '&q[QUEUE_ENDS]', '&q[QUEUE_TAIL]')),
    'idle set': (parking, {
        'sleeper': (PARKING, 'gws__idle_set_park', 'fence', '', BOTH),
        'waker': (PARKING, 'gws__idle_set_unpark', 'fence', '', BOTH),
    }),
    'parker': (parking, {
        'sleeper': (PARKING, 'gws__parker_park', 'fence', '', BOTH),
        'waker': (PARKING, 'unpark', 'fence', '', BOTH),
    }),
    'threads': (parking, {
        'sleeper': (PARKING, 'gws__parker_park', 'fence', '', BOTH),
        'waker': ('lib/pool/threads.c', 'gws__threads_call', 'fence', '', BOTH),
    }),
    # The fence suffices to order the children's writes before the parent. The acquire is for ThreadSanitizer, which
    # does not support fences.
    'vote, answer': (vote_answer, {
        'answer': (VOTE, 'answer', 'store', '&me->answer', BOTH),
        'children': (VOTE, 'children_answered', 'load', '', NONE),
        'fence': (VOTE, 'answer', 'fence', '', NONE),
    }),
    'vote, stolen': (vote_stolen, {'fence': (VOTE, 'answer', 'fence', '', BOTH)}),
    'counter, stolen': (vote_stolen, {'fence': (VOTE, 'gws__termination_idle', 'fence', '', BOTH)}),
}


def bad_in(pattern, orders):
    """The models that allow a bad outcome of the pattern with these orders."""
    found = set()
    for max_popped in (1, 2):
        threads, places, bad = pattern(orders, max_popped)
        first = {place: values[0] for place, values in places.items()}
        found |= {model for model in BOTH - found if possible(first, threads, places, bad, model == 'RC11')}
    return found


class Orders(unittest.TestCase):
    def test_none_allows_a_bad_outcome(self):
        for name, (pattern, sites) in PATTERNS.items():
            with self.subTest(name=name):
                orders = {key: order_in(*site[:4]) for key, site in sites.items()}
                self.assertEqual(bad_in(pattern, orders), NONE)

    def test_each_is_needed_by_the_models_named(self):
        for name, (pattern, sites) in PATTERNS.items():
            orders = {key: order_in(*site[:4]) for key, site in sites.items()}
            for key, (_, _, call, _, needed) in sites.items():
                with self.subTest(name=name, key=key):
                    mutant = dict(orders, **{key: weaker(orders[key], call)})
                    self.assertEqual(bad_in(pattern, mutant), needed)


if __name__ == '__main__':
    unittest.main()
