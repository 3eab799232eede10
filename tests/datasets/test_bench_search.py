# SPDX-License-Identifier: MIT
"""datasets/bench/search on its smallest suite: the table, the JSON, and its reaction to missing peers or compilers."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gapbs

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BIN = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build')) / 'bin'
BENCH = SOURCE / 'datasets' / 'bench' / 'search'
PARTS = ['bfs', 'busy', 'load', 'memory', 'stealing', 'peers']


class Bench(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.file = self.folder / 'out.json'

    def run_bench(self, *arguments, **environment):
        return subprocess.run([sys.executable, BENCH, '--suite=smoke', '--bin', BIN, '--threads=1,2', *arguments],
                              env=dict(os.environ, **environment), capture_output=True, text=True, check=False,
                              timeout=200)

    def good(self, *arguments, **environment):
        """(its output, the rows of its table as dictionaries, the records of its JSON)."""
        done = self.run_bench('--quiet', '--json', self.file, *arguments, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        lines = [[cell.strip() for cell in line.strip('| ').split(' | ')]
                 for line in done.stdout.splitlines() if line.startswith('| ')]
        records = [json.loads(line) for line in self.file.read_text().splitlines()]
        self.assertTrue(all(len(line) == len(lines[0]) for line in lines), done.stdout)
        return done.stdout, [dict(zip(lines[0], line)) for line in lines[1:]], records

    def test_whole_suite(self):
        text, rows, records = self.good('--bandwidth=10')
        about, figures, end = records[0], records[1:-1], records[-1]
        self.assertEqual((about['kind'], end['kind'], end['bandwidth']), ('run', 'end', 10))
        for key in ('date', 'cpu', 'cores', 'system', 'version', 'command'):
            self.assertIn(str(about[key]), text)
        found = {figure['section'] for figure in figures}
        self.assertLessEqual(set(PARTS) - {'peers'}, found)
        self.assertTrue('peers' in found or 'left out: igraph' in text, text)
        self.assertEqual(sorted({row['part'] for row in rows}), sorted(found))
        for figure in figures:
            self.assertEqual(figure['runs'], len(figure['values']))
            self.assertGreaterEqual(figure['runs'], 2)
            self.assertLessEqual(figure['min'], figure['q1'])
            self.assertLessEqual(figure['q1'], figure['median'])
            self.assertLessEqual(figure['median'], figure['q3'])
            self.assertLessEqual(figure['q3'], figure['max'])
            self.assertGreater(figure['min'], 0, figure)
        names = [(figure['section'], figure['name']) for figure in figures]
        self.assertEqual(len(set(names)), len(names))

    def test_floor_is_the_formula(self):
        _, _, records = self.good('--only=bfs', '--bandwidth=10', '--policies=chunked')
        for figure in records[1:-1]:
            graph = figure['graph']
            arcs = min(64, 4 * graph['arcs'] / graph['vertices'])
            self.assertLessEqual(figure['floor'], graph['vertices'] * (16 + arcs) / 10e6 * 1.000001)
            self.assertGreater(figure['floor'], 0)

    def test_baseline(self):
        self.good('--only=memory')
        lines = [json.loads(line) for line in self.file.read_text().splitlines()]
        for key in ('median', 'q1', 'q3'):
            lines[1][key] *= 2
        (self.folder / 'old.json').write_text(''.join(json.dumps(line) + '\n' for line in lines))
        _, rows, _ = self.good('--only=memory', '--baseline', self.folder / 'old.json')
        self.assertRegex(rows[0]['change'], '^-[0-9]+% BETTER$')

    def test_without_compiler(self):
        text, rows, _ = self.good('--only=bfs,peers', '--policies=static', CC='', PATH='/nowhere')
        self.assertIn('no C compiler', text)
        self.assertIn('left out: igraph', text)
        self.assertEqual({row['floor'] for row in rows}, {'-'})

    def test_gapbs_where_it_is_given(self):
        gapbs.write(self.folder)
        _, _, records = self.good('--only=peers', '--gapbs', self.folder)
        found = [record for record in records[1:-1] if 'gapbs over' in record['name']]
        self.assertEqual(len(found), 2)
        self.assertEqual(found[0]['gapbs'], [1.0, 2.0, 3.0, 4.0, 5.0])

    def test_wrong_usage(self):
        for wrong in ('--suite=huge', '--only=bfs,lunch', '--threads=0', '--threads=two', '--policies=random'):
            self.assertEqual(self.run_bench(wrong).returncode, 2, wrong)
        nowhere = self.run_bench(f'--bin={self.folder}')
        self.assertEqual((nowhere.returncode, nowhere.stdout), (1, ''))
        self.assertIn('--bin', nowhere.stderr)


if __name__ == '__main__':
    unittest.main()
