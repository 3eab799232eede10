# SPDX-License-Identifier: MIT
"""datasets/bench/advice: two tiny workloads, its comparison for known times, and wrong uses."""
import unittest

from bench import BIN, BenchTest, cells, load_program, records, write_records


class Advice(BenchTest):
    program, always = 'advice', ('--bin', BIN, '--quiet')

    def rows(self, text):
        """{work: (best, advised, how much longer it takes)}"""
        return {row[0]: (row[1], row[3], row[5]) for row in cells(text)[2:]}

    def test_known_times(self):
        text = self.output('--small', '--threads=2', '--rounds=1', '--finals=2', '--repeat=1', '--json', self.file)
        lines = records(self.file)
        for line in lines[1:]:
            self.assertEqual({len(times) for times in line['times'].values()}, {1})
            self.assertEqual(len(line['times']), 25)
            self.assertEqual({len(times) for times in line['finals'].values()}, {2})
            self.assertIn('chaselev', line['finals'])
            self.assertIn(self.rows(text)[line['work']][1], line['finals'])
            # Whoever is fastest in the first final is as slow as all others in the second one.
            line['times'] = {name: [20.0] for name in line['times']}
            line['finals'] = {name: [24.0, 12.0] for name in line['times']} | {'workpile': [10.0, 10.0]}
        write_records(self.file, lines)
        shown = self.output('--from', self.file)
        found = self.rows(shown)
        self.assertEqual(set(found), {'UTS T1', 'BPC, 1 us'})
        for best, advised, longer in found.values():
            self.assertEqual((best, longer), ('workpile', '+0.0 %' if advised == 'workpile' else '+20.0 %'))
        good = sum(advised == 'workpile' for _, advised, _ in found.values())
        self.assertIn(f'within 5% of the best: {good} of 2', shown)

    def test_one_half_of_the_finals_chooses_and_the_other_compares(self):
        program = load_program('advice')
        line = {'times': {'split': [1.0], 'abp': [3.0], 'global': [9.0]},
                'finals': {'split': [2.0, 6.0, 2.0, 6.0], 'abp': [3.0, 3.0, 3.0, 3.0]}}
        self.assertEqual(program.best_of(line['finals']), 'split')
        self.assertEqual([program.takes(line, name, 'split') for name in ('split', 'abp', 'global')], [1.0, 0.5, 9.0])
        self.assertEqual(program.finalists({'a': [5.0], 'b': [4.0], 'c': [3.0], 'd': [2.0], 'e': [1.0]}, 'b'), ['e', 'd', 'c', 'b', 'chaselev'])

    def test_names_of_candidates(self):
        program = load_program('advice')
        for policy, victim, amount, chunk, name in (('split', None, None, 0, 'split'), ('split', 'random', None, 0, 'split'),
                                                    ('workpile', None, 'half', 0, 'workpile'), ('abp', 'last', None, 0, 'abp, victim last'),
                                                    ('split', None, 'chunk', 32, 'split, amount chunk of 32')):
            self.assertEqual(program.name_of({'policy': policy, 'victim': victim, 'amount': amount, 'chunk': chunk}), name)
            self.assertIn(name, program.candidates())

    def test_wrong_uses(self):
        self.file.write_text('{"kind": "run"}\n')
        self.check_refused((
            (['--only=nothing'], 'one or several'), (['--from', self.file], 'not written by this program'),
            (['--from=/nowhere'], '/nowhere'), (['--threads=0'], 'whole number'), (['--finals=1'], 'whole number')))


if __name__ == '__main__':
    unittest.main()
