# SPDX-License-Identifier: MIT
"""docs/algorithm.md shows a complete algorithm: its code blocks equal the files that it names and have less than 150 lines
together; it also shows the entries of its programs in kernels/programs."""
import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
PAGE = (SOURCE / 'docs' / 'algorithm.md').read_text()
BLOCK = re.compile(r'^\[([^\]]+)\]\(\.\./\1\):\n\n```c\n(.*?)^```$', re.M | re.S)


class Algorithm(unittest.TestCase):
    def test_blocks_are_the_files(self):
        shown = BLOCK.findall(PAGE)
        self.assertEqual(len(shown), PAGE.count('```c\n'))
        self.assertGreaterEqual(len(shown), 2)
        for path, text in shown:
            self.assertEqual(text, (SOURCE / path).read_text(), path)
        self.assertLess(sum(text.count('\n') for _, text in shown), 150)

    def test_programs_are_in_the_table(self):
        entries = re.search(r'^```text\n(.*?)^```$', PAGE, re.M | re.S)[1]
        self.assertIn(entries, (SOURCE / 'kernels' / 'programs').read_text())


if __name__ == '__main__':
    unittest.main()
