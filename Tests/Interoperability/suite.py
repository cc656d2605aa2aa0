"""Runs the whole suite: starts the peers and our own tool, limits their time, collects their logs.

    suite.py --tool .build/release/dictobench --work FOLDER [--image FILE]
             [--only control|phone|executed|recorder|update|flashed|served|app|hardware]

Every check is one line, `ok NAME` or `FAILED NAME: why`. Run it through `ci/interoperability`, which makes the
environment it needs.
"""

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import signal
import sys
import wave
from pathlib import Path
from statistics import harmonic_mean

import hardware
from application import Applications
from checks import (
    APP, CONTROL, EXECUTED, FLASHED_LATER, HARDWARE, PHONE, RECORDER, SERVED_LATER, UPDATE, Abandoned, Checks, expect,
    expect_equal,
)
from children import Child, Children

GUEST = Path(__file__).parents[2] / 'firmware-images/guests/built/recorder-s140.elf'
LABEL = b'adpcm;16000;2\0'
GROUP_LIMITS = {
    'control': 90, 'phone': 180, 'executed': 180, 'recorder': 180, 'update': 300, 'flashed': 300, 'served': 600,
    'app': 400, 'hardware': 900,
}
COMMAND_LIMIT = 60


def make_records(folder: Path, sizes: dict[str, int], seed: int):
    """Records as the firmware stores them: a label and a stream of ADPCM; what is in it does not matter here."""
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(seed)
    for identifier, size in sizes.items():
        content = (LABEL + source.randbytes(size))[:size]
        (folder / f'{identifier}.record').write_bytes(content)


async def run_phone(children: Children, spec: str, *options, script: str = 'phone.py') -> None:
    """Runs a phone of Bumble's to its end."""
    child = await children.python(script, '--controller', spec, *options, echo=True)
    await child.end(GROUP_LIMITS[children.group])


async def meet(children: Children, spec: str, records: Path, keys: Path, *options) -> int:
    """One meeting with a download; octets a second."""
    child = await children.python(
        'meeting.py', '--controller', spec, '--keys', keys, '--records', records, *options
    )
    code = await child.end(COMMAND_LIMIT)
    expect_equal(code, 0, f'exit code of the phone, which said {child.lines[-1:]}')
    return json.loads(child.lines[-1])['rate']


def account(children: Children, names: list[str]) -> bool:
    """Whether the phone reported all checks and none failed; reports those that are missing."""
    lines = [line for child in children.children if child.echo for line in child.lines]
    outcomes = {}
    for line in lines:
        if match := re.match(rf'(ok|FAILED|skipped) {children.group}/([\w-]+)', line):
            outcomes[match[2]] = match[1]
    for name in names:
        if name not in outcomes:
            print(f'FAILED {children.group}/{name}: did not run', flush=True)
    return all(outcomes.get(name) == 'ok' for name in names)


class Suite:
    def __init__(self, tool: Path, work: Path, image: Path):
        self.tool = tool
        self.work = work
        self.image = image

    async def control(self) -> bool:
        """Bumble on both sides: shows that the peers themselves are right."""
        records = self.work / 'control' / 'records'
        make_records(records, {'0000240101120000': 8064, '0000240101120105': 448, '0000240101120210': 64}, 1)
        async with Children('control', self.work) as children:
            try:
                recorder_spec, phone_spec = await children.bridge()
                recorder = await children.python('recorder.py', '--controller', recorder_spec, '--records', records)
                await recorder.line('"advertising"')
                await run_phone(children, phone_spec, '--records', records, '--group', 'control')
            except (TimeoutError, RuntimeError) as error:
                print(f'# control: {type(error).__name__}: {error}', flush=True)
            return account(children, CONTROL)

    async def phone(self) -> bool:
        """Bumble's phone and our recorder, on a controller and air of ours."""
        records = self.work / 'phone' / 'records'
        sizes = {'0000240101120000': 8064, '0000240101120105': 448, '0000240101120210': 64, '0000240229235959': 20_032}
        make_records(records, sizes, 2)
        async with Children('phone', self.work) as children:
            try:
                simulator = await children.start(
                    'simulate', self.tool, 'simulate', '--listen', 'tcp-server:127.0.0.1:0', '--records', records
                )
                port = (await simulator.line(r'tcp-server:127\.0\.0\.1:([1-9]\d*)'))[1]
                await run_phone(children, f'tcp-client:127.0.0.1:{port}', '--records', records)
            except (TimeoutError, RuntimeError) as error:
                print(f'# phone: {type(error).__name__}: {error}', flush=True)
            return account(children, PHONE)

    async def executed(self) -> bool:
        """Bumble's phone and a recorder of ours that executes a firmware image, on a controller and air of ours."""
        folder = self.work / 'executed'
        records, keys = folder / 'records', folder / 'keys'
        make_records(records, {'0000240101120000': 8064, '0000240101120105': 448}, 7)
        checks = Checks('executed', EXECUTED)
        async with Children('executed', self.work) as children:
            try:
                options = ['--listen', 'tcp-server:127.0.0.1:0', '--records', records, '--image', self.image]
                simulator = await children.start('simulate', self.tool, 'simulate', *options)
                port = (await simulator.line(r'tcp-server:127\.0\.0\.1:([1-9]\d*)'))[1]
                spec = f'tcp-client:127.0.0.1:{port}'
                async with checks.check('executed-meeting', limit=COMMAND_LIMIT, essential=True):
                    await meet(children, spec, records, keys)
                async with checks.check('executed-meeting-with-bond', limit=COMMAND_LIMIT):
                    await meet(children, spec, records, keys, '--bonded')
            except Abandoned as reason:
                checks.skip(str(reason))
            except (TimeoutError, RuntimeError) as error:
                print(f'# executed: {type(error).__name__}: {error}', flush=True)
        return checks.finish() == 0

    async def update(self) -> bool:
        """Bumble's client of Secure DFU and our bootloader, on a controller and air of ours."""
        async with Children('update', self.work) as children:
            try:
                options = ['--listen', 'tcp-server:127.0.0.1:0', '--count', '2', '--board', 's132-debug']
                simulator = await children.start('simulate', self.tool, 'simulate', *options)
                await simulator.line('^ready')
                text = '\n'.join(simulator.lines)
                port = re.search(r'tcp-server:127\.0\.0\.1:([1-9]\d*)', text)[1]
                recorders = re.findall(r'^recorder ([0-9A-Fa-f:]{17})', text, re.MULTILINE)
                options = [word for address in recorders for word in ('--recorder', address)]
                await run_phone(children, f'tcp-client:127.0.0.1:{port}', *options, script='updater.py')
            except (TimeoutError, RuntimeError) as error:
                print(f'# update: {type(error).__name__}: {error}', flush=True)
            return account(children, UPDATE)

    async def flashed(self) -> bool:
        """Clients of Secure DFU and our bootloader, on controllers of Bumble's: no client of ours slows the other down."""
        checks = Checks('flashed', FLASHED_LATER)
        async with Children('flashed', self.work) as children:
            is_updated = False
            try:
                *recorder_specs, phone_spec = await children.bridge(3, '--timed')
                simulators = [
                    await self.bootable(children, spec, seed) for seed, spec in enumerate(recorder_specs, 1)
                ]
                options = ['--group', 'flashed']
                for simulator in simulators:
                    options += ['--recorder', (await simulator.line(r'^recorder ([0-9A-Fa-f:]{17})'))[1]]
                await run_phone(children, phone_spec, *options, script='updater.py')
                is_updated = account(children, UPDATE)
                for simulator in simulators:
                    await simulator.stop()
                async with checks.check('our-order', limit=120):
                    await self.bootable(children, recorder_specs[0], 1)
                    phone = ['--controller', phone_spec, '--state', self.work / 'flashed']
                    for words in [['pair'], ['dfu', 'update', 'firmware-images/s132-1.5.1.zip']]:
                        child = await children.start(words[0], self.tool, *words, *phone)
                        expect_equal(await child.end(90), 0, f'exit code of {words[0]}, which said {child.lines[-3:]}')
                    expect(child.lines[-1].startswith('version 3 is installed'), child.lines[-1])
            except (TimeoutError, RuntimeError) as error:
                print(f'# flashed: {type(error).__name__}: {error}', flush=True)
        return checks.finish() == 0 and is_updated

    async def bootable(self, children: Children, spec: str, seed: int) -> Child:
        """A recorder of ours, with its bootloader and the flash of a real one."""
        options = ['--controller', spec, '--board', 's132-debug', '--seed', seed]
        simulator = await children.start('simulate', self.tool, 'simulate', *options)
        await simulator.line('^ready')
        return simulator

    async def recorder(self) -> bool:
        """Our phone and Bumble's recorder, on controllers of Bumble's."""
        checks = Checks('recorder', RECORDER)
        async with Children('recorder', self.work) as children:
            try:
                async with asyncio.timeout(GROUP_LIMITS['recorder']):
                    await Pulls(self, children, checks).run()
            except Abandoned as reason:
                checks.skip(str(reason))
            except (TimeoutError, RuntimeError) as error:
                print(f'# recorder: {type(error).__name__}: {error}', flush=True)
        return checks.finish() == 0

    async def hardware(self) -> bool:
        """Our phone and our recorder in two processes, on two controllers of Bumble's, with simulated instruments."""
        checks = Checks('hardware', HARDWARE)
        try:
            async with asyncio.timeout(GROUP_LIMITS['hardware']):
                await hardware.check(self.tool, self.work, checks)
        except Abandoned as reason:
            checks.skip(str(reason))
        except (TimeoutError, RuntimeError) as error:
            print(f'# hardware: {type(error).__name__}: {error}', flush=True)
        return checks.finish() == 0

    async def app(self) -> bool:
        """An application on Bumble's phone and our recorders, on controllers of Bumble's."""
        checks = Checks('app', APP)
        async with Children('app', self.work) as children:
            try:
                async with asyncio.timeout(GROUP_LIMITS['app']):
                    await Applications(self.tool, self.work / 'app', children, checks).run()
            except Abandoned as reason:
                checks.skip(str(reason))
            except (TimeoutError, RuntimeError) as error:
                print(f'# app: {type(error).__name__}: {error}', flush=True)
        return checks.finish() == 0

    async def served(self) -> bool:
        """Bumble's phone and our recorder, on controllers of Bumble's: a recorder on an adapter of somebody else's."""
        records = self.work / 'served' / 'records'
        make_records(records, {'0000240101120000': 8064, '0000240101120105': 448, '0000240101120210': 64}, 1)
        checks = Checks('served', SERVED_LATER)
        async with Children('served', self.work) as children:
            is_served = False
            try:
                recorder_spec, phone_spec = await children.bridge()
                options = ['--controller', recorder_spec, '--records', records]
                recorder = await children.start('simulate', self.tool, 'simulate', *options)
                await recorder.line('^ready')
                await run_phone(children, phone_spec, '--records', records, '--group', 'served')
                await recorder.stop()
                async with asyncio.timeout(GROUP_LIMITS['served']):
                    await Served(self, children, checks, recorder_spec, phone_spec).run()
            except Abandoned as reason:
                checks.skip(str(reason))
            except (TimeoutError, RuntimeError) as error:
                print(f'# served: {type(error).__name__}: {error}', flush=True)
            is_served = account(children, CONTROL)
        return checks.finish() == 0 and is_served


class Served:
    """A recorder of ours that is killed between two meetings, and one of Bumble's in its place."""

    # A machine that does other things too is never equally fast twice: by so much rates differ that are the same.
    NOISE = 0.05
    TURNS = 8

    def __init__(self, suite: Suite, children: Children, checks: Checks, recorder_spec: str, phone_spec: str):
        self.suite = suite
        self.children = children
        self.checks = checks
        self.recorder_spec = recorder_spec
        self.phone_spec = phone_spec
        folder = suite.work / 'served'
        self.records = folder / 'large'
        self.state = folder / 'state'
        self.keys = folder / 'keys'

    async def run(self):
        make_records(self.records, {'0000240101120000': 1 << 20, '0000240101120105': 448}, 6)
        recorder = await self.simulate('--records', self.records)
        async with self.checks.check('mebibyte', limit=COMMAND_LIMIT, essential=True):
            await self.meet(self.keys)
        # Nothing is told in time: what was kept was kept before.
        await recorder.stop(signal.SIGKILL)
        recorder = await self.simulate('--flash', 'instant')
        async with self.checks.check('bond-survives-kill', limit=COMMAND_LIMIT, essential=True):
            await self.meet(self.keys, '--bonded')
        async with self.checks.check('mebibyte-instantly', limit=COMMAND_LIMIT, essential=True):
            await self.meet(self.keys, '--bonded')
        await recorder.stop()
        async with self.checks.check('no-slower-than-bumble', limit=300):
            await self.compare_rates()

    async def compare_rates(self):
        """Ours and Bumble's recorder by turns, on the same controllers, until the rates of all turns or the best of them
        say that ours is no slower."""
        ours, theirs = [], []
        for turn in range(self.TURNS):
            recorder = await self.simulate('--flash', 'instant')
            ours.append(await self.meet(self.keys, '--bonded'))
            await recorder.stop()
            recorder = await self.children.python(
                'recorder.py', '--controller', self.recorder_spec, '--records', self.records
            )
            await recorder.line('"advertising"')
            theirs.append(await self.meet(self.keys.with_name(f'keys-theirs-{turn}')))
            await recorder.stop()
            ratio = max(max(ours) / max(theirs), harmonic_mean(ours) / harmonic_mean(theirs))
            if turn > 0 and ratio >= 1 - self.NOISE:
                break
        print(f'# octets a second: ours {ours}, of Bumble {theirs}', flush=True)
        expect(ratio >= 1 - self.NOISE, f'{ours} against {theirs}')

    async def simulate(self, *options) -> Child:
        child = await self.children.start(
            'simulate', self.suite.tool, 'simulate', '--controller', self.recorder_spec, '--state', self.state, *options
        )
        await child.line('^ready')
        return child

    async def meet(self, keys: Path, *options) -> int:
        return await meet(self.children, self.phone_spec, self.records, keys, *options)


class Pulls:
    """Our phone meets Bumble's recorder again and again, with one state folder."""

    def __init__(self, suite: Suite, children: Children, checks: Checks):
        self.suite = suite
        self.children = children
        self.checks = checks
        folder = suite.work / 'recorder'
        self.records = folder / 'records'
        self.out = folder / 'out'
        self.state = folder / 'state'
        self.recorder = None
        self.spec = ''
        self.seen = 0

    async def run(self):
        make_records(self.records, {'0000240101120000': 8064, '0000240101120105': 448, '0000240131235959': 19_200}, 3)
        recorder_spec, self.spec = await self.children.bridge()
        self.recorder = await self.children.python(
            'recorder.py', '--controller', recorder_spec, '--records', self.records
        )
        address = (await self.recorder.line(r'"advertising".*"address": "([^"]+)"'))[1]
        async with self.checks.check('scan', limit=COMMAND_LIMIT, essential=True):
            output = await self.tool('scan')
            expect(address.lower() in output.lower(), f'{address} is not among {output}')
        await self.first_meeting()
        await self.second_meeting()
        await self.further_meetings()

    async def tool(self, verb: str, *options) -> str:
        """Runs our tool as the phone; returns what it printed."""
        child = await self.children.start(
            verb, self.suite.tool, verb, '--controller', self.spec, '--format', 'json', *options
        )
        code = await child.end(COMMAND_LIMIT)
        expect_equal(code, 0, f'exit code of {verb}, which said {child.lines[-3:]}')
        return '\n'.join(child.lines)

    async def pull(self) -> list[dict]:
        """One meeting; returns what the recorder saw of it."""
        self.events()
        await self.tool('pull', '--out', self.out, '--state', self.state)
        # What the recorder says about the end of the meeting may still be on its way.
        await asyncio.sleep(0.5)
        return self.events()

    def events(self) -> list[dict]:
        """What the recorder has told since the last time."""
        fresh, self.seen = self.recorder.lines[self.seen :], len(self.recorder.lines)
        return [json.loads(line) for line in fresh if line.startswith('{')]

    def expect_equal_records(self):
        for path in sorted(self.records.glob('*.record')):
            copy = self.out / path.name
            expect(copy.exists(), f'{path.name} was not written')
            expect(copy.read_bytes() == path.read_bytes(), f'{path.name} differs')

    async def first_meeting(self):
        async with self.checks.check('pull', limit=COMMAND_LIMIT, essential=True):
            events = await self.pull()
        kinds = [event['event'] for event in events]
        async with self.checks.check('records-equal'):
            self.expect_equal_records()
        async with self.checks.check('audio-written'):
            for path in sorted(self.records.glob('*.record')):
                with wave.open(str(self.out / f'{path.stem}.wav')) as sound:
                    expect_equal(sound.getnchannels(), 1, 'channels')
                    expect_equal(sound.getnframes(), path.stat().st_size * 2, 'samples')
        async with self.checks.check('encrypted-before-requests'):
            expect('request' in kinds and 'paired' in kinds, f'{kinds}')
            expect(kinds.index('encrypted') < kinds.index('request'), f'{kinds}')
        async with self.checks.check('battery-read'):
            expect('battery-read' in kinds, f'{kinds}')
        async with self.checks.check('current-time'):
            readings = [event for event in events if event['event'] == 'time-read']
            expect(bool(readings), f'{kinds}')
            expect_equal(readings[0]['octets'], 10, 'octets of the current time')
            expect(readings[0]['difference'] <= 5, f'{readings[0]["difference"]} s away from the phone')

    async def second_meeting(self):
        async with self.checks.check('bond-reused', limit=COMMAND_LIMIT):
            events = await self.pull()
            kinds = [event['event'] for event in events]
            expect('encrypted' in kinds, f'not encrypted: {kinds}')
            expect('paired' not in kinds, 'paired again')
            expect('battery-read' in kinds, 'the battery was not read')
        async with self.checks.check('nothing-fetched-twice'):
            expect_equal(fetched(events), [], 'records fetched')

    async def further_meetings(self):
        async with self.checks.check('only-new-fetched', limit=COMMAND_LIMIT):
            make_records(self.records, {'0000240229080910': 1280}, 4)
            events = await self.pull()
            expect_equal(fetched(events), ['0000240229080910'], 'records fetched')
            self.expect_equal_records()
        async with self.checks.check('long-list', limit=COMMAND_LIMIT):
            fresh = [f'00002403{day:02}101112' for day in range(1, 21)]
            make_records(self.records, {identifier: 640 for identifier in fresh}, 5)
            events = await self.pull()
            expect_equal(sorted(fetched(events)), fresh, 'records fetched')
            self.expect_equal_records()


def fetched(events: list[dict]) -> list[str]:
    return [event['identifier'] for event in events if event['event'] == 'request' and event['opcode'] == '03']


def show_logs(work: Path):
    """The last lines of every log, for whoever reads the output of a failed run."""
    for log in sorted((work / 'logs').glob('*.log')):
        print(f'--- {log}')
        for line in log.read_text(errors='replace').splitlines()[-12:]:
            print(f'    {line[:300]}')


async def one_by_one(suite: Suite, groups: list[str]) -> bool:
    """Whether all groups passed; none is left out because one before it failed."""
    return all([await getattr(suite, group)() for group in groups])


async def run(tool: Path, work: Path, image: Path, groups: list[str]) -> int:
    shutil.rmtree(work, ignore_errors=True)
    (work / 'logs').mkdir(parents=True)
    suite = Suite(tool, work, image)
    # A bench waits most of the time: for a recorder that is as slow as in the field, for a limit to pass. The others go on.
    benches = [group for group in groups if group == 'hardware']
    others = [group for group in groups if group != 'hardware']
    outcomes = await asyncio.gather(one_by_one(suite, benches), one_by_one(suite, others))
    if all(outcomes):
        return 0
    show_logs(work)
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', type=Path, required=True, help='our dictobench')
    parser.add_argument('--work', type=Path, required=True, help='folder for records and logs; is emptied')
    parser.add_argument('--image', type=Path, default=GUEST, help='what the group executed executes')
    parser.add_argument('--only', choices=list(GROUP_LIMITS), action='append')
    arguments = parser.parse_args()
    groups = arguments.only or list(GROUP_LIMITS)
    sys.exit(asyncio.run(run(arguments.tool.absolute(), arguments.work.absolute(), arguments.image.absolute(), groups)))


if __name__ == '__main__':
    main()
