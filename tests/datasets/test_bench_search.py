# SPDX-License-Identifier: MIT
"""datasets/bench/search on its smallest suite: the table, the JSON, and its reaction to missing peers or compilers."""
import unittest

from bench import BIN, BenchTest, records, write_records
import gapbs

PARTS = ['bfs', 'busy', 'load', 'memory', 'stealing', 'peers']


class Bench(BenchTest):
    program, always = 'search', ('--suite=smoke', '--bin', BIN, '--threads=1,2')

    def good(self, *arguments, **environment):
        """(its output, the rows of its table as dictionaries, the records of its JSON)."""
        text = self.output('--quiet', '--json', self.file, *arguments, **environment)
        lines = [[cell.strip() for cell in line.strip('| ').split(' | ')] for line in text.splitlines() if line.startswith('| ')]
        self.assertTrue(all(len(line) == len(lines[0]) for line in lines), text)
        return text, [dict(zip(lines[0], line)) for line in lines[1:]], records(self.file)

    def test_whole_suite(self):
        text, rows, (about, *figures, end) = self.good('--bandwidth=10')
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
        _, _, (_, *figures, _) = self.good('--only=bfs', '--bandwidth=10', '--policies=chunked')
        for figure in figures:
            graph = figure['graph']
            arcs = min(64, 4 * graph['arcs'] / graph['vertices'])
            self.assertLessEqual(figure['floor'], graph['vertices'] * (16 + arcs) / 10e6 * 1.000001)
            self.assertGreater(figure['floor'], 0)

    def test_baseline(self):
        self.good('--only=memory')
        lines = records(self.file)
        for key in ('median', 'q1', 'q3'):
            lines[1][key] *= 2
        write_records(self.folder / 'old.json', lines)
        _, rows, _ = self.good('--only=memory', '--baseline', self.folder / 'old.json')
        self.assertRegex(rows[0]['change'], '^-[0-9]+% BETTER$')

    def test_without_compiler(self):
        text, rows, _ = self.good('--only=bfs,peers', '--policies=static', CC='', PATH='/nowhere')
        self.assertIn('no C compiler', text)
        self.assertIn('left out: igraph', text)
        self.assertEqual({row['floor'] for row in rows}, {'-'})

    def test_gapbs_where_it_is_given(self):
        gapbs.write(self.folder)
        _, _, (_, *figures, _) = self.good('--only=peers', '--gapbs', self.folder)
        found = [record for record in figures if 'gapbs over' in record['name']]
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
