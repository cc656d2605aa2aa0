"""Our phone and our recorder in two processes, each on a controller of Bumble's: `run --target hardware` and `simulate`.

Nothing is shared but the link and the instruments of the bench (`rigs.py`). The recorder's time-outs are those of the
field.
"""

import asyncio
import json
import random
import re
import signal
from pathlib import Path

from checks import Checks, expect, expect_equal
from rigs import Absent, Leaver, Operator, Rig, Run, Unable, free_port, rigs, share, table
from troubles import Babble, Failure, HangUp, Lie, Noise, Refusal, Relay, Silence, Trouble, Unplugging

LOCKOUT = 'battery-recovers'
NO_REDOWNLOAD = 'library-no-redownload'
# Without a Pico, but with somebody who holds the rail.
BY_HAND = ('battery-levels[voltage=3.2', 'battery-levels[voltage=3.3', 'battery-levels[voltage=3.4')
# Each in a run of its own, those that take longest first.
SCENARIOS = [
    LOCKOUT, 'battery-change-is-told', 'view-status', 'protocol-bad-requests*octets=0?]', 'update-states',
    f'{NO_REDOWNLOAD}*records=1*', 'protocol-unknown-record', 'library-removed-all*records=1*',
    'recording-press-while-connected', 'protocol-too-long', 'records-size-and-space*records=0,*',
    'discovery-nothing-in-sight', 'battery-levels*',
]
FEWEST = 20
# Bench time is short and everything is used: supply, rail, console and pairing.
SHORT = 'battery-levels*3.50*'

# Faults of the recorder and a scenario that notices each.
RECORDER_FAULTS = [
    ('deaf-after-bad-request', 'protocol-bad-requests*octets=05]'),
    ('battery-never-notifies', 'battery-change-is-told'),
    ('list-count-off-by-one', 'protocol-too-long'),
    ('ignores-receive-complete', 'protocol-receive-complete'),
    ('identifier-duplicated', 'protocol-receive-complete'),
    ('silent-about-unknown-records', 'protocol-unknown-record'),
    ('silent-after-disconnect', 'recording-press-while-connected'),
    ('bootloader-never-advertises', 'update-states'),
    ('bootloader-lies-about-checksum', 'update-states'),
    ('skips-packet', 'library-removed-all*records=1?'),
    ('stops-mid-transfer', 'library-removed-all*records=1?'),
    ('disconnects-mid-transfer', 'library-removed-all*records=1?'),
    ('size-overstated', 'library-removed-all*records=1?'),
    ('list-omits-newest', 'library-removed-all*records=1?'),
    ('resurrects-after-reconnect', 'library-removed-all*records=1?'),
    ('forgets-bonds', 'library-removed-all*records=1?'),
    ('forgets-bonds-at-disconnect', 'records-size-and-space*records=0,*'),
    ('free-space-overstated', 'records-size-and-space*records=0,*'),
    ('bootloader-accepts-downgrade', 'update-attacks-replay'),
    ('never-advertises', 'discovery-nothing-in-sight'),
    ('hides-its-service', 'discovery-nothing-in-sight'),
    ('wakes-late', 'discovery-nothing-in-sight'),
    ('battery-level-too-high', 'battery-levels*3.40*'),
]
UNPLUGGINGS = 50
# Seconds into `LOCKOUT`: while the bench is made ready, and while steps wait.
INTERRUPTIONS = [2, 5, 8, 11, 14, 18, 22, 26]
PROMPT = 5
REPETITIONS = 8


async def expand(tool: Path, patterns: list[str]) -> list[str]:
    """The scenarios, with their cells, that patterns name."""
    names = []
    for pattern in patterns:
        process = await asyncio.create_subprocess_exec(
            str(tool), 'list', '--format', 'json', '--name', pattern, 'scenarios', stdout=asyncio.subprocess.PIPE
        )
        names += [item['id'] + item['cell'] for item in json.loads((await process.communicate())[0])['scenarios']]
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


NOWHERE = '{{RawSerialPort: {{port: /dev/dictobench-none}}}}'
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
    # The right address, and not the recorder that is meant.
    ('another firmware', 'console', '{{RawSerialPort: {{port: {folder}/console}}, image: f934e997}}'),
    ('no supply', 'supply', None),
    ('a supply of another make', 'supply', Lie(b'*IDN?', b'ACME,1,2,3\n')),
    ('a supply that is silent', 'supply', Silence()),
    ('a supply that hangs up', 'supply', HangUp()),
    ('a supply that babbles', 'supply', Babble(b'WARMING UP\n')),
    ('a supply that lies', 'supply', Lie(b'MEAS:VOLT?', b'1.000\n')),
    ('no Pico', 'pico', NOWHERE),
    ('a Pico that is none', 'pico', Babble(b'>>>\n')),
    ('a Pico of another rig', 'pico', '{{RawSerialPort: {{port: {folder}/pico}}, serial: E6614C311B000002}}'),
    ('a Pico that is silent', 'pico', Silence()),
    ('a Pico that hangs up', 'pico', HangUp()),
    ('an operator who is away', 'operator', Absent),
    ('an operator who cannot', 'operator', Unable),
    ('an operator who leaves', 'operator', Leaver),
    ('a wrong address', 'address', 'C6:05:04:03:02:02'),
]


def troubled(fault: tuple) -> bool:
    return len(fault) == 3


async def run_fault(rig: Rig, fault: tuple) -> Run:
    """Runs a scenario before a recorder with a fault, or before a faulty bench."""
    if not troubled(fault):
        await rig.plant(fault[0])
        return await rig.run(fault[1], rig.bench('pico'))
    await rig.plant(None)
    _, place, trouble = fault
    if place == 'operator':
        return await rig.run(SHORT, rig.bench('troubled', pico=None), trouble(rig))
    if isinstance(trouble, str):
        trouble = trouble.format(folder=rig.folder)
        return await rig.run(SHORT, rig.bench('troubled', **{place: trouble}))
    target = {'port': rig.phone_port, 'supply': rig.supply_port}.get(place)
    async with Relay(target, trouble or Trouble()) as relay:
        port = relay.port if trouble else free_port()
        line = f'{{NetworkSerialPort: {{host: 127.0.0.1, port: {port}}}}}'
        value = {'port': port, 'supply': Rig.supply(port)}.get(place, line)
        return await rig.run(SHORT, rig.bench('troubled', **{place: value}))


async def check_faults(rigs: list[Rig], checks: Checks):
    """A fault of the recorder is told with exit code 1 and never 3, one of the bench with 3 and never 1."""
    faults = RECORDER_FAULTS + BENCH_FAULTS
    runs = []
    async with checks.check('faults', limit=400):
        runs = await share(rigs, faults, run_fault)
        rows = [
            ('bench' if troubled(fault) else 'recorder', fault[0], run.code, run.verdict, f'{run.seconds:.1f} s', run.reason)
            for fault, run in zip(faults, runs)
        ]
        table(f'{len(rows)} faults: where, which, exit code, verdict, time, reason', rows)
    codes = {fault[0]: run.code for fault, run in zip(faults, runs)}
    async with checks.check('recorder-faults'):
        expect_equal({name: codes.get(name) for name, _ in RECORDER_FAULTS if codes.get(name) != 1}, {}, 'not told with 1')
    async with checks.check('bench-faults'):
        wrong = {name: codes.get(name) for name, *_ in BENCH_FAULTS if codes.get(name) != 3}
        expect_equal(wrong, {}, 'not told with 3')
    async with checks.check('fine-after-faults', limit=120):

        async def perform(rig, _):
            await rig.plant(None)
            return await rig.run(SHORT, rig.bench('pico'))

        runs = await share(rigs, rigs, perform)
        expect_equal([run.reason for run in runs if run.code != 0], [], 'runs that did not pass')


async def check_unplugged(rigs: list[Rig], checks: Checks):
    """The phone's controller is gone after a number of octets that differs each time; then it is back."""
    source = random.Random(2024)

    async def perform(rig, octets):
        while True:
            unplugging = Unplugging(octets)
            async with Relay(rig.phone_port, unplugging) as relay:
                run = await rig.run(SHORT, rig.bench('unplugged', port=relay.port))
            if unplugging.is_gone:
                break
            # Advertisements are more or fewer each time, so this one was through before.
            octets = octets * 3 // 4
        again = await rig.run(SHORT, rig.bench('pico'))
        return octets, run.code, f'{run.seconds:.1f} s', run.is_reported, again.code, run.reason, again.reason

    async with checks.check('unplugged', limit=400):
        async with Relay(rigs[0].phone_port) as relay:
            run = await rigs[0].run(SHORT, rigs[0].bench('unplugged', port=relay.port))
            expect_equal(run.code, 0, f'exit code without unplugging, with {run.reason}')
            whole = relay.octets
        rows = await share(rigs, [source.randrange(whole) for _ in range(UNPLUGGINGS)], perform)
        table(f'octets of about {whole} before the controller was gone: code, time, reports, code afterwards', rows)
        wrong = [row for row in rows if row[1] != 3 or not row[3] or row[4] != 0]
        expect_equal(wrong, [], 'moments')


async def check_interrupted(rigs: list[Rig], checks: Checks):
    """Somebody ends a run in the middle of a scenario: reports are written, and everything is given back."""

    async def perform(rig, seconds):
        run = await rig.run(LOCKOUT, rig.bench('pico'), interrupt_after=seconds)
        again = await rig.run(SHORT, rig.bench('pico'))
        late = run.seconds - seconds
        is_told = run.is_reported and run.summary['interrupted']
        return seconds, run.code, f'{late:.1f} s', is_told, again.code, run.reason, again.reason, late <= PROMPT

    async with checks.check('interrupted', limit=120):
        rows = await share(rigs, INTERRUPTIONS, perform)
        table('seconds to an interruption: code, time to the end, reports, code afterwards', [row[:-1] for row in rows])
        wrong = [row for row in rows if row[1] != 130 or not row[3] or row[4] != 0 or not row[-1]]
        expect_equal(wrong, [], 'interruptions')


async def check_repeated(rig: Rig, checks: Checks):
    """A run of many scenarios keeps nothing of those before: no descriptor, and with it no event loop and no world."""
    async with checks.check('repeated', limit=200):
        run = await rig.run(SHORT, rig.bench('pico'), repeat=REPETITIONS)
        expect_equal(run.code, 0, f'exit code, with {run.reason}')
        expect_equal(len(run.descriptors), REPETITIONS, 'scenarios told as passed')
        # The next one may have begun, and have its own open; at least once none has.
        first, later = min(run.descriptors[:2]), min(run.descriptors[REPETITIONS // 2:])
        expect(later <= first + 4, f'descriptors grew with the scenarios: {run.descriptors}')


async def check_bond(rig: Rig, checks: Checks):
    """A recorder that is killed and started again knows the phone; one without its memory does not."""
    phone = ['--controller', f'tcp-client:127.0.0.1:{rig.phone_port}', '--state', rig.folder / 'phone']

    async def tool(verb: str) -> tuple[int, str]:
        child = await rig.children.start(verb, rig.tool, verb, *phone)
        return await child.end(60), ' '.join(child.lines[-3:])

    async with checks.check('bond-survives-kill', limit=120):
        memory = ['--state', rig.folder / 'recorder']
        await rig.simulate(*memory, power='always')
        code, said = await tool('pair')
        expect_equal(code, 0, f'exit code of pair, which said {said}')
        await rig.remove(signal.SIGKILL)
        await rig.simulate(*memory, power='always')
        code, said = await tool('battery')
        expect_equal(code, 0, f'exit code of battery, which said {said}')
        await rig.simulate(power='always')
        code, said = await tool('battery')
        expect_equal((code, 'could not encrypt the link' in said), (1, True), f'exit code without bonds, which said {said}')


async def check(tool: Path, work: Path, checks: Checks):
    """Reports the checks of this group."""
    async with rigs(tool, work) as benches:
        await check_scenarios(tool, benches, checks)
        await check_blocked(benches[0], checks)
        await check_faults(benches, checks)
        await check_unplugged(benches, checks)
        await check_interrupted(benches, checks)
        await check_repeated(benches[0], checks)
        await check_bond(benches[0], checks)
