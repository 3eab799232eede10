# SPDX-License-Identifier: MIT
"""datasets/bench/advice: two tiny workloads, its comparison for known times, and wrong uses."""
import unittest

from bench import BIN, BenchTest, cells, records, write_records


class Advice(BenchTest):
    program, always = 'advice', ('--bin', BIN, '--quiet')

    def rows(self, text):
        """{work: (advised, how much longer it takes)}"""
        return {row[0]: (row[3], row[5]) for row in cells(text)[2:]}

    def test_known_times(self):
        self.assertEqual(self.output('--small', '--measure', '--threads=2', '--rounds=2', '--repeat=1', '--json', self.file), '')
        lines = records(self.file)
        for line in lines[1:]:
            self.assertEqual({len(times) for times in line['times'].values()}, {2})
            self.assertIn('split, amount chunk of 32', line['times'])
            line['times'] = {name: [20.0, 10.0] if name == 'split' else [24.0, 12.0] for name in line['times']}
        write_records(self.file, lines)
        shown = self.output('--from', self.file)
        found = self.rows(shown)
        self.assertEqual(set(found), {'UTS T1', 'BPC, 1 us'})
        for advised, longer in found.values():
            self.assertEqual(longer, '+0.0 %' if advised == 'split' else '+20.0 %')
        good = sum(advised == 'split' for advised, _ in found.values())
        self.assertIn(f'within 5% of the best: {good} of 2', shown)

    def test_wrong_uses(self):
        self.file.write_text('{"kind": "run"}\n')
        self.check_refused((
            (['--only=nothing'], 'one or several'), (['--from', self.file], 'not written by this program'),
            (['--from=/nowhere'], '/nowhere'), (['--threads=0'], 'whole number')))


if __name__ == '__main__':
    unittest.main()
