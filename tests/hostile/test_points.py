#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Extreme numbers in every field of every format of points and of queries, in the octree with its check, all its tables,
its picture and answers."""
import itertools
import re
import struct
import unittest

from hostile import FINITE, NUMBERS, QUICK, HostileTest, npy, part, patches, seal_gwsp, skip, variants, xxh3

PCD = '''VERSION 0.7
FIELDS x y z n
SIZE {8} {8} {8} {2}
TYPE F F F U
COUNT {1} {1} {1} {1}
WIDTH {3}
HEIGHT {1}
VIEWPOINT {0} {0} {0} {1} {0} {0} {0}
POINTS {3}
DATA ascii
{1} {2} {3} {4}
0 0 0 0
5 -5 1 7
'''
PLY = '''ply
format ascii {1.0}
element thing {1}
property list uchar int many
element vertex {3}
property float x
property double y
property double z
property uchar n
end_header
{2} 1 1
{1} {2} {3} {4}
0 0 0 0
5 -5 1 7
'''
TEXTS = {'a.xyz': '{1} {2} {3}\n0 0 0\n5 -5 1\n', 'a.csv': 'x,y,z,n\n{1},{2},{3},{4}\n0,0,0,0\n5,-5,1,7\n',
         'a.pts': '{3}\n{1} {2} {3} {4}\n0 0 0 0\n5 -5 1 7\n', 'a.pcd': PCD, 'a.ply': PLY}
QUERIES = ['box {0} {0} {0} {1} {1} {1}', 'ball {0} {0} {0} {1}', 'nearest {0} {0} {0} {1}', 'ray {0} {0} {0} {1} {1} {1} {1}']
ALL_QUERIES = 'box -1e308 -1e308 -1e308 1e308 1e308 1e308\nball 0 0 0 1e308\nnearest 0 5e-324 1e308 9007199254740992\n' \
    'ray -1e308 0 0 1e308 5e-324 0 1e308\nray 0 0 0 5e-324 0 0 0\nball 1e308 0 0 5e-324\n'
DRAWN = ['--leaf=1', '--picture=p.svg', '--query=q.txt', '--answers=a.tsv']
READS = [['--verify', '--out=o.csv', '--nodes=n.csv', *DRAWN], ['--float', '--verify', '--out=o.ply', *DRAWN],
         ['--double', '--drop', '--out=o.vtu', '--axis=x', *DRAWN], ['--out=o.gwsp', '--nodes=n.npy', '--axis=y', *DRAWN],
         ['--builder=task', '--verify', '--out=o.vtp', *DRAWN], ['--max-depth=3', '--drop', '--out=o.npy', *DRAWN],
         ['--box=-1e308,-1e308,-1e308,1e308,1e308,1e308', '--verify', '--out=o.tsv.gz', *DRAWN]]


def las(minor):
    head = bytearray(375)
    struct.pack_into('<4s20xBB68xHIIBHI', head, 0, b'LASF', 1, minor, 375, 375, 0, 0, 20, 2)
    struct.pack_into('<6d', head, 131, .01, .01, .01, 1, 2, 3)
    struct.pack_into('<Q', head, 247, 2 if minor == 4 else 0)
    return bytes(head) + struct.pack('<iii8x', 1, 2, 3) + struct.pack('<iii8x', 100, -200, 300)


LAS = [(24, 1), (25, 1), (94, 2), (96, 4), (100, 4), (104, 1), (105, 2), (107, 4), *((at, 8) for at in range(131, 179, 8)), (247, 8),
       (375, 4), (379, 4), (383, 4), (387, 2)]
THREE = struct.pack('<9d', 1, 2, 3, 0, 0, 0, 5, -5, 1)
DOUBLES = [(at, 8) for at in range(0, 72, 8)]


def behind(head, data, fields):
    return head + data, [(len(head) + at, size) for at, size in fields]


def gwsp():
    arrays = [struct.pack('<3d', *axis) for axis in ((1, 0, 5), (2, 0, -5), (3, 0, 1))]
    head, body = bytearray(4096), b''
    for i, (name, array) in enumerate(zip(b'xyz', arrays)):
        body += bytes(-len(body) % 4096)
        struct.pack_into('<48sIIQQ', head, 64 + 96 * i, bytes([name]), KIND_F64, 0, 4096 + len(body), len(array))
        body += array
    struct.pack_into('<8sIIQIIQ', head, 0, b'\x89GWSP\r\n\x1a', 1, 0, 3, 3, 0, 4096 + len(body))
    return seal_gwsp(bytes(head) + body)


def binary_files():
    """[(name, (bytes, [(offset, size)] of its numbers), additional options)]"""
    ply = '\n'.join(['ply', 'format binary_little_endian 1.0', 'element vertex 3', 'property double x', 'property double y',
                     'property double z', 'end_header', '']).encode()
    pcd = b'VERSION 0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 3\nHEIGHT 1\nPOINTS 3\nDATA binary\n'
    floats, places = struct.pack('<9f', 1, 2, 3, 0, 0, 0, 5, -5, 1), [(at, 4) for at in range(0, 36, 4)]
    return [('a.las', (las(2), LAS), ()), ('b.las', (las(4), LAS), ()), ('a.ply', behind(ply, THREE, DOUBLES), ()),
            ('b.ply', behind(ply.replace(b'double', b'float'), floats, places), ()), ('a.pcd', behind(pcd, THREE, DOUBLES), ()),
            ('a.npy', behind(npy('3, 3'), THREE, [(-118, 2), *DOUBLES]), ()),
            ('b.npy', behind(npy('3, 3', '<f4'), floats, places), ()),
            ('a.bin', (THREE, DOUBLES), ['--columns=x:f64,y:f64,z:f64']), ('b.bin', (floats, places), ['--columns=x:f32,y:f32,z:f32'])]


KIND_F64 = 9  # as enum gws_number_kind


def read(row, name, data, *more, query=ALL_QUERIES):
    return (['goctree', *QUICK, *row, *more, name], {name: data, 'q.txt': query}, True)


class Points(HostileTest):
    def test_all_as_they_are(self):
        """The unchanged files must be valid."""
        cases = [read(READS[0], name, re.sub('[{}]', '', template)) for name, template in TEXTS.items()]
        cases += [read(READS[0], name, whole, *more) for name, (whole, _), more in binary_files()]
        self.assertEqual(self.hold_all(cases), {0: len(cases)})

    def test_every_field_of_every_text(self):
        cases = [read(row, name, text) for name, template in TEXTS.items()
                 for (_, _, text), row in itertools.product(variants(template, NUMBERS), READS)]
        self.assertGreater(self.hold_all(part(cases, 48)).get(0, 0), 0)

    def test_finite_points(self):
        """Every pair of numbers as the corners of a bounding box, in a row of points."""
        cases = []
        for one, two in itertools.combinations_with_replacement(FINITE, 2):
            text = ''.join(f'{x} {y} {z}\n' for x, y, z in itertools.product((one, two), repeat=3)) + f'{one} {two} 0\n'
            cases += [read(row, 'a.xyz', text) for row in READS if '--float' not in row]
        self.hold_all(part(cases, 16))

    def test_every_field_of_binary_ones(self):
        cases = [read(row, name, data, *more) for name, (whole, fields), more in binary_files()
                 for (_, _, data), row in itertools.product(patches(whole, fields), READS)]
        cases += [read(row, 'a.npy', npy(shape) + THREE) for row in READS for _, _, shape in variants('{3}, {3}', NUMBERS)]
        self.assertGreater(self.hold_all(part(cases, 96)).get(0, 0), 0)

    def test_every_field_of_gwsp(self):
        if xxh3(b'') is None:
            skip('forged .gwsp files: there is no libxxhash.so.0')
            return
        fields = [(8, 4), (12, 4), (16, 8), (24, 4), (32, 8)]
        for entry in range(64, 64 + 3 * 96, 96):
            fields += [(entry + 48, 4), (entry + 52, 4), (entry + 56, 8), (entry + 64, 8)]
        fields += [(page + at, 8) for page in (4096, 8192, 12288) for at in (0, 8, 16)]
        problem, status = self.hold(*read(READS[0], 'a.gwsp', gwsp())[0], files=read(READS[0], 'a.gwsp', gwsp())[1])
        self.assertEqual((problem, status), (None, 0))
        rows = [*READS, ['--mmap', '--out=o.csv', *DRAWN]]
        cases = [read(row, 'a.gwsp', forged) for (_, _, forged), row in itertools.product(patches(gwsp(), fields, seal_gwsp), rows)]
        self.hold_all(part(cases, 96))

    def test_queries(self):
        """All legal numbers in one file, then each other number alone."""
        places = '\n'.join(' '.join(row) for row in itertools.product(['-1e308', '5e-324', '1e308', '7'], repeat=3)) + '\n'
        legal = [text for form in QUERIES for _, value, text in variants(form, FINITE) if not self.refused(text)]
        cases = [read(row, 'a.xyz', points, query='\n'.join(legal) + '\n') for row in READS[:5:2]
                 for points in (places, '1 2 3\n', '0 0 0\n5e-324 0 0\n', '-1e308 0 0\n1e308 0 0\n')]
        self.assertEqual(set(self.hold_all(cases)), {0})
        cases = [read(READS[0], 'a.xyz', places, query=text + '\n') for form in QUERIES
                 for _, _, text in variants(form, NUMBERS)]
        self.hold_all(part(cases, 48))

    @staticmethod
    def refused(text):
        kind, *numbers = text.split()
        numbers = [float(number) for number in numbers]
        if kind == 'box':
            return any(low > high for low, high in zip(numbers, numbers[3:]))
        return numbers[-1] < 0 or kind == 'nearest' and not (1 <= numbers[-1] <= 2**53 and numbers[-1] == int(numbers[-1]))

    def test_boxes(self):
        text = '0 0 0\n1e308 5e-324 -1e308\n1 2 3\n'
        cases = [read(['--drop', '--verify', '--out=o.vtu', f'--box={box}', *DRAWN], 'a.xyz', text)
                 for _, _, box in variants('{0},{0},{0},{1},{1},{1}', NUMBERS)]
        self.hold_all(part(cases, 16))


if __name__ == '__main__':
    unittest.main()
