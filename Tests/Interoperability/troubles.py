"""What can be wrong with a bench: a relay before a TCP port, and what it does to whoever passes."""

import asyncio
import random


class Trouble:
    """What a relay does; the plain one does nothing.

    `up` sees what our tool sends and `down` what it is sent; each returns what goes on instead, or None to hang up at
    once. With `is_gone` it hangs up after that.
    """

    is_gone = False

    def up(self, octets: bytes) -> bytes | None:
        return octets

    def down(self, octets: bytes) -> bytes | None:
        return octets


class Silence(Trouble):
    """Everything is taken and nothing is answered."""

    def up(self, octets):
        return b''

    def down(self, octets):
        return b''


class HangUp(Trouble):
    """Hangs up when the first word is said."""

    def up(self, octets):
        return None


class Babble(Trouble):
    """Answers in words of its own."""

    def __init__(self, words: bytes):
        self.words = words

    def down(self, octets):
        return self.words


class Lie(Trouble):
    """Answers one question otherwise."""

    def __init__(self, question: bytes, answer: bytes):
        self.question = question
        self.answer = answer
        self.asked = b''

    def up(self, octets):
        self.asked = octets.strip()
        return octets

    def down(self, octets):
        return self.answer if self.asked.startswith(self.question) else octets


class Noise(Trouble):
    """Octets that mean nothing, the same ones every time, instead of what would have come after some octets."""

    def __init__(self, seed: int, after: int = 0):
        self.source = random.Random(seed)
        self.left = after

    def down(self, octets):
        passed, rest = octets[: self.left], octets[self.left :]
        self.left -= len(passed)
        return passed + self.source.randbytes(len(rest))


class Refusal(Trouble):
    """A controller that completes every command with Command Disallowed."""

    def down(self, octets):
        if octets[:2] == b'\x04\x0e' and len(octets) >= 7:
            return octets[:6] + b'\x0c' + octets[7:]
        return octets


class Failure(Trouble):
    """A controller that reports a hardware error after some octets, and says nothing more."""

    def __init__(self, after: int):
        self.left = after

    def down(self, octets):
        if self.left <= 0:
            return b''
        self.left -= len(octets)
        return octets if self.left > 0 else octets + b'\x04\x10\x01\x42'


class Unplugging(Trouble):
    """Gone after some octets, in the middle of a packet if need be."""

    def __init__(self, after: int):
        self.left = after

    def down(self, octets):
        self.left -= len(octets)
        self.is_gone = self.left <= 0
        return octets[: len(octets) + min(0, self.left)]


class Relay:
    """A port of its own before another one, or before nothing, where every word is answered by the trouble alone."""

    def __init__(self, target: int | None, trouble: Trouble | None = None):
        self.target = target
        self.trouble = trouble or Trouble()
        self.octets = 0
        self.port = 0
        self.server = None

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._serve, '127.0.0.1', 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def _serve(self, reader, writer):
        trouble = self.trouble
        self.octets = 0
        if self.target is None:
            await self._answer(reader, writer, trouble)
            return
        try:
            far_reader, far_writer = await asyncio.open_connection('127.0.0.1', self.target)
        except OSError:
            writer.close()
            return
        ways = [
            asyncio.create_task(self._pass(reader, far_writer, trouble.up, trouble)),
            asyncio.create_task(self._pass(far_reader, writer, trouble.down, trouble, counts=True)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, far_writer):
            end.close()
        for way in ways:
            way.cancel()

    async def _answer(self, reader, writer, trouble):
        while octets := await reader.read(4096):
            if trouble.up(octets) is None:
                break
            writer.write(trouble.down(octets))
        writer.close()

    async def _pass(self, reader, writer, change, trouble, counts=False):
        while octets := await reader.read(4096):
            if counts:
                self.octets += len(octets)
            octets = change(octets)
            if octets is None:
                return
            writer.write(octets)
            if trouble.is_gone:
                return
