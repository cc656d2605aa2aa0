"""A Dictofun recorder made of Bumble's host: advertises, bonds, serves its records, sets its clock by the phone.

    recorder.py --controller tcp-client:127.0.0.1:9001 --records FOLDER

FOLDER holds the records as IDENTIFIER.record; it is read again before every list, so records can be added while the
recorder runs. What happens is printed as one JSON object a line.
"""

import argparse
import asyncio
import json
import logging
import secrets
import time
from datetime import datetime
from pathlib import Path

import dictofun
from bumble import att, hci, smp
from bumble.core import UUID
from bumble.device import Connection, Device, DeviceConfiguration, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

ADDRESS = hci.Address('D1:C7:0F:00:00:01')
NAME = 'dictofun_v1.4'
BATTERY_LEVEL = 84
ADVERTISING_INTERVAL = 125  # milliseconds
SECURITY_REQUEST_DELAY = 1.0
READ_PERMISSIONS = {'read': Characteristic.READABLE}
WRITE_PERMISSIONS = {'write': Characteristic.WRITEABLE}


def tell(event: str, **details):
    """Prints one event for whoever runs the recorder."""
    print(json.dumps({'event': event, 'seconds': round(time.monotonic(), 3), **details}), flush=True)


class FirmwareSession(smp.Session):
    """A pairing that gives its key out under a diversifier and random number, as the firmware's stack does.

    Bumble's own are always zero, which leaves open whether the phone keeps them.
    """

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.ltk_ediv = 1 + secrets.randbelow(0xFFFF)
        self.ltk_rand = secrets.token_bytes(8)

    def get_long_term_key(self, rand, ediv):
        # Until the pairing is complete, the short-term key is asked for, under zeros.
        is_short_term = (rand, ediv) == (bytes(8), 0) and not self.completed
        return self.stk if is_short_term else None


class BondedDevice(Device):
    """A device that finds a legacy bond's key by the diversifier and random number under which it gave it out.

    Bumble 0.0.236 keeps its own key under the central's name and answers with the other one, so that every
    re-encryption of a legacy bond fails (google/bumble#890).
    """

    async def get_long_term_key(self, connection_handle, rand, ediv):
        connection = self.lookup_connection(connection_handle)
        if connection is None:
            return None
        short_term_key = self.smp_manager.get_long_term_key(connection, rand, ediv)
        if short_term_key is not None:
            return short_term_key
        for _, bond in await self.keystore.get_all():
            for key in (bond.ltk_central, bond.ltk_peripheral):
                if key is not None and (key.ediv, key.rand) == (ediv, rand):
                    return key.value
        return None


class Storage:
    """The records of a folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.records: dict[bytes, bytes] = {}
        self.read()

    def read(self):
        paths = sorted(self.folder.glob('*.record'))
        self.records = {path.stem.encode(): path.read_bytes() for path in paths}


class Recorder:
    """One recorder on one device: its table, its file transfer service, what it does when a link is secured."""

    def __init__(self, device: BondedDevice, storage: Storage, tell=tell):
        self.device = device
        self.tell = tell
        self.storage = storage
        self.characteristics: dict[int | str, Characteristic] = {}
        self.requests: asyncio.Queue[tuple[Connection, bytes]] = asyncio.Queue()
        # What waits and must not be collected before it is done.
        self.errands: set[asyncio.Task] = set()
        for _, service, entries in dictofun.TABLE:
            device.add_service(Service(to_uuid(service), [self.characteristic(entry) for entry in entries]))
        device.pairing_config_factory = lambda connection: just_works()
        device.on(device.EVENT_CONNECTION, self.on_connection)

    # The table

    def characteristic(self, entry: dictofun.Entry) -> Characteristic:
        words = entry.properties.split(',')
        properties = Characteristic.Properties(0)
        permissions = Characteristic.Permissions(0)
        for word in words:
            properties |= Characteristic.Properties[word.upper()]
            permissions |= READ_PERMISSIONS.get(word, Characteristic.Permissions(0))
            permissions |= WRITE_PERMISSIONS.get(word, Characteristic.Permissions(0))
        result = Characteristic(to_uuid(entry.uuid), properties, permissions, self.value(entry.uuid))
        self.characteristics[entry.uuid] = result
        return result

    def value(self, uuid: int | str):
        fixed = {
            0x2A00: NAME.encode(),
            0x2A01: bytes(2),
            0x2A04: bytes.fromhex('5000a00000009001'),
            0x2AA6: b'\x00',
            0x2A05: bytes(4),
            dictofun.BUTTONLESS_DFU: b'\x00',
        }
        if uuid in fixed:
            return fixed[uuid]
        if uuid == dictofun.BATTERY_LEVEL:
            return CharacteristicValue(read=self.read_battery)
        if uuid == dictofun.CONTROL_POINT:
            return CharacteristicValue(write=self.write_control_point)
        if uuid == dictofun.PAIRING:
            return CharacteristicValue(write=self.write_pairing)
        return CharacteristicValue(read=self.read_secured)

    def read_battery(self, connection) -> bytes:
        self.tell('battery-read', encrypted=bool(connection.is_encrypted))
        return bytes([BATTERY_LEVEL])

    def read_secured(self, connection) -> bytes:
        self.require_encryption(connection)
        return b'\x00'

    def require_encryption(self, connection):
        if not connection.is_encrypted:
            self.tell('refused')
            raise att.ATT_Error(att.ErrorCode.INSUFFICIENT_AUTHENTICATION)

    async def write_pairing(self, connection, value: bytes):
        self.require_encryption(connection)
        if value[:1] == bytes([dictofun.UNPAIR]):
            self.tell('unpaired')
            await self.device.keystore.delete_all()

    def write_control_point(self, connection, value: bytes):
        self.require_encryption(connection)
        if len(value) > 17:
            raise att.ATT_Error(att.ErrorCode.INVALID_ATTRIBUTE_LENGTH)
        self.tell('request', opcode=value[:1].hex(), identifier=value[1:].decode('ascii', 'replace'))
        self.requests.put_nowait((connection, value))

    # Connections

    def on_connection(self, connection: Connection):
        self.tell('connected', peer=str(connection.peer_address))
        connection.on(connection.EVENT_CONNECTION_ENCRYPTION_CHANGE, lambda: self.on_encryption(connection))
        connection.on(connection.EVENT_PAIRING, lambda keys: self.tell('paired'))
        connection.on(connection.EVENT_DISCONNECTION, self.on_disconnection)
        self.run_errand(self.ask_for_security(connection))

    def on_encryption(self, connection: Connection):
        if connection.is_encrypted:
            self.tell('encrypted')
            self.run_errand(self.read_time(connection))

    def on_disconnection(self, reason: int):
        self.tell('disconnected', reason=int(reason))
        self.run_errand(self.advertise())

    def run_errand(self, errand):
        task = asyncio.create_task(self.finish_errand(errand))
        self.errands.add(task)
        task.add_done_callback(self.errands.discard)

    async def finish_errand(self, errand):
        try:
            await errand
        except (Exception, asyncio.CancelledError) as error:
            self.tell('trouble', error=f'{type(error).__name__}: {error}')

    async def ask_for_security(self, connection: Connection):
        """Reminds a phone that it knows of their bond."""
        if await self.device.keystore.get(str(connection.peer_address)) is None:
            return
        await asyncio.sleep(SECURITY_REQUEST_DELAY)
        if not connection.is_encrypted and connection in self.device.connections.values():
            connection.request_pairing()

    async def read_time(self, connection: Connection):
        """Reads the phone's clock, as the firmware does whenever a link is secured."""
        peer = Peer(connection)
        services = await peer.discover_service(UUID.from_16_bits(dictofun.CURRENT_TIME_SERVICE))
        if not services:
            self.tell('no-time-service')
            return
        await services[0].discover_characteristics()
        # The firmware takes the first characteristic of the service, whichever that is.
        value = await services[0].characteristics[0].read_value()
        told = datetime(int.from_bytes(value[:2], 'little'), *value[2:7])
        difference = abs((datetime.now() - told).total_seconds())
        self.tell('time-read', octets=len(value), told=told.isoformat(), difference=round(difference, 3))

    async def advertise(self):
        await self.device.start_advertising(
            auto_restart=False,
            advertising_data=dictofun.ADVERTISING_DATA,
            scan_response_data=dictofun.SCAN_RESPONSE_DATA,
            own_address_type=hci.OwnAddressType.RANDOM,
            advertising_interval_min=ADVERTISING_INTERVAL,
            advertising_interval_max=ADVERTISING_INTERVAL,
        )
        self.tell('advertising', address=str(self.device.random_address).split('/')[0])

    # File transfer

    async def serve(self):
        """Answers one request after the other."""
        await self.advertise()
        while True:
            connection, value = await self.requests.get()
            try:
                await self.answer(connection, value)
            except (Exception, asyncio.CancelledError) as error:
                if asyncio.current_task().cancelling():
                    raise
                self.tell('trouble', error=f'{type(error).__name__}: {error}')

    async def answer(self, connection: Connection, value: bytes):
        opcode, identifier = value[0], value[1:]
        if opcode == dictofun.REQUEST_LIST and not identifier:
            await self.send_list(connection)
        elif opcode == dictofun.REQUEST_INFO and len(identifier) == 16:
            await self.send_info(connection, identifier)
        elif opcode == dictofun.REQUEST_DATA and len(identifier) == 16:
            await self.send_data(connection, identifier)
        elif opcode == dictofun.REQUEST_FS_STATUS and not identifier:
            sizes = [len(content) for content in self.storage.records.values()]
            await self.notify(connection, dictofun.FS_STATUS, dictofun.fs_status(sizes))
        elif opcode == dictofun.REQUEST_COMPLETE and not identifier:
            await connection.disconnect(hci.HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR)

    async def notify(self, connection: Connection, number: int, value: bytes):
        await self.device.notify_subscriber(connection, self.characteristics[number], value)

    async def send_list(self, connection: Connection):
        self.storage.read()
        identifiers = list(self.storage.records)
        first = dictofun.IDS_IN_FIRST_PART
        head = len(identifiers).to_bytes(4, 'little') + bytes(4)
        await self.notify(connection, dictofun.FILES_LIST, head + b''.join(identifiers[:first]))
        for start in range(first, len(identifiers), dictofun.IDS_IN_NEXT_PART):
            part = identifiers[start : start + dictofun.IDS_IN_NEXT_PART]
            await self.notify(connection, dictofun.FILES_LIST_NEXT, b''.join(part))

    async def send_info(self, connection: Connection, identifier: bytes):
        content = await self.find(connection, identifier)
        if content is not None:
            text = b'{"s":%d}' % len(content)
            await self.notify(connection, dictofun.FILE_INFO, len(text).to_bytes(2, 'little') + text)

    async def send_data(self, connection: Connection, identifier: bytes):
        content = await self.find(connection, identifier)
        if content is None:
            return
        offset = 0
        for size in dictofun.data_packets(len(content), min(dictofun.PACKET_SIZE, connection.att_mtu - 3)):
            await self.notify(connection, dictofun.FILE_DATA, content[offset : offset + size])
            offset += size
            await asyncio.sleep(0)
        self.tell('sent', identifier=identifier.decode('ascii', 'replace'), octets=offset)

    async def find(self, connection: Connection, identifier: bytes) -> bytes | None:
        content = self.storage.records.get(identifier)
        if content is None:
            await self.notify(
                connection, dictofun.GENERAL_STATUS, bytes([dictofun.STATUS_NOT_FOUND]) + identifier
            )
        return content


def to_uuid(uuid: int | str) -> UUID:
    return UUID.from_16_bits(uuid) if isinstance(uuid, int) else UUID(uuid)


def just_works() -> PairingConfig:
    keys = PairingDelegate.KeyDistribution
    wanted = keys.DISTRIBUTE_ENCRYPTION_KEY | keys.DISTRIBUTE_IDENTITY_KEY
    return PairingConfig(
        sc=False,
        mitm=False,
        bonding=True,
        identity_address_type=PairingConfig.AddressType.RANDOM,
        delegate=PairingDelegate(PairingDelegate.NO_OUTPUT_NO_INPUT, wanted, wanted),
    )


async def run(controller: str, folder: Path):
    async with await open_transport(controller) as (source, sink):
        configuration = DeviceConfiguration(
            name=NAME,
            address=ADDRESS,
            irk=bytes(range(17, 33)),
            gap_service_enabled=False,
            gatt_service_enabled=False,
        )
        device = BondedDevice.from_config_with_hci(configuration, source, sink)
        device.gatt_server.max_mtu = dictofun.MAXIMUM_MTU
        device.smp_session_proxy = FirmwareSession
        device.keystore = MemoryKeyStore()
        recorder = Recorder(device, Storage(folder))
        await asyncio.wait_for(device.power_on(), 10)
        await recorder.serve()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--controller', required=True, metavar='SPEC')
    parser.add_argument('--records', required=True, type=Path, metavar='FOLDER')
    parser.add_argument('--verbose', action='store_true')
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if arguments.verbose else logging.WARNING)
    asyncio.run(run(arguments.controller, arguments.records))


if __name__ == '__main__':
    main()
