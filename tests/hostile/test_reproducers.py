#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inputs that once crashed a tool, made it write to a wrong file, or gave a wrong answer with exit status 0."""
import gzip
import os
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest

from hostile import HostileTest, npy, seal_gwsg, skip, xxh3
from tool import BUILD, LIMIT


class Coordinates(HostileTest):
    """Pictures of positions that are extremely far apart or close together."""

    FAR, HUGE, TINY = '1e308', '1.7976931348623157e308', '5e-324'

    def map_of(self, places):
        graph = f'p sp {len(places)} {len(places) - 1}\n' + ''.join(f'a {v} {v + 1} 1\n' for v in range(1, len(places)))
        text = f'p aux sp co {len(places)}\n' + ''.join(f'v {v} {x} {y}\n' for v, (x, y) in enumerate(places, 1))
        return {'g.gr': graph, 'g.co': text}

    def test_maps_of_extreme_places(self):
        for places in ([('-' + self.FAR, 0), (self.FAR, 0)], [('-' + self.HUGE, '-' + self.HUGE), (self.HUGE, self.HUGE)],
                       [(0, 0), (self.TINY, 0)], [(self.FAR, self.TINY), (self.FAR, 0)], [('-0', '-0'), (0, 0)],
                       [('-' + self.FAR, self.TINY), (self.FAR, 1), (0, '-' + self.FAR)]):
            problem, status = self.hold('gbfs', '--quiet', '--source=1', '--positions=g.co', '--map=m.svg', 'g.gr',
                                        files=self.map_of(places))
            self.assertEqual((problem, status), (None, 0))

    def test_pictures_of_extreme_points(self):
        for points in ([(0, 0, 0), (self.TINY, 0, 0)], [('-' + self.HUGE,) * 3, (self.HUGE,) * 3],
                       [(0, self.TINY, self.FAR), ('-' + self.FAR, 0, '-' + self.TINY)]):
            text = ''.join(f'{x} {y} {z}\n' for x, y, z in points)
            for axis in 'xyz':
                problem, status = self.hold('goctree', '--quiet', '--leaf=1', '--picture=p.svg', f'--axis={axis}', 'p.xyz',
                                            files={'p.xyz': text})
                self.assertEqual((problem, status), (None, 0))


class Outputs(HostileTest):
    """Every output of every tool is complete or absent, and no other file changes."""

    GRAPH = 'p sp 3 2\na 1 2 5\na 2 3 5\n'
    CALLS = [('gbfs', '--source=1', '--out={}.csv', 'g.gr'), ('gbfs', '--source=1', '--map={}.svg', '--positions=g.co', 'g.gr'),
             ('gbfs', '--source=1', '--trace={}.json', 'g.gr'), ('goctree', '--picture={}.svg', 'p.xyz'),
             ('goctree', '--out={}.vtu', 'p.xyz'), ('goctree', '--nodes={}.npy', 'p.xyz'), ('gconvert', 'g.gr', '{}.gwsg'),
             ('gtask', 'bpc', '-d1', '-n1', '--work=1', '--trace={}.json')]
    if shutil.which('gnuplot'):
        CALLS.append(('gbfs', '--source=1', '--plot={}.svg', 'g.gr'))

    def setUp(self):
        super().setUp()
        self.write('g.gr', self.GRAPH)
        self.write('g.co', 'p aux sp co 3\nv 1 0 0\nv 2 1 0\nv 3 1 1\n')
        self.write('p.xyz', '0 0 0\n1 2 3\n')

    def run_to(self, row, name, **options):
        """Runs it with that output file, and returns the file."""
        work = row[1:2] if row[0] == 'gtask' else ()
        rest = [word.format(name) for word in row[1 + len(work):]]
        run = self.run_tool(row[0], *work, '--quiet', '--threads=1', *rest, cwd=self.folder, **options)
        given, = [word.format(name) for word in row if '{}' in word]
        return run, self.folder / given.split('=')[-1]

    def test_others_files_are_left_alone(self):
        for number, row in enumerate(self.CALLS):
            _, path = self.run_to(row, f'first{number}')
            self.assertTrue(path.exists(), row)
            for name in (path.name + '.draft', path.name + '.tmp'):
                target = path.with_name(name.replace('first', 'out'))
                target.symlink_to(self.folder / 'mine')
            self.write('mine', 'mine\n')
            run, made = self.run_to(row, f'out{number}')
            self.assertEqual((run.returncode, run.stderr), (0, b''), row)
            self.assertEqual((self.folder / 'mine').read_text(), 'mine\n', row)
            self.assertTrue(made.with_name(made.name + '.draft').is_symlink(), row)

    def test_mode_and_links_of_the_target(self):
        for number, row in enumerate(self.CALLS):
            _, path = self.run_to(row, f'private{number}')
            path.chmod(0o600)
            self.run_to(row, f'private{number}')
            self.assertEqual(path.stat().st_mode & 0o777, 0o600, row)
            link = path.with_name(path.name.replace('private', 'link'))
            link.symlink_to(path)
            run, _ = self.run_to(row, f'link{number}')
            self.assertEqual((run.returncode, run.stderr), (0, b''), row)
            self.assertTrue(link.is_symlink(), row)

    def test_a_full_disk_leaves_nothing(self):
        for row in self.CALLS:
            before = set(os.listdir(self.folder))
            run, _ = self.run_to(row, 'cut', preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                                                 resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))))
            self.assertEqual((run.returncode, run.stderr.count(b'\n')), (1, 1), (row, run.stderr))
            self.assertEqual(set(os.listdir(self.folder)), before, row)

    def test_two_outputs_of_one_name(self):
        for call in (('gbfs', '--source=1', '--out=s.csv', '--trace=s.csv', 'g.gr'), ('goctree', '--out=a.csv', '--nodes=a.csv', 'p.xyz'),
                     ('gbfs', '--source=1', '--positions=g.co', '--map=m.svg', '--out=m.svg', 'g.gr'), ('gconvert', 'g.gr', 'g.gr'),
                     ('gconvert', 'g.gr', './g.gr'), ('goctree', '--out=p.xyz.csv', '--picture=p.svg', '--nodes=p.xyz.csv', 'p.xyz'),
                     ('gbfs', '--source=1', '--out=../g.csv', f'--trace={self.folder}/../g.csv', 'g.gr')):
            self.bad(2, *call, cwd=self.folder)
            self.assertEqual((self.folder / 'g.gr').read_text(), self.GRAPH)


class Inputs(HostileTest):
    LARGE = (2**64 - 1, 2**64 - 2, 2**64 - 16, 2**63)

    def test_counts_that_lie(self):
        for large in self.LARGE:
            las = bytearray(435)
            struct.pack_into('<4s20xBB68xHIIBHI', las, 0, b'LASF', 1, 4, 375, 375, 0, 6, 30, 2)
            struct.pack_into('<6d', las, 131, 1, 1, 1, 0, 0, 0)
            struct.pack_into('<Q', las, 247, large)
            for name, text in (('a.gr', f'p sp 3 {large}\na 1 2 3\n'), ('b.gr', f'p sp {large} 1\na 1 2 3\n'),
                               ('c.gr', f'p tw 3 {large}\n1 2\n'), ('a.col', f'p edge 3 {large}\ne 1 2\n'),
                               ('a.mtx', f'%%MatrixMarket matrix coordinate pattern general\n3 3 {large}\n1 2\n'),
                               ('a.graph', f'2 {large}\n2\n1\n'), ('b.graph', f'3 2 110 {large}\n2\n1 3\n2\n'),
                               ('c.graph', f'{large} 1\n2\n1\n')):
                self.bad(1, 'gconvert', '--quiet', self.write(name, text), self.folder / 'o.gwsg')
            fields = 'property float x\nproperty float y\nproperty float z\n'
            for name, text in (('a.pts', f'{large}\n1 2 3\n'), ('a.las', bytes(las)), ('a.npy', npy(f'{large}, 3') + bytes(24)),
                               ('a.ply', f'ply\nformat ascii 1.0\nelement vertex {large}\n{fields}end_header\n1 2 3\n'),
                               ('a.pcd', f'FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH {large}\nHEIGHT 1\nPOINTS {large}\n'
                                         'DATA ascii\n1 2 3\n')):
                self.bad(1, 'goctree', '--quiet', self.write(name, text))

    def test_first_lines(self):
        """A byte-order mark is skipped; a header only has numbers and names."""
        path = self.write('bom.xyz', '\ufeff0 0 0\n1 1 1\n2 2 2\n')
        self.assertEqual(self.json('goctree', path)['points'], 3)
        for line in ('1.5.2 0 0', '1e9x 0 0', '\0 0 0', '0 0 0\0'):
            self.bad(1, 'goctree', '--quiet', self.write('a.xyz', line + '\n1 1 1\n2 2 2\n'))
        for name, text in (('a.gr', 'p sp 2 1\na 1 2 3\n'), ('b.gr', 'p tw 2 1\n1 2\n'), ('a.col', 'p edge 2 1\ne 1 2\n'), ('a.el', '1 2\n'),
                           ('a.mtx', '%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n'), ('a.graph', '2 1\n2\n1\n')):
            self.good('gconvert', '--quiet', self.write(name, '\ufeff' + text), self.folder / 'o.gwsg')

    def test_missing_reverse_arcs(self):
        if xxh3(b'') is None:
            skip('a forged .gwsg file: there is no libxxhash.so.0')
            return
        head, at = bytearray(4096), 3 * 4096
        body = struct.pack('<4Q', 0, 1, 2, 3) + bytes(4096 - 32) + struct.pack('<3I', 1, 2, 0)
        struct.pack_into('<8sIIQQQQI', head, 0, b'\x89GWSG\r\n\x1a', 1, 0, 3, 3, 0, 4096 + len(body), 2)
        struct.pack_into('<IIQQ', head, 64, 1, 8, 4096, 32)
        struct.pack_into('<IIQQ', head, 96, 2, 4, 8192, 12)
        path = self.write('lie.gwsg', seal_gwsg(bytes(head) + body))
        self.assertLess(len(head) + len(body), at)
        self.bad(1, 'gbfs', '--quiet', '--source=0', path)

    def shrink(self, name, call, text):
        """Truncates a file that the tool has read to zero bytes while the tool waits for a pipe."""
        os.mkfifo(self.folder / 'pipe.ss')
        process = subprocess.Popen([BUILD / 'bin' / call[0], '--quiet', '--threads=1', *call[1:]], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        pipe = None
        while pipe is None and process.poll() is None:
            try:
                pipe = os.open(self.folder / 'pipe.ss', os.O_WRONLY | os.O_NONBLOCK)
            except OSError:  # no reader yet
                time.sleep(0.01)
        os.truncate(self.folder / name, 0)
        if pipe is not None:
            os.write(pipe, text)
            os.close(pipe)
        _, err = process.communicate(timeout=LIMIT)
        os.remove(self.folder / 'pipe.ss')
        self.assertIn(process.returncode, (0, 1), err)

    def test_a_file_that_shrinks(self):
        self.good('gconvert', '--quiet', 'grid:200x200', self.folder / 'g.gwsg')
        self.shrink('g.gwsg', ('gbfs', '--source=pipe.ss', '--out=o.csv', 'g.gwsg'), b'p aux sp ss 1\ns 5\n')
        self.good('goctree', '--quiet', 'uniform:20000', '--out', self.folder / 'p.gwsp')
        self.shrink('p.gwsp', ('goctree', '--query=pipe.ss', '--answers=o.csv', '--out=o.ply', 'p.gwsp'), b'nearest 0 0 0 5\n')

    def test_endless_ones(self):
        with open(self.folder / 'sparse.gr', 'wb') as sparse:
            sparse.truncate(20 << 30)
        self.write('lines.el.gz', gzip.compress(bytes(1 << 20).replace(b'\0', b'\n')) * (16 if os.environ.get('GRAPHWS_SAN') else 512))
        for call in (('gbfs', '/dev/zero'), ('gconvert', '/dev/zero', 'o.gwsg'), ('goctree', '/dev/zero'), ('gbfs', 'sparse.gr'),
                     ('goctree', '/dev/zero', '--format=raw', '--columns=x:f64,y:f64,z:f64')):
            self.bad(1, *call, '--max-memory=64M', '--threads=1', cwd=self.folder)
        self.bad(1, 'gbfs', 'lines.el.gz', '--threads=1', cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)), ['lines.el.gz', 'sparse.gr'])

    def test_ctrl_c(self):
        for call in (('gbfs', '/dev/zero', '--out=o.csv'), ('gconvert', '/dev/zero', 'o.gwsg'), ('goctree', '/dev/zero', '--out=o.ply')):
            process = subprocess.Popen([BUILD / 'bin' / call[0], *call[1:], '--quiet', '--threads=1'], cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(LIMIT), (-signal.SIGINT, 1))
            self.assertEqual(os.listdir(self.folder), [])


class Words(HostileTest):
    def test_what_is_said(self):
        self.assertIn('not a number', self.bad(1, 'goctree', '-', input=b'0 0 nan\n'))
        self.assertNotIn('x is 0', self.bad(1, 'goctree', '-', input=b'0 0 nan\n'))
        self.assertIn("''", self.bad(1, 'gconvert', '', 'o.gwsg', cwd=self.folder))
        path = self.write('low.wel', '1 2 0\n2 3 -5\n')
        self.assertIn('weight', self.bad(1, 'gconvert', '--quiet', '--undirected', path, self.folder / 'o.graph'))

    def test_control_characters_never_reach_a_terminal(self):
        name = '\x1b]0;owned\x07\r\n\x7f\x9b31m.gr'
        self.write(name, 'x y\x1b[31m z\n')
        for call in (('gbfs', name), ('gconvert', name, 'o.gwsg'), ('goctree', name), ('gbfs', 'none' + name), ('gbfs', '--form=' + name, 'grid:3x3'),
                     ('gtask', name), ('goctree', '--columns=x,y,' + name, name), ('gbfs', '--map=' + name, 'grid:3x3')):
            run = self.run_tool(*call, cwd=self.folder)
            self.assertIn(run.returncode, (1, 2))
            self.assertNotRegex(run.stderr.decode()[:-1], '[\x00-\x1f\x7f-\x9f]', call)


if __name__ == '__main__':
    unittest.main()
