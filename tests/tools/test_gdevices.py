#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gdevices: the table, the JSON, and a machine without devices."""
import os
import re
import unittest

from tool import ToolTest, skip

MEMBERS = {'device', 'name', 'vendor', 'driver', 'type', 'unusable', 'language', 'units', 'groups', 'max_group_size',
           'max_cluster', 'memory_bytes', 'max_buffer_bytes', 'max_shared_bytes', 'local_memory_bytes', 'cache_bytes', 'svm',
           'atomic_scope', 'atomic_order', 'collectives', 'unified_memory', 'cooperative', 'peers'}


class Devices(ToolTest):
    def nowhere(self):
        """Returns the environment of a machine without devices."""
        return dict(os.environ, OCL_ICD_VENDORS=str(self.folder), CUDA_VISIBLE_DEVICES='')

    def test_members(self):
        found = self.json('gdevices')
        self.assertEqual(set(found), {'devices', 'kinds', 'version'})
        self.assertEqual([set(kind) for kind in found['kinds']], [{'name', 'about', 'off'}] * 2)
        self.assertEqual([kind['name'] for kind in found['kinds']], ['opencl', 'cuda'])
        seen = {'opencl': 0, 'cuda': 0}
        for device in found['devices']:
            self.assertEqual(set(device), MEMBERS)
            kind = device['device'].split(':')[0]
            self.assertEqual(device['device'], f'{kind}:{seen[kind]}')
            seen[kind] += 1
            self.assertIn(device['type'], ('cpu', 'gpu', 'other'))
            self.assertIn(device['svm'], ('none', 'coarse', 'fine', 'fine+atomics'))
            self.assertGreaterEqual(device['units'], 1)
            self.assertEqual(device['groups'], device['units'])
            self.assertLessEqual(device['max_buffer_bytes'], device['memory_bytes'])
        if not found['devices']:
            skip('what devices are like: there are none')
        for kind in found['kinds']:
            self.assertFalse(kind['off'] and seen[kind['name']], 'off, and yet there')

    def test_table(self):
        devices = self.json('gdevices')['devices']
        lines = self.good('gdevices').splitlines()
        kinds = {device['device'].split(':')[0] for device in devices}
        missing = [line.split(' device: ')[0] for line in lines if line.startswith('no ')]
        self.assertEqual(missing, [f'no {kind}' for kind in ('opencl', 'cuda') if kind not in kinds])
        if not devices:
            return
        self.assertEqual(lines[0].split(), ['device', 'type', 'units', 'groups', 'memory', 'svm', 'atomics', 'scan',
                                            'unified', 'coop', 'name'])
        if len(devices) > 1:
            lines = lines[:lines.index('')]
        rows = [line for line in lines[1:] if not line.startswith((' ', 'no '))]
        self.assertEqual([row.split()[0] for row in rows], [device['device'] for device in devices])
        for row, device in zip(rows, devices):
            self.assertIn(device['name'], row)

    def test_peers(self):
        env = dict(os.environ, POCL_DEVICES='basic pthread')  # PoCL then lists two devices
        devices = self.json('gdevices', env=env)['devices']
        if len(devices) < 2:
            skip('peers: there is one device at most')
            return
        names = [device['device'] for device in devices]
        text = self.good('gdevices', env=env).split('\n\n')[1]
        head, *rows = [re.split('  +', line.strip()) for line in text.splitlines()]
        self.assertEqual(head, ['reaches', *names])
        self.assertEqual([row[0] for row in rows], names)
        for device, row in zip(devices, rows):
            cells = {name: cell for name, cell in zip(names, row[1:])}
            self.assertEqual(cells.pop(device['device']), '-')
            self.assertEqual([peer['device'] for peer in device['peers']], list(cells))
            for peer in device['peers']:
                word = 'atomics' if peer['atomics'] else 'access'
                self.assertEqual(cells[peer['device']], f'{word} {peer["rank"]}' if peer['access'] else 'no')
                if 'opencl' in (device['device'].split(':')[0], peer['device'].split(':')[0]):
                    self.assertFalse(peer['access'] or peer['atomics'] or peer['rank'])

    def test_none(self):
        text = self.good('gdevices', env=self.nowhere())
        self.assertRegex(text, r'\Ano opencl device: .+\nno cuda device: .+\n\Z')
        self.assertEqual(self.json('gdevices', env=self.nowhere())['devices'], [])

    def test_usage(self):
        self.assertIn('--json', self.good('gdevices', '--help'))
        self.assertRegex(self.good('gdevices', '--version'), r'^gdevices \d+\.\d+\.\d+\n$')
        for arguments in (['opencl:0'], ['--jso=1'], ['--no-such']):
            self.bad(2, 'gdevices', *arguments)


if __name__ == '__main__':
    unittest.main()
