# SPDX-License-Identifier: MIT
"""The quantitative claims of Cederman and Tsigas (000), Abdelmageed (001), and Chen, Villa, Krishnamoorthy and Gao (003)."""
from claims_store import Claim, Text, gain, listed, report, share


def moves(words):
    return report('cederman', words)


def stealing_memory_simulated(store):
    found = store.sim('seven moves, 240')
    longest = found['queue_high_water']
    return f'{longest} tasks in the longest deque, {240 * longest:,} in all', 6000 <= 240 * longest <= 24000


CEDERMAN = Text('000: Cederman, Tsigas, Dynamic Load Balancing Using Work-Stealing (2011)', [
    Claim('Figure 35.8', '30 blocks, one for each multiprocessor, perform poorly with 4 to 7 moves', 'below 70 % of the best rate',
          moves('a group for each multiprocessor gives poor performance in all cases')),
    Claim('Figure 35.8', 'with four moves, too many blocks slow down', 'fewer are the best', moves('with four moves')),
    Claim('Figure 35.8', 'with more moves, all 240 blocks are the fastest', 'the most groups are the best', moves('with more than four')),
    Claim('Figure 35.9', 'at seven moves stealing is twice as fast as the static scheme', '1.5 times at least', moves('stealing is twice as fast')),
    Claim('Figure 35.9', 'stealing scales with the load', 'the rate doubles at least, 4 to 9 moves', moves('stealing scales')),
    Claim('Figure 35.9', 'at seven moves the static scheme stores about 800,000 tasks', 'within 10 %', moves('the static scheme stores')),
    Claim('Figure 35.9', 'there stealing stores about 50 tasks in each of 240 deques, 12,000 in all', 'half to twice; measured: a tenth of the '
          'last level', moves('stealing stores a small part'), stealing_memory_simulated),
    Claim('Figure 35.11', 'octrees of 1 to 15 million points: stealing is 10 to 15 % faster (an octant for a block, as there)',
          '5 % at every size', moves('stealing is faster than the static scheme, by 10 to 15 % (here: 5 to 30 %; octants)')),
    Claim('Figure 35.11', 'the same with octants that several blocks divide', '5 % at every size',
          moves('stealing is faster than the static scheme, by 10 to 15 % (here: 5 to 30 %; pieces)')),
    Claim('Figure 35.11', 'the memory of stealing stays about the same', 'twice', moves('the capacity for tasks stays about the same')),
    Claim('Figure 35.11', 'the memory of the static scheme grows quickly', 'half as fast as the points', moves('the capacity for tasks grows fast')),
], [('Figure 35.6', 'the position that the games begin with', 'the print does not show it; here they begin with the empty board')])


# ---- 001 ----

def coarse(store):
    gains = store.figure('M1', 'gains coarse 2C_16G')
    return listed(gains, gain), min(gains.values()) >= 1.085


def stealing_average(store):
    means = store.figure('M1', 'gains stealing means')
    return f'{gain(means["all"])} over all', means['all'] >= 1.155


def stealing_sizes(store):
    means, said = dict(store.figure('M1', 'gains stealing means')), {'1C_8G': 1.5, '1C_16G': 1.1, '2C_16G': 1.16, '2C_32G': 1.11}
    return listed({size: means[size] for size in said}, gain), all(means[size] - 1 >= 0.5 * (value - 1) for size, value in said.items())


def shares(store):
    low, high = store.figure('M1', 'stolen 1C_8G')
    return f'{share(low)} to {share(high)}', (low + high) / 2 >= 0.12


def by_cpu(store):
    low, high = store.figure('M1', 'stolen by CPU')
    return f'{share(low)} to {share(high)}', 0.5 <= (low + high) / 2 <= 0.9


def many_groups(store):
    low, high = store.figure('M2', 'device only 32')
    return f'{gain(low)} to {gain(high)}', high < 1


def few_groups(store):
    low, high = store.figure('M2', 'device only 8 and 16')
    return f'{gain(low)} to {gain(high)}', max(1 - low, high - 1) <= 0.06


def over_cpu(store):
    low, high = store.figure('M2', 'device over CPU')
    return f'{low} to {high} times', high < 1


def threshold_small(store):
    low, high = store.figure('M2', 'threshold small')
    return f'{gain(low)} to {gain(high)}', low >= 1.2


def threshold_others(store):
    worst = store.figure('M2', 'threshold others worst')
    return f'{gain(worst)} at worst', worst >= 0.97


def never_loses(store):
    worst = store.figure('M1', 'gains stealing worst')
    return f'{gain(worst)} at worst', worst >= 0.97


def groups_steal(store):
    low, high = store.figure('M2', 'groups steal small')
    return f'{gain(low)} to {gain(high)}', high < 1


def orders(store):
    gains = store.figure('M1', 'orders')
    return listed(gains, gain), gains['NY'] >= 1.04 and gains['BAY'] >= 1.0275


def orders_others(store):
    gains = store.figure('M1', 'orders')
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

def measured(words):
    return report('chen', words)


CHEN = Text('003: Chen, Villa, Krishnamoorthy, Gao, Dynamic Load Balancing on Single- and Multi-GPU Systems (2010)', [
    Claim('5.2', 'an enqueue of 120 tasks takes 114.3 us', 'at most 5 us', measured('an enqueue of 120')),
    Claim('5.2', 'a dequeue takes 0.4 us with 120 blocks', 'at most that', measured('a dequeue takes 0.4')),
    Claim('5.2', 'a dequeue takes 0.7 us with 16 blocks, so less with more', 'less', measured('a dequeue takes less')),
    Claim('6.3.1', 'launching many kernels costs time', 'more time, P0', measured('many kernels')),
    Claim('6.3.1, Figure 5', 'with 512K atoms the queue is 10 % faster than equal parts', '5 %', measured('with the most atoms the queue')),
    Claim('6.3.1', 'random order is 74 % slower', '30 %', measured('with the most atoms random')),
    Claim('6.3.1, Figure 5', 'a kernel for each chunk is not faster than equal parts on one GPU', 'not less time', measured('a kernel for each chunk')),
    Claim('6.3.1, Figure 7', 'with even load (P0) the queue is slightly slower', '2 %', measured('P0: the queue is a little slower than equal')),
    Claim('6.3.1, Figure 7', "the queue's time is in proportion to the work (P4 saves 74.5 % of the time)", 'within 5 % of P0', measured("the queue's time is in proportion to the work (here: within 5 % of P0)")),
    Claim('6.3.1, Figure 7', "CUDA's scheduler saves only 48.4 % in P4", 'less than 65 %', measured('P4 saves 48.4')),
    Claim('6.3.2, Figure 8', 'with 512K atoms and four GPUs the queue is 1.2 times as fast as a kernel for each chunk', '1.1 times', measured('with the queue they are 1.2')),
    Claim('6.3.2, Figure 9', 'the speedup on four GPUs is nearly linear', '90 % of that, two GPUs', measured('with the queue the speedup')),
    Claim('6.3.2, Figure 10', 'all GPUs are busy for the same time', 'busiest over mean 1.05', measured('with the queue all devices')),
], [
    ('5.2, Figure 3', 'copies in a stream of their own take 5 to 10 times as long', 'the queues here are in memory that host and device map; nothing is copied'),
    ('5.2', 'an atomic operation takes 327 ns, one after another', 'not measured by itself'),
    ('6.3.1', 'random order has 49 % more divergent branches; 4,000 blocks cost 26 us more to launch', 'no counters of the hardware here'),
    ('6.3.2, Figure 8', '1.24, 2.02 and 2.45 times as fast as equal parts on four GPUs', 'two GPUs at most here'),
])
