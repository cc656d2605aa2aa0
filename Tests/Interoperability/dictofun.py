"""What a Dictofun recorder is on the air: names, numbers and table, as both peers of this suite need them.

Every value is the firmware's, from its sources and from Nordic's SDK; nothing here is taken from our own code, so
that the two can disagree.
"""

from dataclasses import dataclass

ADVERTISING_DATA = bytes.fromhex(
    '03190000'  # appearance: none
    '020106'  # flags: general discoverable, no BR/EDR
    '11077b8068af8fbd8287204822b8011045a0'  # the file transfer service
    '050864696374'  # shortened name: dict
)
SCAN_RESPONSE_DATA = bytes.fromhex('03030518')  # current time, which the recorder wants, not offers

FILE_TRANSFER_SERVICE = 'a0451001-b822-4820-8782-bd8faf68807b'
SECURE_DFU = 'fe59'
BUTTONLESS_DFU = '8ec90003-f315-4f60-9fb8-838830daea50'
DFU_CONTROL_POINT = '8ec90001-f315-4f60-9fb8-838830daea50'
DFU_PACKET = '8ec90002-f315-4f60-9fb8-838830daea50'
BOOTLOADER_ADVERTISING_DATA = bytes.fromhex(
    '020106'  # flags: general discoverable, no BR/EDR
    '030259fe'  # some services: Secure DFU
    '0e09646963746f66756e5f62746c64'  # complete name: dictofun_btld
)

CONTROL_POINT = 0x1002
FILES_LIST = 0x1003
FILES_LIST_NEXT = 0x1008
FILE_INFO = 0x1004
FILE_DATA = 0x1005
FS_STATUS = 0x1006
GENERAL_STATUS = 0x1007
PAIRING = 0x10FE
BATTERY_LEVEL = 0x2A19
CURRENT_TIME_SERVICE = 0x1805
CURRENT_TIME = 0x2A2B

REQUEST_LIST = 0x01
REQUEST_INFO = 0x02
REQUEST_DATA = 0x03
REQUEST_FS_STATUS = 0x04
REQUEST_COMPLETE = 0x06
STATUS_NOT_FOUND = 0x02
UNPAIR = 0xAD

IDENTIFIER_SIZE = 16
IDS_IN_FIRST_PART = 7
IDS_IN_NEXT_PART = 8
BLOCK_SIZE = 256
PACKET_SIZE = 200
MAXIMUM_MTU = 247
FS_SIZE = 4095 * 4096
FS_TABLE_SIZE = 8192


@dataclass(frozen=True)
class Entry:
    """One characteristic of the table, with the handle of its declaration."""

    handle: int
    uuid: int | str
    properties: str
    has_cccd: bool = False

    @property
    def value_handle(self) -> int:
        return self.handle + 1


# Services and characteristics in the order in which the firmware registers them.
TABLE: list[tuple[int, int | str, list[Entry]]] = [
    (
        0x0001,
        0x1800,
        [
            Entry(0x0002, 0x2A00, 'read,write'),
            Entry(0x0004, 0x2A01, 'read'),
            Entry(0x0006, 0x2A04, 'read'),
            Entry(0x0008, 0x2AA6, 'read'),
        ],
    ),
    (0x000A, 0x1801, [Entry(0x000B, 0x2A05, 'indicate', True)]),
    (
        0x000E,
        FILE_TRANSFER_SERVICE,
        [
            Entry(0x000F, CONTROL_POINT, 'write,notify', True),
            Entry(0x0012, FILES_LIST, 'read,notify', True),
            Entry(0x0015, FILES_LIST_NEXT, 'read,notify', True),
            Entry(0x0018, FILE_INFO, 'read,notify', True),
            Entry(0x001B, FILE_DATA, 'read,notify', True),
            Entry(0x001E, FS_STATUS, 'read,notify', True),
            Entry(0x0021, GENERAL_STATUS, 'read,notify', True),
            Entry(0x0024, PAIRING, 'write,notify', True),
        ],
    ),
    (0x0027, 0x180F, [Entry(0x0028, BATTERY_LEVEL, 'read,notify', True)]),
    (0x002B, SECURE_DFU, [Entry(0x002C, BUTTONLESS_DFU, 'write,indicate', True)]),
]


def data_packets(size: int, packet_size: int = PACKET_SIZE) -> list[int]:
    """The sizes of the notifications that carry a record of `size` octets."""
    sizes = []
    for block in range(0, size, BLOCK_SIZE):
        left = min(BLOCK_SIZE, size - block)
        while left:
            sizes.append(min(packet_size, left))
            left -= sizes[-1]
    return sizes


def fs_status(sizes: list[int]) -> bytes:
    """The fourteen octets that answer a request for the state of the file system."""
    occupied = FS_TABLE_SIZE + sum(sizes)
    numbers = (FS_SIZE - occupied, occupied, len(sizes))
    return b'\x0e\x00' + b''.join(number.to_bytes(4, 'little') for number in numbers)
