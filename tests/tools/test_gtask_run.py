#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gtask: results under every policy, and their reports."""
import hashlib
import math
import os
import shutil
import subprocess
import unittest

from tool import BUILD, SOURCE, ToolTest, read_trace, skip, some, strict_json, without_sanitizers

# Options, and the same parameters for the oracle below: type, shape, depth, branching, seed, chance, branching_factor, turn.
TREES = [(['-t1', '-a3', '-d6', '-b4', '-r19'], (1, 3, 6, 4, 19)),
         (['-t', '1', '-a', 'linear', '-d', '10', '-b', '3', '-r', '34'], (1, 0, 10, 3, 34)),
         (['-t1', '-a1', '-d4', '-b2.5', '-r', '7'], (1, 1, 4, 2.5, 7)),
         (['-t1', '-a2', '-d5', '-b3', '-r502'], (1, 2, 5, 3, 502)),
         (['-tbinomial', '-b', '300', '-q0.12', '-m', '8', '-r', '42'], (0, 0, 0, 300, 42, 0.12, 8)),
         (['-t2', '-a0', '-d8', '-b4', '-r1', '-q0.234375', '-m4', '-f', '0.5'], (2, 0, 8, 4, 1, 0.234375, 4, 0.5)),
         (['-t3', '-d6', '-b3.9'], (3, 0, 6, 3.9, 0))]

WORKER = {'device', 'worker', 'tasks', 'stolen', 'steals', 'failed_steals', 'aborted_steals', 'queue_high_water',
          'efficiency', 'idle_ms', 'busy_ms'}
COUNTS = {'tasks', 'stolen', 'steals', 'failed_steals', 'aborted_steals', 'queue_high_water', 'efficiency'}
MEMBERS = COUNTS | {'workload', 'parameters', 'policy', 'victim', 'amount', 'threads', 'devices', 'chunk', 'wait',
                    'termination', 'sample', 'ms', 'tasks_per_s', 'work_efficiency', 'queue_spread', 'verified', 'runs',
                    'workers', 'mpi', 'transport', 'ranks', 'pin', 'seed', 'version'}
RESULTS = {'uts': ('nodes', {'nodes', 'depth', 'leaves', 'on_device', 'sides'}),
           'bpc': ('consumers', {'producers', 'consumers', 'bounces', 'on_device', 'sides'}),
           'connect4': ('positions', {'schedule', 'move', 'values', 'nodes', 'leaves', 'open_nodes', 'node_bytes', 'on_device', 'sides'}),
           'quicksort': ('keys', {'parts', 'splits', 'depth', 'largest_part', 'on_device', 'sides'}),
           'master-slave': ('slaves', {'rounds', 'slaves', 'strays'}),
           'madness': ('boxes', {'boxes', 'divided', 'forced', 'leaves', 'rough', 'depth', 'norm', 'error', 'on_device'}),
           'md': ('atom_steps', {'force_tasks', 'rebuilds', 'rebuild_ms', 'neighbours', 'pairs', 'potential', 'kinetic',
                                 'first_energy', 'drift', 'on_device', 'sides'})}
SMALL = {'uts': ['-d5'], 'bpc': ['-d3', '-n20', '--work=1'], 'connect4': ['--ahead=4'],
         'quicksort': ['--keys=20000', '--cutoff=50'],
         'master-slave': ['--masters=2', '--slaves=5', '--rounds=3', '--slave-work=1', '--master-work=1'],
         'madness': ['--function=bodies', '--bodies=2', '--order=4', '--threshold=.1'],
         'md': ['--atoms=300', '--steps=5', '--radius=1.5', '--shape=gauss']}

# Functions with wrong results, one for each workload.
LIES = r'''
#undef gws_uts_search
#undef gws_bpc
#undef gws_connect_four
#undef gws_quicksort
#undef gws_master_slave
#undef gws_madness_build_on_ranks
#undef gws_md_run
#include "graphws.h"
#include "workloads/bpc.h"
#include "workloads/connect_four.h"
#include "workloads/master_slave.h"
#include "workloads/quicksort.h"
#include "workloads/uts.h"
gws_status lie_uts(struct gws_runtime *r, const struct gws_uts_tree *t, const struct gws_uts_options *o,
                   struct gws_uts_result *x)
{
    gws_status status = gws_uts_search(r, t, o, x);
    x->leaves--;
    return status;
}
gws_status lie_bpc(struct gws_runtime *r, const struct gws_bpc_options *o, struct gws_bpc_result *x)
{
    gws_status status = gws_bpc(r, o, x);
    x->consumers++;
    return status;
}
gws_status lie_connect_four(struct gws_runtime *r, const struct gws_connect_four_options *o,
                            struct gws_connect_four_result *x, struct gws_diagnostic *w)
{
    gws_status status = gws_connect_four(r, o, x, w);
    x->value[3]++;
    return status;
}
gws_status lie_quicksort(struct gws_runtime *r, uint64_t *k, uint64_t n, const struct gws_quicksort_options *o,
                         struct gws_quicksort_result *x)
{
    gws_status status = gws_quicksort(r, k, n, o, x);
    k[n - 1]--;
    return status;
}
gws_status lie_master_slave(struct gws_runtime *r, const struct gws_master_slave_options *o,
                            struct gws_master_slave_result *x)
{
    gws_status status = gws_master_slave(r, o, x);
    x->slaves--;
    return status;
}
gws_status lie_madness(struct gws_runtime *r, const struct gws_ranks *ranks, const struct gws_madness_problem *p,
                       struct gws_madness_tree **t, struct gws_diagnostic *w)
{
    gws_status status = gws_madness_build_on_ranks(r, ranks, p, t, w);
    (*t)->forced++;
    return status;
}
gws_status lie_md(struct gws_md *m, uint64_t n, struct gws_md_result *x, struct gws_diagnostic *w)
{
    gws_status status = gws_md_run(m, n, x, w);
    x->kinetic++;
    return status;
}
'''


def mean_at(depth, shape, d, b):
    """Returns the mean number of children of a geometric node."""
    if depth == 0:
        return b
    if shape == 0:
        return b * (1 - depth / d)
    if shape == 1:
        return b * depth ** (-math.log(b) / math.log(d))
    if shape == 2:
        return 0 if depth > 5 * d else b ** math.sin(2 * math.pi * depth / d)
    return b if depth < d else 0


def children_of(state, depth, kind, shape, d, b, _seed, chance=0.0, branching_factor=0, turn=0.0):
    """Returns the number of children of a node by the definitions of Olivier et al."""
    u = (int.from_bytes(state[16:], 'big') & 0x7fffffff) / 2**31
    if kind == 0 and depth == 0:
        return math.floor(b)
    if kind == 3:
        return math.floor(b) if depth < d else 0
    if kind == 1 or kind == 2 and depth < turn * d:
        mean = mean_at(depth, shape, d, b)
        return min(100, math.floor(math.log(1 - u) / math.log(1 - 1 / (1 + mean)))) if mean > 0 else 0
    return branching_factor if u < chance else 0


def search(tree):
    """Searches serially. Returns (nodes, depth, leaves)."""
    nodes = deepest = leaves = 0
    stack = [(hashlib.sha1(bytes(16) + tree[4].to_bytes(4, 'big')).digest(), 0)]
    while stack:
        state, depth = stack.pop()
        nodes += 1
        deepest = max(deepest, depth)
        children = children_of(state, depth, *tree)
        leaves += children == 0
        stack += [(hashlib.sha1(state + i.to_bytes(4, 'big')).digest(), depth + 1) for i in range(children)]
    return nodes, deepest, leaves


def policies():
    text = subprocess.run([BUILD / 'bin/gtask', '--policy=help'], capture_output=True, check=True, timeout=60).stdout
    return [line.split()[0] for line in text.decode().splitlines()]


class Found(ToolTest):
    def test_trees_under_every_policy(self):
        for options, tree in TREES:
            expected = search(tree)
            self.assertGreater(expected[0], 100)
            for policy in some(policies()):
                for threads in some((7, 1, 2)):
                    found = self.json('gtask', 'uts', *options, '--policy', policy, f'--threads={threads}')
                    counts = tuple(found[name] for name in ('nodes', 'depth', 'leaves'))
                    self.assertEqual(counts, expected, (options, policy, threads))
                    self.assertEqual(found['tasks'], expected[0] - expected[2])

    def test_named_trees(self):
        found = self.json('gtask', 'uts', '--tree=T1', '--verify')
        self.assertEqual((found['nodes'], found['depth'], found['leaves'], found['verified']),
                         (4130071, 10, 3305118, True))
        self.assertEqual(found['parameters']['tree'], 'T1')

    def test_options_replace_those_of_a_named_tree(self):
        found = self.json('gtask', 'uts', '--tree=T1', '-d6', '-g3')
        self.assertEqual((found['nodes'], found['depth'], found['leaves']), search(TREES[0][1]))
        self.assertIsNone(found['parameters']['tree'])
        found = self.json('gtask', 'uts', '-b4', '-r19', '--tree=T1', '-a3', '-d10')
        self.assertEqual((found['parameters']['tree'], found['nodes']), ('T1', 4130071))

    def test_steal_and_termination_options(self):
        for options in (['--wait'], ['--termination=vote'], ['--victim=round', '--amount=one'], ['--victim=nearest'],
                        ['--amount=chunk', '--chunk=3'], ['--pin', '--seed=7'], ['--sample=5']):
            for policy in ('split', 'workpile'):
                found = self.json('gtask', 'uts', '-a3', '-d6', '--policy', policy, '--threads=3', *options, '--verify')
                self.assertIs(found['verified'], True)

    def test_the_other_workloads_under_every_policy(self):
        for workload, options in SMALL.items():
            for policy in some(policies()):
                found = self.json('gtask', workload, *options, '--policy', policy, '--threads=3', '--verify',
                                  '--repeat=2')
                self.assertIs(found['verified'], True)
                self.assertEqual(found['tasks'], sum(run['tasks'] for run in found['runs']))

    def test_counts_that_are_known(self):
        found = self.json('gtask', 'bpc', '-d', '3', '--consumers', '20', '--work=0')
        self.assertEqual((found['producers'], found['consumers'], found['tasks']), (4, 60, 64))
        found = self.json('gtask', 'master-slave', *SMALL['master-slave'], '--await')
        self.assertEqual((found['rounds'], found['slaves'], found['tasks']), (6, 30, 36))
        found = self.json('gtask', 'connect4', '--ahead=3')
        self.assertEqual((found['nodes'], found['leaves'], found['tasks']), (7 + 49 + 343, 343, 7 + 49 + 343))
        found = self.json('gtask', 'connect4', '--ahead=2', '--position=112233')
        self.assertEqual((found['move'], found['values'][3]), (4, 2**31 - 1))
        found = self.json('gtask', 'quicksort', '--keys=0', '--verify')
        self.assertIs(found['verified'], True)
        found = self.json('gtask', 'md', '--atoms=300', '--steps=4', '--pattern=P4')
        self.assertEqual((found['force_tasks'], found['runs'][0]['atom_steps']), (4, 1200))

    def test_trees_of_functions(self):
        found = self.json('gtask', 'madness', '--verify')
        self.assertEqual((found['leaves'], found['boxes'], found['tasks'], found['forced']), (2584, 368, 368, 0))
        self.assertAlmostEqual(found['norm'], 1, places=9)
        self.assertAlmostEqual(found['error'] * 1e7, 2.9, delta=0.05)
        self.assertIs(found['verified'], True)
        missed = self.json('gtask', 'madness', '--function=peak', '--special-level=0')
        self.assertEqual((missed['norm'], missed['leaves'], missed['error']), (0, 64, None))
        seen = self.json('gtask', 'madness', '--function=peak', '--order=7', '--threshold=1e-5', '--verify')
        self.assertEqual((seen['forced'], seen['verified']), (8 + 6 * 27, True))
        self.assertAlmostEqual(seen['norm'], (math.pi / 60000) ** 0.75, delta=seen['error'])

    def test_trees_cut_at_a_level(self):
        # Neither the tree whose boxes exceed the tolerance has the norm, nor that of a special point below the level.
        peak = ['madness', '--function=peak', '--max-level=2']
        for options, rough in ((('--order=16', '--threshold=1e-30'), 8), (('--order=8', '--threshold=1e-3'), 0)):
            text = self.good('gtask', *peak, *options, '--verify')
            self.assertEqual('rough     8 boxes' in text, rough > 0)
            self.assertIn('\ncut       at level 2, so --verify does not compare the norm with the exact 0.0006155296345\n', text)
            self.assertIn('\nverified  every run is correct', text)
        self.assertNotIn('\ncut', self.good('gtask', *peak, *options))
        self.assertNotIn('\ncut', self.good('gtask', 'madness', '--verify'))

    def test_trees_of_functions_do_not_depend_on_who_makes_them(self):
        options = ['--function=potentials', '--bodies=3', '--order=5', '--threshold=.01', '--seed=4']
        found = [self.json('gtask', 'madness', *options, '--policy', policy, f'--threads={threads}')
                 for policy in ('split', 'static') for threads in (1, 3)]
        for name in ('boxes', 'leaves', 'depth', 'norm'):
            self.assertEqual(len({one[name] for one in found}), 1, name)
        rough = self.json('gtask', 'madness', *options, '--max-level=1')
        self.assertEqual((rough['boxes'], rough['leaves'], rough['forced']), (24, 192, 0))
        self.assertGreater(rough['rough'], 0)
        kernels = self.good('gtask', 'madness', '--kernel=help').split('\n')
        for kernel in some(line.split()[0] for line in kernels if line):
            found = self.json('gtask', 'madness', '--kernel', kernel, '--verify')
            self.assertEqual((found['parameters']['kernel'], found['verified']), (kernel, True))

    def test_hashed_trees_on_a_device(self):
        device = os.environ.get('GWS_TEST_DEVICE', 'opencl')
        if self.run_tool('gtask', 'uts', '-d3', '--device', device).returncode == 4:
            skip(f'hashed trees on a device: there is no {device}')
            return
        self.assertIsNone(self.json('gtask', 'uts', '-d3')['on_device'])
        for options, tree in TREES:
            found = self.json('gtask', 'uts', *options, '--device', device, '--groups=2', '--repeat=2', '--verify')
            self.assertEqual((found['nodes'], found['depth'], found['leaves']), search(tree), options)
            there = found['on_device']
            self.assertEqual((found['devices'], found['verified'], found['tasks']), ([device], True, 0))
            self.assertEqual((there['groups'], there['launches'], there['spilled']), (2, 1, 0))
            self.assertLessEqual(there['steps'], found['nodes'])
        text = self.good('gtask', 'uts', '-d4', '-g3', '--device', device, '--verify')
        self.assertIn(f'device    {device}', text)
        self.assertIn('stolen    ', text)
        self.assertNotIn('workers   ', text)
        # The depths of this tree exceed the first table, so the search starts again.
        self.json('gtask', 'uts', '-a1', '-d2', '-b1.05', '-r', '57', '--device', device, '--verify')
        self.json('gtask', 'uts', '-b0', '--device', device, '--verify')

    def test_table_and_trace_of_a_device(self):
        device, trace = os.environ.get('GWS_TEST_DEVICE', 'opencl'), self.folder / 'trace.json'
        run = self.run_tool('gtask', 'uts', '--tree=T1', '-d8', '--device', device, '--groups=2', '--stats', '--trace', trace)
        if run.returncode == 4:
            skip(f'table and trace of a device: there is no {device}')
            return
        text = run.stdout.decode()
        head, row = [line.split() for line in text[text.index('\nside        groups') + 1:].splitlines()]
        self.assertEqual(head, ['side', 'groups', 'workers', 'tasks', 'share', 'steals', 'across', 'failed', 'idle', 'spilled', 'in',
                                'host'])
        self.assertEqual((row[1], row[3:6]), ('2', ['257,041', '100.0', '%']))
        steals = int(row[6].replace(',', ''))
        events = strict_json(trace.read_bytes())['traceEvents']
        names = {event['args']['name']: event['tid'] for event in events if event['name'] == 'thread_name'}
        address = next(name for name in names if name.startswith(device))
        for name, kind, count in (('steals', 'steal', steals), ('idle', 'idle', 1)):
            slices = [event for event in events if event['ph'] == 'X' and event['tid'] == names.get(f'{address} {name}')]
            self.assertEqual({event['cat'] for event in slices}, {kind} if slices else set())
            self.assertGreaterEqual(len(slices), count)
            for event in slices:
                self.assertIn('group', event['args'])
                if kind == 'steal':
                    self.assertNotEqual(event['args'].get('victim'), event['args']['group'])
                    self.assertRegex(event['name'], '^steal')

    def test_four_in_a_row_on_a_device(self):
        device = os.environ.get('GWS_TEST_DEVICE', 'opencl')
        if self.run_tool('gtask', 'connect4', '--ahead=1', '--device', device).returncode == 4:
            skip(f'four-in-a-row on a device: there is no {device}')
            return
        drawn = '547125662261271266215743771576315353334444'  # a full board
        for position, ahead in some((('', 1), ('', 2), ('', 3), ('', 5), ('4435', 5), ('121212', 4), ('4343', 6), (drawn[:32], 10),
                                     (drawn[:39], 7))):
            options = ['--position', position] * bool(position) + [f'--ahead={ahead}']
            here = self.json('gtask', 'connect4', *options)
            found = self.json('gtask', 'connect4', *options, '--device', device, '--repeat=2', '--verify')
            for name in ('move', 'values', 'nodes', 'leaves'):
                self.assertEqual(found[name], here[name], (name, *options))
            self.assertEqual((found['verified'], found['on_device']['launches']), (True, 1))
            for schedule in ('steal', 'static'):
                found = self.json('gtask', 'connect4', *options, '--device', device, '--schedule', schedule, '--verify')
                self.assertEqual((found['verified'], found['schedule']), (True, schedule))
            self.assertEqual((found['on_device']['steals'], found['on_device']['stolen']), (0, 0))
        self.assertIn(f'device    {device}', self.good('gtask', 'connect4', '--ahead=3', '--device', device))

    def test_producers_and_consumers_on_a_device(self):
        device = os.environ.get('GWS_TEST_DEVICE', 'opencl')
        if self.run_tool('gtask', 'bpc', '-d0', '--device', device).returncode == 4:
            skip(f'producers and consumers on a device: there is no {device}')
            return
        for depth, consumers in ((0, 5), (1, 0), (7, 3), (20, 100)):
            found = self.json('gtask', 'bpc', f'-d{depth}', f'-n{consumers}', '--work=2', '--device', device, '--verify')
            self.assertEqual((found['producers'], found['consumers']), (depth + 1, depth * consumers))
            self.assertEqual((found['verified'], found['work_efficiency']), (True, None))
            self.assertLessEqual(found['bounces'], depth)
        slow = self.json('gtask', 'bpc', '-d1', '-n64', '--work=2000', '--device', device, '--groups=1')
        self.assertGreater(slow['ms']['median'] if isinstance(slow['ms'], dict) else slow['ms'], 1)

    def check_sides(self, found, devices):
        sides = found['sides']
        self.assertEqual(([side['device'] for side in sides], found['on_device']), (devices, None))
        self.assertEqual(sum(side['taken'] for side in sides), sum(side['given'] for side in sides) + 1)
        self.assertTrue(found['verified'])
        for i, side in enumerate(sides):
            self.assertEqual(side['on_device'] is None, side['device'] == 'cpu')
            self.assertEqual(sum(other['from'][i] for other in sides), side['given'])
            self.assertEqual(len(side['from']), len(sides))

    def test_several_sides(self):
        two = dict(os.environ, POCL_DEVICES='pthread pthread')
        if self.run_tool('gtask', 'uts', '-d3', '--device=opencl:0,1', env=two).returncode == 4:
            skip('tasks on several sides: there is no second OpenCL device')
            return
        for given, devices in some((('cpu,opencl:all', ['opencl:0', 'opencl:1', 'cpu']), ('opencl:0,1', ['opencl:0', 'opencl:1']),
                                    ('opencl:1,cpu', ['opencl:1', 'cpu']))):
            cpu = 'cpu' in devices

            def json(*arguments):
                run = self.run_tool('gtask', *arguments, '--device', given, '--verify', '--json', env=two)
                self.assertEqual((run.returncode, run.stderr), (0, b''), arguments)
                return strict_json(run.stdout)
            for options, tree in (*some(TREES[:3]), (['--tree=T1', '-d8'], None)):
                found = json('uts', *options)
                self.check_sides(found, devices)
                self.assertEqual(found['devices'], ['cpu'] * cpu + [name for name in devices if name != 'cpu'])
                self.assertEqual(sum(side['created'] for side in found['sides']), found['nodes'] - 1)
                self.assertEqual(sum(side['created'] - side['parents'] for side in found['sides']), found['leaves'])
                if tree:
                    self.assertEqual((found['nodes'], found['depth'], found['leaves']), search(tree), options)
            # The depths of this tree exceed the first table, so the search starts again.
            found = json('uts', '-a1', '-d2', '-b1.05', '-r57')
            self.check_sides(found, devices)
            self.assertEqual((found['nodes'], found['depth']), (291, 33))
            for ahead in some((6, 1, 2, 3)):
                found, here = json('connect4', f'--ahead={ahead}'), self.json('gtask', 'connect4', f'--ahead={ahead}')
                self.check_sides(found, devices)
                for name in ('move', 'values', 'nodes', 'leaves'):
                    self.assertEqual(found[name], here[name], (name, ahead))
            found = json('bpc', '-d30', '-n40', '--work=20')
            self.check_sides(found, devices)
            self.assertEqual((found['producers'], found['consumers'], found['work_efficiency']), (31, 1200, None))
        text = self.run_tool('gtask', 'uts', '--tree=T1', '-d8', '--device=cpu,opencl:0', '--hash=scalar', env=two).stdout.decode()
        for part in ('device    opencl:0: ', 'side      opencl:0: ', 'side      cpu: ', 'workers   '):
            self.assertIn(part, text)
        text = self.run_tool('gtask', 'uts', '--tree=T1', '-d8', '--device=cpu,opencl:0', '--stats', env=two).stdout.decode()
        lines = text[text.index('\nside        groups') + 1:].splitlines()
        self.assertEqual(lines[0].split(), 'side groups workers tasks share steals across failed idle from opencl:0 from cpu given requests '
                         'spilled in host'.split())
        self.assertEqual([line.split()[0] for line in lines[1:4]], ['opencl:0', 'cpu', 'worker'])
        self.assertEqual([len(line.split()) for line in lines[1:3]], [17, 16])  # two or one of them are %
        for given in ('opencl:0,opencl:0', 'opencl,opencl:0', 'opencl:all,1'):
            run = self.run_tool('gtask', 'uts', '-d3', '--device', given, env=two)
            self.assertEqual((run.returncode, run.stdout), (2, b''), given)
            self.assertIn(b'is named twice', run.stderr)

    def test_trees_of_functions_on_a_device(self):
        small = ['--function=bodies', '--bodies=3', '--order=4', '--threshold=.1', '--seed=5']
        device = os.environ.get('GWS_TEST_DEVICE', 'opencl')
        if self.run_tool('gtask', 'madness', *small, '--device', device).returncode == 4:
            skip(f'trees of functions on a device: there is no {device}')
            return
        here = self.json('gtask', 'madness', *small)
        self.assertIsNone(here['on_device'])
        for options in ([], ['--group-size=1'], ['--groups=1']):
            found = self.json('gtask', 'madness', *small, '--device', device, *options, '--verify', '--repeat=2')
            for name in ('boxes', 'divided', 'forced', 'leaves', 'rough', 'depth'):
                self.assertEqual(found[name], here[name], name)
            self.assertAlmostEqual(found['norm'], here['norm'], places=12)
            self.assertIs(found['verified'], True)
            there = found['on_device']
            self.assertEqual((there['near_tolerance'], found['devices'], found['tasks'], there['launches']), (0, [device], 0, 1))
            self.check_times(there['times'])
            self.assertLessEqual(there['min_boxes'] * there['groups'], found['boxes'])
        both = f'cpu,{device}'
        for more in ([], ['--policy=abp', '--threads=1', '--groups=1'], ['--policy=chunked', '--threads=3']):
            found = self.json('gtask', 'madness', *small, '--device', both, *more, '--verify')
            for name in ('boxes', 'divided', 'forced', 'leaves', 'rough', 'depth'):
                self.assertEqual(found[name], here[name], name)
            self.assertEqual((found['devices'], found['verified']), (['cpu', device], True))
            sides = found['on_device']['by_device']
            self.assertEqual((sides[0]['device'], sides[1]['device'].split(':')[0]), ('cpu', device.split(':')[0]))
            self.assertEqual(sum(side['tasks'] for side in sides), found['boxes'])
            self.assertEqual(sum(side['made'] for side in sides), found['boxes'])
        text = self.good('gtask', 'madness', *small, '--device', both)
        for word in ('threads   ', 'groups    ', 'workers   '):
            self.assertIn(word, text)
        text = self.good('gtask', 'madness', *small, '--device', device)
        self.assertIn(f'device    {device}', text)
        self.assertNotIn('workers ', text)

    def test_quicksort_on_several_sides(self):
        two = dict(os.environ, POCL_DEVICES='pthread pthread')
        if self.run_tool('gtask', 'quicksort', '--keys=9', '--device=opencl:0,1', env=two).returncode == 4:
            skip('quicksort on several sides: there is no second OpenCL device')
            return
        for device, names in (('opencl:0,1', ['opencl:0', 'opencl:1']), ('cpu,opencl', ['opencl:0', 'cpu']),
                              ('opencl:all,cpu', ['opencl:0', 'opencl:1', 'cpu'])):
            words = ['gtask', 'quicksort', '--keys=20000', '--seed=2', '--verify', '--device', device]
            run = self.run_tool(*words, '--json', env=two)
            self.assertEqual((run.returncode, run.stderr), (0, b''), device)
            found = strict_json(run.stdout)
            self.assertEqual((found['verified'], found['on_device'], [side['device'] for side in found['sides']]), (True, None, names))
            self.assertEqual(found['parameters']['cutoff'], 0 if 'cpu' in names else 64)
            self.assertEqual(sum(side['parts'] for side in found['sides']), 4 * len(names))
            self.assertEqual(sum(side['keys'] for side in found['sides']), 20000 - 4 * len(names) + 1)
            self.assertEqual(sum(side['ranges'] for side in found['sides']), found['parts'])
            self.assertEqual([side['on_device'] is None for side in found['sides']], [name == 'cpu' for name in names])
        text = self.run_tool(*words, '--stats', env=two).stdout.decode()
        for line in (r'^work .*, cutoff 2048, on devices 64$', r'^side      cpu: ', r'^device    opencl:1: ', r'^side +parts +keys ',
                     r'^opencl:0 ', r'^cpu +[0-9]', r'^cpu 0 '):
            self.assertRegex(text, '(?m)' + line)

    def test_molecular_dynamics_on_a_device(self):
        small = ['--atoms=500', '--steps=6', '--shape=gauss']
        device = os.environ.get('GWS_TEST_DEVICE', 'opencl')
        if self.run_tool('gtask', 'md', *small, '--device', device).returncode == 4:
            skip(f'molecular dynamics on a device: there is no {device}')
            return
        here = self.json('gtask', 'md', *small)
        self.assertIsNone(here['on_device'])
        for schedule in ('steal', 'cursor', 'static', 'central', 'chunks'):
            found = self.json('gtask', 'md', *small, '--device', device, '--schedule', schedule, '--verify')
            self.assertEqual((found['verified'], found['devices'], found['on_device']['schedule']), (True, [device], schedule))
            self.assertAlmostEqual(found['potential'] / 500, here['potential'] / 500, places=3)
            self.assertEqual(found['force_tasks'], here['force_tasks'])
        self.assertIn('stolen ', self.good('gtask', 'md', *small, '--device', device))

    def test_molecular_dynamics_on_several_devices(self):
        small = ['--atoms=500', '--steps=4', '--shape=gauss']
        two = dict(os.environ, POCL_DEVICES='pthread pthread')
        if self.run_tool('gtask', 'md', *small, '--device=opencl:0,1', env=two).returncode == 4:
            skip('molecular dynamics on several devices: there is no second OpenCL device')
            return
        for schedule, launches in some((('steal', 4), ('cursor', 4), ('static', 4), ('central', 4), ('chunks', 8))):
            def json(device, schedule=schedule):
                run = self.run_tool('gtask', 'md', *small, '--device', device, '--schedule', schedule, '--verify', '--json', env=two)
                self.assertEqual((run.returncode, run.stderr), (0, b''), schedule)
                return strict_json(run.stdout)
            one, both = json('opencl:0'), json('opencl:all')
            self.assertEqual((one['sides'], one['on_device']['tasks'], both['on_device']), (None, 16, None))
            self.assertEqual((both['verified'], both['devices']), (True, ['opencl:0', 'opencl:1']))
            self.assertEqual([side['device'] for side in both['sides']], both['devices'])
            self.assertEqual(sum(side['on_device']['tasks'] for side in both['sides']), 16)
            for side in both['sides']:
                self.assertEqual((side['on_device']['launches'], side['on_device']['schedule']), (launches, schedule))
            for name in ('force_tasks', 'neighbours', 'pairs', 'potential', 'kinetic', 'drift'):
                self.assertEqual(one[name], both[name], (name, schedule))
        text = self.run_tool('gtask', 'md', *small, '--device=opencl:0,1', '--stats', env=two).stdout.decode()
        for line in (r'^device    opencl:0: ', r'^device    opencl:1: ', r'^side +groups +tasks ', r'^opencl:0 .* 8 +50.0 %',
                     r'^opencl:1 .* 8 +50.0 %'):
            self.assertRegex(text, '(?m)' + line)

    @without_sanitizers
    def test_too_many_boxes_to_check(self):
        run = self.run_tool('gtask', 'madness', '--function=bodies', '--bodies=4', '--order=30', '--max-level=2',
                            '--special-level=0', '--threshold=1e-30', '--verify', '--json')
        self.assertEqual(run.returncode, 0)
        self.assertIn(b'too long', run.stderr)
        found = strict_json(run.stdout.decode())
        self.assertIsNone(found['verified'])
        self.assertIsNotNone(found['error'])


class Verify(ToolTest):
    @without_sanitizers
    def test_what_takes_too_long_is_said(self):
        run = self.run_tool('gtask', 'uts', '-t3', '-d9', '-b7', '--verify', '--json')
        self.assertEqual(run.returncode, 0)
        self.assertIn(b'too long', run.stderr)
        self.assertIsNone(strict_json(run.stdout.decode())['verified'])

    def build(self):
        """Builds gtask with workloads that give wrong results."""
        compiler = shutil.which('cc') or shutil.which('gcc')
        if os.environ.get('GRAPHWS_SAN') or compiler is None:
            skip('results that fail their check: needs a C compiler and a plain build')
            return None
        stub, tool = self.write('lies.c', LIES), self.folder / 'gtask'
        lies = {'gws_uts_search': 'lie_uts', 'gws_bpc': 'lie_bpc', 'gws_connect_four': 'lie_connect_four',
                'gws_quicksort': 'lie_quicksort', 'gws_master_slave': 'lie_master_slave',
                'gws_madness_build_on_ranks': 'lie_madness', 'gws_md_run': 'lie_md'}
        sources = [SOURCE / 'tools/gtask.c', *sorted((SOURCE / 'tools/common').glob('*.c')),
                   SOURCE / 'tools/common/adapter/none.c',
                   *sorted((SOURCE / 'tools/gtask').glob('*.c')), stub]
        subprocess.run([compiler, '-std=c11', *(f'-D{name}={lie}' for name, lie in lies.items()), '-I', SOURCE, *sources,
                        BUILD / 'obj/libworkloads.a', BUILD / 'lib/libgraphws.so', f'-Wl,-rpath,{BUILD.resolve() / "lib"}', '-lz', '-lm', '-o', tool],
                       check=True, timeout=100)
        return tool

    def test_status_3(self):
        tool = self.build()
        if tool is None:
            return
        for workload, options in [*SMALL.items(), ('uts', ['--tree=T1'])]:
            run = subprocess.run([tool, workload, *options, '--verify', '--repeat=3', '--json'], capture_output=True,
                                 check=False, timeout=60)
            self.assertEqual(run.returncode, 3, workload)
            self.assertTrue(run.stderr.startswith(f'gtask: {workload}: the result is wrong: '.encode()), run.stderr)
            found = strict_json(run.stdout.decode())
            self.assertIs(found['verified'], False)
            self.assertEqual(len(found['runs']), 1)
        run = subprocess.run([tool, 'uts', '--verify'], capture_output=True, check=False, timeout=60)
        self.assertEqual(run.returncode, 3)
        self.assertIn(b'NO', run.stdout)


class Said(ToolTest):
    def test_members(self):
        for workload, options in SMALL.items():
            found = self.json('gtask', workload, *options, '--repeat=3', '--threads=2', '--seed=5', '--policy=split')
            unit, results = RESULTS[workload]
            self.assertEqual(set(found), MEMBERS | results | {unit + '_per_s'})
            self.assertEqual((found['workload'], found['policy'], found['threads'], found['seed'], found['verified'],
                              found['devices'], found['termination']),
                             (workload, 'split', 2, 5, None, ['cpu'], 'counter'))
            self.assertEqual(set(found['ms']), {'min', 'median', 'mean', 'max'})
            self.assertEqual([set(run) for run in found['runs']], [COUNTS | {'ms', unit}] * 3)
            self.assertEqual([set(worker) for worker in found['workers']], [WORKER] * 2)

    def test_sums(self):
        found = self.json('gtask', 'uts', '-a3', '-d7', '--repeat=4', '--threads=3', '--policy=split', '--sample=2')
        for name in COUNTS - {'efficiency', 'queue_high_water'}:
            self.assertEqual(found[name], sum(worker[name] for worker in found['workers']))
            self.assertEqual(found[name], sum(run[name] for run in found['runs']))
        self.assertEqual(found['queue_high_water'], max(worker['queue_high_water'] for worker in found['workers']))
        busy, idle = (sum(worker[name] for worker in found['workers']) for name in ('busy_ms', 'idle_ms'))
        self.assertAlmostEqual(found['efficiency'], busy / (busy + idle), places=4)
        total = sum(run['ms'] for run in found['runs'])
        for name, count in (('tasks_per_s', found['tasks']), ('nodes_per_s', 4 * found['nodes'])):
            self.assertAlmostEqual(found[name] * total / 1000, count, delta=1e-3 * count)
        self.assertGreaterEqual(found['queue_spread'], 0)

    def test_where_tasks_take_a_known_time(self):
        found = self.json('gtask', 'bpc', '-d2', '-n50', '--work=100', '--threads=1')
        self.assertGreater(found['work_efficiency'], 0)
        self.assertLessEqual(found['work_efficiency'], 1)
        self.assertIsNone(self.json('gtask', 'uts', '-d4')['work_efficiency'])

    def test_summary(self):
        text = self.good('gtask', 'uts', '--tree=T1', '--repeat=2', '--threads=2', '--verify', '--policy=split',
                         '--victim=round', '--wait')
        lines = dict(line.split(None, 1) for line in text.splitlines())
        self.assertEqual(set(lines), {'work', 'workers', 'time', 'tree', 'tasks', 'stolen', 'queue', 'verified'})
        self.assertIn('uts: T1, geometric (fixed), depth 10, branching 4, seed 19', lines['work'])
        self.assertEqual(lines['workers'], 'split policy, victim round, waiting, 2 threads')
        self.assertIn('2 runs', lines['time'])
        self.assertEqual(lines['tree'], '4,130,071 nodes, depth 10, 3,305,118 leaves')
        self.assertEqual(lines['verified'], 'every run is correct')

    def test_stats_and_quiet(self):
        lines = self.good('gtask', 'uts', '-d8', '--threads=2', '--stats', '--quiet').splitlines()
        self.assertEqual([line.split()[0] for line in lines], ['worker', 'cpu', 'cpu', 'all'])
        self.assertEqual(len({len(line) for line in lines}), 1)
        self.assertIn('queue', lines[0])
        self.assertEqual(self.good('gtask', 'bpc', *SMALL['bpc'], '--quiet'), '')
        text = self.good('gtask', 'uts', '--json')
        self.assertTrue(text.startswith('{') and text.count('\n') == 1)

    def test_record(self):
        """gsim recorded runs the tasks that gtask ran."""
        path = self.folder / 'tasks.txt'
        for words in (['bpc', '-d4', '-n16', '--work=20'], ['uts', '-a3', '-d5', '-b4', '--batch=64'], ['quicksort', '--keys=20000', '--cutoff=64'],
                      ['master-slave', '--await', '--rounds=4'], ['connect4', '--ahead=3'], ['madness', '--order=4']):
            for policy in some(('chaselev', 'central')):
                found = self.json('gtask', *words, f'--policy={policy}', '--threads=2', '--verify', '--repeat=2', '--record', path)
                lines = path.read_text(encoding='ascii').splitlines()
                self.assertEqual(len(lines), found['runs'][-1]['tasks'], words)
                simulated = self.json('gsim', 'recorded', '--tasks', path, '--workers=3')
                self.assertEqual(simulated['tasks'], len(lines), words)
                if words[0] == 'bpc':
                    self.assertEqual(simulated['depth'], 5)
                    self.assertGreaterEqual(simulated['work_ms'], 4 * 16 * 0.02)

    def test_trace(self):
        for policy in policies():
            path = self.folder / f'{policy}.json.gz'
            found = self.json('gtask', 'uts', '-a3', '-d7', '-b4', '--policy', policy, '--threads=2', '--verify',
                              '--repeat=2', '--trace', path)
            trace = read_trace(self, path)
            self.assertEqual((trace['policy'], trace['lost']), (policy, 0))
            self.assertEqual(list(trace['tracks']), ['worker 0', 'worker 1'])
            slices = [one for track in trace['tracks'].values() for one in track]
            ran = sum(one.get('args', {}).get('tasks', 0) for one in slices if one['name'] == 'busy')
            self.assertEqual(ran, found['runs'][-1]['tasks'], policy)


if __name__ == '__main__':
    unittest.main()
