"""`dictobench run --target app` against an application on Bumble's phone: what passes, what is blocked, what is noticed."""

import asyncio
import json
import sys
from pathlib import Path

from app_hook import send
from checks import Checks, expect, expect_equal
from troubles import Relay, Trouble, Unplugging

HERE = Path(__file__).resolve().parent
SCENARIOS = 'scenarios'  # as the tool knows them, which runs at the top of the repository
ACTIONS = [
    'reset', 'connect', 'pair', 'unpair', 'disconnect', 'list', 'inform', 'download', 'file-system', 'read-battery',
    'sync', 'delete', 'library', 'restart', 'show', 'set-clock', 'ask',
]  # fmt: skip

# Scenarios that take few seconds of real time, by name and cell.
PASSING = [
    'pairing-bond-survives-power-cut',
    'pairing-once',
    'pairing-recorder-forgot',
    'pairing-second-refused',
    'pairing-security?security=legacy?',
    'pairing-unpair',
    'library-no-redownload?records=1?',
    'library-removed-all?records=1?',
    'library-removed-for-good',
    'protocol-receive-complete',
    'protocol-unknown-record',
    'discovery-nothing-in-sight',
    'battery-levels?voltage=3.40*',
    'records-count?records=1?',
    'records-order',
    'records-size-and-space?records=20*',
    'clock-first-pairing',
    'clock-set-at-meeting?clock=2031*',
]

SHORT = 'records-count?records=1?'
# After how much of a scenario our recorder's controller is gone: while it is set up, and in both meetings.
MOMENTS = [0.1, 0.4, 0.9]

# What the application does wrong, a scenario in which it shows, and the requirement that it breaks.
FAULTS = [
    ('second-pairing', 'pairing-second-refused', 'APP-1.1.3'),
    ('fts-while-low', 'battery-low-phone-stops', 'APP-1.3.1.3'),
    ('no-battery-read', SHORT, 'APP-1.3.1.1'),
    ('re-download', 'library-removed-all?records=1?', 'APP-2.3.1'),
    ('wrong-time', 'clock-set-at-meeting?clock=2031*', 'APP-1.3.2.1'),
    ('request-storm', SHORT, 'APP-1.2.1'),
]

QUESTION = """
scenario: the phone shows the battery's level
id: app-asks
verifies: [APP-1.3.1]
given:
  device: {battery: 84 %}
steps:
  - phone: connect
  - phone: read-battery
    expect: {level: 84 %}
  - ask: "Does the phone show 84 %?"
always:
  - phone: disconnect
"""


class Applications:
    """One phone that goes through all of it."""

    def __init__(self, tool: Path, folder: Path, children, checks: Checks):
        self.tool = tool
        self.folder = folder
        self.children = children
        self.checks = checks
        self.socket = folder / 'socket'
        self.specs: list[str] = []

    async def run(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        async with self.checks.check('fresh-phone', limit=30, essential=True):
            *self.specs, phone = await self.children.bridge(3)
            child = await self.children.python(
                'phone_app.py', '--controller', phone, '--socket', self.socket, '--files', self.folder / 'files'
            )
            await child.line('^ready')
        bench = self.bench('bench', ACTIONS)
        async with self.checks.check('what-is-blocked', limit=60):
            code, lines = await self.start('list', SCENARIOS, '--bench', bench)
            expect_equal(code, 0, 'exit code of list')
            print(f'# app: {lines[-1]}', flush=True)
            expect('actuators: medium' in lines[-1] and '2 phones' in lines[-1], lines[-1])
        async with self.checks.check('scenarios-pass', limit=200):
            code, report = await self.judge(bench, PASSING, SCENARIOS)
            deviant = [f'{s["id"]}: {s["reason"]}' for s in report['scenarios'] if s['verdict'] != 'passed']
            expect_equal(deviant, [], 'scenarios that did not pass')
            expect_equal(len(report['scenarios']), len(PASSING), 'scenarios')
            expect_equal(code, 0, 'exit code')
        await self.questions(bench)
        for fault, scenario, requirement in FAULTS:
            async with self.checks.check(f'fault-{fault}', limit=40):
                await self.set_fault(fault)
                code, report = await self.judge(bench, [scenario], SCENARIOS)
                await self.set_fault('')
                expect_equal(code, 1, 'exit code')
                violated = [r['id'] for r in report['requirements'] if r['outcome'] == 'violated']
                expect(requirement in violated, f'{requirement} is not among {violated}')
        await self.broken_hook()
        await self.unplugged_controller()

    async def questions(self, bench: Path):
        scenario = self.folder / 'question.yaml'
        scenario.write_text(QUESTION.lstrip())
        async with self.checks.check('question-answered', limit=30):
            code, report = await self.judge(bench, ['app-asks'], scenario)
            expect_equal(report['scenarios'][0]['verdict'], 'passed', 'verdict')
        async with self.checks.check('question-blocked', limit=30):
            mute = self.bench('mute', [action for action in ACTIONS if action != 'ask'])
            code, report = await self.judge(mute, ['app-asks'], scenario)
            expect_equal(code, 4, 'exit code')
            expect('phone.ask' in report['scenarios'][0]['reason'], report['scenarios'][0]['reason'])

    async def broken_hook(self):
        """A hook that breaks is the bench's trouble, never the application's."""
        async with self.checks.check('broken-hook', limit=30):
            bench = self.bench('broken', ACTIONS)
            bench.write_text(bench.read_text().replace(f'{{for: sync, run: [{sys.executable}', '{for: sync, run: [/bin/false'))
            code, report = await self.judge(bench, ['records-count?records=0?'], SCENARIOS)
            expect_equal(report['scenarios'][0]['verdict'], 'bench-error', 'verdict')
            expect_equal(code, 3, 'exit code')

    async def unplugged_controller(self):
        """A controller of our recorder's that is gone in the middle of a scenario is the bench's trouble as well."""
        async with self.checks.check('controller-unplugged', limit=120):
            code, whole, _ = await self.relayed(Trouble())
            expect_equal(code, 0, 'exit code without unplugging')
            for moment in MOMENTS:
                code, _, report = await self.relayed(Unplugging(round(whole * moment)))
                outcome = report['scenarios'][0]
                print(f'# app: unplugged at {moment} of {whole} octets: {code} {outcome["reason"]}', flush=True)
                expect_equal((code, outcome['verdict']), (3, 'bench-error'), f'exit code and verdict at {moment}')
            code, _ = await self.judge(self.bench('bench', ACTIONS), [SHORT], SCENARIOS)
            expect_equal(code, 0, 'exit code afterwards')

    async def relayed(self, trouble: Trouble) -> tuple[int, int, dict]:
        """Runs a scenario with trouble between our recorder and its controller; the octets that came from there."""
        specs = self.specs
        async with Relay(int(specs[0].rsplit(':', 1)[1]), trouble) as relay:
            self.specs = [f'tcp-client:127.0.0.1:{relay.port}', *specs[1:]]
            bench, self.specs = self.bench('relayed', ACTIONS), specs
            code, report = await self.judge(bench, [SHORT], SCENARIOS)
            return code, relay.octets, report

    def bench(self, name: str, actions: list[str]) -> Path:
        hooks = [
            f'    - {{for: {action}, run: [{sys.executable}, {HERE / "app_hook.py"}, {self.socket}], within: 20 s}}'
            for action in actions
        ]
        lines = ['place: bumble', f'adapters: {json.dumps(self.specs)}', 'tolerance: 2 s', 'phone:', '  hooks:'] + hooks
        path = self.folder / f'{name}.yaml'
        path.write_text('\n'.join(lines) + '\n')
        return path

    async def set_fault(self, name: str):
        await asyncio.to_thread(send, str(self.socket), {'action': 'fault', 'name': name})

    async def judge(self, bench: Path, names: list[str], scenarios: str | Path) -> tuple[int, dict]:
        """Runs scenarios by name; the exit code and the summary."""
        out = self.folder / 'out'
        options = [word for name in names for word in ('--name', name)]
        code, lines = await self.start('run', scenarios, '--target', 'app', '--bench', bench, '--out', out, *options)
        expect(any('The application is under test' in line for line in lines), f'the party under test is not named: {lines[-3:]}')
        return code, json.loads((out / 'summary.json').read_text())

    async def start(self, *words) -> tuple[int, list[str]]:
        child = await self.children.start(words[0], self.tool, *words)
        code = await child.end(300)
        return code, child.lines
