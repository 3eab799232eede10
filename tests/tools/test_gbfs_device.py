#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gbfs on devices: results against a serial search for every strategy, statistics by worker, and refused options. Without an
OpenCL device the searches are skipped."""
import itertools
import json
import os
import random
import re
import tempfile
import unittest

from tool import ToolTest, check_search, datasets, neighbours, skip, some

BOTH, ALONE = '--device=cpu,opencl', '--device=opencl'
WORKER = {'device', 'worker', 'assigned', 'tasks', 'stolen', 'stolen_from_cpu', 'stolen_from_device', 'steals',
          'failed_steals'}


def random_edges(seed, vertices, edges):
    draw = random.Random(seed)
    return [(draw.randrange(1, vertices), draw.randrange(1, vertices)) for _ in range(edges)]


class DeviceTest(ToolTest):
    @classmethod
    def setUpClass(cls):
        """Puts the program cache into a folder of the tests: the runner's, or one of this program."""
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.cache = os.environ['XDG_CACHE_HOME'] if 'GRAPHWS_BUILD' in os.environ else holder.name

    def run_tool(self, tool, *arguments, **options):
        environment = dict(options.pop('env', os.environ), XDG_CACHE_HOME=self.cache)
        return super().run_tool(tool, *arguments, env=environment, **options)

    def nowhere(self):
        """Returns the environment of a machine without OpenCL drivers."""
        return dict(os.environ, OCL_ICD_VENDORS=str(self.folder))

    def device(self):
        """Returns gdevices' entry of the first usable device; without one, reports a skip and returns None."""
        usable = [device for device in self.json('gdevices')['devices']
                  if device['device'].startswith('opencl') and not device['unusable']]
        if not usable:
            skip('searches on a device: there is no OpenCL device')
        return usable[0] if usable else None

    def both(self):
        """The same for hybrid searches."""
        device = self.device()
        if device and self.run_tool('gbfs', 'grid:3x3', BOTH, '--group-size=1').returncode == 2:
            skip('searches by both sides together: there are none yet')
            return None
        return device


class Agreement(DeviceTest):
    def check(self, graph, table, source, *options):
        check_search(self, self.search(graph, '--source', str(source), '--threads=2', *options), table, source)

    def test_every_strategy(self):
        if not self.both():
            return
        edges = random_edges(1, 3000, 4000)
        graph, table, source = self.edge_list('random.el', edges), neighbours(edges, True), edges[0][0]
        for steal, threshold, order in some(itertools.product(
                ('all', 'cpu', 'gpu', 'none'), ('1', '40', 'auto'), ('weakest', 'seq_cst'))):
            self.check(graph, table, source, BOTH, '--undirected', '--groups=2', '--chunk=8',
                       f'--steal={steal}', f'--gpu-threshold={threshold}', f'--order={order}')

    def test_policies_and_directions(self):
        if not self.device():
            return
        edges = random_edges(2, 2000, 3000)
        graph = self.edge_list('random.el', edges)
        strategies = [('chunked', direction) for direction in ('auto', 'top-down', 'bottom-up')]
        strategies += [(policy, 'auto') for policy in ('abp', 'static', 'cursor')]
        for directed, (policy, direction) in some(itertools.product((True, False), strategies)):
            table = neighbours(edges, not directed)
            for devices in ([BOTH] if self.both() else []) + [ALONE]:
                self.check(graph, table, edges[0][0], devices, '--directed' if directed else '--undirected',
                           f'--policy={policy}', f'--direction={direction}', '--groups=2', '--chunk=16')

    def test_coarse_and_forms(self):
        if not self.both():
            return
        edges = random_edges(3, 2000, 3000)
        graph, table = self.edge_list('random.el', edges), neighbours(edges, True)
        for threshold in ('1', '100', '1000000', 'auto'):
            self.check(graph, table, edges[0][0], BOTH, '--undirected', '--policy=coarse', '--chunk=8',
                       f'--gpu-threshold={threshold}')
        for launch in ('auto', 'persistent', 'per-level'):
            self.check(graph, table, edges[0][0], BOTH, '--undirected', '--form=shared', f'--launch={launch}', '--gpu-threshold=1')
        self.check(graph, table, edges[0][0], BOTH, '--undirected', '--form=handoff')

    def test_arcs_with_the_host(self):
        if not self.both():
            return
        edges = random_edges(4, 2000, 3000)
        graph, table = self.edge_list('random.el', edges), neighbours(edges, True)
        for devices, option in ((BOTH, '--gpu-threshold=1'), (BOTH, '--gpu-memory=40000'), (ALONE, '--direction=top-down'),
                                (BOTH, '--policy=coarse')):
            place = [] if 'memory' in option else ['--placement=host']
            self.check(graph, table, edges[0][0], devices, '--undirected', '--groups=1', option, *place)
            found = self.json('gbfs', graph, devices, '--undirected', '--groups=1', '--threads=2', option, *place)
            self.assertEqual(found['form'], 'host-resident')
        for policy in ('abp', 'static', 'cursor'):
            refused = self.bad(2, 'gbfs', graph, BOTH, '--placement=host', f'--policy={policy}')
            self.assertRegex(refused, f'{policy}.*chunked or coarse')

    def test_cached_arcs_of_a_graph_on_the_host(self):
        if not self.both():
            return
        bounds, other_bytes = 1025 * 8 + 16, 96 * 8 + 3 * 128 + 8 * 1024
        for more in (0, 1000, 40000, 4000000):
            found = self.json('gbfs', 'kron:10', BOTH, '--groups=1', '--verify', '--threads=2', '--placement=host',
                              f'--gpu-memory={other_bytes + bounds + more}')
            cached, arcs = found['cached'], found['graph']['arcs']
            self.assertEqual((found['verified'], cached['bound_bytes']), (True, bounds))
            self.assertEqual(cached['bytes'], 4 * cached['arcs'])
            self.assertEqual(found['device_bytes'], other_bytes + bounds + cached['bytes'])
            self.assertEqual(cached['arcs'], {0: 0, 1000: 250, 4000000: arcs}.get(more, cached['arcs']))
            self.assertAlmostEqual(cached['share'], cached['arcs'] / arcs, 5)
            self.assertLessEqual(cached['whole_rows'], cached['rows'])
        text = self.good('gbfs', 'kron:10', BOTH, '--groups=1', '--threads=2', '--placement=host')
        self.assertRegex(text, r'\ncached    0 arcs \(0.0 %\) in 0 bytes on the device, .* with bounds\n')
        self.assertNotIn('cached', self.json('gbfs', 'kron:10', BOTH, '--groups=1', '--threads=2'))

    def test_more_groups_than_units(self):
        device = self.both()
        for launch in ('persistent', 'per-level') if device and device['svm'] == 'fine+atomics' else ():
            found = self.json('gbfs', 'road:3000', BOTH, '--groups=32', '--threads=2', '--verify', '--chunk=1',
                              '--gpu-threshold=33', '--launch', launch, '--direction=top-down')
            self.assertEqual((found['groups'], found['verified']), (32, True))
            self.assertEqual(sum(worker['tasks'] for worker in found['workers']), 3000)

    def test_a_real_map(self):
        folder = datasets()
        maps = sorted(folder.rglob('*NY.gr.gz')) if folder else []
        if not maps:
            skip('the road map of New York on a device: it is not here')
        elif self.both():
            found = self.json('gbfs', maps[0], BOTH, '--source=1', '--verify', '--threads=2', '--groups=2')
            self.assertEqual((found['verified'], found['runs'][0]['reached']), (True, 264346))


class Report(DeviceTest):
    def test_members_add_up(self):
        device = self.both()
        if not device:
            return
        found = self.json('gbfs', 'grid:60x60', BOTH, '--threads=2', '--groups=2', '--group-size=1', '--chunk=4',
                          '--repeat=3', '--warmup=1', '--gpu-threshold=1', '--direction=top-down', '--verify')
        self.assertEqual(found['devices'], ['cpu', device['device']])
        self.assertEqual((found['device_name'], found['verified']), (device['name'], True))
        self.assertEqual([found[key] for key in ('groups', 'group_size', 'steal', 'gpu_threshold', 'order')],
                         [2, 1, 'all', 1, 'weakest'])
        self.assertRegex(found['form'], 'shared')
        workers = found['workers']
        self.assertEqual([(worker['device'], worker['worker']) for worker in workers],
                         [(device['device'], 0), (device['device'], 1), ('cpu', 0), ('cpu', 1)])
        self.assertTrue(all(set(worker) == WORKER for worker in workers))
        self.assertEqual(sum(worker['tasks'] for worker in workers), 3 * 3600)
        self.assertEqual(sum(worker['assigned'] for worker in workers), 3 * 3600)
        for worker in workers:
            self.assertEqual(worker['stolen'], worker['stolen_from_cpu'] + worker['stolen_from_device'])
            self.assertLessEqual(worker['steals'], worker['stolen'])
        shares = found['shares']
        self.assertEqual(set(shares), {'cpu', 'device'})
        self.assertAlmostEqual(sum(share for side in shares.values() for share in side.values()), 1, 5)
        self.assertTrue(all(run['fetch_ms'] >= 0 for run in found['runs']))
        self.check_times(found['times'])

    def test_without_an_index(self):
        if not self.device():
            return
        with_it = self.json('gbfs', 'kron:9', ALONE, '--launch=persistent', '--source=maxdegree', '--verify')
        without = self.json('gbfs', 'kron:9', ALONE, '--launch=persistent', '--source=maxdegree', '--verify', '--no-index')
        self.assertEqual([index['name'] for index in with_it['prepared']], ['hubs'])
        self.assertEqual(without['prepared'], [])
        self.assertEqual(with_it['level_sizes'], without['level_sizes'])
        text = self.good('gbfs', 'kron:9', ALONE, '--launch=persistent')
        self.assertRegex(text, r'\nprepared  hubs of 2,112 bytes in .*; [\d,]+ bytes held on the device\n')

    def test_what_is_fetched(self):
        if not self.device():
            return
        for form in ('persistent', 'per-level'):
            for what in ('both', 'depth', 'parent', 'narrow', 'nothing'):
                found = self.json('gbfs', 'grid:20x20', ALONE, '--source=0', f'--launch={form}', f'--fetch={what}')
                self.assertEqual((len(found['level_sizes']), found['runs'][0]['reached']), (39, 400))
                self.check_times(found['times'])
        for more in ('--verify', '--out=x.csv'):
            self.assertIn('both', self.bad(2, 'gbfs', 'grid:3x3', ALONE, '--fetch=depth', more))

    def test_who_may_steal(self):
        device = self.both()
        if not device:
            return
        for who, thieves in (('none', set()), ('cpu', {'cpu'}), ('gpu', {device['device']})):
            found = self.json('gbfs', 'grid:60x60', BOTH, '--threads=2', '--groups=2', '--chunk=2', '--repeat=3',
                              '--gpu-threshold=1', f'--steal={who}')
            self.assertLessEqual({worker['device'] for worker in found['workers'] if worker['stolen']}, thieves)

    def test_threshold_keeps_the_device_away(self):
        device = self.both()
        if not device:
            return
        for extra in ([], ['--policy=coarse']):
            found = self.json('gbfs', 'grid:60x60', BOTH, '--threads=2', '--gpu-threshold=61', '--source=0', *extra)
            self.assertEqual(sum(w['tasks'] for w in found['workers'] if w['device'] != 'cpu'), 0)
        found = self.json('gbfs', 'grid:60x60', BOTH, '--threads=2', '--gpu-threshold=1', '--policy=coarse')
        self.assertEqual(sum(w['tasks'] for w in found['workers'] if w['device'] == 'cpu'), 0)

    def test_alone(self):
        device = self.device()
        if device:
            found = self.json('gbfs', 'grid:30x30', ALONE, '--groups=2', '--direction=top-down')
            self.assertEqual((found['devices'], found['form']), ([device['device']], 'device, per level'))
            cached = self.json('gbfs', 'grid:30x30', ALONE, '--groups=2', '--launch=persistent', '--verify')
            self.assertEqual(cached['form'], 'device')
            self.assertEqual(cached['level_sizes'], found['level_sizes'])
            self.assertIn('persistent kernel', self.bad(2, 'gbfs', 'grid:30x30', ALONE, '--launch=persistent', '--chunk=64'))
            self.assertEqual({worker['device'] for worker in found['workers']}, {device['device']})

    def test_text_and_files(self):
        device = self.both()
        if not device:
            return
        out = self.folder / 'x.csv'
        text = self.good('gbfs', 'grid:30x30', BOTH, '--threads=2', '--groups=2', '--stats', '--levels', '--out', out,
                         '--direction=top-down')
        self.assertEqual(len(out.read_text().splitlines()), 901)
        for words in ('device    ' + device['device'], 'form      ', 'prepared  ', 'clock     ', 'assigned', 'from groups', 'all groups'):
            self.assertIn(words, text)
        self.assertTrue(re.search(r'^cpu 1 ', text, re.M) and re.search(r'^group 1 ', text, re.M), text)
        self.assertEqual(len(re.findall(r'^\d+ .*top-down', text, re.M)),
                         len(self.json('gbfs', 'grid:30x30', BOTH)['level_sizes']))

    def test_a_trace_has_the_device(self):
        if not self.device():
            return
        for devices in (BOTH, ALONE):
            self.good('gbfs', 'kron:12', devices, '--trace', self.folder / 't.json')
            with open(self.folder / 't.json', encoding='ascii') as file:
                events = json.load(file)['traceEvents']
            name = {event['tid']: event['args']['name'] for event in events if event['name'] == 'thread_name'}
            ran = {name[event['tid']] for event in events if 'busy' in (event['name'], event.get('cat'))}
            self.assertTrue(any(track.startswith('opencl:') for track in ran), ran)
            for event in events:
                if name.get(event['tid'] if 'tid' in event else None, '').endswith(' levels') and event['ph'] == 'X':
                    self.assertEqual(event['name'], f'{event["args"]["direction"]} {event["args"]["level"]}')


class Automatic(DeviceTest):
    def test_without_a_gpu_the_threads(self):
        nowhere = dict(self.nowhere(), CUDA_VISIBLE_DEVICES='')
        found = self.json('gbfs', 'grid:30x30', '--device=auto', '--verify', env=nowhere)
        self.assertEqual((found['devices'], found['verified']), (['cpu'], True))
        self.assertEqual(found['selected'], 'cpu: there is no usable GPU')
        text = self.good('gbfs', 'grid:30x30', '--device=auto', env=nowhere)
        self.assertIn('\nselected  cpu: there is no usable GPU', text)
        self.assertNotIn('selected', self.json('gbfs', 'grid:3x3', '--device=cpu'))

    def test_it_reports_its_selection(self):
        for graph in ('grid:3x3', 'kron:12'):
            found = self.json('gbfs', graph, '--device=auto', '--verify', '--repeat=4')
            self.assertTrue(found['verified'])
            self.assertTrue(found['selected'].startswith(','.join(found['devices']) + ': '), found)

    def test_few_searches_do_not_pay(self):
        self.assertEqual(self.json('gbfs', 'grid:30x30', '--device=auto')['devices'], ['cpu'])

    def test_options_of_devices_are_refused(self):
        for option in ('no-index', 'fetch=depth', 'groups=2', 'steal=all', 'form=auto', 'placement=host', 'gpu-memory=1000', 'policy=static',
                       'policy=chaselev', 'victim=random'):
            self.assertIn('--' + option.split('=')[0], self.bad(2, 'gbfs', 'grid:3x3', '--device=auto', '--' + option))
        self.assertIn("'auto'", self.bad(2, 'gbfs', 'grid:3x3', '--device=cpu,auto'))


class Batches(DeviceTest):
    def test_several_sources_in_a_call(self):
        if not any(device['device'].startswith('cuda') and not device['unusable']
                   for device in self.json('gdevices')['devices']):
            skip('several sources in one call: there is no CUDA device')
            return
        edges = random_edges(6, 2000, 3000)
        graph = self.edge_list('random.el', edges)
        sources = self.write('five.ss', 'p aux sp ss 5\n' + ''.join(f's {edges[i][0]}\n' for i in range(5)))
        common = ('gbfs', graph, '--undirected', '--source', sources, '--device=cuda', '--verify', '--warmup=7')
        apart, together = self.json(*common), self.json(*common, '--batch=2')
        self.assertEqual((apart['verified'], together['verified'], together['batch']), (True, True, 2))
        for key in ('source', 'reached', 'levels'):
            self.assertEqual([run[key] for run in apart['runs']], [run[key] for run in together['runs']])
        self.assertEqual(together['level_sizes'], apart['level_sizes'])
        check_search(self, self.search(graph, '--undirected', '--source', sources, '--device=cuda', '--batch=3'),
                     neighbours(edges, True), edges[4][0])
        for option in ('--direction=bottom-up', '--repeat=1'):
            repeat = [] if 'repeat' in option else ['--repeat=2']
            self.assertIn('--batch', self.bad(2, 'gbfs', 'grid:9x9', '--device=cuda', '--batch=2', option, *repeat))

    def test_refused_where_it_does_nothing(self):
        for devices in ([], ['--device=cpu'], ['--device=auto'], [ALONE], [BOTH], ['--device=cpu,cuda']):
            self.assertIn('--batch', self.bad(2, 'gbfs', 'grid:3x3', *devices, '--batch=2', '--repeat=4'))
        for option in ('groups=2', 'group-size=64', 'chunk=64', 'gpu-threshold=9', 'gpu-memory=9', 'form=host-resident', 'launch=per-level',
                       'order=seq_cst', 'placement=host', 'policy=abp'):
            complaint = self.bad(2, 'gbfs', 'grid:3x3', '--device=cuda', '--batch=2', '--repeat=4', '--' + option)
            self.assertRegex(complaint, '--batch: .*whole searches.*--' + option.split('=')[0].replace('group-size', 'group'))
        for number in ('0', '1', 'x', '65537'):
            self.assertIn('--batch', self.bad(2, 'gbfs', 'grid:3x3', '--device=cuda', '--batch', number))


class Handoff(DeviceTest):
    def test_long_paths_go_to_a_thread(self):
        if not any(device['device'].startswith('cuda') and not device['unusable']
                   for device in self.json('gdevices')['devices']):
            skip('handoff between threads and device: there is no CUDA device')
            return
        edges = [(i, i + 1) for i in range(20000)]
        graph = self.edge_list('path.el', edges)
        found = self.json('gbfs', graph, '--undirected', '--device=cpu,cuda', '--source=0', '--verify', '--repeat=2')
        self.assertEqual((found['form'], found['verified']), ('handoff', True))
        model = found['model']
        self.assertEqual(model['handoffs'], 2)
        self.assertGreater(model['cpu_levels'], 30000)
        self.assertEqual(sum(w['tasks'] for w in found['workers'] if w['device'] == 'cpu'), model['cpu_levels'])
        text = self.good('gbfs', graph, '--undirected', '--device=cpu,cuda', '--stats')
        self.assertRegex(text, r'\na level   cpu .* us, device .* us')
        self.assertRegex(text, r'\npassed    1 times')


class MeshesAtTheHost(DeviceTest):
    def test_form_and_cached_rows(self):
        if not any(device['device'].startswith('cuda') and not device['unusable']
                   for device in self.json('gdevices')['devices']):
            skip('host-resident meshes: there is no CUDA device')
            return
        common = ('gbfs', 'road:80000', '--verify', '--repeat=4', '--placement=host')
        for devices, form in (('cuda', 'mesh'), ('cpu,cuda', 'mesh')):
            for budget, share in (([], 0), (['--gpu-memory=2300000'], None), (['--gpu-memory=9000000'], 1)):
                found = self.json(*common, '--device', devices, *budget)
                cached = found['cached']
                self.assertEqual((found['form'], found['verified']), ('host-resident, ' + form, True))
                self.assertEqual((cached['bound_bytes'], cached['row_words'], cached['bytes'] % 16), (0, 4, 0))
                self.assertLessEqual(found['device_bytes'], int(budget[0].split('=')[1]) if budget else 80000 * 28)
                self.assertEqual(cached['cache_slots'] > 0, cached['share'] < 1)
                self.assertEqual('cache_misses' in cached, cached['share'] < 1)
                self.assertEqual(cached['share'], share if share is not None else cached['share'])
                self.assertEqual(0 < cached['share'] < 1, share is None)
                self.assertNotIn('model', found)
                self.assertEqual(cached['cpu_searches'] > 0, devices != 'cuda')
        text = self.good(*common, '--device=cpu,cuda', '--stats')
        self.assertRegex(text, r'\ncached    0 arcs .* rows of 4 words, without bounds\n')
        self.assertRegex(text, r'\nwhole     [1-3] searches were the threads')
        for option in ('--form=host-resident', '--policy=coarse', '--gpu-threshold=100'):
            self.assertEqual(self.json(*common, '--device=cpu,cuda', option)['form'], 'host-resident')


class Refusals(DeviceTest):
    def test_no_device_is_status_4(self):
        for devices in (ALONE, BOTH):
            complaint = self.bad(4, 'gbfs', 'grid:3x3', devices, env=self.nowhere())
            self.assertIn('no device opencl: ', complaint)
        self.assertIn('opencl:99', self.bad(4, 'gbfs', '/nowhere.gr', '--device=opencl:99'))
        for devices in ('cuda', 'cpu,cuda'):
            nothing = dict(os.environ, CUDA_VISIBLE_DEVICES='')
            self.assertIn('no device cuda: ', self.bad(4, 'gbfs', 'grid:3x3', '--device', devices, env=nothing))

    def test_kinds(self):
        lines = self.good('gbfs', '--device=help').splitlines()
        self.assertEqual([line.split()[0] for line in lines][:3], ['cpu', 'auto', 'opencl'])
        for devices, word in (('gpu', "'gpu'"), ('cpu,cpu', 'twice'), ('opencl:x', "'x'"), ('opencl:', "''"),
                              ('cpu,', "''"), ('opencl:-1', "'-1'"), ('cpu:0', "'cpu'"),
                              ('opencl:' + 40 * '1', '1111')):
            complaint = self.bad(2, 'gbfs', 'grid:3x3', '--device', devices)
            self.assertIn('--device', complaint)
            self.assertIn(word, complaint)

    def test_several(self):
        """Options that searches of a parted graph lack, and devices that do not exist."""
        for option in ('groups=2', 'group-size=64', 'form=device', 'batch=2', 'policy=static', 'chunk=8', 'placement=host',
                       'gpu-memory=1000', 'launch=auto', 'steal=all', 'victim=random'):
            complaint = self.bad(2, 'gbfs', 'grid:3x3', '--device=cuda:0,1', '--' + option)
            self.assertIn('--' + option.split('=')[0], complaint)
        self.assertIn('without cpu', self.bad(2, 'gbfs', 'grid:3x3', '--device=cpu,cuda:0,1'))
        self.assertIn('more than 8', self.bad(2, 'gbfs', 'grid:3x3', '--device=cuda:0,1,2,3,4,5,6,7,8'))
        self.assertIn('opencl:99', self.bad(4, 'gbfs', '/nowhere.gr', '--device=opencl:99,98'))
        self.assertIn('cuda:all', self.bad(4, 'gbfs', '/nowhere.gr', '--device=cuda:all', env=dict(os.environ, CUDA_VISIBLE_DEVICES='')))

    def test_what_would_do_nothing(self):
        for option in ('groups=2', 'group-size=64', 'steal=all', 'gpu-threshold=auto', 'order=seq_cst', 'form=auto',
                       'placement=host', 'gpu-memory=1000', 'form=handoff', 'launch=auto'):
            for devices in ([], ['--device=cpu']):
                complaint = self.bad(2, 'gbfs', 'grid:3x3', *devices, '--' + option)
                self.assertIn('--' + option.split('=')[0], complaint)
        for devices, option in ((ALONE, '--form=handoff'), (ALONE, '--form=shared'), (ALONE, '--steal=cpu'), (ALONE, '--steal=gpu'),
                                (ALONE, '--policy=coarse'), (BOTH, '--victim=random'),
                                (BOTH, '--policy=split'), (ALONE, '--policy=chaselev')):
            complaint = self.bad(2, 'gbfs', 'grid:3x3', devices, option)
            self.assertIn(option.split('=')[0], complaint)
        for devices in (ALONE, BOTH):
            complaint = self.bad(2, 'gbfs', 'grid:3x3', devices, '--placement=device', '--gpu-memory=1000')
            self.assertIn('--gpu-memory', complaint)
        if self.device():
            self.assertIn('policy chunked', self.bad(2, 'gbfs', 'grid:3x3', BOTH, '--form=handoff', '--policy=static'))
            self.assertIn('persistent kernel', self.bad(2, 'gbfs', 'grid:3x3', BOTH, '--form=handoff', '--chunk=64'))
        for policy in ('static', 'cursor', 'coarse'):
            complaint = self.bad(2, 'gbfs', 'grid:3x3', BOTH, '--policy', policy, '--steal=none')
            self.assertIn(policy, complaint)

    def test_values(self):
        for option in ('groups=0', 'groups=x', 'group-size=0', 'group-size=48', 'group-size=2048', 'steal=some',
                       'gpu-threshold=0', 'gpu-threshold=-1', 'gpu-threshold=many', 'order=relaxed', 'form=mixed',
                       'placement=there', 'gpu-memory=0', 'launch=kept'):
            complaint = self.bad(2, 'gbfs', 'grid:3x3', BOTH, '--' + option)
            self.assertIn('--' + option.split('=')[0], complaint)

    def test_old_forms_name_the_new_ones(self):
        for old, new in (('kept', '--launch persistent'), ('levels', '--launch per-level'), ('bridged', 'handoff'), ('handed', 'handoff')):
            self.assertIn(new, self.bad(2, 'gbfs', 'grid:3x3', BOTH, '--form', old))

    def test_bytes(self):
        for wrong in ('', 'M', '-1', '1.5G', '1m', '1K', '1ki', '1 M', '1MB', '1Mi ', '0k', '18446744073709551616', '18446745T'):
            self.assertIn('800M or 8Gi', self.bad(2, 'gbfs', 'grid:3x3', BOTH, '--gpu-memory=' + wrong))
        for right in ('1', '18446744073709551615', '2k', '3M', '4G', '18446744T', '5Ki', '6Mi', '7Gi', '16777215Ti'):
            self.assertIn('--gpu-memory requires', self.bad(2, 'gbfs', 'grid:3x3', '--gpu-memory=' + right))

    def test_bytes_are_counted(self):
        for short, long in (('900k', 900000), ('1M', 10**6), ('900Ki', 921600), ('1Mi', 2**20)) if self.both() else ():
            cached = [self.json('gbfs', 'kron:15', BOTH, '--groups=1', '--threads=2', '--placement=host',
                              f'--gpu-memory={size}')['cached'] for size in (short, long)]
            self.assertEqual(*cached)


if __name__ == '__main__':
    unittest.main()
