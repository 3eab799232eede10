# SPDX-License-Identifier: MIT
"""The output of --json in each mode conforms to docs/schemas, which describe every member; the check finds errors in both.
(Every other test that reads --json also checks it against the schema: tests/tools/tool.py.)"""
import copy
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'tools'))
import schema  # noqa: E402
from tool import SOURCE, ToolTest, skip  # noqa: E402

try:
    import jsonschema
    import referencing
except ImportError:
    jsonschema = None

WORKLOADS = {'uts': ['-d3'], 'bpc': ['-d2', '-n2', '--work=1'], 'connect4': ['--ahead=2'], 'quicksort': ['--keys=100'],
             'master-slave': ['--rounds=2'], 'madness': ['--function=bodies', '--bodies=1', '--order=4', '--threshold=.1']}
ALGORITHMS = ('cc', 'path', 'sssp')


def modes(test):
    """Returns [(tool, arguments)] for every form of the outputs."""
    queries = test.write('queries', 'nearest 0 0 0 2\n')
    edges = test.edge_list('e.el', [(0, 1), (1, 2)])
    found = [('gbfs', ['grid:4x4', *more]) for more in (
        [], ['--levels'], ['--verify', '--repeat=3', '--victim=round', '--policy=split', '--amount=two', '--chunk=2'],
        ['--direction=bottom-up'])] + [('gbfs', [edges, '--directed'])]
    found += [('gconvert', ['road:20', test.folder / 'x.gr']), ('gconvert', ['--info', 'road:20']),
              ('gconvert', ['--info', 'kron:4']), ('gconvert', ['--info', test.write('none.el', '')]), ('gdevices', [])]
    found += [('goctree', ['uniform:100', *more]) for more in (
        [], ['--verify', '--repeat=2'], ['--query', queries], ['--builder=task', '--policy=split', '--wait', '--sample=1'])]
    for workload, few in WORKLOADS.items():
        found += [('gtask', [workload, *few]), ('gtask', [workload, *few, '--verify', '--sample=1', '--repeat=2'])]
    found += [('gsim', [workload, *few]) for workload, few in WORKLOADS.items() if workload not in ('connect4', 'madness')]
    found.append(('gsim', ['levels', '--sizes', test.write('sizes.json', '{"level_sizes": [1, 20, 3]}')]))
    found += [('gsim', ['recorded', '--tasks', test.write('tasks', 'tasks 0 1000 9'), *more]) for more in ([], ['--workers=2,4'])]
    found += [('graphws', [name, 'road:50', *more]) for name in ALGORITHMS for more in ([], ['--verify', '--repeat=2', '--top=2'])]
    return found


class Schemas(ToolTest):
    def test_modes(self):
        for tool, arguments in modes(self):
            self.json(tool, *arguments)

    def test_devices(self):
        usable = [device['device'] for device in self.json('gdevices')['devices'] if not device['unusable']]
        if not usable:
            return skip('searches with a device: there is none')
        for devices in (usable[0], f'cpu,{usable[0]}', 'auto'):
            self.json('gbfs', 'grid:9x9', '--device', devices)
        for builder in ('auto', 'task'):
            self.json('goctree', 'uniform:3000', '--device', usable[0], '--builder', builder)
        return self.json('gtask', 'madness', '--order=4', '--threshold=.1', '--device', usable[0])

    def test_every_member_is_described(self):
        names = sorted(path.name for path in schema.FOLDER.iterdir())
        self.assertEqual(names, ['common.json'] + sorted(path.stem + '.json' for path in (SOURCE / 'tools').glob('*.c')))
        for name in names:
            self.assertEqual(schema.undocumented(name), [], name)

    def spoil(self, value, spoilt, path=()):
        """Yields copies of value with one error each: a member that is missing, added or of another type."""
        inner = value
        for key in path:
            inner = inner[key]
        if isinstance(inner, dict):
            yield from (spoilt(path, lambda place, key=key: place.pop(key)) for key in inner)
            yield spoilt(path, lambda place: place.update(surprise=1))
            for key in inner:
                yield spoilt(path, lambda place, key=key: place.update({key: {'of': 'another type'}}))
                yield from self.spoil(value, spoilt, (*path, key))
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict):
            yield from self.spoil(value, spoilt, (*path, 0))

    def test_mistakes_are_found(self):
        optional = {'fetch_ms', 'levels', 'nodes', 'consumers', 'positions', 'keys', 'slaves', 'boxes',
                    'top', 'workers', 'scaling'}
        for tool, arguments in modes(self):
            good = self.json(tool, *arguments)

            def spoilt(path, change):
                bad = copy.deepcopy(good)
                place = bad
                for key in path:
                    place = place[key]
                before = set(place)
                change(place)
                return bad, path, before - set(place)

            for bad, path, missing in self.spoil(good, spoilt):
                if not missing or not missing <= optional:
                    self.assertNotEqual(schema.problems(bad, tool), [], (tool, path, missing))

    @unittest.skipIf(jsonschema is None, 'python3-jsonschema is not installed')
    def test_another_validator_agrees(self):
        files = {path.name: json.loads(path.read_text()) for path in schema.FOLDER.iterdir()}
        registry = referencing.Registry().with_resources(
            [(name, referencing.Resource.from_contents(one)) for name, one in files.items()])
        judge = jsonschema.Draft202012Validator
        for one in files.values():
            judge.check_schema(one)
        for tool, arguments in modes(self):
            good = self.json(tool, *arguments)
            judge(files[f'{tool}.json'], registry=registry).validate(good)
            self.assertFalse(judge(files[f'{tool}.json'], registry=registry).is_valid({**good, 'surprise': 1}))


if __name__ == '__main__':
    unittest.main()
