# SPDX-License-Identifier: MIT
"""datasets/bench/run on its smallest suite: table, JSON, figures, its reaction to missing, failing or slow programs, and
the comparison of two runs."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from bench import BENCH, BIN, BenchTest, records
import gapbs
import comparing
import plotting
import suites

SMALL = ['--suite=smoke', '--threads=1', '--devices=none', '--no-peers', '--policies=static', '--rounds=2', '--repeat=1']
WORKS = len(suites.SUITES['smoke'])


class Bench(BenchTest):
    program = 'run'

    def run_bench(self, *arguments, folder=BIN, **environment):
        return super().run_bench('--bin', folder, *arguments, **environment)

    def good(self, *arguments, status=0, **more):
        """(its output, the rows of its table)."""
        done = self.run_bench(*arguments, '--quiet', **more)
        self.assertEqual((done.returncode, done.stderr), (status, ''), done.stdout)
        lines = [[cell.strip() for cell in line.strip('|').split('|')] for line in done.stdout.splitlines()
                 if line.startswith('| ')]
        return done.stdout, [dict(zip(lines[0], line)) for line in lines[1:]]

    def records(self):
        return records(self.file)

    def wrapped(self, tool, script):
        """A folder of the tools in which a script replaces one; $REAL is the real one."""
        folder = self.folder / 'bin'
        folder.mkdir()
        for path in BIN.iterdir():
            if path.name != tool:
                (folder / path.name).symlink_to(path.resolve())
        (folder / tool).write_text(f'#!/bin/sh\nREAL={BIN.resolve() / tool}\n{script}')
        (folder / tool).chmod(0o755)
        return folder


class Whole(Bench):
    def test_everything(self):
        """All available policies, devices and peers."""
        text, rows = self.good('--suite=smoke', '--threads=1,2', '--rounds=2', '--repeat=1', '--save', self.file,
                               '--json', self.folder / 'stream.json', '--figures', self.folder / 'figures')
        records = self.records()
        self.assertEqual((records[0]['kind'], records[-1]['kind']), ('run', 'end'))
        self.assertEqual(self.file.read_text(), (self.folder / 'stream.json').read_text())
        figures = records[1:-1]
        self.assertEqual(len(rows), len(figures))
        for key in ('date', 'cpu', 'system', 'version'):
            self.assertIn(records[0][key], text)
        works = {work.name for work in suites.SUITES['smoke']}
        self.assertEqual({figure['section'] for figure in figures}, works | {'machine'})
        names = [(figure['section'], figure['name']) for figure in figures]
        self.assertEqual(len(set(names)), len(names))
        for figure in figures:
            self.assertGreater(figure['min'], 0)
            if figure['config']:
                self.assertEqual(figure['runs'], 2)
                self.assertGreater(figure['rate'], 0)
        for work in works:
            self.assertTrue({(work, '1 thread'), (work, '2 threads'), (work, '2 threads, split')} <= set(names), names)
        policies = {figure['policy'] for figure in figures if figure['config'] and figure['section'] == 'kron:8'}
        listed = subprocess.run([BIN / 'gbfs', '--policy=help'], capture_output=True, text=True, check=True).stdout
        self.assertEqual(policies, {line.split()[0] for line in listed.splitlines()})
        for device in json.loads(subprocess.run([BIN / 'gdevices', '--json'], capture_output=True, text=True,
                                                check=True).stdout)['devices']:
            if not device['unusable']:
                name = device['device']
                self.assertTrue(('grid:20x20', name) in names or f'left out: gbfs on {name}: ' in text, text)
        drawn = {path.stem for path in (self.folder / 'figures').glob('*.gp')}
        self.assertLessEqual({'levels', 'policies', 'scaling'}, drawn)
        if shutil.which('gnuplot'):
            for name in drawn:
                self.assertIn('<svg', (self.folder / 'figures' / (name + '.svg')).read_text())

    def test_same_again(self):
        """A run compared with itself has no change."""
        self.good(*SMALL, '--save', self.file)
        records = self.records()
        self.assertEqual(len(records), 3 + 2 * WORKS)
        run = comparing.read(self.file)
        self.assertEqual(comparing.regressions(run, run), [])
        text, rows = self.good('--from', self.file, '--baseline', self.file)
        self.assertTrue(all(row['change'].rstrip() == '+0.0%' for row in rows), rows)
        self.assertIn(records[0]['date'], text)
        self.assertTrue(all(comparing.change(run, run, key) == (0, 0) for key in run.figures))

    def scale(self, factor):
        """The saved run with all times multiplied by a factor."""
        records = self.records()
        for record in records[1:-2]:
            record['values'] = [value * factor for value in record['values']]
            record['median'] *= factor
        self.file.write_text(''.join(json.dumps(record) + '\n' for record in records))

    def test_baseline(self):
        self.good(*SMALL, '--save', self.file)
        self.scale(1e-4)
        text, rows = self.good(*SMALL, '--baseline', self.file, status=5)
        self.assertEqual(len(rows), 2 * WORKS + 1)
        self.assertTrue(all(row['change'].endswith('WORSE') for row in rows[:-1]), rows)
        self.assertEqual(rows[-1]['work'], 'machine')
        self.assertIn(f'{2 * WORKS} worse, 0 better', text)
        self.scale(1e8)
        text, rows = self.good(*SMALL, '--policies=split', '--baseline', self.file)
        changes = [row['change'] for row in rows[:-1]]
        self.assertEqual(sum(change.endswith(' better') for change in changes), WORKS)
        self.assertEqual(changes.count('new'), WORKS)
        self.assertIn(f'{WORKS} figures of the baseline were not measured', text)

    def test_baseline_of_another_machine(self):
        self.good(*SMALL, '--save', self.file)
        self.file.write_text(self.file.read_text().replace('"cores": ', '"cores": 9'))
        text = self.run_bench(*SMALL, '--quiet', '--baseline', self.file).stdout
        self.assertIn('another number of CPUs: the baseline is of 9', text)


class Lacking(Bench):
    def test_a_map_is_called_as_what_it_is(self):
        """Or its substitute."""
        (self.folder / 'deep').mkdir()
        road = suites.graph('road:300', 'NY')
        subprocess.run([BIN / 'gconvert', '--quiet', 'road:500', self.folder / 'deep' / road.files[1]], check=True)
        script = ('import sys; sys.argv[0] = "run"; sys.path.insert(0, sys.argv.pop(1)); import runpy, suites; '
                  'suites.SUITES["smoke"] = [suites.graph("road:300", "NY")]; '
                  'runpy.run_path(sys.argv.pop(1), run_name="__main__")')
        for datasets, name, vertices in ((self.folder, 'NY', 500), (self.folder / 'nowhere', 'road:300', 300)):
            subprocess.run([sys.executable, '-c', script, BENCH, BENCH / 'run', '--bin', BIN, *SMALL, '--quiet', '--datasets',
                            datasets, '--save', self.file], check=True, capture_output=True)
            figure = self.records()[1]
            self.assertEqual((figure['section'], sum(figure['level_sizes'])), (name, vertices))

    def test_gapbs_where_it_is_given(self):
        gapbs.write(self.folder)
        arguments = [word for word in SMALL if word != '--no-peers']
        self.good(*arguments, '--gapbs', self.folder, '--save', self.file)
        found = [record for record in self.records()[1:-1] if record['name'].startswith('gapbs')]
        self.assertEqual([record['values'] for record in found], [[2.0, 3.0]] * 2)

    def test_without_compilers_and_gnuplot(self):
        arguments = [word for word in SMALL if word != '--no-peers']
        text, _ = self.good(*arguments, '--figures', self.folder / 'figures', PATH='/nowhere', CC='', CXX='')
        for words in ('igraph: no C compiler', 'gapbs: not found', 'CGAL: no C++ compiler', 'policies.svg: no gnuplot'):
            self.assertIn('left out: ' + words, text)

    def test_all_benches_have_the_same_options_for_the_same(self):
        for name in ('run', 'search', 'octree', 'tasks', 'cederman', 'thesis', 'dinan', 'rudolph'):
            text = subprocess.run([sys.executable, BENCH / name, '--help'], capture_output=True, text=True,
                                  check=True).stdout
            for option in ('--suite', '--quick', '--bin', '--json', '--quiet'):
                self.assertRegex(text, rf'(?m)^  {option}\b', name)

    def test_a_policy_and_a_device_that_are_not_there(self):
        text, rows = self.good('--suite=smoke', '--threads=1', '--no-peers', '--policies=best', '--devices=warp:3',
                               '--rounds=1', '--repeat=1')
        self.assertIn('left out: warp:3: gdevices does not list it', text)
        self.assertIn("unknown policy 'best'", text)
        self.assertEqual(len(rows), WORKS + 1)

    def test_a_wrong_result(self):
        folder = self.wrapped('gtask', 'case "$*" in *--verify*) echo "gtask: the result is wrong" >&2; exit 3;; esac\n'
                                       'exec $REAL "$@"\n')
        text, rows = self.good(*SMALL, folder=folder, status=3)
        self.assertIn('WRONG: UTS tiny, 1 thread\n', text)
        self.assertIn('left out: UTS tiny, 1 thread: the result is wrong', text)
        self.assertEqual(len(rows), 2 * (WORKS - 1) + 1)

    def test_a_tool_that_is_too_slow(self):
        folder = self.wrapped('gtask', 'case "$*" in *--repeat*) exec sleep 30;; esac\nexec $REAL "$@"\n')
        text, rows = self.good(*SMALL, '--limit=2', folder=folder)
        self.assertIn('left out: UTS tiny, 1 thread: it takes longer than 2 s', text)
        self.assertEqual(len(rows), 2 * (WORKS - 1) + 1)

    def test_a_tool_that_is_not_there(self):
        done = self.run_bench(*SMALL, folder=self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertIn('gbfs is not in', done.stderr)


class Usage(Bench):
    def test_mistakes(self):
        self.file.write_text('{"kind": "run"}\n{"kind": "figure", "values": []}\n')
        self.check_refused((
            (['--suite=huge'], '--suite'), (['--threads=0'], 'numbers of threads'),
            (['--rounds=0'], 'from 1 on'), (['--limit=x'], 'from 1 on'), (['--kind=gif'], '--kind'),
            (['--baseline=/nowhere'], '/nowhere'), (['--baseline', self.file], 'is not a file of --save'),
            (['--baseline', BENCH / 'run'], 'is not a file of --save')), *SMALL)

    def test_what_cannot_be_saved(self):
        (self.folder / 'taken').mkdir()
        for path in (self.folder / 'nowhere' / 'a', self.folder / 'taken'):
            done = self.run_bench(*SMALL, '--quiet', '--save', path)
            self.assertEqual(done.returncode, 1)
            self.assertIn('run: ', done.stderr)
        self.assertEqual(os.listdir(self.folder), ['taken'])

    def test_help_says_what_there_is(self):
        text = self.run_bench('--help').stdout
        for word in (*(name for name in suites.SUITES), '--baseline', '--save', '--quick', 'Exit status'):
            self.assertIn(word, text)
        self.assertEqual(set(suites.ABOUT), set(suites.SUITES))

    def test_progress_goes_to_standard_error(self):
        done = self.run_bench(*SMALL)
        self.assertEqual(done.returncode, 0)
        steps = done.stderr.splitlines()
        self.assertEqual(len(steps), 2 * 2 * WORKS)
        self.assertRegex(steps[-1], r'^ +\d+ s +20/20 +UTS tiny, 1 thread, static$')


def run_of(figures, cpu='x'):
    return comparing.Run({'cpu': cpu, 'cores': 2, 'date': 'then'},
                         [{'section': name, 'name': 'config', 'values': values, 'median': sorted(values)[len(values) // 2]}
                          for name, values in figures.items()])


class Comparing(unittest.TestCase):
    KEY = ('a', 'config')

    def test_a_change_counts_beyond_the_noise_of_both(self):
        """Noise of about 4 % in each run: a change of about 16 % is significant."""
        old = run_of({'a': [96, 100, 104]})
        for now, found in (([110, 114, 118], 0), ([113, 118, 122], 1), ([80, 83, 86], -1), ([84, 87, 91], 0)):
            self.assertEqual(comparing.change(run_of({'a': now}), old, self.KEY)[1], found, now)

    def test_little_is_nothing_however_quiet(self):
        old = run_of({'a': [100, 100, 100]})
        self.assertEqual(comparing.change(run_of({'a': [101.9] * 3}), old, self.KEY)[1], 0)
        self.assertEqual(comparing.change(run_of({'a': [102.1] * 3}), old, self.KEY)[1], 1)

    def test_rounds_that_agree_by_chance_have_the_noise_of_the_others(self):
        noisy = {name: [90, 100, 110] for name in 'bcdef'}
        old, now = run_of({'a': [100, 100, 100], **noisy}), run_of({'a': [130, 130, 130], **noisy})
        self.assertEqual(comparing.change(now, old, self.KEY)[1], 0)
        self.assertEqual(comparing.change(run_of({'a': [130] * 3}), run_of({'a': [100] * 3}), self.KEY)[1], 1)

    def test_what_the_machine_does_is_nobodys_change(self):
        old = run_of({'a': [100] * 3, 'b': [100] * 3, 'machine': [10] * 3})
        now = run_of({'a': [150] * 3, 'b': [100] * 3, 'machine': [15] * 3})
        both = run_of({'a': [300] * 3, 'b': [20] * 3, 'machine': [15] * 3})
        for run in (old, now, both):
            run.figures[comparing.MACHINE] = run.figures.pop(('machine', 'config'))
        self.assertEqual([comparing.change(now, old, (name, 'config'))[1] for name in 'ab'], [0, 0])
        self.assertEqual([comparing.change(both, old, (name, 'config'))[1] for name in 'ab'], [1, -1])
        self.assertIn('the machine took +50.0% time', comparing.summary(now, old)[0])
        self.assertEqual(comparing.regressions(both, old), [('a', 'config')])

    def test_a_machine_that_is_now_fast_and_now_slow(self):
        def run(value, machine):
            found = run_of({'a': [value] * 3, 'b': [100] * 3})
            found.figures[comparing.MACHINE] = {'values': machine, 'median': 10}
            return comparing.Run(found.about, [dict(figure, section=key[0], name=key[1])
                                               for key, figure in found.figures.items()])

        for machine, found in (([5, 10, 10, 10, 20], 1), ([8, 8, 10, 12, 12], 0)):
            self.assertEqual(comparing.change(run(150, machine), run(100, machine), self.KEY)[1], found, machine)

    def test_words(self):
        old, now = run_of({'a': [100] * 3, 'gone': [1] * 3}), run_of({'a': [200] * 3, 'b': [5] * 3})
        self.assertEqual(comparing.verdict(comparing.change(now, old, self.KEY)), '+100.0% WORSE')
        self.assertEqual(comparing.verdict(comparing.change(now, old, ('b', 'config'))), 'new')
        self.assertEqual(comparing.regressions(now, old), [self.KEY])
        self.assertTrue(comparing.summary(now, old)[0].startswith(
            'against the baseline of then: 1 worse, 0 better, 0 within the noise; half of all changes are above +100.0%,'))
        self.assertTrue(comparing.summary(now, old)[0].endswith('and the machine took +0.0% time for checksums'))
        self.assertIn('another machine', comparing.summary(run_of({}, 'y'), old)[0])


class Plots(unittest.TestCase):
    def test_lines(self):
        plot = plotting.Lines('l', 'Title', 'y', 'x', {'one_two': [(1, 1.0), (4, (2.5, 2, 3))], 'b': [(2, None)]}, ideal=True)
        text = '\n'.join(plot.commands())
        self.assertIn('$line0 << end\n1 1 1 1\n4 2.5 2 3\nend', text)
        self.assertIn('$line1 << end\n2 ? ? ?\nend', text)
        self.assertIn('set xtics (1, 2, 4)', text)
        self.assertIn('title "ideal"', text)
        self.assertIn('set logscale y 2', text)

    def test_axes(self):
        """Powers of two, or decades for a wide range, or a share."""
        lines = {'a': [(1, 1.0), (2, 64.0)]}
        for more, axis in (({}, 'set logscale y 2'), ({'paper': {'a': [(4, 100)]}}, 'set logscale y 10'),
                           ({'share': True}, 'set yrange [0:1.05]')):
            text = '\n'.join(plotting.Lines('l', 'T', 'y', 'x', lines, **more).commands())
            self.assertIn(axis, text)

    def test_bars_and_the_paper(self):
        """A circle lies on its bar: two series take a third of the unit each."""
        plot = plotting.Bars('b', 'T', 'y', ['one', 'two'], {'a': [1.0, (3, 2, 4)], 'b': [None, 5.0]}, {'b': {'two': 6, 'three': 1}})
        text = '\n'.join(plot.commands())
        self.assertIn('"one" 1 1 1 ? ? ?\n"two" 3 2 4 5 5 5\nend', text)
        self.assertIn('$paper << end\n1.16667 6\nend', text)
        self.assertIn('set yrange [0:*]', text)

    def test_titles(self):
        about = {'cpu': 'A CPU', 'cores': 4, 'load': 1.25, 'date': '2026-01-02T03:04', 'version': 'gbfs 1'}
        self.assertEqual(plotting.machine(about), 'A CPU, 4 CPUs, load 1.2, 2026-01-02, gbfs 1')
        self.assertTrue(plotting.machine(about | {'device': 'cuda'}).endswith(', gbfs 1, cuda'))
        self.assertLessEqual(len(plotting.shortened('x' * 500)), plotting.LONG)

    def test_middle(self):
        self.assertEqual(plotting.middle([5]), (5, 5, 5))
        self.assertEqual(plotting.middle(iter([1, 2, 3, 4, 5])), (3, 2, 4))

    def test_gnuplot_that_is_not_pleased(self):
        if not shutil.which('gnuplot'):
            self.skipTest('no gnuplot')
        with tempfile.TemporaryDirectory() as folder:
            options = argparse.Namespace(figures=folder, kind='svg')
            about = {'cpu': 'A CPU', 'cores': 4, 'load': 1.25, 'date': '2026-01-02', 'version': 'gbfs 1'}
            why = plotting.draw_all([plotting.Lines('l', 'T', 'y', 'x', {'none': []})], options, about)
            self.assertEqual(len(why), 1)
            self.assertIn('l.svg: gnuplot:', why[0])


if __name__ == '__main__':
    unittest.main()
