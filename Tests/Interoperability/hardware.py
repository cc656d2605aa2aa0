"""Our phone and our recorder in two processes, each on a controller of Bumble's: `run --target hardware` and `simulate`.

Nothing is shared but the link and the instruments of the bench: a console and a Pico on pseudo-terminals, a supply
that speaks SCPI over TCP, and an operator at a terminal who reads prompts and does what they ask for. The recorder's
time-outs are those of the field.
"""

import asyncio
import contextlib
import json
import os
import random
import re
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from checks import Checks, expect, expect_equal
from children import Children
from troubles import Babble, Failure, HangUp, Lie, Noise, Refusal, Relay, Silence, Trouble, Unplugging

ADDRESS = 'C6:05:04:03:02:01'
SERIAL = 'E6614C311B000001'
RIGS = 3
RUN_LIMIT = 60

LOCKOUT = 'battery-recovers'
NO_REDOWNLOAD = 'library-no-redownload'
# Without a Pico, but with somebody who holds the rail.
BY_HAND = ('battery-levels[voltage=3.2', 'battery-levels[voltage=3.3', 'battery-levels[voltage=3.4')
# Each in a run of its own; together a few minutes.
SCENARIOS = [
    LOCKOUT, 'battery-change-is-told', f'{NO_REDOWNLOAD}*records=1*', 'library-removed-all*records=1*', 'battery-levels*',
    'discovery-nothing-in-sight', 'protocol-bad-requests*octets=0?]', 'protocol-too-long', 'protocol-unknown-record',
    'recording-press-while-connected', 'records-size-and-space*records=0,*',
]
FEWEST = 20
# Bench time is short and everything is used: supply, rail, console and pairing.
SHORT = 'battery-levels*3.50*'

# Faults of the recorder and a scenario that notices each.
RECORDER_FAULTS = [
    ('battery-level-too-high', 'battery-levels*3.40*'),
    ('never-advertises', 'discovery-nothing-in-sight'),
    ('list-count-off-by-one', 'protocol-too-long'),
    ('silent-about-unknown-records', 'protocol-unknown-record'),
    ('deaf-after-second-request', 'protocol-second-request*second=01]'),
    ('silent-after-disconnect', 'recording-press-while-connected'),
    ('deaf-after-bad-request', 'protocol-bad-requests*octets=05]'),
    ('ignores-receive-complete', 'protocol-receive-complete'),
]
UNPLUGGINGS = 50


@dataclass
class Run:
    """What one `run` came to."""

    code: int
    seconds: float
    prompts: int
    output: str
    folder: Path

    @property
    def scenarios(self) -> list[dict]:
        return json.loads((self.folder / 'summary.json').read_text())['scenarios']

    @property
    def reason(self) -> str:
        return next((item['reason'] or '' for item in self.scenarios), '')


class Operator:
    """Somebody at a terminal, who does what prompts ask for with the verbs of `simulate`."""

    def __init__(self, rig: 'Rig', answer: str = ''):
        self.rig = rig
        self.answer = answer

    async def serve(self, prompt: str, terminal: int):
        if 'supply off and on' in prompt:
            await self.rig.steer('cut-power', 'power-on')
        os.write(terminal, f'{self.answer}\n'.encode())


class Unable(Operator):
    """Says what is wrong."""

    def __init__(self, rig: 'Rig'):
        super().__init__(rig, 'no key to the drawer')


class Absent(Operator):
    """Nobody is there."""

    async def serve(self, prompt: str, terminal: int):
        pass


class Leaver(Operator):
    """Closes the terminal when asked for something."""

    async def serve(self, prompt: str, terminal: int):
        os.write(terminal, b'\x04')


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Rig:
    """Two controllers of Bumble's, a recorder of ours on one, its instruments, and a place for the phone on the other."""

    def __init__(self, tool: Path, work: Path, children: Children, number: int):
        self.tool = tool
        self.children = children
        self.folder = work / 'hardware' / str(number)
        self.folder.mkdir(parents=True)
        self.recorder_controller = self.phone_port = self.simulator = None
        self.supply_port = free_port()
        self.steered = 0
        self.runs = 0

    async def start(self):
        self.recorder_controller, phone = await self.children.bridge()
        self.phone_port = int(phone.rsplit(':', 1)[1])
        await self.simulate()
        return self

    async def simulate(self, *options):
        """Starts the recorder, or another one in its place."""
        if self.simulator is not None:
            self.simulator.process.stdin.close()
            await self.simulator.stop()
        path = self.bench('simulated')
        self.simulator = await self.children.start(
            'simulate', self.tool, 'simulate', '--controller', self.recorder_controller, '--bench', path,
            '--power', 'real', *options, stdin=asyncio.subprocess.PIPE,
        )
        self.steered = 0
        await self.simulator.line('^ready')

    async def steer(self, *verbs: str):
        """Does something to the recorder by hand."""
        for verb in verbs:
            self.steered += 1
            self.simulator.process.stdin.write(f'{verb}\n'.encode())
            async with asyncio.timeout(5), self.simulator.news:
                await self.simulator.news.wait_for(
                    lambda: sum(line == 'passed' for line in self.simulator.lines) >= self.steered
                )

    def bench(self, name: str, **changes) -> Path:
        """Writes a bench file; `changes` are instruments in other places, or None for those that are not there."""
        instruments = {
            'console': f'{{RawSerialPort: {{port: {self.folder}/console}}}}',
            'supply': self.supply(self.supply_port),
            'pico': f'{{RawSerialPort: {{port: {self.folder}/pico}}, serial: {SERIAL}}}',
            'operator': '{does: [rail], within: 5 s}',
        }
        port, address = changes.pop('port', self.phone_port), changes.pop('address', ADDRESS)
        instruments |= changes
        lines = [f'    {key}: {value}' for key, value in instruments.items() if value is not None]
        path = self.folder / f'{name}.yaml'
        path.write_text(
            f'place: simulated\ntolerance: 500 ms\nadapters: ["tcp-client:127.0.0.1:{port}"]\n'
            f'recorders:\n  - address: {address}\n' + '\n'.join(lines) + '\n'
        )
        return path

    @staticmethod
    def supply(port: int) -> str:
        points = '[{reported: 2.75 V, true: 3.00 V}, {reported: 3.67 V, true: 4.00 V}]'
        return (
            f'{{NetworkSerialPort: {{host: 127.0.0.1, port: {port}}}, identity: DICTOBENCH, highest: 4.6 V, '
            f'calibration: {points}}}'
        )

    async def run(self, name: str, bench: Path, operator: Operator | None = None, limit: float = RUN_LIMIT) -> Run:
        """Runs the scenarios of a name before this rig."""
        self.runs += 1
        folder = self.folder / f'out-{self.runs}'
        terminal, seat = os.openpty() if operator else (None, asyncio.subprocess.DEVNULL)
        environment = {key: value for key, value in os.environ.items() if key != 'CI'}
        began, prompts, lines, prompt = time.monotonic(), 0, [], ''
        process = await asyncio.create_subprocess_exec(
            str(self.tool), 'run', '--target', 'hardware', '--bench', str(bench), '--name', name, '--out', str(folder),
            'scenarios', stdin=seat, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            env=environment, start_new_session=True, limit=1 << 20,
        )
        try:
            async with asyncio.timeout(limit):
                while line := await process.stdout.readline():
                    lines.append(line.decode('utf-8', 'replace'))
                    prompts += 'OPERATOR:' in lines[-1]
                    prompt = lines[-1] if 'OPERATOR:' in lines[-1] else prompt + lines[-1]
                    if 'Enter when done' in lines[-1]:
                        await operator.serve(prompt, terminal)
                code = await process.wait()
        except TimeoutError:
            raise TimeoutError(f'{name} did not end within {limit:g} s: {"".join(lines)[-300:]}') from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            if operator:
                os.close(terminal)
                os.close(seat)
        return Run(code, time.monotonic() - began, prompts, ''.join(lines), folder)


@contextlib.asynccontextmanager
async def rigs(tool: Path, work: Path):
    async with Children('hardware', work) as children:
        yield [await Rig(tool, work, children, number).start() for number in range(RIGS)]


async def share(rigs: list[Rig], work: list, perform):
    """Does all the work, each piece on the next rig that is free; what was found, in the order of the work."""
    queue, found = list(enumerate(work)), [None] * len(work)

    async def serve(rig):
        while queue:
            index, item = queue.pop(0)
            found[index] = await perform(rig, item)

    try:
        async with asyncio.TaskGroup() as group:
            for rig in rigs:
                group.create_task(serve(rig))
    except ExceptionGroup as failures:
        # The first one tells what was wrong; the others were cancelled because of it.
        raise failures.exceptions[0] from None
    return found


def table(title: str, rows: list[tuple]):
    print(f'# {title}')
    for row in rows:
        print('#   ' + '  '.join(str(cell) for cell in row), flush=True)


async def expand(tool: Path, patterns: list[str]) -> list[str]:
    """The scenarios, with their cells, that patterns name."""
    names = []
    for pattern in patterns:
        process = await asyncio.create_subprocess_exec(
            str(tool), 'list', '--format', 'json', '--name', pattern, 'scenarios', stdout=asyncio.subprocess.PIPE
        )
        names += [item['id'] + item['cell'] for item in json.loads((await process.communicate())[0])]
    return names


async def check_scenarios(tool: Path, rigs: list[Rig], checks: Checks):
    names = await expand(tool, SCENARIOS)

    async def perform(rig, name):
        if not name.startswith(BY_HAND):
            return await rig.run(name, rig.bench('pico'))
        run = await rig.run(name, rig.bench('operator', pico=None), Operator(rig))
        run.prompts -= 1  # the look at the bench wakes the recorder as well
        return run

    async with checks.check('scenarios', limit=400):
        runs = await share(rigs, names, perform)
        results = [(item, run) for run in runs for item in run.scenarios]
        table(
            f'{len(results)} scenarios over two controllers, field time-outs on',
            [(i['id'] + i['cell'], i['verdict'], f'{r.seconds:.1f} s', f'{r.prompts} prompts', i['reason'] or '')
             for i, r in results],
        )
        passed = {item['id'] for item, run in results if item['verdict'] == 'passed'}
        wrong = [item['id'] + item['cell'] for item, run in results if item['verdict'] not in ('passed', 'blocked')]
        expect_equal(wrong, [], 'scenarios that did not pass')
        count = sum(item['verdict'] == 'passed' for item, run in results)
        expect(count >= FEWEST, f'only {count} passed')
    async with checks.check('low-battery-lockout'):
        expect(LOCKOUT in passed, f'{LOCKOUT} did not pass')
    async with checks.check('no-redownload'):
        expect(NO_REDOWNLOAD in passed, f'{NO_REDOWNLOAD} did not pass')
    async with checks.check('one-prompt'):
        many = [(item['id'], run.prompts) for item, run in results if run.prompts > 1]
        expect_equal(many, [], 'scenarios with several prompts')
        expect(any(run.prompts == 1 for run in runs), 'nobody was asked for anything')


async def check_blocked(rig: Rig, checks: Checks):
    async with checks.check('blocked-without-actuators', limit=60):
        bare = rig.bench('bare', console=None, supply=None, pico=None, operator=None)
        run = await rig.run('library-*', bare)
        reasons = {item['id'] + item['cell']: item['reason'] for item in run.scenarios}
        expect(all(item['verdict'] == 'blocked' for item in run.scenarios), f'{reasons}')
        expect(all(re.search('actuators: |sensors: |recorders|phones', reason) for reason in reasons.values()), f'{reasons}')


async def check_recorder_faults(rigs: list[Rig], checks: Checks):
    async def perform(rig, row):
        await rig.simulate('--fault', row[0])
        return await rig.run(row[1], rig.bench('pico'))

    async with checks.check('recorder-faults', limit=200):
        runs = await share(rigs, RECORDER_FAULTS, perform)
        table('faults of the recorder', [(*row, run.code, run.reason) for row, run in zip(RECORDER_FAULTS, runs)])
        wrong = [row[0] for row, run in zip(RECORDER_FAULTS, runs) if run.code != 1]
        for rig in rigs:
            await rig.simulate()
        expect_equal(wrong, [], 'faults that were not told with exit code 1')


NOWHERE = '{RawSerialPort: {port: /dev/dictobench-none}}'
# What goes wrong around a recorder that is in order: in the bench file, in an instrument, or with the operator.
BENCH_FAULTS = [
    ('no controller', 'port', None),
    ('a controller that hangs up', 'port', HangUp()),
    ('a controller that is silent', 'port', Silence()),
    ('a controller that talks nonsense', 'port', Noise(1)),
    ('a controller that talks nonsense after a while', 'port', Noise(2, after=200)),
    ('a controller that refuses everything', 'port', Refusal()),
    ('a controller whose hardware fails', 'port', Failure(400)),
    ('a controller that is unplugged', 'port', Unplugging(900)),
    ('no console', 'console', NOWHERE),
    ('a console that talks nonsense', 'console', Noise(3)),
    ('a console that is silent', 'console', Silence()),
    ('a console that hangs up', 'console', HangUp()),
    ('no supply', 'supply', None),
    ('a supply of another make', 'supply', Lie(b'*IDN?', b'ACME,1,2,3\n')),
    ('a supply that is silent', 'supply', Silence()),
    ('a supply that hangs up', 'supply', HangUp()),
    ('a supply that babbles', 'supply', Babble(b'WARMING UP\n')),
    ('a supply that lies', 'supply', Lie(b'MEAS:VOLT?', b'1.000\n')),
    ('no Pico', 'pico', NOWHERE),
    ('a Pico that is none', 'pico', Babble(b'>>>\n')),
    ('an operator who is away', 'operator', Absent),
    ('an operator who cannot', 'operator', Unable),
    ('an operator who leaves', 'operator', Leaver),
    ('a wrong address', 'address', 'C6:05:04:03:02:02'),
]


async def run_troubled(rig: Rig, row: tuple) -> Run:
    _, place, trouble = row
    if place == 'operator':
        return await rig.run(SHORT, rig.bench('troubled', pico=None), trouble(rig))
    if isinstance(trouble, str):
        return await rig.run(SHORT, rig.bench('troubled', **{place: trouble}))
    target = {'port': rig.phone_port, 'supply': rig.supply_port}.get(place)
    async with Relay(target, trouble or Trouble()) as relay:
        port = relay.port if trouble else free_port()
        line = f'{{NetworkSerialPort: {{host: 127.0.0.1, port: {port}}}}}'
        value = {'port': port, 'supply': Rig.supply(port)}.get(place, line)
        return await rig.run(SHORT, rig.bench('troubled', **{place: value}))


async def check_bench_faults(rigs: list[Rig], checks: Checks):
    async with checks.check('bench-faults', limit=300):
        runs = await share(rigs, BENCH_FAULTS, run_troubled)
        rows = [(row[0], run.code, f'{run.seconds:.1f} s', run.reason) for row, run in zip(BENCH_FAULTS, runs)]
        table('faults of the bench', rows)
        expect_equal([row[0] for row in rows if row[1] != 3], [], 'faults that were not told with exit code 3')
        for rig in rigs:
            run = await rig.run(SHORT, rig.bench('pico'))
            expect_equal(run.code, 0, f'exit code afterwards, with {run.reason}')


async def check_unplugged(rigs: list[Rig], checks: Checks):
    """The phone's controller is gone after a number of octets that differs each time; then it is back."""
    source = random.Random(2024)

    async def perform(rig, octets):
        async with Relay(rig.phone_port, Unplugging(octets)) as relay:
            run = await rig.run(SHORT, rig.bench('unplugged', port=relay.port))
        reports = [(run.folder / name).exists() for name in ('junit.xml', 'summary.json', 'events.ndjson')]
        again = await rig.run(SHORT, rig.bench('pico'))
        return octets, run.code, f'{run.seconds:.1f} s', all(reports), again.code, run.reason, again.reason

    async with checks.check('unplugged', limit=500):
        async with Relay(rigs[0].phone_port) as relay:
            run = await rigs[0].run(SHORT, rigs[0].bench('unplugged', port=relay.port))
            expect_equal(run.code, 0, f'exit code without unplugging, with {run.reason}')
            whole = relay.octets
        # Advertisements are more or fewer each time, so the last octets may never come.
        rows = await share(rigs, [source.randrange(whole * 4 // 5) for _ in range(UNPLUGGINGS)], perform)
        table(f'octets of about {whole} before the controller was gone: code, time, reports, code afterwards', rows)
        wrong = [row for row in rows if row[1] != 3 or not row[3] or row[4] != 0]
        expect_equal(wrong, [], 'moments')


async def check(tool: Path, work: Path, checks: Checks):
    """Reports the checks of this group."""
    async with rigs(tool, work) as benches:
        await check_scenarios(tool, benches, checks)
        await check_blocked(benches[0], checks)
        await check_recorder_faults(benches, checks)
        await check_bench_faults(benches, checks)
        await check_unplugged(benches, checks)
