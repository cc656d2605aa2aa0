"""A phone made of Bumble's host: everything a phone does with a recorder, checked step by step.

    phone.py --controller tcp-client:127.0.0.1:9001 --records FOLDER

FOLDER holds the records that the recorder is known to have, as IDENTIFIER.record. The group says whose the rest is:
with `phone` recorder and controllers are ours, with `control` Bumble's (`recorder.py` over `bridge.py`), with `served`
the recorder is ours and the controllers are Bumble's, which cannot carry everything.
"""

import argparse
import asyncio
import logging
import sys
from datetime import datetime
from pathlib import Path

import dictofun
from bumble import att, hci, smp
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.core import UUID
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport
from checks import CONTROL, PHONE, Abandoned, Checks, expect, expect_equal

ADDRESS = hci.Address('C4:5E:0B:1E:00:01')
ANSWER_LIMIT = 8
QUIET = 0.4


def just_works(_connection) -> PairingConfig:
    """The pairing that the recorder's firmware can do: legacy, Just Works, with bonding."""
    keys = PairingDelegate.KeyDistribution
    wanted = keys.DISTRIBUTE_ENCRYPTION_KEY | keys.DISTRIBUTE_IDENTITY_KEY
    return PairingConfig(
        sc=False,
        mitm=False,
        bonding=True,
        identity_address_type=PairingConfig.AddressType.RANDOM,
        delegate=PairingDelegate(PairingDelegate.NO_OUTPUT_NO_INPUT, wanted, wanted),
    )


class TimeServer:
    """The Current Time Service that the recorder sets its clock by; notes when it was read."""

    def __init__(self, device: Device):
        self.was_read = asyncio.Event()
        value = CharacteristicValue(read=self.read)
        characteristic = Characteristic(
            UUID.from_16_bits(dictofun.CURRENT_TIME),
            Characteristic.Properties.READ | Characteristic.Properties.NOTIFY,
            Characteristic.READABLE,
            value,
        )
        device.add_service(Service(UUID.from_16_bits(dictofun.CURRENT_TIME_SERVICE), [characteristic]))

    def read(self, _connection) -> bytes:
        self.was_read.set()
        now = datetime.now()
        return now.year.to_bytes(2, 'little') + bytes(
            [now.month, now.day, now.hour, now.minute, now.second, now.isoweekday(), now.microsecond * 256 // 1_000_000, 0]
        )


class FileTransfer:
    """A client of the recorder's file transfer service on one connection."""

    def __init__(self, client):
        self.client = client
        self.arrived: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()
        self.handles: dict[int, int] = {}

    async def open(self, peer: Peer):
        """Finds the characteristics and asks for the notifications of all that answer."""
        wanted = [
            dictofun.FILES_LIST,
            dictofun.FILES_LIST_NEXT,
            dictofun.FILE_INFO,
            dictofun.FILE_DATA,
            dictofun.FS_STATUS,
            dictofun.GENERAL_STATUS,
        ]
        for number in [dictofun.CONTROL_POINT, dictofun.PAIRING] + wanted:
            found = peer.get_characteristics_by_uuid(UUID.from_16_bits(number))
            expect_equal(len(found), 1, f'characteristics {number:04X}')
            self.handles[number] = found[0].handle
            if number in wanted:
                await found[0].subscribe(lambda value, number=number: self.arrived.put_nowait((number, value)))

    async def request(self, opcode: int, identifier: bytes = b''):
        await self.client.write_value(
            self.handles[dictofun.CONTROL_POINT], bytes([opcode]) + identifier, with_response=True
        )

    async def answer(self, *numbers: int) -> bytes:
        """The next notification, which has to be of one of these characteristics."""
        number, value = await asyncio.wait_for(self.arrived.get(), ANSWER_LIMIT)
        expect(number in numbers, f'notification of {number:04X} with {value[:20].hex()}')
        return value

    async def quiet(self):
        """Lets the recorder finish what it does after its last notification, and makes sure that no more come."""
        await asyncio.sleep(QUIET)
        expect(self.arrived.empty(), f'{self.arrived.qsize()} notifications too many')

    async def list_identifiers(self) -> list[str]:
        await self.request(dictofun.REQUEST_LIST)
        first = await self.answer(dictofun.FILES_LIST)
        count = int.from_bytes(first[:4], 'little')
        expect_equal(first[4:8], bytes(4), 'reserved octets of the list')
        expect_equal(len(first), 8 + 16 * min(count, dictofun.IDS_IN_FIRST_PART), 'octets of the first part')
        octets = first[8:]
        while len(octets) < count * dictofun.IDENTIFIER_SIZE:
            part = await self.answer(dictofun.FILES_LIST_NEXT)
            left = count - len(octets) // dictofun.IDENTIFIER_SIZE
            expect_equal(len(part), 16 * min(left, dictofun.IDS_IN_NEXT_PART), 'octets of a further part')
            octets += part
        await self.quiet()
        return [octets[i : i + 16].decode('ascii') for i in range(0, len(octets), 16)]

    async def info(self, identifier: str) -> bytes:
        await self.request(dictofun.REQUEST_INFO, identifier.encode())
        value = await self.answer(dictofun.FILE_INFO)
        await self.quiet()
        return value

    async def download(self, identifier: str, size: int) -> list[bytes]:
        await self.request(dictofun.REQUEST_DATA, identifier.encode())
        packets = []
        while sum(map(len, packets)) < size:
            packets.append(await self.answer(dictofun.FILE_DATA))
        await self.quiet()
        return packets


class Phone:
    """One phone and what it goes through, in order."""

    def __init__(self, device: Device, records: dict[str, bytes], checks: Checks, is_control: bool):
        self.device = device
        self.records = records
        self.checks = checks
        self.is_control = is_control
        self.time_server = TimeServer(device)
        self.connection = None
        self.peer = None
        self.transfer = None
        self.address = None

    async def run(self):
        await self.find()
        await self.meet()
        await self.look_without_encryption()
        await self.pair()
        await self.transfer_records()
        await self.meet_again()
        await self.part()

    async def find(self):
        """Scans until the advertisement and, where it can be seen, the scan response were there."""
        reports: dict[bool, tuple[hci.Address, bytes]] = {}
        complete = asyncio.Event()

        def on_report(report):
            kind = hci.HCI_LE_Advertising_Report_Event.EventType
            extended = not isinstance(report, hci.HCI_LE_Advertising_Report_Event.Report)
            is_response = bool(report.event_type & 8) if extended else report.event_type == kind.SCAN_RSP
            if is_response or dictofun.ADVERTISING_DATA[7:25] in report.data:
                reports[is_response] = (report.address, report.data)
            if len(reports) == 2:
                complete.set()

        self.device.host.on('advertising_report', on_report)
        await self.device.start_scanning(active=True)
        if self.is_control:
            await asyncio.wait_for(complete.wait(), 10)
        else:
            async with self.checks.check('advertising-data', essential=True):
                await complete.wait()
                expect_equal(reports[False][1], dictofun.ADVERTISING_DATA, 'advertising data')
                expect_equal(reports[True][1], dictofun.SCAN_RESPONSE_DATA, 'scan response data')
                expect(reports[False][0].is_static, 'the address is not random static')
        await self.device.stop_scanning()
        self.device.host.remove_listener('advertising_report', on_report)
        self.address = reports[False][0]

    async def connect(self):
        self.connection = await self.device.connect(self.address, timeout=10)
        self.peer = Peer(self.connection)
        self.connection.remove_all_listeners(self.connection.EVENT_SECURITY_REQUEST)

    async def disconnect(self):
        await self.connection.disconnect()

    async def meet(self):
        async with self.checks.check('connect', essential=True):
            await self.connect()
        async with self.checks.check('mtu'):
            expect_equal(await self.peer.request_mtu(517), dictofun.MAXIMUM_MTU, 'ATT_MTU')
        async with self.checks.check('handle-table', essential=True):
            found = [(a.handle, a.type.to_hex_str('-').lower()) for a in await self.peer.discover_attributes()]
            expect_equal(found, expected_attributes(), 'attributes')
        async with self.checks.check('properties', essential=True):
            await self.peer.discover_all()
            for start, service, entries in dictofun.TABLE:
                proxies = self.peer.get_services_by_uuid(to_uuid(service))
                expect_equal([p.handle for p in proxies], [start], f'services {service}')
                found = [(c.handle, c.uuid, int(c.properties)) for c in proxies[0].characteristics]
                wanted = [(e.value_handle, to_uuid(e.uuid), to_properties(e.properties)) for e in entries]
                expect_equal(found, wanted, f'characteristics of {service}')

    async def look_without_encryption(self):
        client = self.connection.gatt_client
        async with self.checks.check('open-attributes'):
            name = await self.peer.read_value(0x0003)
            expect(name.startswith(b'dictofun_v'), f'device name {name}')
            expect_equal(await self.peer.read_value(0x0007), bytes.fromhex('5000a00000009001'), 'preferred parameters')
            expect_equal(len(await self.peer.read_value(0x0029)), 1, 'octets of the battery level')
        async with self.checks.check('encryption-required'):
            for handle in (0x0010, 0x0025):
                response = await client.send_request(
                    att.ATT_Write_Request(attribute_handle=handle, attribute_value=b'\x01')
                )
                expect_refusal(response, 0x05, handle)
            for handle in (0x0013, 0x001C, 0x0022):
                response = await client.send_request(att.ATT_Read_Request(attribute_handle=handle))
                expect_refusal(response, 0x05, handle)

    async def pair(self):
        self.time_server.was_read.clear()
        async with self.checks.check('pair-just-works', essential=True):
            answers = []
            self.watch_pairing(answers)
            await self.connection.pair()
            expect(self.connection.is_encrypted, 'paired, but not encrypted')
            response = answers[0]
            expect_equal(response.io_capability, 3, 'input and output capability')
            expect_equal(int(response.auth_req) & 0x0D, 0x01, 'authentication requirements')
            expect_equal(response.maximum_encryption_key_size, 16, 'key size')
            expect_equal(
                (response.initiator_key_distribution, response.responder_key_distribution), (3, 3), 'key distribution'
            )
        await self.expect_time_read()
        async with self.checks.check('battery'):
            level = (await self.peer.read_value(0x0029))[0]
            expect(level in range(0, 97, 12), f'battery level {level}')

    def watch_pairing(self, answers: list):
        """Keeps the recorder's Pairing Response."""
        manager = self.device.smp_manager
        original = manager.on_smp_pdu

        def on_smp_pdu(connection, pdu):
            command = smp.SMP_Command.from_bytes(pdu)
            if isinstance(command, smp.SMP_Pairing_Response_Command):
                answers.append(command)
            original(connection, pdu)

        manager.on_smp_pdu = on_smp_pdu

    async def expect_time_read(self):
        async with self.checks.check('current-time-read'):
            await self.time_server.was_read.wait()

    async def transfer_records(self):
        self.transfer = FileTransfer(self.connection.gatt_client)
        await self.transfer.open(self.peer)
        async with self.checks.check('list', essential=True):
            found = await self.transfer.list_identifiers()
            expect_equal(sorted(found), sorted(self.records), 'identifiers')
        async with self.checks.check('info'):
            for identifier, content in self.records.items():
                text = b'{"s":%d}' % len(content)
                expect_equal(
                    await self.transfer.info(identifier), len(text).to_bytes(2, 'little') + text, f'info of {identifier}'
                )
        async with self.checks.check('download', limit=90):
            for identifier, content in self.records.items():
                packets = await self.transfer.download(identifier, len(content))
                expect(b''.join(packets) == content, f'{identifier} differs from what the recorder was given')
                expect_equal([len(p) for p in packets], dictofun.data_packets(len(content)), 'sizes of the packets')
        await self.ask_for_the_rest()

    async def ask_for_the_rest(self):
        transfer = self.transfer
        async with self.checks.check('fs-status'):
            await transfer.request(dictofun.REQUEST_FS_STATUS)
            status = dictofun.fs_status([len(content) for content in self.records.values()])
            expect_equal(await transfer.answer(dictofun.FS_STATUS), status, 'state of the file system')
            await transfer.quiet()
        async with self.checks.check('unknown-record'):
            unknown = b'9' * 16
            for opcode in (dictofun.REQUEST_INFO, dictofun.REQUEST_DATA):
                await transfer.request(opcode, unknown)
                value = await transfer.answer(dictofun.GENERAL_STATUS)
                expect_equal(value, bytes([dictofun.STATUS_NOT_FOUND]) + unknown, 'status')
                await transfer.quiet()
        if not self.is_control:
            async with self.checks.check('request-too-long'):
                response = await self.connection.gatt_client.send_request(
                    att.ATT_Write_Request(attribute_handle=0x0010, attribute_value=bytes(18))
                )
                expect_refusal(response, 0x0D, 0x0010)
        async with self.checks.check('connection-update'):
            await self.connection.update_parameters(30, 50, 0, 4000)
            interval = self.connection.parameters.connection_interval
            expect(30 <= interval <= 50, f'interval {interval} ms')

    async def meet_again(self):
        await self.disconnect()
        self.time_server.was_read.clear()
        async with self.checks.check('reconnect-with-bond', limit=20, essential=True):
            await self.connect()
            await self.connection.encrypt()
            expect(self.connection.is_encrypted, 'not encrypted')
            await asyncio.wait_for(self.time_server.was_read.wait(), 10)
        async with self.checks.check('requests-after-reconnect', limit=30):
            await self.peer.request_mtu(dictofun.MAXIMUM_MTU)
            await self.peer.discover_all()
            self.transfer = FileTransfer(self.connection.gatt_client)
            await self.transfer.open(self.peer)
            identifier, content = next(iter(self.records.items()))
            expect_equal(sorted(await self.transfer.list_identifiers()), sorted(self.records), 'identifiers')
            packets = await self.transfer.download(identifier, len(content))
            expect(b''.join(packets) == content, f'{identifier} differs')
        async with self.checks.check('complete-disconnects'):
            gone = self.disconnection()
            await self.transfer.request(dictofun.REQUEST_COMPLETE)
            expect_equal(await gone, 0x13, 'reason')

    def disconnection(self) -> asyncio.Future:
        """The reason with which the recorder will end the link."""
        gone = asyncio.get_running_loop().create_future()
        self.connection.on(self.connection.EVENT_DISCONNECTION, lambda reason: gone.done() or gone.set_result(reason))
        return gone

    async def part(self):
        await asyncio.sleep(QUIET)
        async with self.checks.check('unpair', limit=20, essential=True):
            await self.connect()
            await self.connection.encrypt()
            await self.peer.write_value(0x0025, bytes([dictofun.UNPAIR]), with_response=True)
            # The link lives on; the keys are gone when it ends.
            await asyncio.sleep(QUIET)
            expect(self.connection.is_encrypted, 'the link was lost')
            await self.disconnect()
        async with self.checks.check('key-missing-after-unpair', limit=20):
            await self.connect()
            try:
                await self.connection.encrypt()
            except (hci.HCI_Error, asyncio.CancelledError) as error:
                code = getattr(error, 'error_code', 0x06)
                expect_equal(code, hci.HCI_ErrorCode.PIN_OR_KEY_MISSING_ERROR, 'error')
            else:
                raise AssertionError('the recorder still knows the key')
        await self.device.keystore.delete_all()
        async with self.checks.check('pair-again', limit=20):
            if self.connection in self.device.connections.values():
                try:
                    await self.disconnect()
                except Exception:
                    logging.info('the recorder was quicker to end the link')
            await asyncio.sleep(QUIET)
            await self.connect()
            await self.connection.pair()
            expect(self.connection.is_encrypted, 'paired, but not encrypted')
            await self.disconnect()


def to_uuid(uuid: int | str) -> UUID:
    return UUID.from_16_bits(uuid) if isinstance(uuid, int) else UUID(uuid)


def to_properties(words: str) -> int:
    return sum(int(Characteristic.Properties[word.upper()]) for word in words.split(','))


def expected_attributes() -> list[tuple[int, str]]:
    """Every handle of the recorder's table with its type."""
    attributes = []
    for start, _, entries in dictofun.TABLE:
        attributes.append((start, 0x2800))
        for entry in entries:
            attributes.append((entry.handle, 0x2803))
            attributes.append((entry.value_handle, entry.uuid))
            if entry.has_cccd:
                attributes.append((entry.value_handle + 1, 0x2902))
    return [(handle, to_uuid(uuid).to_hex_str('-').lower()) for handle, uuid in attributes]


def expect_refusal(response, code: int, handle: int):
    expect(isinstance(response, att.ATT_Error_Response), f'handle {handle:#06x} was not refused')
    expect_equal(int(response.error_code), code, f'error of handle {handle:#06x}')
    expect_equal(response.attribute_handle_in_error, handle, 'handle in error')


async def run(controller: str, records: dict[str, bytes], group: str) -> int:
    # Bumble's controllers cannot carry everything.
    is_control = group != 'phone'
    checks = Checks(group, CONTROL if is_control else PHONE)
    async with await open_transport(controller) as (source, sink):
        configuration = DeviceConfiguration(name='phone', address=ADDRESS, irk=bytes(range(1, 17)))
        device = Device.from_config_with_hci(configuration, source, sink)
        device.pairing_config_factory = just_works
        device.keystore = MemoryKeyStore()
        try:
            phone = Phone(device, records, checks, is_control)
            await asyncio.wait_for(device.power_on(), 10)
            await phone.run()
        except Abandoned as reason:
            checks.skip(str(reason))
    return checks.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--controller', required=True, metavar='SPEC')
    parser.add_argument('--records', required=True, type=Path, metavar='FOLDER')
    parser.add_argument('--group', choices=['control', 'phone', 'served'], default='phone')
    parser.add_argument('--verbose', action='store_true')
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if arguments.verbose else logging.WARNING)
    records = {path.stem: path.read_bytes() for path in sorted(arguments.records.glob('*.record'))}
    sys.exit(asyncio.run(run(arguments.controller, records, arguments.group)))


if __name__ == '__main__':
    main()
