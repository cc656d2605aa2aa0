"""Rigs of the group `hardware`: a recorder of ours on one controller of Bumble's, a place for our phone on the other,
and the instruments of a bench between them, which are a console and a Pico on pseudo-terminals, a supply that speaks
SCPI over TCP, and an operator at a terminal who reads prompts and does what they ask for.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from children import Children

ADDRESS = 'C6:05:04:03:02:01'
SERIAL = 'E6614C311B000001'
RUN_LIMIT = 100
# They mostly wait.
RIGS = 8
REPORTS = ('junit.xml', 'summary.json', 'events.ndjson')


@dataclass
class Run:
    """What one `run` came to."""

    code: int | None  # None for one that did not end
    seconds: float
    prompts: int
    output: str
    folder: Path
    descriptors: list[int]  # open ones, whenever a scenario had passed; only of a run with repetitions

    @property
    def is_reported(self) -> bool:
        return all((self.folder / name).exists() for name in REPORTS)

    @property
    def summary(self) -> dict:
        return json.loads((self.folder / 'summary.json').read_text()) if self.is_reported else {'scenarios': []}

    @property
    def scenarios(self) -> list[dict]:
        return self.summary['scenarios']

    @property
    def verdict(self) -> str:
        return ' '.join(item['verdict'] for item in self.scenarios) or 'no verdict'

    @property
    def reason(self) -> str:
        if not self.is_reported:
            return ' '.join(self.output.split())[-200:]
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
        self.fault = None
        self.steered = 0
        self.runs = 0

    async def start(self):
        self.recorder_controller, phone = await self.children.bridge()
        self.phone_port = int(phone.rsplit(':', 1)[1])
        await self.simulate()
        return self

    async def plant(self, fault: str | None):
        """Has a recorder with this fault, or one in order, on the rig."""
        if fault != self.fault:
            await self.simulate(*(['--fault', fault] if fault else []))
            self.fault = fault

    async def simulate(self, *options, power: str = 'real'):
        """Starts the recorder, or another one in its place."""
        await self.remove()
        self.simulator = await self.children.start(
            'simulate', self.tool, 'simulate', '--controller', self.recorder_controller, '--bench',
            self.bench('simulated'), '--power', power, *options, stdin=asyncio.subprocess.PIPE,
        )
        self.steered = 0
        await self.simulator.line('^ready')

    async def remove(self, *signals: signal.Signals):
        """Takes the recorder away."""
        if self.simulator is not None:
            self.simulator.process.stdin.close()
            await self.simulator.stop(*signals)

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
            # A simulated recorder takes packages of the public test key, and the same version again.
            'commands': '[{for: install-firmware, run: [/bin/true]}]',
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

    async def run(
        self, name: str, bench: Path, operator: Operator | None = None, interrupt_after: float | None = None,
        repeat: int = 1,
    ) -> Run:
        """Runs the scenarios of a name before this rig, several times or interrupted after a while where it is asked for."""
        self.runs += 1
        folder = self.folder / f'out-{self.runs}'
        terminal, seat = os.openpty() if operator else (None, asyncio.subprocess.DEVNULL)
        environment = {key: value for key, value in os.environ.items() if key != 'CI'}
        began, prompts, lines, prompt = time.monotonic(), 0, [], ''
        process = await asyncio.create_subprocess_exec(
            str(self.tool), 'run', '--target', 'hardware', '--bench', str(bench), '--name', name, '--out', str(folder),
            *(['--repeat', str(repeat), '--verbose'] if repeat > 1 else []), 'scenarios', stdin=seat, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            env=environment, start_new_session=True, limit=1 << 20,
        )
        timer = None
        if interrupt_after is not None:
            timer = asyncio.get_running_loop().call_later(interrupt_after, process.send_signal, signal.SIGINT)
        code, descriptors = None, []
        try:
            async with asyncio.timeout(RUN_LIMIT):
                while line := await process.stdout.readline():
                    lines.append(line.decode('utf-8', 'replace'))
                    if lines[-1].startswith('passed'):
                        with contextlib.suppress(FileNotFoundError):
                            descriptors.append(len(os.listdir(f'/proc/{process.pid}/fd')))
                    prompts += 'OPERATOR:' in lines[-1]
                    prompt = lines[-1] if 'OPERATOR:' in lines[-1] else prompt + lines[-1]
                    if 'Enter when done' in lines[-1]:
                        await operator.serve(prompt, terminal)
                code = await process.wait()
        except TimeoutError:
            lines.append(f'did not end within {RUN_LIMIT:g} s')
        finally:
            if timer:
                timer.cancel()
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            if operator:
                os.close(terminal)
                os.close(seat)
        return Run(code, time.monotonic() - began, prompts, ''.join(lines), folder, descriptors)


@contextlib.asynccontextmanager
async def rigs(tool: Path, work: Path):
    async with Children('hardware', work) as children:
        yield await asyncio.gather(*(Rig(tool, work, children, number).start() for number in range(RIGS)))


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
