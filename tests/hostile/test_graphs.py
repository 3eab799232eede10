#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Extreme numbers in every field of every format of graphs, coordinates and sources, in a search with its table and map,
and in conversion into every format."""
import itertools
import re
import struct
import unittest

from hostile import BITS, FINITE, NUMBERS, QUICK, HostileTest, part, patches, seal_gwsg, skip, variants, xxh3

TEXTS = {
    'a.gr': 'p sp {3} {3}\na {1} {2} {5}\na 2 3 5\na 3 1 7\n',
    'b.gr': 'p tw {3} {2}\n{1} {2}\n2 3\n',
    'a.col': 'p edge {3} {2}\nn {1} {5}\ne {1} {2}\ne 2 3\n',
    'a.wel': '{1} {2} {5}\n2 3 5\n3 1 7\n',
    'a.el': '# Nodes: {3} Edges: {2}\n{1} {2}\n2 3\n',
    'a.mtx': '%%MatrixMarket matrix coordinate real general\n{3} {3} {3}\n{1} {2} {5}\n2 3 5\n3 1 7\n',
    'b.mtx': '%%MatrixMarket matrix coordinate integer symmetric\n{3} {3} {2}\n{2} {1} {5}\n3 2 1\n',
    'a.graph': '{3} {2} {011} {1}\n{9} {2} {5}\n8 1 5 3 1\n7 2 1\n',
    'b.graph': '{2} {1} {111} {2}\n{4} {1} {1} {2} {5}\n4 1 1 1 5\n',
}
OF_IGRAPH = {  # for builds with igraph
    'a.gml': 'graph [ directed {0} node [ id {1} x {2} y {2} ] node [ id 2 ] edge [ source {1} target {2} weight {5} ] ]\n',
    'a.net': '*Vertices {3}\n{1} "a" {0.1} {0.2}\n2 "b" 0 0\n*Arcs\n{1} {2} {5}\n',
    'a.ncol': 'a b {5}\nb c 2\n',
    'a.lgl': '# a\nb {5}\nc 2\n',
    'a.graphml': '<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/><graph edgedefault="directed">'
                 '<node id="n{1}"/><node id="n2"/><edge source="n1" target="n2"><data key="w">{5}</data></edge></graph></graphml>\n',
}
GRAPH = 'p sp 3 3\na 1 2 5\na 2 3 5\na 3 1 7\n'
READS = [('gconvert', '--round-weights', '{}', 'o.gwsg'), ('gconvert', '{}', 'o.mtx'), ('gconvert', '--symmetrise', '{}', 'o.graph'),
         ('gconvert', '--relabel=degree', '--remove-duplicates', '{}', 'o.gr'), ('gconvert', '--largest-component', '{}', 'o.el.gz'),
         ('gconvert', '--relabel=rcm', '{}', 'o.gwsg'),
         ('gbfs', '--out=o.csv', '--source=1', '{}'), ('gbfs', '--out=o.npy', '--trace=t.json', '{}')]
WITH_POSITIONS = [('gbfs', '--source=1', '--map=m.svg', '{}'), ('gbfs', '--source=1', '--map=m.png', '{}'), ('gconvert', '{}', 'o.co'),
          ('gconvert', '--largest-component', '--relabel=random', '{}', 'o.gwsg'), ('gconvert', '--relabel=hilbert', '{}', 'o.gwsg')]


def called(row, name, *more):
    return [row[0], *QUICK, *more, *(word.format(name) for word in row[1:])]


class Texts(HostileTest):
    def test_all_as_they_are(self):
        """The unchanged files must be valid."""
        listed = self.good('gconvert', '--from=help')
        known = TEXTS if 'without igraph' in listed else TEXTS | OF_IGRAPH
        files = [(name, re.sub(r'\{([0-9.]+)\}', r'\1', template)) for name, template in known.items()]
        self.assertEqual(self.hold_all([(called(READS[0], name), {name: text}, True) for name, text in files]), {0: len(files)})

    def test_every_field_of_every_format(self):
        cases = []
        for name, template in (TEXTS | OF_IGRAPH).items():
            for (field, value, text), row in itertools.product(variants(template, NUMBERS), READS):
                cases.append((called(row, name), {name: text}, True))
        ends = self.hold_all(part(cases, 96))
        self.assertGreater(ends.get(0, 0), 0)

    def test_coordinates(self):
        cases = []
        for _, _, text in variants('p aux sp co {3}\nv {1} {1} {2}\nv 2 0 0\nv 3 5 -4\n', NUMBERS):
            cases += [(called(row, 'g.gr', '--positions=g.co'), {'g.gr': GRAPH, 'g.co': text}, True) for row in WITH_POSITIONS]
        for one, two in itertools.product(FINITE, FINITE):
            text = f'p aux sp co 3\nv 1 {one} {two}\nv 2 {two} {one}\nv 3 1 1\n'
            cases += [(called(row, 'g.gr', '--positions=g.co'), {'g.gr': GRAPH, 'g.co': text}, True) for row in WITH_POSITIONS]
        self.hold_all(part(cases, 24))

    def test_sources(self):
        cases = [(['gbfs', *QUICK, '--source=s.ss', '--repeat=2', '--out=o.csv', 'g.gr'], {'g.gr': GRAPH, 's.ss': text}, True)
                 for _, _, text in variants('p aux sp ss {2}\ns {1}\ns 3\n', NUMBERS)]
        self.hold_all(part(cases, 8))


class Binary(HostileTest):
    """.gwsg files with right checksums and wrong contents."""

    @staticmethod
    def graph():
        """A triangle with weights, positions and ids."""
        sections = [struct.pack('<4Q', 0, 2, 4, 6), struct.pack('<6I', 1, 2, 0, 2, 0, 1), struct.pack('<6i', *[5] * 6),
                    struct.pack('<6d', 0, 0, 3, 4, 1, 1), struct.pack('<3Q', 4, 8, 15)]
        head, body = bytearray(4096), b''
        for i, (section, size) in enumerate(zip(sections, (8, 4, 4, 8, 8))):
            body += bytes(-len(body) % 4096)
            struct.pack_into('<IIQQ', head, 64 + 32 * i, i + 1, size, 4096 + len(body), len(section))
            body += section
        struct.pack_into('<8sIIQQQQI', head, 0, b'\x89GWSG\r\n\x1a', 1, 0, 3, 6, 0, 4096 + len(body), len(sections))
        return seal_gwsg(bytes(head) + body)

    def setUp(self):
        super().setUp()
        if xxh3(b'') is None:
            skip('forged .gwsg files: there is no libxxhash.so.0')
            self.skipTest('no libxxhash.so.0')

    def test_every_field(self):
        whole = self.graph()
        problem, status = self.hold(*called(READS[0], 'a.gwsg'), files={'a.gwsg': whole})
        self.assertEqual((problem, status), (None, 0))
        fields = [(8, 4), (12, 4), (16, 8), (24, 8), (32, 8), (40, 8), (48, 4), (52, 4)]
        for entry in range(64, 64 + 5 * 32, 32):
            fields += [(entry, 4), (entry + 4, 4), (entry + 8, 8), (entry + 16, 8)]
            at, size = struct.unpack_from('<QQ', whole, entry + 8)
            item = struct.unpack_from('<I', whole, entry + 4)[0]
            fields += [(place, item) for place in range(at, at + size, item)]
        cases = []
        for _, _, forged in patches(whole, fields, seal_gwsg):
            cases += [(called(row, 'a.gwsg'), {'a.gwsg': forged}, True) for row in [
                *READS[:4], *WITH_POSITIONS, ('gbfs', '--source=4', '--map=m.svg', '{}'), ('gbfs', '--mmap', '--source=4', '--out=o.csv', '{}')]]
        self.hold_all(part(cases, 96))

    def test_places(self):
        whole, at = self.graph(), 4 * 4096
        cases = []
        for one, two in itertools.product(BITS[8], BITS[8]):
            forged = seal_gwsg(whole[:at] + struct.pack('<6Q', one, two, two, one, 0, 0) + whole[at + 48:])
            cases.append((['gbfs', *QUICK, '--source=4', '--map=m.svg', 'a.gwsg'], {'a.gwsg': forged}, True))
        self.assertEqual(set(self.hold_all(part(cases, 16))), {0})


if __name__ == '__main__':
    unittest.main()
