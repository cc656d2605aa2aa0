"""Processes of this suite: each with its own group, its own log, and an end that is certain."""

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Sixteen interpreters that start at a time on two busy cores need most of it.
START_LIMIT = 60


class Child:
    """A process with its own group, whose output goes to a log and can be waited for line by line."""

    def __init__(self, name: str, log: Path, echo: bool = False):
        self.name = name
        self.log = log
        self.echo = echo
        self.lines: list[str] = []
        self.news = asyncio.Condition()
        self.process = None
        self.pump = None

    async def start(self, *command, stdin=asyncio.subprocess.DEVNULL):
        with self.log.open('w') as log:
            log.write(' '.join(map(str, command)) + '\n')
        self.process = await asyncio.create_subprocess_exec(
            *map(str, command),
            stdin=stdin,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            limit=1 << 20,
        )
        self.pump = asyncio.create_task(self._read())
        return self

    async def _read(self):
        with self.log.open('a') as log:
            while line := await self.process.stdout.readline():
                text = line.decode('utf-8', 'replace')
                log.write(text)
                log.flush()
                if self.echo:
                    print(text, end='', flush=True)
                async with self.news:
                    self.lines.append(text.rstrip('\n'))
                    self.news.notify_all()
        async with self.news:
            self.news.notify_all()

    async def line(self, pattern: str, limit: float = START_LIMIT) -> re.Match:
        """Waits for the first line that matches."""
        seen = 0
        async with asyncio.timeout(limit):
            while True:
                async with self.news:
                    await self.news.wait_for(lambda: len(self.lines) > seen or self.pump.done())
                    fresh, seen = self.lines[seen:], len(self.lines)
                for text in fresh:
                    if match := re.search(pattern, text):
                        return match
                if not fresh and self.pump.done():
                    raise RuntimeError(f'{self.name} ended: {self.lines[-1:]}')

    async def end(self, limit: float) -> int:
        """Waits for the end; returns the exit code."""
        async with asyncio.timeout(limit):
            await self.pump
            return await self.process.wait()

    async def stop(self, *numbers: signal.Signals):
        """Ends the process and everything it has started, by these signals or at first gently."""
        if self.process is None:
            return
        for number in numbers or (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                break
            try:
                async with asyncio.timeout(3):
                    await self.process.wait()
                    break
            except TimeoutError:
                continue
        if self.pump:
            self.pump.cancel()


class Children:
    """The processes of one group; none outlives it."""

    def __init__(self, group: str, work: Path):
        self.group = group
        self.work = work
        self.children: list[Child] = []

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        for child in reversed(self.children):
            await child.stop()

    async def start(self, name: str, *command, echo: bool = False, stdin=asyncio.subprocess.DEVNULL) -> Child:
        number = sum(child.name == name for child in self.children) + 1
        log = self.work / 'logs' / f'{self.group}-{name}{"" if number == 1 else f"-{number}"}.log'
        child = Child(name, log, echo)
        self.children.append(child)
        return await child.start(*command, stdin=stdin)

    async def python(self, script: str, *arguments, echo: bool = False) -> Child:
        return await self.start(Path(script).stem, sys.executable, '-u', HERE / script, *arguments, echo=echo)

    async def bridge(self, count: int = 2, *options: str) -> list[str]:
        """Controllers of Bumble's, at most three; returns how to reach them."""
        child = await self.python('bridge.py', '--ports', *[0] * count, *options)
        ports = [(await child.line(rf'^listening {name} (\d+)'))[1] for name in ('first', 'second', 'third')[:count]]
        return [f'tcp-client:127.0.0.1:{port}' for port in ports]
