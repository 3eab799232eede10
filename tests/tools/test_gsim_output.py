#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gsim: tables, traces and pictures of simulations, and recorded tasks. The figures are those of --json."""
import csv
import gzip
import os
import re
import unittest

from tool import ToolTest, contents, read_trace, strict_json

BPC = ['bpc', '-d10', '-n100', '--work=50', '--policy=split', '--preset=mpi']


class Output(ToolTest):
    def test_table(self):
        out = self.folder / 'scaling.csv'
        found = self.json('gsim', *BPC, '--workers=1,40,300', '--out', out)
        names, *rows = list(csv.reader(out.read_text().splitlines()))
        self.assertEqual([dict(zip(names, map(float, row))) for row in rows], found['scaling'])
        self.assertEqual([row['workers'] for row in found['scaling']], [1, 40, 300])
        self.assertEqual({name: found[name] for name in names}, found['scaling'][-1])
        for one in found['scaling']:
            alone = self.json('gsim', *BPC, f'--workers={one["workers"]}')
            self.assertEqual({name: alone[name] for name in names}, one)
            self.assertNotIn('scaling', alone)
            self.assertAlmostEqual(one['termination_share'] * one['virtual_ms'], one['termination_ms'], places=9)
        run = self.run_tool('gsim', *BPC, '--workers=1,40,300', '--out=-')
        self.assertEqual((run.returncode, run.stdout.decode()), (0, out.read_text()))
        self.assertRegex(run.stderr.decode(), r'(?m)^ +40 .* %')
        self.good('gsim', *BPC, '--workers=7', '--quiet', '--out', self.folder / 'one.tsv.gz')
        self.assertEqual(gzip.decompress((self.folder / 'one.tsv.gz').read_bytes()).count(b'\n'), 2)

    def test_table_as_text(self):
        lines = self.good('gsim', *BPC, '--workers=1,40,300').splitlines()
        self.assertIn('workers   1,40,300, split policy', lines)
        self.assertEqual([line.split()[0] for line in lines[-4:]], ['workers', '1', '40', '300'])

    def test_missing_values(self):
        out = self.folder / 'none.csv'
        self.good('gsim', 'recorded', '--tasks', self.write('none', ''), '--workers=1', '--quiet', '--out', out)
        names, row = csv.reader(out.read_text().splitlines())
        self.assertEqual([name for name, value in zip(names, row) if not value],
                         ['termination_share', 'efficiency', 'work_efficiency'])

    def test_trace(self):
        path = self.folder / 'trace.json.gz'
        for policy in ('abp', 'chaselev', 'split', 'workpile', 'global'):
            for workers in (1, 33):
                found = self.json('gsim', 'uts', '-d', '6', f'--policy={policy}', f'--workers={workers}', '--trace', path)
                trace = read_trace(self, path)
                self.assertEqual((trace['policy'], trace['lost'], len(trace['tracks'])), (policy, 0, workers))
                slices = [one for track in trace['tracks'].values() for one in track]
                kinds = {kind: [one for one in slices if one['name'] == kind] for kind in ('busy', 'steal', 'idle')}
                self.assertEqual(sum(one.get('args', {}).get('tasks', 0) for one in kinds['busy']), found['tasks'])
                busy_ms = found['efficiency'] * found['virtual_ms'] * workers
                self.assertAlmostEqual(sum(one['dur'] for one in kinds['busy']) / 1e3, busy_ms, delta=1e-6 * found['tasks'])
                if policy != 'workpile':
                    self.assertEqual(len(kinds['steal']), found['steals'])
                    self.assertEqual(sum(one['args']['tasks'] for one in kinds['steal']), found['stolen'])
                for track in trace['tracks'].values():
                    self.assertAlmostEqual((track[-1]['ts'] + track[-1]['dur']) / 1e3, found['virtual_ms'], delta=2e-6)
                    self.assertAlmostEqual(sum(one['dur'] for one in track) / 1e3, found['virtual_ms'], delta=1e-4)

    def test_equal_calls_write_equal_files(self):
        files = [self.folder / name for name in ('trace.json', 'rows.npy')]
        words = [*BPC, '--workers=30', '--quiet', '--trace', files[0], '--out', files[1]]
        self.good('gsim', *words)
        first = [path.read_bytes() for path in files]
        self.good('gsim', *words)
        self.assertEqual([path.read_bytes() for path in files], first)

    def test_trace_of_levels(self):
        path, sizes = self.folder / 'trace.json', self.write('sizes.json', '{"level_sizes": [1, 200, 3]}')
        found = self.json('gsim', 'levels', '--sizes', sizes, '--workers=8', '--trace', path)
        slices = [one for track in read_trace(self, path)['tracks'].values() for one in track]
        self.assertEqual(sum(one['args']['tasks'] for one in slices if one['name'] == 'busy'), found['tasks'])

    def test_slices_that_do_not_fit(self):
        path = self.folder / 'trace.json'
        self.good('gsim', 'bpc', '-d1', '-n50000', '--work=0.1', '--policy=global', '--workers=2', '--quiet', '--trace', path)
        trace = read_trace(self, path)
        self.assertGreater(trace['lost'], 0)
        self.assertEqual([len(track) for track in trace['tracks'].values()], [32768, 32768])

    def test_refused(self):
        run = self.write('run.json', self.good('gtask', 'uts', '-d3', '--threads=2', '--json'))
        for words, part in (([*BPC, '--workers=1001', '--trace=t.json'], 'at most 1000 workers, not 1001'),
                            ([*BPC, '--workers=2,3', '--trace=t.json'], 'one number'), ([*BPC, '--trace=-'], "'-'"),
                            ([*BPC, '--out=x.txt'], '.csv'), ([*BPC, '--out=-', '--json'], 'both need'),
                            ([*BPC, '--out=x.csv', '--trace=./x.csv'], 'same file'), ([*BPC, '--plot=x.gif'], '.svg or .png'),
                            (['recorded', '--tasks=x.csv', '--out=x.csv'], 'same file'),
                            (['advise', '--run', run, '--workers=2,3'], 'one number'), (['advise', '--run', run, '--out=x.csv'], '--out'),
                            (['advise', '--run', run, '--plot=x.svg'], 'advise'), (['advise', '--run', run, '--trace=x'], 'advise')):
            self.assertIn(part, self.bad(2, 'gsim', *words, cwd=self.folder), words)
        self.assertIn('memory', self.bad(1, 'gsim', *BPC, '--workers=1000', '--trace=t.json', '--max-memory=20M', cwd=self.folder))
        self.assertIn('cannot write', self.bad(1, 'gsim', *BPC, '--trace=/nowhere/t.json'))
        self.assertIn('cannot write', self.bad(1, 'gsim', *BPC, '--out=/nowhere/t.csv'))


class Plot(ToolTest):
    def script(self, *arguments):
        """Returns the script that gnuplot receives."""
        fake, out = self.folder / 'bin' / 'gnuplot', self.folder / 'script.svg'
        fake.parent.mkdir(exist_ok=True)
        fake.write_text('#!/bin/sh\ncat')
        fake.chmod(0o755)
        self.good('gsim', *arguments, '--quiet', '--plot', out, env=dict(os.environ, PATH=f'{fake.parent}:{os.environ["PATH"]}'))
        return out.read_text()

    def data(self, script):
        return [[float(word) for word in line.split()] for line in re.search(r'<< end\n(.*?)\nend', script, re.S)[1].split('\n')]

    def test_over_time(self):
        for workers in (1, 40):
            found = self.json('gsim', *BPC, f'--workers={workers}')
            script = self.script(*BPC, f'--workers={workers}')
            rows = self.data(script)
            self.assertTrue(256 <= len(rows) <= 512)
            self.assertTrue(all(0 <= busy <= workers + 1e-9 for _, busy, _ in rows))
            width = rows[1][0] - rows[0][0]
            whole = found['virtual_ms'] / len(rows)
            self.assertAlmostEqual(width, whole, delta=whole / 100)
            busy, queued = (sum(row[i] for row in rows[:-1]) * width for i in (1, 2))
            self.assertAlmostEqual(busy / (workers * found['virtual_ms']), found['efficiency'], delta=0.01)
            mean = queued / (workers * (found['virtual_ms'] - found['termination_ms']))
            self.assertAlmostEqual(mean, found['queue_mean'], delta=0.02 * found['queue_mean'])
            self.assertIn(f'set yrange [0:{workers}]', script)
            self.assertIn("set xlabel 'virtual time, milliseconds'", script)
            self.assertIn("set title 'bpc: depth 10, 100 consumers of 50 us' . \"\\n\" . 'split policy, ", script)

    def test_no_tasks(self):
        script = self.script('recorded', '--tasks', self.write('none', ''), '--workers=1')
        self.assertEqual([row[1:] for row in self.data(script)], [[0, 0]])

    def test_by_workers(self):
        found = self.json('gsim', *BPC, '--workers=1,4,40')
        rows = self.data(self.script(*BPC, '--workers=1,4,40'))
        self.assertEqual([row[0] for row in rows], [1, 4, 40])
        for row, one in zip(rows, found['scaling']):
            self.assertAlmostEqual(row[1], 100 * one['efficiency'], delta=1e-6)
            self.assertAlmostEqual(row[2], one['virtual_ms'], delta=1e-6)

    def test_levels_have_no_queues(self):
        script = self.script('levels', '--sizes', self.write('sizes.json', '{"level_sizes": [1, 200, 3]}'))
        self.assertNotIn('multiplot', script)
        self.assertIn('set terminal svg size 900,360', script)
        self.assertIn('microseconds', script)


class Recorded(ToolTest):
    def run_tasks(self, text, *more):
        return self.json('gsim', 'recorded', '--tasks', self.write('tasks', text), *more)

    def test_counts(self):
        text = '# the root\ntask 0 1000\n\ntasks 2, 500, 3\r\n  TASK 4 100 \ntask 0 1e3\n'
        found = self.run_tasks(text, '--workers=4')
        self.assertEqual((found['tasks'], found['groups'], found['depth']), (8, 4, 3))
        self.assertAlmostEqual(found['work_ms'], (1000 + 3 * 500 + 3 * 100 + 1000) / 1e6)
        self.assertAlmostEqual(found['span_ms'], 1600 / 1e6)
        self.assertAlmostEqual(found['work_efficiency'] * found['virtual_ms'] * 4, found['work_ms'], places=9)

    def test_the_tree_of_a_workload(self):
        """bpc, recorded by hand, takes as long as bpc."""
        lines = ['task 0 0']
        for depth in range(10):  # the next producer, which has an earlier line than the consumers, is spawned first
            parent = 1 if depth == 0 else 2 * depth
            lines += [f'task {parent} 0', f'tasks {parent} 50000 100']
        for policy in ('abp', 'split', 'global'):
            words = ['--workers=40', f'--policy={policy}', '--preset=mpi', '--cost=byte=0']
            recorded, bpc = self.run_tasks('\n'.join(lines), *words), self.json('gsim', *BPC[:4], *words)
            for key in ('tasks', 'virtual_ms', 'efficiency', 'steals', 'stolen', 'failed_steals', 'events', 'queue_spread'):
                self.assertEqual(recorded[key], bpc[key], (policy, key))

    def test_inputs(self):
        text = 'tasks 0 1000 5\n'
        found = self.run_tasks(text)
        path = self.write('tasks.gz', gzip.compress(text.encode()))
        self.assertEqual(self.json('gsim', 'recorded', '--tasks', path)['virtual_ms'], found['virtual_ms'])
        self.assertEqual(self.json('gsim', 'recorded', '--tasks=-', input=text.encode())['virtual_ms'], found['virtual_ms'])
        several = self.json('gsim', 'recorded', '--tasks=-', '--workers=3,16,16', input=text.encode())
        self.assertEqual([one['tasks'] for one in several['scaling']], [5] * 3)
        self.assertEqual((several['virtual_ms'], several['work_ms']), (found['virtual_ms'], found['work_ms']))
        self.assertEqual(self.run_tasks('')['tasks'], 0)
        self.assertIn('tree      depth 1; 0.005 ms of work, at least 0.001 ms', self.good('gsim', 'recorded', '--tasks', path))

    def test_mistakes(self):
        for text, where, part in (
                ('task 0\n', '1:7', 'a number of task PARENT NS'), ('tusk 0 1\n', '1:1', 'task or tasks'), ('task 0 1 2\n', '1:10', 'the end of task'),
                ('task 0 1\n task 2 1\n', '2:7', 'PARENT must be an earlier line'), ('task 1 1\n', '1:6', 'PARENT'), ('task -1 1\n', '1:6', 'PARENT'),
                ('#\ntask 0 1\ntask 1 1\n', '3:6', 'PARENT'), ('task 0 1\ntask 0.5 1\n', '2:6', 'PARENT'), ('task 1e300 1\n', '1:6', 'PARENT'),
                ('task 0 -1\n', '1:8', 'NS must not be'), ('task 0 1e16\n', '1:8', 'more than 1e15'), ('task 0 nan\n', '1:8', 'a number of'),
                ('tasks 0 1e12 1001\n', '1:9', 'more than 1e15'), ('tasks 0 1 0\n', '1:11', 'COUNT must be'), ('tasks 0 1 1.5\n', '1:11', 'COUNT'), ('tasks 0 1 4294967296\n', '1:11', 'COUNT'),
                ('tasks 0 0 4294967295\ntasks 1 0 4294967295\ntasks 2 0 4\n', '3:11', 'do not fit'), ('task 0 \0\n', '1:8', 'NUL')):
            path = self.write('tasks', text)
            complaint = self.bad(1, 'gsim', 'recorded', '--tasks', path)
            self.assertTrue(complaint.startswith(f'gsim: {path}:{where}: '), complaint)
            self.assertIn(part, complaint)
        self.assertIn('nowhere', self.bad(1, 'gsim', 'recorded', '--tasks=/nowhere'))
        self.assertIn('requires --tasks', self.bad(2, 'gsim', 'recorded'))
        self.assertIn('memory', self.bad(1, 'gsim', 'recorded', '--tasks', self.write('many', 'tasks 0 1 4294967295\n'), '--max-memory=20M'))


if __name__ == '__main__':
    unittest.main()
