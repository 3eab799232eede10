#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gdevices: the table, the JSON, and a machine without devices."""
import os
import unittest

from tool import ToolTest, skip

MEMBERS = {'device', 'name', 'vendor', 'driver', 'type', 'unusable', 'language', 'units', 'groups', 'max_group_size',
           'memory_bytes', 'max_buffer_bytes', 'local_memory_bytes', 'svm', 'atomic_scope', 'atomic_order', 'collectives',
           'unified_memory'}


class Devices(ToolTest):
    def nowhere(self):
        """The environment of a machine without OpenCL drivers."""
        return dict(os.environ, OCL_ICD_VENDORS=str(self.folder))

    def test_members(self):
        found = self.json('gdevices')
        self.assertEqual(set(found), {'devices', 'kinds', 'version'})
        self.assertEqual([set(kind) for kind in found['kinds']], [{'name', 'about', 'off'}])
        for i, device in enumerate(found['devices']):
            self.assertEqual(set(device), MEMBERS)
            self.assertEqual(device['device'], f'opencl:{i}')
            self.assertIn(device['type'], ('cpu', 'gpu', 'other'))
            self.assertIn(device['svm'], ('none', 'coarse', 'fine', 'fine+atomics'))
            self.assertGreaterEqual(device['units'], 1)
            self.assertEqual(device['groups'], device['units'])
            self.assertLessEqual(device['max_buffer_bytes'], device['memory_bytes'])
        if not found['devices']:
            skip('what devices are like: there are none')

    def test_table(self):
        devices = self.json('gdevices')['devices']
        lines = self.good('gdevices').splitlines()
        if not devices:
            self.assertEqual(len(lines), 1)
            return
        self.assertEqual(lines[0].split(), ['device', 'type', 'units', 'groups', 'memory', 'svm', 'atomics', 'scan',
                                            'unified', 'name'])
        rows = [line for line in lines[1:] if not line.startswith(' ')]
        self.assertEqual([row.split()[0] for row in rows], [device['device'] for device in devices])
        for row, device in zip(rows, devices):
            self.assertIn(device['name'], row)

    def test_none(self):
        text = self.good('gdevices', env=self.nowhere())
        self.assertTrue(text.startswith('no devices besides the CPU; opencl: '), text)
        self.assertEqual(text.count('\n'), 1)
        self.assertEqual(self.json('gdevices', env=self.nowhere())['devices'], [])

    def test_usage(self):
        self.assertIn('--json', self.good('gdevices', '--help'))
        self.assertRegex(self.good('gdevices', '--version'), r'^gdevices \d+\.\d+\.\d+\n$')
        for arguments in (['opencl:0'], ['--jso=1'], ['--no-such']):
            self.bad(2, 'gdevices', *arguments)


if __name__ == '__main__':
    unittest.main()
