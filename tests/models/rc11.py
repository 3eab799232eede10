# SPDX-License-Identifier: MIT
"""Which outcomes of a small concurrent program do memory models allow? This builds every candidate execution and
checks it against the axioms of RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, figure 2) or of C11 as Batty,
Donaldson and Wickerson state it (POPL 2016), whose one order of sequentially consistent operations agrees with
happens-before.

A thread is a generator function: it yields read(), write(), update() or fence() and receives the value read. Its
return value is its part of the outcome. An order is 'relaxed', 'acquire', 'release', 'acq_rel' or 'seq_cst'."""
import functools
import itertools
import operator
from collections import namedtuple

Event = namedtuple('Event', 'thread place reads writes order update')  # reads, writes: a value or None
ACQUIRE, RELEASE = {'acquire', 'acq_rel', 'seq_cst'}, {'release', 'acq_rel', 'seq_cst'}


def read(place, order):
    return ('read', place, None, order)


def write(place, value, order):
    return ('write', place, value, order)


def update(place, new, order):
    """new(value read): the value to store; None: no store, as in a failed compare-and-swap (then relaxed)."""
    return ('update', place, new, order)


def fence(order):
    return ('fence', None, None, order)


def traces(thread, number, values):
    """Every run of one thread for all values of its reads: (events, return value)."""
    def go_on(answers):
        run, events, given = thread(), [], list(answers)
        try:
            step = next(run)
            while True:
                kind, place, what, order = step
                answer = None
                if kind in ('read', 'update'):
                    if not given:
                        for value in values[place]:
                            yield from go_on(answers + [value])
                        return
                    answer = given.pop(0)
                new = what(answer) if kind == 'update' else what
                if kind == 'update' and new is None:
                    order = 'relaxed'
                events.append(Event(number, place, answer, new, order, kind == 'update' and new is not None))
                step = run.send(answer)
        except StopIteration as end:
            yield events, end.value
    yield from go_on([])


def closure(edges, count):
    """Transitive closure of a list of bit sets."""
    edges = list(edges)
    for k in range(count):
        for i in range(count):
            if edges[i] >> k & 1:
                edges[i] |= edges[k]
    return edges


class Execution:
    """Events with reads-from (a dict) and modification order (a list of events for each place)."""

    def __init__(self, events, source, order_of):
        self.events, self.source, self.count = events, source, len(events)
        n = range(self.count)
        at = {event: rank for writes in order_of.values() for rank, event in enumerate(writes)}
        self.mo = self.relation(lambda a, b: a in at and b in at and events[a].place == events[b].place
                                and at[a] < at[b])
        self.rf = self.relation(lambda a, b: source.get(b) == a)
        self.rb = self.relation(lambda a, b: a in source and self.mo[source[a]] >> b & 1 and a != b)
        self.sb = self.relation(lambda a, b: a < b and (events[a].thread == events[b].thread or events[a].thread < 0)
                                and events[b].thread >= 0)
        self.sw = self.relation(self.synchronises)
        self.hb = closure([self.sb[i] | self.sw[i] for i in n], self.count)
        self.eco = closure([self.rf[i] | self.mo[i] | self.rb[i] for i in n], self.count)

    def relation(self, holds):
        n = range(self.count)
        return [sum(1 << b for b in n if holds(a, b)) for a in n]

    def synchronises(self, a, b):
        """a release, a fence or a write, with b, an acquire: through one read of a release sequence."""
        events, sb = self.events, self.sb
        if events[a].order not in RELEASE or events[b].order not in ACQUIRE:
            return False
        for reader, writer in self.source.items():
            if b != reader and not (events[b].place is None and sb[reader] >> b & 1):
                continue
            while True:  # the head of the release sequence is a, or follows it if that is a fence
                if writer == a or (events[a].place is None and sb[a] >> writer & 1):
                    return True
                same = [w for w in range(writer) if events[w].thread == events[writer].thread and w == a
                        and events[w].place == events[writer].place and events[w].writes is not None]
                if same:
                    return True
                if not events[writer].update:
                    break
                writer = self.source[writer]
        return False

    def coherent(self):
        """executions() has checked atomicity."""
        n = range(self.count)
        return not any(self.hb[i] >> i & 1 or self.eco[i] >> i & 1 or
                       any(self.hb[i] >> j & 1 and self.eco[j] >> i & 1 for j in n) for i in n)

    def then(self, first, second):
        """The composition of two relations."""
        n = range(self.count)
        return [functools.reduce(operator.or_, (second[j] for j in n if row >> j & 1), 0) for row in first]

    def one_order(self, rc11):
        """Do the sequentially consistent events have the order that the model requires?"""
        n, events = range(self.count), self.events
        same = lambda a, b: events[a].place is not None and events[a].place == events[b].place
        keep = lambda rel, test: self.relation(lambda a, b: rel[a] >> b & 1 and test(a, b))
        if rc11:
            other = keep(self.sb, lambda a, b: not same(a, b))
            far = self.then(self.then(other, self.hb), other)
            near = keep(self.hb, same)
            scb = [self.sb[i] | far[i] | near[i] | self.mo[i] | self.rb[i] for i in n]
        else:
            scb = [self.hb[i] | self.mo[i] | self.rb[i] for i in n]
        strong = [event.order == 'seq_cst' for event in events]
        entry_edges = [(1 << i if strong[i] else 0) | (self.hb[i] if strong[i] and events[i].place is None else 0) for i in n]
        exit_edges = self.relation(lambda a, b: strong[b] and (a == b or (events[b].place is None and self.hb[a] >> b & 1)))
        psc = self.then(self.then(entry_edges, scb), exit_edges)
        fences = keep([self.hb[i] | row for i, row in enumerate(self.then(self.then(self.hb, self.eco), self.hb))],
                      lambda a, b: strong[a] and strong[b] and events[a].place is events[b].place is None)
        total = closure([psc[i] | fences[i] for i in n], self.count)
        return not any(total[i] >> i & 1 for i in n)

    def allowed(self, rc11):
        causes = closure([a | b for a, b in zip(self.sb, self.rf)], self.count)
        if rc11 and any(row >> i & 1 for i, row in enumerate(causes)):
            return False
        return self.coherent() and self.one_order(rc11)


def in_thread_order(events, order):
    return not any(events[a].thread == events[b].thread and a > b for a, b in itertools.combinations(order, 2))


def executions(events):
    """Every choice of sources and of modification orders, except those that coherence or atomicity exclude at once."""
    readers = [i for i, event in enumerate(events) if event.reads is not None]
    choices = [[j for j, w in enumerate(events) if w.place == events[i].place and w.writes == events[i].reads
                and not (w.thread == events[i].thread and j >= i)] for i in readers]
    if not all(choices):
        return
    places = sorted({event.place for event in events if event.place})
    orders = []
    for place in places:
        writers = [i for i, event in enumerate(events) if event.place == place and event.writes is not None]
        orders.append([(writers[0],) + rest for rest in itertools.permutations(writers[1:])
                       if in_thread_order(events, rest)])
    for chosen in itertools.product(*choices):
        updated = [source for reader, source in zip(readers, chosen) if events[reader].update]
        if len(updated) > len(set(updated)):
            continue
        source = dict(zip(readers, chosen))
        for order in itertools.product(*orders):
            if all(order[places.index(events[i].place)].index(i) ==
                   order[places.index(events[i].place)].index(source[i]) + 1 for i in readers if events[i].update):
                yield Execution(events, source, dict(zip(places, order)))


def possible(first, threads, values, bad, rc11):
    """True if the model allows an execution with a bad outcome, the list of the return values. first: the initial
    value of each place; values: all its possible values."""
    begin = [Event(-1, place, None, value, 'relaxed', False) for place, value in first.items()]
    runs = [list(traces(thread, number, values)) for number, thread in enumerate(threads)]
    for combination in itertools.product(*runs):
        if not bad([returned for _, returned in combination]):
            continue
        events = begin + [event for part, _ in combination for event in part]
        if any(execution.allowed(rc11) for execution in executions(events)):
            return True
    return False
