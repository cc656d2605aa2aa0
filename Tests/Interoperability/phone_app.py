"""Somebody else's phone with an application of its own, made of Bumble's host and used through a socket.

    phone_app.py --controller tcp-client:127.0.0.1:9001 --socket PATH --files FOLDER

It does what a Dictofun application must, for as long as it runs, and obeys requests of one line of JSON each, which
`app_hook.py` makes of what `dictobench run --target app` tells a hook. `{"action": "fault", "name": NAME}` lets it do
one thing wrong from then on, an empty name nothing.
"""

import argparse
import asyncio
import json
import logging
import re
from datetime import datetime, timedelta
from pathlib import Path

import dictofun
from bumble import att, hci, smp
from bumble.core import UUID
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.keys import MemoryKeyStore
from bumble.transport import open_transport
from phone import ADDRESS, FileTransfer, just_works

FAULTS = ['second-pairing', 'fts-while-low', 'no-battery-read', 're-download', 'wrong-time', 'request-storm']
LOW, GOOD = 12, 24
SCAN_SECONDS = 1.5
BATTERY_PERIOD = 50
BATTERY_LEVEL = 0x0029
PAIRING = 0x0025


class Refusal(Exception):
    """The application cannot or will not; by a word that scenarios know."""

    def __init__(self, word: str, text: str = ''):
        super().__init__(text)
        self.word = word


class Application:
    """What the user of the phone sees, and all that it remembers."""

    def __init__(self, device: Device, files: Path):
        self.device = device
        self.files = files
        self.fault = ''
        self.connection = None
        self.forget()
        value = CharacteristicValue(read=self.read_time)
        time = Characteristic(
            UUID.from_16_bits(dictofun.CURRENT_TIME),
            Characteristic.Properties.READ | Characteristic.Properties.NOTIFY,
            Characteristic.READABLE,
            value,
        )
        device.add_service(Service(UUID.from_16_bits(dictofun.CURRENT_TIME_SERVICE), [time]))

    def forget(self):
        self.paired = None
        self.library: dict[str, bytes] = {}
        self.removed: set[str] = set()
        self.battery = None
        self.is_low = False
        self.clock_offset = timedelta()

    def read_time(self, _connection) -> bytes:
        if self.is_low and self.fault != 'fts-while-low':
            raise att.ATT_Error(att.ErrorCode.VALUE_NOT_ALLOWED)
        now = datetime.now() + self.clock_offset
        if self.fault == 'wrong-time':
            now += timedelta(hours=2)
        return now.year.to_bytes(2, 'little') + bytes(
            [now.month, now.day, now.hour, now.minute, now.second, now.isoweekday(), now.microsecond * 256 // 1_000_000, 0]
        )

    # What a request asks for.

    async def perform(self, request: dict) -> dict:
        action = request['action'].replace('-', '_')
        try:
            return await getattr(self, f'do_{action}')(request) or {}
        except Refusal as refusal:
            return {'failed': refusal.word, 'text': str(refusal)}
        except att.ATT_Error as error:
            return {'failed': 'refused', 'text': f'ATT error {int(error.error_code):#04x}'}
        except (TimeoutError, asyncio.TimeoutError):
            return {'failed': 'no-answer', 'text': 'not done in time'}
        except asyncio.CancelledError:
            if asyncio.current_task().cancelling():
                raise
            return {'failed': 'disconnected', 'text': 'the link was lost'}

    async def do_fault(self, request):
        self.fault = request['name']

    async def do_reset(self, _request):
        await self.do_disconnect({})
        await self.device.keystore.delete_all()
        self.forget()

    async def do_restart(self, _request):
        await self.do_disconnect({})

    async def do_show(self, _request):
        pass

    async def do_set_clock(self, request):
        shown = datetime(1970, 1, 1) + timedelta(seconds=int(request['seconds']))
        self.clock_offset = shown - datetime.now()

    async def do_ask(self, request):
        """The one thing it shows that questions can be about is the battery's level."""
        asked = re.search(r'(\d+) %', request['question'])
        return {'answer': bool(asked) and self.battery == int(asked[1])}

    # The link.

    async def do_connect(self, request):
        address = hci.Address(request['recorder'][:17]) if 'recorder' in request else self.paired
        if self.connection is not None:
            if address in (None, self.connection.peer_address):
                return
            raise Refusal('connection-failed', 'another recorder is connected')
        address = address or await self.scan()
        try:
            connection = await self.device.connect(address, timeout=3)
        except Exception as error:
            raise Refusal('nothing-in-sight', f'{type(error).__name__}') from error
        self.connection = connection
        connection.on(connection.EVENT_DISCONNECTION, lambda _reason: self.lost(connection))
        connection.remove_all_listeners(connection.EVENT_SECURITY_REQUEST)
        self.peer = Peer(connection)
        self.transfer = None
        await self.peer.request_mtu(dictofun.MAXIMUM_MTU)
        await self.peer.discover_all()
        if self.fault != 'no-battery-read':
            await self.learn_battery()
            self.reader = asyncio.create_task(self.read_periodically(connection))
        if address == self.paired:
            await self.secure()

    async def secure(self):
        try:
            await self.connection.encrypt()
        except BaseException as error:
            if asyncio.current_task().cancelling():
                raise
            await self.do_disconnect({})
            raise Refusal('security-failed', type(error).__name__) from error

    def lost(self, connection):
        if self.connection is connection:
            self.connection = None
            self.is_low = False

    async def scan(self) -> hci.Address:
        found: dict[str, hci.Address] = {}

        def on_report(report):
            if dictofun.ADVERTISING_DATA[7:25] in report.data:
                found[str(report.address)] = report.address

        self.device.host.on('advertising_report', on_report)
        await self.device.start_scanning(active=True)
        await asyncio.sleep(SCAN_SECONDS)
        await self.device.stop_scanning()
        self.device.host.remove_listener('advertising_report', on_report)
        if not found:
            raise Refusal('nothing-in-sight')
        if len(found) > 1:
            raise Refusal('several-in-sight', ' '.join(found))
        return next(iter(found.values()))

    async def do_disconnect(self, _request):
        if self.connection is None:
            return
        connection = self.connection
        try:
            await connection.disconnect()
        except Exception as error:
            logging.info('the recorder was quicker to end the link: %s', error)
        self.lost(connection)

    async def do_pair(self, _request):
        self.need_link()
        address = self.connection.peer_address
        if self.paired not in (None, address) and self.fault != 'second-pairing':
            raise Refusal('already-paired', str(self.paired))
        try:
            await self.connection.pair()
        except smp.ProtocolError as error:
            raise Refusal('pairing-failed', str(error)) from error
        self.paired = address

    async def do_unpair(self, _request):
        if self.connection is not None and self.connection.is_encrypted:
            await self.peer.write_value(PAIRING, bytes([dictofun.UNPAIR]), with_response=True)
        await self.device.keystore.delete_all()
        self.paired = None

    def need_link(self):
        if self.connection is None:
            raise Refusal('not-connected')

    # The battery.

    async def learn_battery(self):
        self.battery = (await self.peer.read_value(BATTERY_LEVEL))[0]
        self.is_low = self.battery <= LOW or (self.is_low and self.battery < GOOD)

    async def read_periodically(self, connection):
        while self.connection is connection:
            await asyncio.sleep(BATTERY_PERIOD)
            if self.connection is connection:
                await self.learn_battery()

    async def do_read_battery(self, _request):
        self.need_link()
        await self.learn_battery()
        return {'battery': self.battery}

    # Files.

    async def files_of(self) -> FileTransfer:
        self.need_link()
        if self.is_low and self.fault != 'fts-while-low':
            raise Refusal('battery-low', f'{self.battery} %')
        if self.transfer is None:
            transfer = FileTransfer(self.connection.gatt_client)
            await transfer.open(self.peer)
            self.transfer = transfer
        return self.transfer

    async def do_list(self, _request):
        found = await (await self.files_of()).list_identifiers()
        return {'listed': len(found)}

    async def size(self, identifier: str) -> int:
        transfer = await self.files_of()
        await transfer.request(dictofun.REQUEST_INFO, identifier.encode())
        value = await transfer.answer(dictofun.FILE_INFO, dictofun.GENERAL_STATUS)
        if len(value) == 17:
            raise Refusal('record-not-found' if value[0] == dictofun.STATUS_NOT_FOUND else 'status', identifier)
        return json.loads(value[2:])['s']

    async def listed(self, record: str) -> str:
        if record not in ('newest', 'oldest'):
            return record
        found = await (await self.files_of()).list_identifiers()
        if not found:
            raise Refusal('no-such-record')
        return max(found) if record == 'newest' else min(found)

    async def do_inform(self, request):
        await self.size(await self.listed(request['record']))

    async def do_download(self, request):
        identifier = await self.listed(request['record'])
        if identifier in self.removed:
            raise Refusal('no-such-record')
        await self.fetch(identifier)

    async def fetch(self, identifier: str):
        transfer = await self.files_of()
        size = await self.size(identifier)
        if self.fault == 'request-storm':
            await transfer.request(dictofun.REQUEST_DATA, identifier.encode())
            for _ in range(10):
                await transfer.request(dictofun.REQUEST_LIST)
            await asyncio.sleep(1)
            raise Refusal('no-answer', 'a storm')
        packets = await transfer.download(identifier, size)
        self.library[identifier] = b''.join(packets)

    async def do_file_system(self, _request):
        transfer = await self.files_of()
        await transfer.request(dictofun.REQUEST_FS_STATUS)
        await transfer.answer(dictofun.FS_STATUS)

    async def do_sync(self, request):
        await self.do_connect(request)
        transfer = await self.files_of()
        found = await transfer.list_identifiers()
        known = set() if self.fault == 're-download' else self.removed | self.library.keys()
        fresh = [identifier for identifier in sorted(found, reverse=True) if identifier not in known]
        for identifier in fresh:
            await self.fetch(identifier)
        if request.get('finish') != 'no':
            await transfer.request(dictofun.REQUEST_COMPLETE)
            async with asyncio.timeout(6):
                while self.connection is not None:
                    await asyncio.sleep(0.02)
        return {'listed': len(found), 'downloaded': len(fresh)}

    # The library.

    async def do_delete(self, request):
        order = sorted(self.library)
        record = request['record']
        identifier = {'newest': order[-1:], 'oldest': order[:1]}.get(record, [record])
        if not identifier or identifier[0] not in self.library:
            raise Refusal('no-such-record')
        del self.library[identifier[0]]
        self.removed.add(identifier[0])
        return {'records': [{'identifier': identifier[0]}]}

    async def do_library(self, _request):
        records = []
        for identifier in sorted(self.library, reverse=True):
            path = self.files / f'{identifier}.record'
            path.write_bytes(self.library[identifier])
            records.append({'identifier': identifier, 'file': str(path)})
        return {'records': records}


async def serve(application: Application, path: Path):
    async def answer(reader, writer):
        line = await reader.readline()
        try:
            reply = await application.perform(json.loads(line))
        except Exception as error:
            logging.exception('%s', line)
            reply = {'failed': 'abandoned', 'text': f'{type(error).__name__}: {error}'}
        print(line.decode().strip(), '->', json.dumps(reply), flush=True)
        writer.write(json.dumps(reply).encode() + b'\n')
        await writer.drain()
        writer.close()

    server = await asyncio.start_unix_server(answer, path)
    print('ready', flush=True)
    await server.serve_forever()


async def run(controller: str, path: Path, files: Path):
    async with await open_transport(controller) as (source, sink):
        configuration = DeviceConfiguration(name='phone', address=ADDRESS, irk=bytes(range(1, 17)))
        device = Device.from_config_with_hci(configuration, source, sink)
        device.pairing_config_factory = just_works
        device.keystore = MemoryKeyStore()
        application = Application(device, files)
        await asyncio.wait_for(device.power_on(), 10)
        await serve(application, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--controller', required=True, metavar='SPEC')
    parser.add_argument('--socket', required=True, type=Path, metavar='PATH')
    parser.add_argument('--files', required=True, type=Path, metavar='FOLDER')
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    arguments.files.mkdir(parents=True, exist_ok=True)
    asyncio.run(run(arguments.controller, arguments.socket, arguments.files))


if __name__ == '__main__':
    main()
