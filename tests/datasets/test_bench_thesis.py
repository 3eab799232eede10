# SPDX-License-Identifier: MIT
"""datasets/bench/thesis: what it makes of known times; its figures; and, where there is a device, its smallest suite."""
import json
import re
import shutil
import subprocess
import unittest

from bench import BIN, BenchTest, records, write_records
import measuring
import thesis_parts
from thesis_configs import BEST, THESIS, Config, Workers

SHARES = {'cpu': {'assigned': 0.1, 'from_cpu': 0, 'from_device': 0.14},
          'device': {'assigned': 0.7, 'from_cpu': 0.02, 'from_device': 0.04}}
LEVELS = [1, 10, 600, 1100, 1200, 3000, 5]


def slowness(config):
    """As the thesis has it, or better: 1 for stealing among all."""
    if config.policy == 'coarse':
        return 1.6 if config.threshold == 'auto' else 1.5
    if config.order == 'seq_cst':
        return 1.1
    return {'none': 1.5, 'cpu': 0.9, 'all': 1.3 if config.threshold == '1' else 1}[config.steal]


def write_times(path, roads=('NY', 'BAY'), slow=slowness, load=0.0, suite='quick', workers=THESIS):
    """A file of --json in which slow(config) is the time of every configuration."""
    about = measuring.about_run(['--suite=quick'], 'gbfs 0', 'thesis') | {'load': load, 'suite': suite, 'device': 'opencl', 'chunk': 64,
                                                                        'group_size': 64, 'groups': list(workers)}
    lines = [about]
    for road in roads:
        for config in thesis_parts.configs_of(thesis_parts.PARTS, workers):
            said = {'form': 'shared', 'shares': SHARES if config.groups else None, 'level_sizes': LEVELS}
            times = [slow(config) * drift for drift in (10, 12, 11)]
            lines.append(measuring.Figure(road, config.name, 'ms', times, config=config._asdict(), about=said).record())
    lines.append({'kind': 'end', 'left_out': ['CAL: not here']})
    write_records(path, lines)


class Thesis(BenchTest):
    program = 'thesis'

    def claims(self, text):
        """{(section, claim of the thesis): (result, whether it holds)}."""
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in text.splitlines()
                if line.endswith((' holds         |', 'NOT HOLD |', 'tell   |', 'tell |', 'holds |', 'that |')) or re.search(r' (holds|cannot tell) +\|$', line)]
        return {(section, says): (here, holds) for section, says, here, holds in rows}


class Report(Thesis):
    def test_claims_hold_where_they_do(self):
        write_times(self.file)
        claims = self.claims(self.output('--from', self.file))
        self.assertEqual(claims['4.3.3', '1C_8G: stealing gains +50.0 % on average (here: 25 to 100 %)'],
                         ('+50.0 %: NY +50.0 %, BAY +50.0 %', 'holds'))
        self.assertEqual(claims['4.3.3', '2C_16G: stealing gains +16.0 % on average (here: 8 to 32 %)'],
                         ('+50.0 %: NY +50.0 %, BAY +50.0 %', 'more than that'))
        self.assertEqual(claims['abstract', 'it gains at least 8.5 % on every map, 2C_16G'],
                         ('NY +50.0 %, BAY +50.0 %', 'holds'))
        self.assertEqual(claims['4.2', 'CAL, 1C_8G: 24 % of the tasks are stolen (here: 12 to 48 %)'], ('BAY: 20.0%', 'holds'))
        self.assertEqual(claims['4.2', 'CPU workers take 70 % of what is stolen (here: 50 to 90 %)'], ('BAY: 70%', 'holds'))
        self.assertEqual(claims['4.3.4', 'NYR, BAY and COL: groups that steal hurt'][1], 'holds')
        self.assertEqual(claims['4.3.6', 'NY: weaker orders gain +8.0 % (here: 4 to 16 %)'], ('+10.0 %', 'holds'))
        self.assertEqual(claims['4.3.2', 'the others gain slightly, or nothing; none loses (here: -3 to 20 %)'], ('-', 'cannot tell'))

    def test_claims_do_not_hold_where_they_do_not(self):
        write_times(self.file, slow=lambda config: 1)
        claims = self.claims(self.output('--from', self.file))
        self.assertEqual(claims['abstract', 'stealing gains 16 % on average (here: 8 to 32 %)'], ('+0.0 %', 'DOES NOT HOLD'))
        self.assertEqual(claims['4.3.5', 'NY: stealing gains +49.0 % (here: 24.5 to 98 %)'], ('+0.0 %', 'DOES NOT HOLD'))
        self.assertEqual(claims['4.3.3', 'it never loses more than 3 %'][1], 'holds')

    def test_bands(self):
        """A share of 80 % is not the thesis's 24 %."""
        write_times(self.file)
        text = self.file.read_text().replace('"from_cpu": 0.02, "from_device": 0.04', '"from_cpu": 0.62, "from_device": 0.04')
        self.file.write_text(text)
        claims = self.claims(self.output('--from', self.file, '--only=share'))
        self.assertEqual(claims['4.2', 'CAL, 1C_8G: 24 % of the tasks are stolen (here: 12 to 48 %)'], ('BAY: 80.0%', 'DOES NOT HOLD'))

    def test_smoke_and_load_decide_nothing(self):
        write_times(self.file, slow=lambda config: 1, suite='smoke')
        text = self.output('--from', self.file)
        self.assertNotRegex(text, 'holds |HOLD')
        self.assertGreater(text.count('| too small to tell |'), 10)
        write_times(self.file, slow=lambda config: 1, load=99.0)
        text = self.output('--from', self.file)
        self.assertIn('the machine has other load (99.0)', text)
        self.assertNotIn('DOES NOT HOLD', text)
        self.assertIn('holds', text)

    def test_each_side_alone_stands_beside(self):
        write_times(self.file, slow=lambda config: 3 if not config.cpus else slowness(config))
        for part in ('share', 'threshold', 'stealing', 'cpu-stealing', 'coarse', 'order'):
            text = self.output('--from', self.file, f'--only={part}')
            self.assertRegex(text, r'\| CPU only, ms +\| device only, ms +\|', part)
            self.assertRegex(text, r'\| NY +\| .*\| 11 +\| 33 +\|', part)

    def test_the_better_of_two_thresholds_counts(self):
        write_times(self.file, slow=lambda config: 1.05 if config.threshold == '128' else slowness(config))
        claims = self.claims(self.output('--from', self.file, '--only=coarse'))
        self.assertEqual(claims['abstract', 'it gains at least 8.5 % on every map, 2C_16G'][1], 'DOES NOT HOLD')

    def test_maps_whose_levels_are_too_small_do_not_count(self):
        write_times(self.file)
        text = self.file.read_text().replace('3000', '2000')
        self.file.write_text(text)
        claims = self.claims(self.output('--from', self.file, '--only=stealing'))
        self.assertEqual(claims['4.3.3', '2C_32G: stealing gains +11.0 % on average (here: 5.5 to 22 %)'],
                         ('no map reaches its threshold', 'cannot tell'))

    def test_figures(self):
        write_times(self.file)
        text = self.output('--from', self.file, '--figures', self.folder / 'figures')
        scripts = sorted(path.stem for path in (self.folder / 'figures').glob('*.gp'))
        self.assertEqual(scripts, ['coarse', 'coarse-gains', 'cpu-stealing', 'device-only', 'frontier', 'handoff', 'order', 'order-gains', 'share',
                                   'stealing', 'stealing-gains', 'threshold'])
        self.check_scripts(scripts)
        if shutil.which('gnuplot'):
            for name in scripts:
                self.assertIn('<svg', (self.folder / 'figures' / (name + '.svg')).read_text())
        else:
            self.assertIn('left out: share.svg: no gnuplot here', text)

    def check_scripts(self, scripts):
        """The machine and its load are in each title, the thesis's values are circles, and times have error bars."""
        texts = {name: (self.folder / 'figures' / (name + '.gp')).read_text() for name in scripts}
        for name, text in texts.items():
            self.assertRegex(text, r'set title ".*" \. "\\n" \. ".* CPUs, load 0\.0, \d{4}-\d\d-\d\d, gbfs 0, opencl"', name)
        self.assertRegex(texts['coarse-gains'], r'\n"NY" 50 50 50\n')
        self.assertIn('$paper << end\n0 49\n1 8.5\nend', texts['coarse-gains'])
        self.assertIn('$paper << end\n0 8\n1 5.5\nend', texts['order-gains'])
        self.assertIn('"the thesis: CAL" 0.76 0.17 0.07', texts['share'])
        self.assertRegex(texts['threshold'], r'"NY" 11 10\.5 11\.5 ')
        self.assertIn('set style histogram errorbars', texts['threshold'])

    def test_groups_follow_the_device(self):
        """With other numbers of groups a claim names the thesis's."""
        write_times(self.file, workers=Workers(9, 18, 36))
        claims = self.claims(self.output('--from', self.file))
        self.assertEqual(claims['4.3.3', '2C_18G (there 2C_16G): stealing gains +16.0 % on average (here: 8 to 32 %)'][1], 'more than that')
        self.assertIn(('abstract', 'it gains at least 8.5 % on every map, 2C_18G'), claims)

    def test_figures_without_gnuplot(self):
        write_times(self.file)
        text = self.output('--from', self.file, '--figures', self.folder / 'figures', PATH='/nowhere')
        self.assertIn('left out: order.svg: no gnuplot here', text)
        self.assertIn('left out: CAL: not here', text)

    def test_mistakes(self):
        self.check_refused((
            (['--only=nothing'], 'one or several of'), (['--chunk=0'], 'from 1 on'),
            (['--rounds=x'], 'from 1 on'), (['--warmup=-1'], 'from 0 on'), (['--groups=8,4,2'], 'three ascending'), (['--groups=1,2'], 'three ascending'),
            (['--bin=/nowhere'], 'gbfs is not in'), (['--kind=gif'], '--kind'),
            (['--from=/nowhere'], '/nowhere')))
        self.check_foreign_file()

    def test_names_of_configs(self):
        self.assertEqual(BEST._replace(policy='coarse', threshold='128').name, '2C_16G coarse threshold 128')
        self.assertEqual(Config(0, 8, 'none').name, '8G steal none')
        names = [config.name for config in thesis_parts.configs_of(thesis_parts.PARTS)]
        self.assertEqual(len(names), len(set(names)))


class Run(Thesis):
    def test_atomics_that_are_not_coherent(self):
        """On a device that cannot share deques, as gbfs says, the parts that do are left out, and the others run."""
        folder = self.folder / 'bin'
        folder.mkdir()
        for name in ('gconvert', 'gdevices'):
            (folder / name).symlink_to((BIN / name).resolve())
        (folder / 'gbfs').write_text('#!/bin/sh\ncase "$*" in *--form=shared*) echo "gbfs: no coherent atomics" >&2; exit 2;; esac\n'
                                     f'exec {(BIN / "gbfs").resolve()} "$@"\n')
        (folder / 'gbfs').chmod(0o755)
        smoke = ['--bin', folder, '--suite=smoke', '--maps=road:3000', '--rounds=1', '--quiet']
        done = self.run_bench(*smoke, '--only=order,share')
        if 'no device' in done.stderr:
            print('\nskipped: parts that cannot share deques: no OpenCL device', flush=True)
            return
        self.assertEqual((done.returncode, done.stdout), (4, ''))
        self.assertEqual(done.stderr, 'thesis: order, share: no coherent atomics\n')
        text = self.output(*smoke, '--only=order,handoff', '--json', self.file)
        self.assertIn('left out: order: no coherent atomics', text)
        self.assertRegex(text, r'8\. Handoff[^|]*\| map +\| 2C handoff, ms \| CPU only, ms \| device only, ms \| device only, as gbfs')
        self.assertNotIn('7. Memory orders', text)
        self.assertEqual(self.output('--from', self.file).split('\n\n', 1)[1], text.split('\n\n', 1)[1])

    def test_no_device(self):
        done = self.run_bench('--bin', BIN, '--suite=smoke', OCL_ICD_VENDORS=str(self.folder))
        self.assertEqual((done.returncode, done.stdout), (4, ''))
        self.assertTrue(done.stderr.startswith('thesis: gbfs: no device opencl: '), done.stderr)

    def test_smallest_suite(self):
        if subprocess.run([BIN / 'gbfs', 'grid:4x4', '--device=cpu,opencl', '--quiet'], check=False,
                          capture_output=True).returncode:
            print('\nskipped: the suite itself: no OpenCL device searches together with the CPU', flush=True)
            return
        smoke = ['--bin', BIN, '--suite=smoke', '--json', self.file]
        done = self.run_bench(*smoke, '--maps=road:3000', '--only=share')
        self.assertRegex(done.stderr, r'^  10 runs of 1 searches on 1 maps: about (\d+ s|\d+\.\d minutes)\n +\d+ s  1/10  road:3000, 1C_\d+G\n')
        self.assertRegex(done.stderr, r'1\. Stealing share .*: road:3000, 1 of 2 rounds\n\n\| map ')
        self.assertIn('other settings', self.run_bench(*smoke, '--resume', '--maps=grid:9x9', '--only=share').stderr)
        self.file.write_text(self.file.read_text().partition('{"kind": "end"')[0] + '{"kind": "fig')  # as if killed
        again = self.run_bench(*smoke, '--resume', '--maps=road:3000', '--only=share')
        self.assertRegex(again.stderr, '^  0 runs')
        self.assertEqual(again.stdout.split('\n\n', 1)[1], done.stdout.split('\n\n', 1)[1])
        lines = self.file.read_text().splitlines()
        self.file.write_text('\n'.join(lines[:4]) + '\n')  # as if killed in the first round
        self.assertEqual([json.loads(line)['kind'] for line in lines[:4]], ['run', 'round', 'round', 'round'])
        again = self.run_bench(*smoke, '--resume', '--maps=road:3000', '--only=share')
        self.assertRegex(again.stderr, r'^  7 runs .*\n +\d+ s  1/7  road:3000, \d+G')
        self.assertEqual(again.returncode, 0)
        text = self.output('--bin', BIN, '--suite=smoke', '--quiet', '--json', self.file, '--maps=road:3000')
        found = records(self.file)
        self.assertEqual((found[0]['kind'], found[-1]['kind']), ('run', 'end'))
        figures = [record for record in found[1:-1] if record['kind'] != 'round']
        configs = [record['config'] for record in figures]
        self.assertEqual(len(configs), len(thesis_parts.configs_of(thesis_parts.PARTS)))
        for record in figures:
            self.assertGreater(record['min'], 0)
            self.assertEqual(record['runs'], 2)
        for title in ('1. Stealing share', '4. Stealing against none', '7. Memory orders', 'Claims of the thesis'):
            self.assertIn(title, text)
        self.assertEqual(self.output('--from', self.file).split('\n\n', 1)[1], text.split('\n\n', 1)[1])


if __name__ == '__main__':
    unittest.main()
