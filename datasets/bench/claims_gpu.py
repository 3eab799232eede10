# SPDX-License-Identifier: MIT
"""The quantitative claims of Cederman and Tsigas (000), Abdelmageed (001), and Chen, Villa, Krishnamoorthy and Gao (003)."""
from claims_store import Claim, Text, gain, listed, share

MOVES_GROUPS = (132, 264, 528, 1056)


def moves(store):
    """{moves: times by MOVES_GROUPS, and of the static scheme}"""
    return {int(ahead): times for ahead, times in store.figure('M1', 'moves ms').items()}


def fewest_groups(store):
    shares = {ahead: min(times[:4]) / times[0] for ahead, times in moves(store).items()}
    return f'132 groups reach {listed(shares, share)} of the best rate', max(shares[ahead] for ahead in (4, 5, 6, 7)) < 0.7


def four_moves(store):
    times = moves(store)[4]
    best = MOVES_GROUPS[times.index(min(times[:4]))]
    return f'{best} of 1,056 groups are the fastest; all take {times[3] / min(times[:4]):.2f} times as long', times[3] > 1.05 * min(times[:4])


def all_groups(store):
    best = {ahead: MOVES_GROUPS[times.index(min(times[:4]))] for ahead, times in moves(store).items() if ahead > 4}
    return listed(best, str) + ' groups are the fastest', all(groups == 1056 for groups in best.values())


def twice(store):
    times = moves(store)
    on_device = times[7][4] / min(times[7][:4])
    on_threads = store.figure('M7', 'moves threads gain')['7']
    return f'{on_device:.0f} times on the device, whose static schedule never deals again; {on_threads} times on 16 threads', on_threads >= 1.5


def scales(store):
    gains = {ahead: times[4] / min(times[:4]) for ahead, times in moves(store).items()}
    return listed(gains, '{:.1f} times'.format), gains[9] > gains[4] and gains[7] > gains[4]


def static_memory(store):
    level = store.figure('M1', 'moves last level')
    return f'the last level has {level:,} positions', abs(level / 800000 - 1) <= 0.1


def stealing_memory(store):
    queue, level = store.figure('M7', 'moves threads stored')
    return f'{queue} tasks in the longest queue of 16 threads, {level / queue:,.0f} times less than the last level', level / queue >= 33


def stealing_memory_simulated(store):
    found = store.sim('seven moves, 240')
    longest = found['queue_high_water']
    return f'{longest} tasks in the longest deque, {240 * longest:,} in all', 6000 <= 240 * longest <= 24000


def octree_speed(store):
    whole, tiles = store.figure('M2', 'octree octants'), store.figure('M2', 'octree tiles')
    return (f'an octant for a block, as there: {gain(min(whole.values()))} to {gain(max(whole.values()))}; with tiles '
            f'{gain(tiles["1"])} at 1 M, {gain(tiles["15"])} at 15 M', min(whole.values()) >= 1.1)


def octree_memory(store):
    few, many = store.figure('M2', 'octree capacity')['stealing']
    return f'{many / few:.1f} times as much at 15 times the points', many <= 2 * few


def octree_static(store):
    few, many = store.figure('M2', 'octree capacity')['static']
    return f'{many / few:.0f} times as much at 15 times the points', many >= 7.5 * few


CEDERMAN = Text('000: Cederman, Tsigas, Dynamic Load Balancing Using Work-Stealing (2011)', [
    Claim('Figure 35.8', '30 blocks, one for each multiprocessor, perform poorly with 4 to 7 moves', 'below 70 % of the best rate', fewest_groups),
    Claim('Figure 35.8', 'with four moves, too many blocks slow down', 'the most groups take 5 % longer', four_moves),
    Claim('Figure 35.8', 'with more moves, all 240 blocks are the fastest', 'the most groups are the best', all_groups),
    Claim('Figure 35.9', 'at seven moves stealing is twice as fast as the static scheme', '1.5 times', twice),
    Claim('Figure 35.9', 'stealing scales better with the load', 'it gains more with 7 and 9 moves than with 4', scales),
    Claim('Figure 35.9', 'at seven moves the static scheme stores about 800,000 tasks', 'within 10 %', static_memory),
    Claim('Figure 35.9', 'there stealing stores about 50 tasks in each of 240 deques, 12,000 in all', 'half to twice; measured: a 33rd of the '
          'level', stealing_memory, stealing_memory_simulated),
    Claim('Figure 35.11', 'octrees of 1 to 15 million points: stealing is 10 to 15 % faster', '10 % at every size', octree_speed),
    Claim('Figure 35.11', 'the memory of stealing stays about the same', 'twice', octree_memory),
    Claim('Figure 35.11', 'the memory of the static scheme grows quickly', 'half as fast as the points', octree_static),
], [('Figure 35.6', 'the position that the games begin with', 'the print does not show it; here they begin with the empty board')])


# ---- 001 ----

def coarse(store):
    gains = store.figure('M3', 'gains coarse 2C_16G')
    return listed(gains, gain), min(gains.values()) >= 1.085


def stealing_average(store):
    means = store.figure('M3', 'gains stealing means')
    return f'{gain(means["all"])} over all', means['all'] >= 1.155


def stealing_sizes(store):
    means, said = dict(store.figure('M3', 'gains stealing means')), {'1C_8G': 1.5, '1C_16G': 1.1, '2C_16G': 1.16, '2C_32G': 1.11}
    return listed({size: means[size] for size in said}, gain), all(means[size] - 1 >= 0.5 * (value - 1) for size, value in said.items())


def shares(store):
    low, high = store.figure('M3', 'stolen 1C_8G')
    return f'{share(low)} to {share(high)}', (low + high) / 2 >= 0.12


def by_cpu(store):
    low, high = store.figure('M3', 'stolen by CPU')
    return f'{share(low)} to {share(high)}', 0.5 <= (low + high) / 2 <= 0.9


def many_groups(store):
    low, high = store.figure('M4', 'device only 32')
    return f'{gain(low)} to {gain(high)}', high < 1


def few_groups(store):
    low, high = store.figure('M4', 'device only 8 and 16')
    return f'{gain(low)} to {gain(high)}', max(1 - low, high - 1) <= 0.06


def over_cpu(store):
    low, high = store.figure('M4', 'device over CPU')
    return f'{low} to {high} times', high < 1


def threshold_small(store):
    low, high = store.figure('M4', 'threshold small')
    return f'{gain(low)} to {gain(high)}', low >= 1.2


def threshold_others(store):
    worst = store.figure('M4', 'threshold others worst')
    return f'{gain(worst)} at worst', worst >= 0.97


def never_loses(store):
    worst = store.figure('M3', 'gains stealing worst')
    return f'{gain(worst)} at worst', worst >= 0.97


def groups_steal(store):
    low, high = store.figure('M4', 'groups steal small')
    return f'{gain(low)} to {gain(high)}', high < 1


def orders(store):
    gains = store.figure('M3', 'orders')
    return listed(gains, gain), gains['NY'] >= 1.04 and gains['BAY'] >= 1.0275


def orders_others(store):
    gains = store.figure('M3', 'orders')
    return listed({road: gains[road] for road in ('COL', 'NW')}, gain), max(gains['COL'], gains['NW']) <= 1.06


THESIS = Text('001: Abdelmageed, A Work-Stealing For Dynamic Workload Balancing On CPU-GPU Heterogeneous Computing Platforms (2017)', [
    Claim('4.2, Figure 4.1', '24 % of the tasks are stolen (CAL, 1C_8G)', 'half of that, in the middle of the range', shares),
    Claim('4.2, Figure 4.1', 'CPU workers take 70 % of them', '50 to 90 %, in the middle of the range', by_cpu),
    Claim('4.3.1, Figure 4.2', 'on the device alone, stealing slows down NYR and BAY with 32 groups', 'all below 0', many_groups),
    Claim('4.3.1, Figure 4.2', 'with 8 and 16 groups it makes little difference on larger maps', '6 %', few_groups),
    Claim('4.3.1, Figure 4.2', 'the device reaches 0.3 times the CPU (NYR), and beats it on CAL only', 'below 1 on the others', over_cpu),
    Claim('4.3.2, Figure 4.4', 'a threshold of workers times chunk gains much on NYR and BAY', '20 %', threshold_small),
    Claim('4.3.2, Figure 4.4', 'it gains little on the others and loses nothing', '-3 % at worst', threshold_others),
    Claim('4.3.3, Figure 4.5', 'stealing gains 50, 10, 16 and 11 % with 1C_8G, 1C_16G, 2C_16G and 2C_32G', 'half of each at least', stealing_sizes),
    Claim('4.3.3, Figure 4.5', 'stealing never loses more than 3 %', '-3 % at worst', never_loses),
    Claim('abstract', 'stealing gains 16 % on average', '15.5 %', stealing_average),
    Claim('4.3.4, Figure 4.6', 'groups that steal hurt on NYR, BAY and COL', 'all below 0', groups_steal),
    Claim('abstract, 4.3.5, Figure 4.7', 'at least 8.5 % faster than coarse partitioning (49 % on NYR)', '8.5 % on each map, 2C_16G', coarse),
    Claim('4.3.6, Figure 4.8', 'weaker memory orders gain 8 % on NYR and 5.5 % on BAY', 'half of each at least', orders),
    Claim('4.3.6, Figure 4.8', 'on the other maps they make no difference', '6 %', orders_others),
], [])


# ---- 003 ----

def enqueue(store):
    us = store.figure('M8', 'enqueue us')
    return f'{us} us', us <= 114.3


def dequeue(store):
    ns = store.figure('M8', 'dequeue ns')
    return f'{ns["8"]} ns with 8 groups, {ns["2112"]} with 2,112', ns['2112'] <= 400 and ns['2112'] < ns['8']


def queue_gain(store):
    value, stealing = store.figure('M8', 'queue gain'), store.figure('M8', 'steal gain')
    return f'{100 * value:+.0f} %; stealing {100 * stealing:+.0f} %', value >= 0.05


def random_order(store):
    ratio = store.figure('M8', 'random slower')
    return f'{gain(ratio)} time', ratio >= 1.37


def kernels(store):
    ratios = store.figure('M9', 'chunks')
    return listed(ratios, '{} times as long'.format), min(ratios.values()) >= 1


def even_load(store):
    ratio = store.figure('M8', 'P0 queue')
    return f'{gain(ratio)} time', ratio <= 1.02


def proportion(store):
    parts, work = store.figure('M8', 'queue shares'), {'P1': 0.75, 'P2': 0.5, 'P3': 0.5, 'P4': 0.25}
    return listed(parts, share) + ' of the time of P0', all(abs(parts[name] - work[name]) <= 0.05 for name in work)


def hardware(store):
    saved = store.figure('M8', 'hardware P4')
    return f'one kernel saves {share(saved)}', saved < 0.65


def speedup(store):
    queue, chunks = store.figure('M9', 'devices queue'), store.figure('M9', 'devices chunks')
    return f'two GPUs are {queue} times as fast as one with the queue, {chunks} times with chunks', queue >= 1.8


def balance(store):
    value = store.figure('M9', 'busiest')
    return f'busiest over mean {value} on two GPUs', value <= 1.05


def over_chunks(store):
    ratio = store.figure('M9', 'queue over chunks')
    return f'{ratio} times on two GPUs', ratio >= 1.1


CHEN = Text('003: Chen, Villa, Krishnamoorthy, Gao, Dynamic Load Balancing on Single- and Multi-GPU Systems (2010)', [
    Claim('5.2', 'an enqueue of 120 tasks takes 114.3 us', 'at most that', enqueue),
    Claim('5.2', 'a dequeue takes 0.4 us with 120 blocks and 0.7 us with 16', 'at most 0.4 us, and less with more groups', dequeue),
    Claim('6.3.1, Figure 5', 'with 512K atoms the queue is 10 % faster than equal parts', '5 %', queue_gain),
    Claim('6.3.1', 'random order is 74 % slower', 'half of that', random_order),
    Claim('6.3.1, Figure 5', 'a kernel for each chunk is not faster than equal parts on one GPU', 'not below 1', kernels),
    Claim('6.3.1, Figure 7', 'with even load (P0) the queue is slightly slower', '2 %', even_load),
    Claim('6.3.1, Figure 7', "the queue's time is in proportion to the work (P4 saves 74.5 % of the time)", 'within 5 % of P0', proportion),
    Claim('6.3.1, Figure 7', "CUDA's scheduler saves only 48.4 % in P4", 'less than 65 %', hardware),
    Claim('6.3.2, Figure 8', 'with 512K atoms and four GPUs the queue is 1.2 times as fast as a kernel for each chunk', '1.1 times', over_chunks),
    Claim('6.3.2, Figure 9', 'the speedup on four GPUs is nearly linear', '1.8 times on two', speedup),
    Claim('6.3.2, Figure 10', 'all GPUs are busy for the same time', 'busiest over mean 1.05', balance),
], [
    ('5.2, Figure 3', 'copies in a stream of their own take 5 to 10 times as long', 'the queues here are in memory that host and device map; nothing is copied'),
    ('5.2', 'an atomic operation takes 327 ns, one after another', 'not measured by itself'),
    ('6.3.1', 'random order has 49 % more divergent branches; 4,000 blocks cost 26 us more to launch', 'no counters of the hardware here'),
    ('6.3.2, Figure 8', '1.24, 2.02 and 2.45 times as fast as equal parts on four GPUs', 'two GPUs at most here'),
])
