"""A client of Nordic's Secure DFU made of Bumble's host, written for this suite from Nordic's documents.

    updater.py --controller tcp-client:127.0.0.1:9001 --recorder ADDRESS --recorder ADDRESS

The recorders are ours, with version 1 above the debug bootloader for S132. The first refuses what it must, and is
updated in the order of Android's library and in that of nrfutil; the second in the order of Nordic's iOS library. Where
Nordic's own bootloader was recorded in the same order, ours has to say the same, octet for octet.
"""

import argparse
import asyncio
import logging
import sys
import zipfile
import zlib
from pathlib import Path

import dictofun
from bumble import att, hci
from bumble.core import UUID
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.gatt import Characteristic
from bumble.keys import MemoryKeyStore
from bumble.transport import open_transport
from checks import UPDATE, Abandoned, Checks, expect, expect_equal
from phone import just_works

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / 'firmware-images'
VECTORS = ROOT / 'Tests' / 'SecureDFUTests' / 'Vectors'
ADDRESS = hci.Address('C4:5E:0B:1E:00:02')
ANSWER_LIMIT = 20
# Copying an image and two starts; no client gives up sooner.
RETURN_LIMIT = 60
# Before the packets of an object, as the iOS library waits while the flash erases a page; it waits 400 ms, and the first
# page of an image is erased 420 ms after the init packet was taken, where no radio delays what comes in between.
OBJECT_DELAY = 0.8
CCCD_IMPROPERLY_CONFIGURED = 0xFD
REMOTE_USER_TERMINATED = 0x13
CONNECTION_TIMEOUT = 0x08
# Requests that a reduced bootloader leaves out, and some that never were.
UNKNOWN_REQUESTS = bytes.fromhex('0005 0709 0a0b 0d20 60ff')
REFUSED = {
    'wrong-key': '600405',
    'downgrade': '60040b05',
    'wrong-hardware': '60040b06',
    'wrong-softdevice': '60040b07',
    'unsigned': '60040b08',
}


def package(path: Path) -> tuple[bytes, bytes]:
    """The init packet and the image of a package with one application."""
    with zipfile.ZipFile(path) as archive:
        files = {Path(name).suffix: archive.read(name) for name in archive.namelist()}
    return files['.dat'], files['.bin']


def exchange(name: str) -> list[tuple[str, str, bytes]]:
    """What Nordic's bootloader and a client said while that installed `app_s132_v2.zip`."""
    lines = [line.split('#')[0].split() for line in (VECTORS / name).read_text().splitlines()]
    return [(words[0], words[1], bytes.fromhex(words[2])) for words in lines if len(words) == 3 and words[0] in '<>']


def little(number: int, size: int = 4) -> bytes:
    return number.to_bytes(size, 'little')


class Bootloader:
    """A connection to a bootloader whose notifications are on."""

    def __init__(self, connection, client):
        self.connection = connection
        self.client = client
        self.arrived: asyncio.Queue[bytes] = asyncio.Queue()
        self.control_point = 0
        self.packets = 0

    async def write(self, octets: bytes):
        await self.client.write_value(self.control_point, octets, with_response=True)

    async def answer(self) -> bytes:
        return await asyncio.wait_for(self.arrived.get(), ANSWER_LIMIT)

    async def request(self, octets: bytes) -> bytes:
        await self.write(octets)
        return await self.answer()

    async def succeed(self, octets: bytes) -> bytes:
        """Makes a request that has to be carried out; returns what follows the result."""
        answer = await self.request(octets)
        expect_equal(answer[:3], bytes([0x60, octets[0], 0x01]), f'answer to {octets.hex()}')
        return answer[3:]

    async def send(self, octets: bytes):
        await self.client.write_value(self.packets, octets, with_response=False)

    async def stream(self, content: bytes, size: int, offset: int, checksum: int, receipts: int) -> int:
        """Sends an object's content as nrfutil does, which compares every receipt; returns the checksum so far."""
        for number, start in enumerate(range(0, len(content), size), 1):
            packet = content[start : start + size]
            await self.send(packet)
            offset, checksum = offset + len(packet), zlib.crc32(packet, checksum)
            if receipts and number % receipts == 0:
                expect_equal(await self.answer(), b'\x60\x03\x01' + little(offset) + little(checksum), 'receipt')
        expect_equal(await self.succeed(b'\x03'), little(offset) + little(checksum), 'offset and checksum')
        return checksum

    async def offer(self, packet: bytes) -> bytes:
        """Creates and sends an init packet; returns the answer to its execution."""
        await self.succeed(b'\x02\x00\x00')
        await self.succeed(b'\x01\x01' + little(len(packet)))
        await self.stream(packet, 244, 0, 0, 0)
        return await self.request(b'\x04')

    async def update(self, packet: bytes, image: bytes, receipts: int, is_known: bool = False) -> bytes:
        """An update in the order of nrfutil, which sends no init packet that the bootloader has; returns the answer to
        the last execution."""
        await self.succeed(b'\x02' + little(receipts, 2))
        state = little(len(packet)) + little(zlib.crc32(packet)) if is_known else bytes(8)
        expect_equal(await self.succeed(b'\x06\x01'), little(512) + state, 'state of the command object')
        if not is_known:
            await self.succeed(b'\x01\x01' + little(len(packet)))
            await self.stream(packet, 244, 0, 0, receipts)
        await self.succeed(b'\x04')
        state = await self.succeed(b'\x06\x02')
        expect_equal(state[:8], little(4096) + bytes(4), 'limit and offset of the data object')
        checksum = 0
        for offset in range(0, len(image), 4096):
            part = image[offset : offset + 4096]
            await self.succeed(b'\x01\x02' + little(len(part)))
            await asyncio.sleep(OBJECT_DELAY)
            checksum = await self.stream(part, 244, offset, checksum, receipts)
            answer = await self.request(b'\x04')
            if offset + len(part) < len(image):
                expect_equal(answer, b'\x60\x04\x01', f'execution at {offset}')
        return answer

    async def repeat(self, lines: list[tuple[str, str, bytes]]):
        """Says what a client said to Nordic's bootloader, and wants to hear what that answered."""
        expect(len(lines) > 40, f'only {len(lines)} lines were recorded')
        for number, (direction, characteristic, octets) in enumerate(lines):
            if direction == '<':
                expect_equal(await self.answer(), octets, f'answer in line {number}')
            elif characteristic == 'PKT':
                await self.send(octets)
            else:
                await self.write(octets)
                if octets[:2] == b'\x01\x02':
                    await asyncio.sleep(OBJECT_DELAY)
        expect(self.arrived.empty(), f'{self.arrived.qsize()} notifications too many')


class Updater:
    """One phone, and what it does to two recorders."""

    def __init__(self, device: Device, recorders: list[hci.Address], checks: Checks):
        self.device = device
        self.recorders = recorders
        self.checks = checks
        self.recorder = recorders[0]
        self.owned: list[hci.Address] = []
        self.gone: asyncio.Future | None = None

    @property
    def bootloader(self) -> hci.Address:
        """Where the bootloader advertises: one more in the least significant octet, which carries nothing over."""
        octets = bytes(self.recorder)
        return hci.Address(bytes([octets[0] + 1 & 0xFF]) + octets[1:], hci.Address.RANDOM_DEVICE_ADDRESS)

    async def run(self):
        await self.look_around()
        await self.refusals()
        await self.updates()
        self.recorder = self.recorders[1]
        async with self.checks.check('ios-order', limit=120, essential=True):
            await self.jump()
            bootloader = await self.enter(mtu=None)
            await bootloader.repeat(exchange('exchange_mtu23_prn12.txt'))
            await self.expect_return()

    async def look_around(self):
        async with self.checks.check('indications-needed', essential=True):
            peer = await self.connect_as_owner()
            buttonless = self.characteristic(peer, dictofun.BUTTONLESS_DFU, 'write,indicate')
            await self.expect_error(buttonless.handle, b'\x01')
        async with self.checks.check('jump', limit=30, essential=True):
            await self.enter_bootloader(buttonless, unknown=b'\x05')
        async with self.checks.check('bootloader-advertises', limit=30, essential=True):
            await self.find(self.bootloader, dictofun.BOOTLOADER_ADVERTISING_DATA)
        async with self.checks.check('bootloader-table', essential=True):
            peer = await self.connect(self.bootloader)
            expect_equal(await peer.request_mtu(517), dictofun.MAXIMUM_MTU, 'ATT_MTU')
            packets = self.characteristic(peer, dictofun.DFU_PACKET, 'write_without_response')
            control_point = self.characteristic(peer, dictofun.DFU_CONTROL_POINT, 'write,notify')
            expect(packets.handle < control_point.handle, 'the control point stands before the packets')
        async with self.checks.check('notifications-needed'):
            await self.expect_error(control_point.handle, b'\x06\x01')
        async with self.checks.check('unknown-requests'):
            bootloader = await self.open(peer)
            for code in UNKNOWN_REQUESTS:
                answer = await bootloader.request(bytes([code]))
                expect_equal(answer, bytes([0x60, code, 0x02]), f'answer to {code:02x}')
        async with self.checks.check('order-of-requests'):
            await bootloader.succeed(b'\x06\x02')
            answer = await bootloader.request(b'\x01\x02' + little(4096))
            expect_equal(answer.hex(), '600108', 'data before an init packet')
        await self.abort('abort', bootloader)

    async def refusals(self):
        """With version 1 installed; a refused init packet leaves nothing behind."""
        await self.jump()
        bootloader = await self.enter()
        for name, answer in REFUSED.items():
            async with self.checks.check(f'refused-{name}'):
                packet, _ = package(IMAGES / 'refused' / f's132-{name}.zip')
                expect_equal((await bootloader.offer(packet)).hex(), answer, 'answer')
                state = await bootloader.succeed(b'\x06\x01')
                expect_equal(state, little(512) + bytes(8), 'state of the command object')
        async with self.checks.check('refused-tampered', limit=90):
            packet, image = package(IMAGES / 'refused' / 's132-tampered.zip')
            expect_equal((await bootloader.update(packet, image, 10)).hex(), '60040b0c', 'answer to the last execution')
            await self.expect_return()

    async def updates(self):
        async with self.checks.check('android-order', limit=120, essential=True):
            await self.jump()
            bootloader = await self.enter()
            await bootloader.repeat(exchange('exchange_mtu247_prn0.txt'))
            await self.expect_return()
        async with self.checks.check('nrfutil-order', limit=120, essential=True):
            await self.jump()
            bootloader = await self.enter()
            answer = await bootloader.update(*package(IMAGES / 's132-1.5.1.zip'), receipts=10)
            expect_equal(answer.hex(), '600401', 'answer to the last execution')
            await self.expect_return()
        async with self.checks.check('older-version-refused', limit=60, essential=True):
            await self.jump()
            bootloader = await self.enter()
            packet, _ = package(IMAGES / 's132-1.5.0.zip')
            expect_equal((await bootloader.offer(packet)).hex(), '60040b05', 'answer to version 2 over version 3')
        await self.abort('abort-after-refusal', bootloader)
        async with self.checks.check('update-after-break', limit=120, essential=True):
            packet, image = package(IMAGES / 's132-1.5.1.zip')
            await self.jump()
            bootloader = await self.enter()
            expect_equal((await bootloader.offer(packet)).hex(), '600401', 'answer to the init packet')
            await bootloader.succeed(b'\x01\x02' + little(4096))
            await asyncio.sleep(OBJECT_DELAY)
            await bootloader.stream(image[:4096], 244, 0, 0, 0)
            await bootloader.succeed(b'\x04')
            # Whatever goes to the flash behind the answer has arrived there.
            await asyncio.sleep(1)
            await bootloader.connection.disconnect()
            # The init packet is in the flash; of the image nothing is remembered, though a page of it was executed.
            bootloader = await self.enter()
            answer = await bootloader.update(packet, image, receipts=10, is_known=True)
            expect_equal(answer.hex(), '600401', 'answer to the last execution')
            await self.expect_return()

    # Steps.

    async def jump(self):
        """Sends the application into the bootloader, and sees it there."""
        peer = await self.connect_as_owner()
        await self.enter_bootloader(self.characteristic(peer, dictofun.BUTTONLESS_DFU, 'write,indicate'))
        await self.find(self.bootloader, dictofun.BOOTLOADER_ADVERTISING_DATA)

    async def enter_bootloader(self, buttonless, unknown: bytes = b''):
        arrived: asyncio.Queue[bytes] = asyncio.Queue()
        await buttonless.subscribe(arrived.put_nowait)
        for request, result in [(unknown, 0x02), (b'\x01', 0x01)]:
            if request:
                await buttonless.write_value(request, with_response=True)
                answer = await asyncio.wait_for(arrived.get(), ANSWER_LIMIT)
                expect_equal(answer, b'\x20' + request + bytes([result]), 'indication')
        expect(await self.end() in (REMOTE_USER_TERMINATED, CONNECTION_TIMEOUT), 'the link ended for another reason')

    async def enter(self, mtu: int | None = 517) -> Bootloader:
        peer = await self.connect(self.bootloader)
        if mtu:
            await peer.request_mtu(mtu)
        return await self.open(peer)

    async def open(self, peer: Peer) -> Bootloader:
        """Turns the notifications of the control point on."""
        bootloader = Bootloader(peer.connection, peer.connection.gatt_client)
        control_point = self.characteristic(peer, dictofun.DFU_CONTROL_POINT, 'write,notify')
        bootloader.control_point = control_point.handle
        bootloader.packets = self.characteristic(peer, dictofun.DFU_PACKET, 'write_without_response').handle
        await control_point.subscribe(bootloader.arrived.put_nowait)
        return bootloader

    async def abort(self, name: str, bootloader: Bootloader):
        async with self.checks.check(name, limit=RETURN_LIMIT + 10, essential=True):
            await bootloader.write(b'\x0c')
            await self.expect_return()
            expect(bootloader.arrived.empty(), 'an abort was answered')

    async def expect_return(self):
        """The bootloader ends the link itself, and the application comes back."""
        expect_equal(await self.end(), REMOTE_USER_TERMINATED, 'reason of the end')
        await self.find(self.recorder, dictofun.ADVERTISING_DATA)

    # Link.

    async def connect(self, address: hci.Address) -> Peer:
        connection = await self.device.connect(address, timeout=10)
        connection.remove_all_listeners(connection.EVENT_SECURITY_REQUEST)
        gone = asyncio.get_running_loop().create_future()
        connection.on(connection.EVENT_DISCONNECTION, lambda reason: gone.done() or gone.set_result(reason))
        self.gone = gone
        peer = Peer(connection)
        await peer.discover_all()
        return peer

    async def connect_as_owner(self) -> Peer:
        """Connects to the application, which starts its bootloader for a bonded phone only."""
        peer = await self.connect(self.recorder)
        if self.recorder in self.owned:
            await peer.connection.encrypt()
        else:
            await peer.connection.pair()
            self.owned.append(self.recorder)
        return peer

    async def end(self) -> int:
        """The reason for which the recorder ended the link."""
        return await asyncio.wait_for(self.gone, ANSWER_LIMIT)

    async def find(self, address: hci.Address, data: bytes):
        """Scans until the address advertises exactly that."""
        found = asyncio.Event()

        def on_report(report):
            if report.address == address and bytes(report.data) == data:
                found.set()

        self.device.host.on('advertising_report', on_report)
        await self.device.start_scanning(active=False)
        try:
            await asyncio.wait_for(found.wait(), RETURN_LIMIT)
        finally:
            await self.device.stop_scanning()
            self.device.host.remove_listener('advertising_report', on_report)

    def characteristic(self, peer: Peer, uuid: str, properties: str):
        found = peer.get_characteristics_by_uuid(UUID(uuid))
        expect_equal(len(found), 1, f'characteristics {uuid}')
        wanted = sum(int(Characteristic.Properties[word.upper()]) for word in properties.split(','))
        expect_equal(int(found[0].properties), wanted, f'properties of {uuid}')
        return found[0]

    async def expect_error(self, handle: int, octets: bytes):
        """A request is refused while nobody would hear its answer."""
        client = list(self.device.connections.values())[0].gatt_client
        response = await client.send_request(att.ATT_Write_Request(attribute_handle=handle, attribute_value=octets))
        expect(isinstance(response, att.ATT_Error_Response), 'the request was taken')
        expect_equal(int(response.error_code), CCCD_IMPROPERLY_CONFIGURED, 'error')


async def run(controller: str, recorders: list[str], group: str) -> int:
    checks = Checks(group, UPDATE)
    async with await open_transport(controller) as (source, sink):
        device = Device.from_config_with_hci(DeviceConfiguration(name='updater', address=ADDRESS), source, sink)
        device.keystore = MemoryKeyStore()
        device.pairing_config_factory = just_works
        try:
            await asyncio.wait_for(device.power_on(), 10)
            await Updater(device, [hci.Address(text) for text in recorders], checks).run()
        except Abandoned as reason:
            checks.skip(str(reason))
    return checks.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--controller', required=True, metavar='SPEC')
    parser.add_argument('--recorder', required=True, metavar='ADDRESS', action='append')
    parser.add_argument('--group', choices=['update', 'flashed'], default='update', help='under which name checks report')
    parser.add_argument('--verbose', action='store_true')
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if arguments.verbose else logging.WARNING)
    sys.exit(asyncio.run(run(arguments.controller, arguments.recorder, arguments.group)))


if __name__ == '__main__':
    main()
