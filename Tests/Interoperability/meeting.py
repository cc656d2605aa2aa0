"""One meeting of a phone made of Bumble's host with a recorder: connect, secure, list, download.

    meeting.py --controller tcp-client:127.0.0.1:9001 --keys FILE --records FOLDER [--bonded]

FOLDER holds the records that the recorder is known to have, as IDENTIFIER.record; the largest is downloaded. Bonds are
kept in FILE between meetings; with `--bonded` the link is encrypted with a key from there, else the two pair. What
happened is printed as one JSON object; a meeting that fails ends with a sentence and 1.
"""

import argparse
import asyncio
import json
import logging
import sys
import time
from pathlib import Path

import dictofun
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.keys import JsonKeyStore
from bumble.transport import open_transport
from checks import expect, expect_equal
from phone import ADDRESS, FileTransfer, TimeServer, just_works

FIND_LIMIT = 15
DOWNLOAD_LIMIT = 120


async def find(device: Device):
    """The address of the first recorder that is heard."""
    found = asyncio.get_running_loop().create_future()

    def on_report(report):
        if dictofun.ADVERTISING_DATA[7:25] in report.data and not found.done():
            found.set_result(report.address)

    device.host.on('advertising_report', on_report)
    await device.start_scanning(active=True)
    address = await asyncio.wait_for(found, FIND_LIMIT)
    await device.stop_scanning()
    device.host.remove_listener('advertising_report', on_report)
    return address


async def meet(device: Device, records: dict[str, bytes], is_bonded: bool) -> dict:
    connection = await device.connect(await find(device), timeout=10)
    connection.remove_all_listeners(connection.EVENT_SECURITY_REQUEST)
    if is_bonded:
        await connection.encrypt()
    else:
        await connection.pair()
    expect(connection.is_encrypted, 'the link is not encrypted')
    peer = Peer(connection)
    await peer.request_mtu(dictofun.MAXIMUM_MTU)
    await peer.discover_all()
    transfer = FileTransfer(connection.gatt_client)
    await transfer.open(peer)
    found = await transfer.list_identifiers()
    expect_equal(sorted(found), sorted(records), 'identifiers')
    identifier, content = max(records.items(), key=lambda record: len(record[1]))
    begun = time.monotonic()
    await transfer.request(dictofun.REQUEST_DATA, identifier.encode())
    arrived = bytearray()
    while len(arrived) < len(content):
        arrived += await transfer.answer(dictofun.FILE_DATA)
    seconds = time.monotonic() - begun
    expect(arrived == content, f'{identifier} differs from what the recorder was given')
    await connection.disconnect()
    return {
        'address': str(connection.peer_address),
        'records': len(found),
        'octets': len(content),
        'seconds': round(seconds, 3),
        'rate': round(len(content) / seconds),
    }


async def run(controller: str, keys: Path, records: dict[str, bytes], is_bonded: bool) -> int:
    async with await open_transport(controller) as (source, sink):
        configuration = DeviceConfiguration(name='phone', address=ADDRESS, irk=bytes(range(1, 17)))
        device = Device.from_config_with_hci(configuration, source, sink)
        TimeServer(device)
        device.pairing_config_factory = just_works
        device.keystore = JsonKeyStore('phone', str(keys))
        try:
            await asyncio.wait_for(device.power_on(), 10)
            async with asyncio.timeout(DOWNLOAD_LIMIT):
                print(json.dumps(await meet(device, records, is_bonded)), flush=True)
        except (Exception, asyncio.CancelledError) as error:
            print(f'{type(error).__name__}: {error}', flush=True)
            return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--controller', required=True, metavar='SPEC')
    parser.add_argument('--keys', required=True, type=Path, metavar='FILE')
    parser.add_argument('--records', required=True, type=Path, metavar='FOLDER')
    parser.add_argument('--bonded', action='store_true')
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    records = {path.stem: path.read_bytes() for path in sorted(arguments.records.glob('*.record'))}
    sys.exit(asyncio.run(run(arguments.controller, arguments.keys, records, arguments.bonded)))


if __name__ == '__main__':
    main()
