#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gtask md: atoms from files and in files."""
import gzip
import os
import unittest

from tool import ToolTest, skip

FEW = ['--radius=1.5', '--steps=20']
TWO = '2\nno velocities\nHe 0 0 0\nAr 1.2 0.1 0\n'
BOX = TWO.replace('no velocities', 'Lattice="9 0 0 0 9 0 0 0 9"')


def rows(path):
    with (gzip.open(path, 'rt') if str(path).endswith('.gz') else open(path, encoding='ascii')) as file:
        lines = file.read().splitlines()
    return lines[:2], [line.split() for line in lines[2:]]


class Files(ToolTest):
    def md(self, *arguments, steps=20):
        return self.json('gtask', 'md', '--radius=1.5', f'--steps={steps}', *arguments)

    def test_a_run_continues_from_a_file(self):
        for shape, name in (('uniform', 'a.xyz'), ('gauss', 'a.xyz.gz')):
            start = ['--atoms=500', f'--shape={shape}', '--charge=0.2', '--seed=3']
            path = self.folder / name
            self.md(*start, '--out', path)
            head, atoms = rows(path)
            self.assertEqual((head[0], len(atoms), 'Lattice' in head[1]), ('500', 500, shape == 'uniform'))
            self.assertEqual({(len(atom), atom[0], atom[7]) for atom in atoms}, {(8, 'X', '0.2'), (8, 'X', '-0.2')})
            found, whole = self.md('--input', path, '--verify'), self.md(*start, steps=40)
            self.assertIs(found['verified'], True)
            for key in ('potential', 'kinetic', 'first_energy'):
                self.assertAlmostEqual(found[key] / 500, whole[key] / 500, places=3, msg=key)

    def test_what_a_file_says(self):
        path, out = self.write('in.xyz', TWO), self.folder / 'out.xyz'
        found = self.md('--input', path, '--out', out, '--verify', '--repeat=2')
        self.assertEqual([found['parameters'][key] for key in ('input', 'shape', 'atoms', 'density', 'temperature', 'charge')],
                         [path, 'file', 2, None, None, None])
        self.assertEqual((found['pairs'], found['verified'], found['runs'][0]['atom_steps']), (1, True, 40))
        head, atoms = rows(out)
        self.assertIn('pbc="F F F"', head[1])
        self.assertEqual([atom[0] for atom in atoms], ['He', 'Ar'])
        self.assertEqual(float(atoms[0][4]), -float(atoms[1][4]))
        self.assertNotEqual(float(atoms[0][4]), 0)
        self.md('--input', path, '--lattice=8,9,10', '--out', out, '--verify')
        self.assertIn('Lattice="8 0 0 0 9 0 0 0 10"', rows(out)[0][1])
        self.md('--input', self.write('box.xyz', BOX), '--out', out, '--verify')
        self.assertIn('Lattice="9 0 0 0 9 0 0 0 9"', rows(out)[0][1])
        self.assertIn('2 atoms, file, ', self.good('gtask', 'md', *FEW, '--input=-', input=TWO.encode()))

    def test_trajectories(self):
        start, path, last = ['--atoms=130', '--shape=gauss', '--seed=3'], self.folder / 'all.xyz', self.folder / 'last.xyz'
        for steps, every, states in ((20, 8, (0, 8, 16, 20)), (16, 8, (0, 8, 16)), (5, 100, (0, 5)), (0, 1, (0,))):
            found = self.md(*start, '--out', path, f'--frames={every}', '--verify', '--repeat=2', '--warmup=1', steps=steps)
            lines = path.read_text().splitlines()
            self.assertEqual([lines[at] for at in range(0, len(lines), 132)], ['130'] * len(states))
            plain = self.md(*start, '--out', last, steps=steps)
            self.assertEqual(lines[-132:], last.read_text().splitlines())
            for key in ('force_tasks', 'rebuilds', 'pairs', 'potential', 'drift'):
                self.assertEqual(found[key], plain[key], key)
        self.md(*start, '--out', path, '--frames=1', steps=2)
        self.md(*start, '--out', last, steps=1)
        self.assertEqual(path.read_text().splitlines()[132:264], last.read_text().splitlines())
        self.md('--input', path, '--out', last, steps=0)  # the reader takes the first frame
        self.assertEqual(path.read_text().splitlines()[:132], last.read_text().splitlines())
        self.assertIn('--frames requires --out', self.bad(2, 'gtask', 'md', '--frames=3'))

    def test_files_that_are_refused(self):
        for text, status, complaint in ((TWO.replace('1.2', 'nan'), 1, ":4:4: expected x, a finite number, found 'nan'"),
                                        (TWO.replace('2', '3', 1), 1, ':5:1: expected 3 atoms, found 2'),
                                        ('0\n\n', 1, ':1: a file without atoms'),
                                        (TWO.replace('Ar 1.2 0.1', 'Ar 0 0'), 2, 'md: two atoms are at the same place'),
                                        (BOX.replace('9', '3', 1), 2, 'an edge of the box is 3; it must be at least 3.6')):
            path = self.write('in.xyz', text)
            self.assertIn(complaint, self.bad(status, 'gtask', 'md', *FEW, '--input', path, '--out', self.folder / 'o.xyz'))
            self.assertEqual(os.listdir(self.folder), ['in.xyz'])
        self.assertIn('No such file', self.bad(1, 'gtask', 'md', '--input', self.folder / 'none.xyz'))
        self.assertIn('it must be at least', self.bad(2, 'gtask', 'md', *FEW, '--input', self.write('in.xyz', TWO), '--lattice=9,9,3'))

    def test_options_that_are_refused(self):
        path = self.write('in.xyz', TWO)
        for option in ('--atoms=5', '--shape=gauss', '--density=1', '--temperature=1', '--charge=0'):
            self.assertIn(f'{option.split("=")[0]} has no effect on the atoms of --input',
                          self.bad(2, 'gtask', 'md', '--input', path, option))
        self.assertIn('--lattice requires --input', self.bad(2, 'gtask', 'md', '--lattice=9,9,9'))
        for box in ('9', '9,9', '9,9,9,9', '9,9,0', '9,-9,9', '9,9,x', '9,9,9 ', 'nan,9,9'):
            self.assertIn('--lattice: expected three edges', self.bad(2, 'gtask', 'md', '--input', path, '--lattice', box))
        for name in ('out.csv', '-', '.xyz', 'xyz'):
            self.assertIn('--out: expected a name ending in .xyz', self.bad(2, 'gtask', 'md', '--out', name))
        self.assertIn('--seed', self.bad(2, 'gtask', 'md', '--input', path, '--seed=1', '--policy=static'))
        self.good('gtask', 'md', *FEW, '--input', path, '--seed=1', '--policy=static', '--order=random')
        for files in (['--input', path, '--out', path], ['--out', path, '--trace', path]):
            self.assertIn('are the same file', self.bad(2, 'gtask', 'md', *files))
        self.assertEqual((self.folder / 'in.xyz').read_text(), TWO)

    def test_files_and_a_device(self):
        device, out, path = os.environ.get('GWS_TEST_DEVICE', 'opencl'), self.folder / 'out.xyz', self.write('in.xyz', BOX)
        if self.run_tool('gtask', 'md', *FEW, '--atoms=300', '--device', device).returncode == 4:
            skip(f'molecular dynamics on a device: there is no {device}')
            return
        here = self.md('--input', path)
        found = self.md('--input', path, '--out', out, '--device', device, '--verify')
        self.assertAlmostEqual(found['kinetic'], here['kinetic'], places=3)
        self.assertEqual([atom[0] for atom in rows(out)[1]], ['He', 'Ar'])
        self.assertAlmostEqual(self.md('--input', out, steps=0)['kinetic'], found['kinetic'], places=5)
        every = self.md('--input', path, '--out', out, '--device', device, '--frames=7')
        self.assertEqual(len(out.read_text().splitlines()), 4 * 4)
        for name in ('tasks', 'units'):
            self.assertEqual(every['on_device'][name], found['on_device'][name])
        self.assertGreaterEqual(every['on_device']['launches'], 3)


if __name__ == '__main__':
    unittest.main()
