# SPDX-License-Identifier: MIT
"""Signals end a tool while it computes, on threads and on a device, and leave no file."""
import os
import signal
import subprocess
import time
import unittest

from tool import BUILD, LIMIT, ToolTest, skip

ENDLESS = ('--repeat', '1000000')  # no run of the test ends by itself


class SignalsTest(ToolTest):
    def interrupt(self, *words):
        out = self.folder / 'out.csv'
        with subprocess.Popen([BUILD / 'bin' / 'graphws', *words, *ENDLESS, '--out', out], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as run:
            time.sleep(1)
            if run.poll() is None:
                run.send_signal(signal.SIGINT)
            answer = run.communicate(timeout=LIMIT)
        self.assertEqual((answer, run.returncode), ((b'', b''), -signal.SIGINT), words)
        self.assertEqual(os.listdir(self.folder), [])

    def test_on_threads(self):
        self.interrupt('bc', 'grid:20x2000')
        self.interrupt('pagerank', 'kron:12', '--verify')

    def test_on_a_device(self):
        listed = subprocess.run([BUILD / 'bin' / 'graphws', 'pagerank', 'kron:4', '--device', 'opencl'],
                                capture_output=True, check=False, timeout=LIMIT)
        if listed.returncode != 0:
            skip('signals during a run on a device: there is no OpenCL device')
            return
        self.interrupt('pagerank', 'kron:12', '--device', 'opencl')
        self.interrupt('bc', 'grid:20x2000', '--device', 'opencl')


if __name__ == '__main__':
    unittest.main()
