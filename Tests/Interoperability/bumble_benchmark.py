"""What the same work costs Bumble: two hosts, two stock controllers and one local link in one process.

Prints one JSON object: CPU seconds of each repetition and their median, for a download of one MiB in the firmware's
shape (notifications of 200 and 56 octets, ATT_MTU 247) and for connect, pair and discover.
"""

import argparse
import asyncio
import json
import logging
import statistics
import time

import bumble
import dictofun
from bumble import hci
from bumble.controller import Controller
from bumble.core import UUID
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.link import LocalLink
from phone import just_works
from recorder import BondedDevice, FirmwareSession, Recorder

SIZE = 1 << 20


class Nothing:
    """A storage without records."""

    records: dict[bytes, bytes] = {}

    def read(self):
        """Has nothing to read."""


def make_device(kind, name: str, address: str, link: LocalLink, irk: bytes, **options):
    """A device whose host stands directly on a stock controller of the link."""
    configuration = DeviceConfiguration(name=name, address=hci.Address(address), irk=irk, **options)
    host = Host()
    controller = Controller(name, link=link)
    host.controller = controller
    device = kind(config=configuration, host=host)
    device.pairing_config_factory = just_works
    device.keystore = MemoryKeyStore()
    return device


async def meet():
    """Connects, pairs and discovers; returns both ends and the CPU seconds that took."""
    link = LocalLink()
    phone = make_device(Device, 'phone', 'C4:5E:0B:1E:00:01', link, bytes(range(1, 17)))
    device = make_device(
        BondedDevice,
        'recorder',
        'D1:C7:0F:00:00:01',
        link,
        bytes(range(17, 33)),
        gap_service_enabled=False,
        gatt_service_enabled=False,
    )
    device.smp_session_proxy = FirmwareSession
    device.gatt_server.max_mtu = dictofun.MAXIMUM_MTU
    recorder = Recorder(device, Nothing(), tell=lambda event, **details: None)
    await device.power_on()
    await phone.power_on()
    await recorder.advertise()
    started = time.process_time()
    connection = await phone.connect(device.random_address)
    await connection.pair()
    peer = Peer(connection)
    await peer.request_mtu(dictofun.MAXIMUM_MTU)
    await peer.discover_all()
    return phone, device, recorder, peer, time.process_time() - started


async def measure_download(content: bytes) -> tuple[float, float]:
    """CPU seconds of connect, pair and discover, and of one download."""
    _, device, recorder, peer, meeting = await meet()
    arrived = bytearray()
    complete = asyncio.Event()

    def on_data(value: bytes):
        arrived.extend(value)
        if len(arrived) == len(content):
            complete.set()

    data = peer.get_characteristics_by_uuid(UUID.from_16_bits(dictofun.FILE_DATA))[0]
    await data.subscribe(on_data)
    connection = next(iter(device.connections.values()))
    characteristic = recorder.characteristics[dictofun.FILE_DATA]
    started = time.process_time()
    offset = 0
    for size in dictofun.data_packets(len(content)):
        await device.notify_subscriber(connection, characteristic, content[offset : offset + size])
        offset += size
        await asyncio.sleep(0)
    await complete.wait()
    seconds = time.process_time() - started
    if arrived != content:
        raise RuntimeError('the download differs')
    return meeting, seconds


async def run(repetitions: int) -> dict:
    content = bytes(index * 131 % 251 for index in range(SIZE))
    await measure_download(content[: SIZE // 16])
    results = [await measure_download(content) for _ in range(repetitions)]
    meetings, downloads = zip(*results)
    notifications = len(dictofun.data_packets(SIZE))
    return {
        'bumble': bumble.__version__,
        'repetitions': repetitions,
        'downloadOctets': SIZE,
        'downloadNotifications': notifications,
        'downloadCPUSeconds': statistics.median(downloads),
        'downloadCPUSecondsAll': downloads,
        'notificationsPerCPUSecond': notifications / statistics.median(downloads),
        'meetingCPUSeconds': statistics.median(meetings),
        'meetingCPUSecondsAll': meetings,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--repetitions', type=int, default=9)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    print(json.dumps(asyncio.run(run(arguments.repetitions))))


if __name__ == '__main__':
    main()
