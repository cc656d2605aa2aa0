"""The checks of this suite by name, and the one way to report them.

The names are known without Bumble, so that a check which could not run is reported as skipped by its name, and one
which silently did not run is a failure.
"""

import asyncio
import sys
from contextlib import asynccontextmanager

# Bumble's phone against our recorder.
PHONE = [
    'advertising-data',
    'connect',
    'mtu',
    'handle-table',
    'properties',
    'open-attributes',
    'encryption-required',
    'pair-just-works',
    'current-time-read',
    'battery',
    'list',
    'info',
    'download',
    'fs-status',
    'unknown-record',
    'request-too-long',
    'connection-update',
    'reconnect-with-bond',
    'requests-after-reconnect',
    'complete-disconnects',
    'unpair',
    'key-missing-after-unpair',
    'pair-again',
]

# Our phone against Bumble's recorder.
RECORDER = [
    'scan',
    'pull',
    'records-equal',
    'audio-written',
    'encrypted-before-requests',
    'battery-read',
    'current-time',
    'bond-reused',
    'nothing-fetched-twice',
    'only-new-fetched',
    'long-list',
]

# Bumble's client of Secure DFU against our recorder's bootloader.
UPDATE = [
    'indications-needed',
    'jump',
    'bootloader-advertises',
    'bootloader-table',
    'notifications-needed',
    'unknown-requests',
    'order-of-requests',
    'abort',
    'refused-wrong-key',
    'refused-downgrade',
    'refused-wrong-hardware',
    'refused-wrong-softdevice',
    'refused-unsigned',
    'refused-tampered',
    'android-order',
    'nrfutil-order',
    'older-version-refused',
    'abort-after-refusal',
    'update-after-break',
    'ios-order',
]

# The same over controllers of Bumble's, and then our client.
FLASHED_LATER = ['our-order']
FLASHED = UPDATE + FLASHED_LATER

# Our phone and our recorder, in two processes on two controllers of Bumble's.
HARDWARE = [
    'scenarios',
    'low-battery-lockout',
    'no-redownload',
    'one-prompt',
    'blocked-without-actuators',
    'faults',
    'recorder-faults',
    'bench-faults',
    'fine-after-faults',
    'unplugged',
    'interrupted',
    'repeated',
    'bond-survives-kill',
]

# Bumble's phone with an application, held by hooks, against our recorders on controllers of Bumble's.
APP = [
    'fresh-phone',
    'what-is-blocked',
    'scenarios-pass',
    'question-answered',
    'question-blocked',
    'fault-second-pairing',
    'fault-fts-while-low',
    'fault-no-battery-read',
    'fault-re-download',
    'fault-wrong-time',
    'fault-request-storm',
    'broken-hook',
    'controller-unplugged',
]

# Our packages and nrfutil's.
PACKAGES = [
    'keys-both-ways',
    'ours-read-by-nrfutil',
    'ours-unsigned-read-by-nrfutil',
    'theirs-read-by-us',
    'same-bytes',
    'signature-verified-by-openssl',
    'images-made-again',
]

# Bumble's phone against Bumble's recorder: what fails here is a fault of the peers, not ours.
CONTROL_LEAVES_OUT = {'advertising-data', 'request-too-long'}
CONTROL = [name for name in PHONE if name not in CONTROL_LEAVES_OUT]

# Our recorder on Bumble's controller: what Bumble's phone checks there, and what follows in `suite.py`.
SERVED_LATER = ['mebibyte', 'bond-survives-kill', 'mebibyte-instantly', 'no-slower-than-bumble']
SERVED = CONTROL + SERVED_LATER

# A recorder of ours that executes a firmware image, and a phone of Bumble's.
EXECUTED = ['executed-meeting', 'executed-meeting-with-bond']

GROUPS = {
    'control': CONTROL,
    'served': SERVED,
    'phone': PHONE,
    'executed': EXECUTED,
    'recorder': RECORDER,
    'update': UPDATE,
    'flashed': FLASHED,
    'app': APP,
    'hardware': HARDWARE,
    'packages': PACKAGES,
}


class Abandoned(Exception):
    """A check without which the ones after it make no sense has failed."""


class Checks:
    """Reports every check once: `ok`, `FAILED` or `skipped`, each with its name."""

    def __init__(self, group: str, names: list[str]):
        self.group = group
        self.waiting = list(names)
        self.failures = 0

    @asynccontextmanager
    async def check(self, name: str, limit: float = 15, essential: bool = False):
        """Runs the body as the check `name`, which may take `limit` seconds.

        After an essential check has failed, `Abandoned` is raised.
        """
        self.waiting.remove(name)
        outcome, reason = 'FAILED', ''
        span = asyncio.timeout(limit)
        try:
            async with span:
                yield
            outcome = 'ok'
        except TimeoutError as error:
            # Somebody else's patience may have ended before ours.
            reason = f'not done within {limit:g} s' if span.expired() else f'a time-out inside of it: {error}'.rstrip(': ')
        except asyncio.CancelledError:
            # Bumble cancels what waits for an answer when the link is lost; our own task is not meant.
            if asyncio.current_task().cancelling():
                raise
            reason = 'the link was lost'
        except Exception as error:
            reason = f'{type(error).__name__}: {error}'.rstrip(': ')
        self._report(outcome, name, reason)
        if outcome != 'ok' and essential:
            raise Abandoned(f'{name} failed')

    def skip(self, reason: str):
        """Reports everything that has not been checked as skipped."""
        for name in list(self.waiting):
            self.waiting.remove(name)
            self._report('skipped', name, reason)

    def finish(self) -> int:
        """What did not run has failed; returns the exit code."""
        for name in self.waiting:
            self._report('FAILED', name, 'did not run')
        self.waiting = []
        return 1 if self.failures else 0

    def _report(self, outcome: str, name: str, reason: str = ''):
        if outcome == 'FAILED':
            self.failures += 1
        line = f'{outcome} {self.group}/{name}' + (f': {" ".join(reason.split())}' if reason else '')
        print(line, flush=True)


def expect(condition: bool, words: str):
    """Fails the check around it unless `condition` holds."""
    if not condition:
        raise AssertionError(words)


def expect_equal(found, expected, words: str):
    """Fails the check around it unless both are equal; says what was found."""
    if found != expected:
        raise AssertionError(f'{words}: {_show(found)} instead of {_show(expected)}')


def _show(value) -> str:
    text = value.hex(' ') if isinstance(value, (bytes, bytearray)) else str(value)
    return text if len(text) <= 200 else text[:200] + '...'


if __name__ == '__main__':
    # `checks.py GROUP,… REASON` reports every check of these groups as skipped.
    for group in sys.argv[1].split(','):
        for name in GROUPS[group]:
            print(f'skipped {group}/{name}: {" ".join(sys.argv[2:])}')
