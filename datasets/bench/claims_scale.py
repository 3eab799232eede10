# SPDX-License-Identifier: MIT
"""The quantitative claims of Dinan, Larkins, Sadayappan, Krishnamoorthy and Nieplocha (002) and of Rudolph, Slivkin-Allalouf and
Upfal (004), by measurement and by simulation at the size of the texts."""
import claims_bound
from claims_runs import PROCESSORS
from claims_store import Claim, Text, gain, listed, report, share

POINT = 0.01
WORK_S = 270751679750 * 0.66e-6 / 8192  # of a process, in the search of Dinan et al.


def queue_ratio(store, count):
    return store.sim(f'queues, locked, {count}')['virtual_ms'] / store.sim(f'queues, split, {count}')['virtual_ms']


def locked_few_simulated(store):
    ratios = {count: queue_ratio(store, count) for count in (16, 64)}
    return listed(ratios, gain), max(abs(ratio - 1) for ratio in ratios.values()) <= 0.1


def locked_many(store):
    ratios = {count: queue_ratio(store, count) for count in (128, 256, 512)}
    return listed(ratios, gain), ratios[512] >= 1.1


def threads(words, at_size=True):
    return report('dinan', words, at_size)


def efficiency(store, name):
    return store.sim(name)['efficiency']


def all_scale(store):
    values = {amount: efficiency(store, f'amount, {amount}, 64') for amount in ('half', 'two', 'one')}
    return listed(values, share), min(values.values()) >= 0.9


def half_best(store):
    values = {amount: efficiency(store, f'unbalanced, {amount}') for amount in ('half', 'two', 'one')}
    return 'T3 ' + listed(values, share), values['half'] - POINT >= values['two'] >= values['one'] + POINT


def half_efficiency(store):
    value = efficiency(store, 'amount, half, 256')
    return f'{share(value)}; in the library\'s order {share(efficiency(store, "amount, half, 256, oldest"))}', value >= 0.93


def a_steal(store):
    found = store.sim('amount, half, 256')
    return f'{found["stolen"] / found["steals"]:.1f}', 1.9 <= found['stolen'] / found['steals'] <= 7.6


def votes(store):
    times = {count: store.sim(f'UTS, vote, {count}')['termination_ms'] for count in (64, 512, 8192)}
    return listed(times, '{:.2f} ms'.format), times[8192] / times[64] <= 1.2 * 13 / 6


def tree_size(store):
    found = store.figure('M3', 'T1WL')
    return f'{found["nodes"]:,} nodes, counted', found['nodes'] == 270751679750


def producer_size(store):
    return f'd (n + 1) + 1 = {4096 * 8193 + 1:,} with n = 8192, not with the 4096 of the text', 4096 * 8193 + 1 == 33558529


def idle_s(store, name):
    """The time that a process idles, in seconds."""
    found = store.sim(name)
    return found['virtual_ms'] * (1 - found['efficiency']) / 1e3


def producers(store):
    few, many = idle_s(store, 'BPC, gives up, 8192'), idle_s(store, 'BPC, long, 8192')
    at_size = 40.96 / (40.96 + few + (many - few) * (4096 - 64) / (256 - 64))
    return (f'{share(efficiency(store, "BPC, gives up, 8192"))} with d = 64, {share(efficiency(store, "BPC, long, 8192"))} with 256: a process '
            f'idles {few:.2f} and {many:.2f} s, so {share(at_size)} with 4,096; in the library\'s order '
            f'{share(efficiency(store, "BPC, gives up, 8192, oldest"))} with 64', at_size >= 0.94)


def trees(store):
    idle = [idle_s(store, name) for name in ('UTS, gives up', 'UTS, long tasks')]
    at_size = WORK_S / (WORK_S + max(idle))
    return (f'T1L {share(efficiency(store, "UTS, gives up"))}, with long tasks {share(efficiency(store, "UTS, long tasks"))}: a process idles '
            f'{1e3 * idle[0]:.0f} and {1e3 * idle[1]:.0f} ms, so {share(at_size)} in 22 s; T1L in the library\'s order '
            f'{share(efficiency(store, "UTS, gives up, oldest"))}', at_size >= 0.96)


def order(work, best_first):
    def judge(store):
        values = {how: efficiency(store, f'{work}, {how}, 8192' if work == 'BPC' else f'{work}, {how}') for how in ('gives up', 'ticket', 'spins')}
        return listed(values, share), all(values[a] >= values[b] + POINT for a, b in zip(best_first, best_first[1:]))
    return judge


def boxes(store, how):
    """A simulation by madness_stealing.c: about as many boxes as the paper has tasks, 8,192 processes."""
    return store.sim(f'MADNESS, {how}')


def boxes_efficiency(store):
    found = boxes(store, 'gives up')
    return f'{share(found["efficiency"])} of {found["tasks"]:,} tasks, {found["depth"]} levels', found['efficiency'] >= 0.85


def boxes_order(store):
    values = {how: boxes(store, how)['efficiency'] for how in ('gives up', 'ticket', 'spins')}
    return listed(values, share), values['gives up'] - POINT >= values['ticket'] >= values['spins'] + POINT


def boxes_failed(store):
    values = {how: boxes(store, how)['failed_steals'] for how in ('gives up', 'ticket', 'spins')}
    return listed(values, '{:,}'.format), 10 * values['gives up'] <= min(values['ticket'], values['spins'])


def fall(store):
    falls = {how: efficiency(store, f'BPC, {how}, 8192') / efficiency(store, f'BPC, {how}, 512') for how in ('gives up', 'ticket', 'spins')}
    return 'from 512 to 8,192 processes ' + listed(falls, gain), falls['ticket'] < falls['gives up'] - 0.1 and falls['spins'] < falls['gives up'] - 0.1


def counts(store, key):
    return {how: store.sim(f'BPC, {how}, 8192')[key] for how in ('gives up', 'ticket', 'spins')}


def failed(store):
    values = counts(store, 'failed_steals')
    return listed(values, '{:,}'.format), 10 * values['gives up'] <= min(values['ticket'], values['spins'])


def spins_trees(store):
    found = {how: store.sim(f'UTS, {how}')['failed_steals'] for how in ('ticket', 'spins')}
    return listed(found, '{:,}'.format), 10 * found['spins'] <= 9 * found['ticket']


def spins_producers(store):
    found = counts(store, 'failed_steals')
    return listed({how: found[how] for how in ('ticket', 'spins')}, '{:,}'.format), found['spins'] >= 1.1 * found['ticket']


DINAN = Text('002: Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha, Scalable Work Stealing (2009)', [
    Claim('2.4', 'a vote along a tree detects termination in O(log n)', '64 to 8,192 processes: 13/6 times, and a fifth', threads('a tree of votes'), votes),
    Claim('3.2, Figure 3', 'split and locked queues (here: balanced piles) are even up to 128 processes', '10 %, 16 and 64', threads('with few processors'), locked_few_simulated),
    Claim('3.2, Figure 3', 'locked queues degrade past 128', '10 % with 512', threads('with many'), locked_many),
    Claim('3.4, Figure 5', 'half, two and one all scale to 64 processes', 'efficiency 90 %', threads('all three'), all_scale),
    Claim('3.4, Figure 5', 'with 256 half is better than two, and two than one', 'in that order, 1 point apart', threads('half is faster', False), half_best),
    Claim('3.4, Figure 5', 'half is over 95 % efficient with 256', '2 points less', threads('half: over 95'), half_efficiency),
    Claim('3.4, Figure 5', 'half moves 3.8 tasks a steal with 256', 'half to twice', threads('half moves'), a_steal),
    Claim('5.1, Table 1', 'the tree has 270,751,679,750 nodes', 'exactly', tree_size),
    Claim('5.1, Table 1', 'BPC has 33,558,529 tasks', 'exactly', producer_size),
    Claim('5.2, Figure 6', 'MADNESS: 88 % efficiency with 8,192 processes', '3 points less', threads('MADNESS: 88', False), boxes_efficiency),
    Claim('5.2, Figure 6', 'BPC: 97 % efficiency with 8,192 processes', '3 points less, by the idle time', threads('BPC: 97'), producers),
    Claim('5.2, Figure 6', 'UTS: 99 % efficiency with 8,192 processes', '3 points less, by the idle time', threads('UTS: 99'), trees),
    Claim('5.2, Figure 6', 'MADNESS: giving up is the best, then tickets, then spinning', 'in that order, 1 point apart, 8,192', None, boxes_order),
    Claim('5.2, Figure 6', 'BPC: giving up is the best, then tickets, then spinning', 'in that order, 1 point apart, 8,192', None,
          order('BPC', ('gives up', 'ticket', 'spins'))),
    Claim('5.2, Figure 6', 'UTS: giving up is the best, then spinning, then tickets', 'in that order, 1 point apart, 8,192', None,
          order('UTS', ('gives up', 'spins', 'ticket'))),
    Claim('5.2, Figure 6', 'BPC: tickets and spinning fall behind past 4,096 processes', '10 points more than giving up', None, fall),
    Claim('5.3, Figure 7', 'BPC: giving up leaves a tenth of the failed steals', 'a tenth', threads('BPC: giving up leaves'), failed),
    Claim('5.3, Figure 7', 'MADNESS: giving up leaves a tenth of the failed steals', 'a tenth', threads('MADNESS: giving up leaves'), boxes_failed),
    Claim('5.3, Figure 7', 'MADNESS: giving up doubles the aborted steals', '1.5 times', threads('MADNESS: twice', False)),
    Claim('5.3, Figure 7', 'BPC: as many aborted steals with and without giving up', 'half to twice', threads('BPC: about as many', False)),
    Claim('5.3, Figure 7', 'BPC: spinning fails more often than tickets', '10 %', None, spins_producers),
    Claim('5.3, Figure 7', 'UTS: spinning fails less often than tickets', '10 %', None, spins_trees),
], [
    ('3.3, Figure 4', 'tasks made in place cost 15 % less', 'there is only that interface here'),
    ('3.5', 'a data server that sleeps makes tens of microseconds tens of milliseconds', 'the costs of the simulation are those of a polling server'),
    ('5.1, Table 1', 'MADNESS: 1,801,353 tasks of 102 ms', 'the 128 bodies are not published; the sum of 128 Gaussians stands for them'),
    ('5.3, Figure 7', '2.5 to 3 billion failed steals, and 0.25 billion', 'runs of 40 s are too long to simulate; the ratio is above'),
])


# ---- 004 ----

def piles(words):
    return report('rudolph', words)


def ratios(store, work, counts):
    return {count: store.sim(f'{work}, one, {count}')['virtual_ms'] / store.sim(f'{work}, own, {count}')['virtual_ms'] for count in counts}


def not_always_best(store):
    found = ratios(store, 'quicksort', PROCESSORS)
    best = max(found, key=found.get)
    return f'one pile takes {gain(found[best])} with {best} processors', found[best] >= 1.005


def as_good(store):
    found = ratios(store, 'quicksort', PROCESSORS)
    worst = min(found, key=found.get)
    return f'one pile takes {gain(found[worst])} at worst, with {worst} processors', found[worst] >= 0.97


def few_slaves(store):
    found = ratios(store, '8 slaves', (4, 5, 6, 7, 8))
    return 'one pile takes ' + listed(found, gain), min(found[7], found[8]) >= 1.01


def twice_as_bad(store):
    found = ratios(store, '64 slaves', (2, 4, 8))
    return listed(found, '{:.2f} times'.format), all(1.6 <= ratio <= 2.4 for ratio in found.values())


def little_migration(store):
    found = {count: store.sim(f'64 slaves, own, {count}') for count in (2, 4, 8)}
    remote = {count: one['strays'] / one['slaves'] * 10 / 64 for count, one in found.items()}
    return listed(remote, share) + ' of the accesses', max(remote.values()) <= 0.25


def without_balancing(store):
    wasted = {piles: 1 - 64 / piles / claims_bound.fullest_pile(64, piles) for piles in (8,)}
    return 'of the time, by the longest of random piles ' + listed(wasted, share), 0.33 <= wasted[8] <= 0.67


def spread(store):
    found = {count: store.sim(f'ten masters, {count}')['queue_spread'] for count in (2, 4, 8, 16)}
    return listed(found, '{:.2g}'.format), all(value <= 6 for value in found.values())


def theorem(store):
    alpha, beta, c = claims_bound.constants(1)
    closes = all(claims_bound.recurrence_closes(delta, range(0, 2000, 7)) for delta in (1, 2, 5, 10))
    return f'alpha {alpha}, beta {beta}, C {c} for changes by 1: the recurrence of the proof stays below alpha A + C for means to 2,000', closes


def small_factor(store):
    found = {count: claims_bound.balanced_process(count, 2000, 1) for count in (16, 64)}
    return ('the process of the proof, 2,000 steps, where one processor makes all tasks: at most ' +
            ', '.join(f'{mean:.1f} times the mean with {count}' for count, (mean, _) in found.items()),
            all(mean <= 4 for mean, _ in found.values()))


def queues_example(store):
    in_one, own = claims_bound.queue_example(8, 10, 1000)
    return f'8 processors, s = 10, h = 1,000: {in_one} against {own}', own < in_one


RUDOLPH = Text('004: Rudolph, Slivkin-Allalouf, Upfal, A Simple Load Balancing Scheme for Task Allocation in Parallel Machines (1991)', [
    Claim('3', 'much load, little balancing; little load, much of it', 'more a task with few', piles('much load')),
    Claim('3', 'waiting for a pile in use or giving up: little difference', '10 %', piles('waiting for a pile')),
    Claim('4.1, Figure 3', 'quicksort of 500 keys: one pile is not always the best', '0.5 % (measured: 3 %)', piles('there are times'), not_always_best),
    Claim('4.1, Figure 3', 'the balance of local piles is as good as that of one', '3 %, 1 to 8 processors', piles('the balance of piles'), as_good),
    Claim('4.1, Figure 4', 'master and 8 slaves, uniform costs: balanced piles beat one pile', '1 % with 7 and 8 processors', piles('with a little more'), few_slaves),
    Claim('4.1, Figure 5', 'with costs of memory one pile is about twice as bad (64 slaves)', '1.6 to 2.4 times', piles('with costs of memory'), twice_as_bad),
    Claim('4.1, Figure 5', 'very few accesses are remote: there is not too much migration', 'a quarter of the accesses (measured: of the tasks)', piles('there is not too much'),
          little_migration),
    Claim('4.1, Figure 5', 'without balancing half of the processing power is wasted', 'a third to two thirds, 8 processors', None, without_balancing),
    Claim('4.2, Figure 6', 'the mean squared distance of lengths is 2 to 3 (ten masters)', 'twice', piles('the mean squared'), spread),
    Claim('4.2, Theorem 1', 'E[L] is at most alpha A + C for all times', 'the recurrence closes', None, theorem),
    Claim('4.2, Theorem 1', 'lengths are within a small factor of the mean', '4', piles('lengths are within'), small_factor),
    Claim('4.3', 'h + s/p in a global queue, h + s/(2p) in local ones', 'less', None, queues_example),
], [])
