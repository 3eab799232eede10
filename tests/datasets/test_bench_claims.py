# SPDX-License-Identifier: MIT
"""datasets/bench/claims: docs/claims.md is what the stored results say; bounds; simulations of a stand-in for gsim; wrong uses."""
import json
import shutil
import unittest
from fractions import Fraction

from bench import BenchTest, records, write_records
import claims_bound
import claims_runs
from claims_store import FOLDER


class Claims(BenchTest):
    program = 'claims'

    def setUp(self):
        super().setUp()
        self.folder /= 'results'
        shutil.copytree(FOLDER, self.folder)

    def page(self):
        return self.output('--folder', self.folder)

    def change(self, name, file, **values):
        """Changes members of a simulation, or the value of a figure."""
        path = self.folder / file
        lines = records(path)
        changed = [line for line in lines if line.get('name') == name and line['kind'] != 'run']
        for line in changed:
            if 'found' in line:
                line['found'] |= values
            else:
                line['value'] = values['value']
        self.assertTrue(changed)
        write_records(path, lines)

    def test_the_page_is_what_the_results_say(self):
        self.assertEqual(self.output('--check'), '')

    def test_other_results_make_another_page(self):
        before = self.page()
        self.change('BPC, long, 8192', 'simulated.json', efficiency=0.5)
        self.change('T1WL', 'measured.json', value={'nodes': 5, 's': 1})
        rows = [[line for line in text.splitlines() if 'BPC: 97 %' in line or 'the tree has' in line] for text in (before, self.page())]
        self.assertEqual([['does not hold' in row for row in some] for some in rows], [[False, False], [True, True]])
        done = self.run_bench('--folder', self.folder, '--check')
        self.assertEqual(done.returncode, 1)
        self.assertIn('--write makes it again', done.stderr)
        page = self.folder / 'claims.md'
        self.assertEqual(self.run_bench('--folder', self.folder, '--page', page, '--write').returncode, 0)
        self.assertEqual(self.run_bench('--folder', self.folder, '--page', page, '--check').returncode, 0)

    def test_a_file_of_a_papers_program(self):
        path = self.folder / 'rudolph-1.json'
        before, changed = self.page(), records(path)
        for line in changed:
            if line.get('key', [None])[0] == 'lengths':
                line['rounds'] = [one | {'queue_spread': 2.5} for one in line['rounds']]
        write_records(path, changed)
        rows = [next(line for line in page.splitlines() if 'mean squared distance' in line) for page in (before, self.page())]
        self.assertEqual(['2.5 with 16 threads' in row for row in rows], [False, True])
        path.write_text('{"kind": "run"}\n')
        done = self.run_bench('--folder', self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        self.assertIn('was not written by this program', done.stderr)

    def test_simulations(self):
        found = {key: 1 for key in claims_runs.MEMBERS}
        tool = self.folder / 'gsim'
        tool.write_text(f"#!/bin/sh\ncase $1 in --version) echo gsim 0;; *) echo '{json.dumps(found | {'more': 2})}';; esac\n")
        tool.chmod(0o755)
        self.assertEqual(self.output('--simulate', '--quiet', '--bin', self.folder, '--folder', self.folder), '')
        lines, stored = records(self.folder / 'simulated.json'), records(FOLDER / 'simulated.json')
        self.assertEqual([line['command'] for line in lines[1:]], [line['command'] for line in stored[1:]])  # the stored ones are of these calls
        self.assertEqual({json.dumps(line['found']) for line in lines[1:]}, {json.dumps(found)})

    def test_the_bound_of_theorem_1(self):
        for delta in (1, 3):
            alpha, _, c = claims_bound.constants(delta)
            self.assertTrue(claims_bound.recurrence_closes(delta, range(200)))
            far = Fraction(10 * (alpha * 50 + c))
            self.assertLess(claims_bound.step_bound(far, Fraction(50), delta), far)
        self.assertGreater(claims_bound.step_bound(Fraction(5), Fraction(5), 1), 5)  # nothing is taken near the mean

    def test_the_process_balances(self):
        mean, longest = claims_bound.balanced_process(8, 300, 3)
        self.assertTrue(1 <= mean <= longest <= 20)
        self.assertEqual((mean, longest), claims_bound.balanced_process(8, 300, 3))

    def test_random_piles(self):
        self.assertAlmostEqual(claims_bound.fullest_pile(2, 2), 1.5)
        self.assertAlmostEqual(claims_bound.fullest_pile(3, 2), 2.25)  # 2/8 of three, 6/8 of two
        self.assertAlmostEqual(claims_bound.fullest_pile(5, 1), 5)

    def test_the_example_of_queues(self):
        in_one, own = claims_bound.queue_example(4, 8, 100)
        self.assertEqual((in_one, own), (102, 101))

    def test_wrong_uses(self):
        self.check_refused((
            (['--folder=/nowhere'], 'claims: '), (['--page=/nowhere/x', '--check'], '/nowhere/x'),
            (['--simulate', '--bin=/nowhere'], 'gsim is not in'), (['--simulated'], 'usage')))


if __name__ == '__main__':
    unittest.main()
