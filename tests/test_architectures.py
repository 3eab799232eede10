# SPDX-License-Identifier: MIT
"""cuda_arch=native compiles kernels for the NVIDIA devices that nvidia-smi lists."""
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import sources

sys.path.insert(0, str(sources.ROOT / 'site_scons'))
import kernels  # noqa: E402
import parts  # noqa: E402

KNOWN = ['75', '80', '90', '100', '120']


@unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'no code of the build')
class Architectures(unittest.TestCase):
    def devices(self, script):
        """Returns the devices that a stub of nvidia-smi lists."""
        kernels.devices.cache_clear()
        self.addCleanup(kernels.devices.cache_clear)
        with tempfile.TemporaryDirectory() as folder:
            stub = Path(folder) / 'nvidia-smi'
            stub.write_text(f'#!/bin/sh\n{script}\n')
            stub.chmod(0o755)
            with mock.patch.dict(os.environ, PATH=f'{folder}:/usr/bin:/bin'):
                return kernels.devices()

    def test_devices(self):
        self.assertEqual(self.devices("printf '9.0\\n8.0\\n9.0\\n12.1\\n'"), ['80', '90', '121'])
        self.assertEqual(self.devices("printf '6.1\\n'"), [])  # older than the kernels support
        self.assertEqual(self.devices('echo NVIDIA-SMI has failed; exit 9'), [])
        self.assertEqual(self.devices("printf '[N/A]\\n'"), [])

    def test_native(self):
        self.assertEqual(kernels.native(['80', '90'], KNOWN), ['80', '90'])
        self.assertEqual(kernels.native(['86', '121'], KNOWN), ['80', '120'])  # runs code for 8.0; nvcc is older than 12.1
        self.assertEqual(kernels.native(['70'], KNOWN), ['75'])  # nvcc is newer than the device: the nearest it has

    def test_options(self):
        with mock.patch.object(kernels, 'known_architectures', lambda nvcc: KNOWN), \
                mock.patch.object(kernels, 'devices', lambda: ['90']):
            for wanted, last, count in (('native', '90', 1), ('all', '120', 5), ('sm_80,sm_90', '90', 2)):
                flags = kernels.architectures(wanted, 'nvcc')
                self.assertEqual((flags[-1], len(flags)), (f'arch=compute_{last},code=[sm_{last},compute_{last}]', 2 * count))

    def test_off_without_devices(self):
        with mock.patch.object(kernels, 'devices', lambda: []):
            on, why = parts.decide({'cuda': 'auto', 'cuda_arch': 'native'}, 'cuda')
        self.assertEqual((on, why), (False, 'no NVIDIA device is here to compile for; cuda_arch=all compiles for any'))


if __name__ == '__main__':
    unittest.main()
