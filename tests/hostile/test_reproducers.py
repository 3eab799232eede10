#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What once crashed a tool, wrote where it should not, or gave a wrong answer and exit 0."""
import unittest

from hostile import HostileTest


class Coordinates(HostileTest):
    """Pictures of places that are as far apart, or as near, as numbers can be."""

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
                problem, status = self.hold('goctree', '--quiet', '--leaf=1', '--picture=p.svg', f'--along={axis}', 'p.xyz',
                                            files={'p.xyz': text})
                self.assertEqual((problem, status), (None, 0))


if __name__ == '__main__':
    unittest.main()
