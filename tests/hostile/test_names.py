#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names, quotes and columns that break readers of tables: long, odd and many names; mixed text and numbers; forged names in
.gwsg files."""
import itertools
import random
import struct
import unittest

from hostile import NUMBERS, QUICK, HostileTest, part, patches, seal_gwsg, skip, variants, xxh3

TABLES = {
    'a.csv': '{source},{target},{weight}\n{alice},{bob},{3}\nbob,{"x, y"},4\n',
    'b.csv': '{},{u},{v}\n{0},{a},{b}\n1,b,{c}\n',
    'c.el': '{1} {2} {}\n',
    'd.el': '# Ids: {names}\n{1} {b} {.5}\nb 1 2\n',
    'e.edgelist': "{1} {2} {{'weight': 3}}\n2 {3} {{'weight': {4}}}\n",
    'f.tsv': '{a}\t{b}\t{1}\n{"c\t"}\td\t2\n',
}
ODD = ['', '"', '""', '"""', '"a', 'a"', '"a"b', 'a""b', ' ', '\t', ',', ';', '{', '}', '{}', "{'weight': 1", '#', '%', '\0', '\r', '\x1b[2J',
       '\u202e', 'x' * 5000, '"' + 'x' * 5000 + '"', 'é' * 2047, '\\', "'", 'nan', '-0', '=1+1', 'source', 'target', '../x', 'a\nb']
READS = [('gconvert', '{}', 'o.csv'), ('gconvert', '{}', 'o.gwsg'), ('gconvert', '--symmetrise', '{}', 'o.tsv.gz'),
         ('gconvert', '--names', '--relabel=degree', '{}', 'o.txt'), ('gconvert', '--relabel=locality', '{}', 'o.gwsg'), ('gconvert', '--info', '{}'), ('gbfs', '--out=o.npy', '{}'),
         ('gbfs', '--source=alice', '--out=o.csv', '{}')]


def called(row, name):
    return [row[0], *QUICK, *(word.format(name) for word in row[1:])]


class Tables(HostileTest):
    def test_every_field(self):
        cases = []
        for name, template in TABLES.items():
            for (_, _, text), row in itertools.product(variants(template, ODD + NUMBERS), READS):
                cases.append((called(row, name), {name: text}, True))
        ends = self.hold_all(part(cases, 24))
        self.assertGreater(ends.get(0, 0), 0)

    def test_random_tables(self):
        draw = random.Random(1)
        cases = []
        for _ in range(400):
            text = ''.join(draw.choice(['a', '1', 'bob', '"', ',', ';', ' ', '\t', '\n', '\r\n', '{', '}', '#', '.5', "'weight': 2", 'source', 'to'])
                           for _ in range(draw.randrange(60)))
            cases.append((called(draw.choice(READS), 'a.csv'), {'a.csv': text}, True))
        self.hold_all(part(cases, 6))

    def test_megabytes(self):
        """A name of a megabyte, a line of many columns, and an endless quote are refused with their position."""
        for text in ('a b\n' + 'x' * (1 << 20) + ' c\n', 'a,"' + 'x' * (1 << 20) + '"\n', 'a' + ',b' * (1 << 19) + '\n', 'a b\nb "' + 'x ' * (1 << 20)):
            problem, status = self.hold('gconvert', *QUICK, 'a.csv', 'o.gwsg', files={'a.csv': text})
            self.assertEqual((problem, status), (None, 1))

    def test_many_names_in_little_memory(self):
        text = ''.join(f'n{n},m{n}\n' for n in range(200000))
        for limit in ('8M', '30M', '60M', '1G'):
            problem, status = self.hold('gconvert', *QUICK, f'--max-memory={limit}', 'a.csv', 'o.gwsg', files={'a.csv': text})
            self.assertEqual((problem, status), (None, 0 if limit == '1G' else status))


class Forged(HostileTest):
    """.gwsg files with names, right checksums and wrong contents."""

    @staticmethod
    def graph():
        sections = [(1, 8, struct.pack('<4Q', 0, 1, 2, 3)), (2, 4, struct.pack('<3I', 1, 2, 0)), (7, 8, struct.pack('<4Q', 0, 2, 3, 4)),
                    (8, 1, b'cdab'), (9, 4, struct.pack('<3I', 1, 2, 0))]
        head, body = bytearray(4096), b''
        for i, (kind, size, section) in enumerate(sections):
            body += bytes(-len(body) % 4096)
            struct.pack_into('<IIQQ', head, 64 + 32 * i, kind, size, 4096 + len(body), len(section))
            body += section
        struct.pack_into('<8sIIQQQQI', head, 0, b'\x89GWSG\r\n\x1a', 2, 1, 3, 3, 0, 4096 + len(body), len(sections))
        return seal_gwsg(bytes(head) + body)

    def test_every_field(self):
        if xxh3(b'') is None:
            skip('forged .gwsg files: there is no libxxhash.so.0')
            return
        whole = self.graph()
        self.assertEqual(self.hold('gconvert', *QUICK, 'a.gwsg', 'o.csv', files={'a.gwsg': whole}), (None, 0))
        fields = [(8, 4), (32, 8), (48, 4)]
        for entry in range(64, 64 + 5 * 32, 32):
            fields += [(entry, 4), (entry + 4, 4), (entry + 8, 8), (entry + 16, 8)]
            at, size = struct.unpack_from('<QQ', whole, entry + 8)
            item = struct.unpack_from('<I', whole, entry + 4)[0]
            fields += [(place, item) for place in range(at, at + size, item)]
        cases = []
        for (_, _, forged), row in itertools.product(patches(whole, fields, seal_gwsg), [
                ('gconvert', '{}', 'o.csv'), ('gconvert', '--relabel=degree', '{}', 'o.gwsg'), ('gbfs', '--source=d', '--mmap', '--out=o.csv', '{}')]):
            cases.append((called(row, 'a.gwsg'), {'a.gwsg': forged}, True))
        self.hold_all(part(cases, 8))


if __name__ == '__main__':
    unittest.main()
