#!/usr/bin/python3
"""Runs a command on a machine that has a Bluetooth dongle on USB, without any.

    usb_dongle.py [--fault NAME] [--controller HOST:PORT] --report FILE -- COMMAND...

umockdev's preloaded library shows the command folders of /sys and device nodes that are not there; the dongle behind
them answers the requests of usbfs, by which libusb works. Its radio is the H4 controller at HOST:PORT. FILE gets, as
JSON, what the command did with the dongle.

Faults: two (dongles that are alike), denied (to open the node), busy (another program has the interface), stall (events,
once), stall-data (both ways, once), unplug (after the first few commands), imitation (of a CSR8510).
"""
import argparse
import ctypes
import errno
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import threading

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

EVENTS, DATA_IN, DATA_OUT = 0x81, 0x86, 0x02
EVENT_SIZE, DATA_SIZE = 16, 64
COMMAND, ACL, EVENT = 1, 2, 4
# Lengths of the headers by kind of packet, and where the length of the data stands in them.
HEADERS = {COMMAND: (3, slice(2, 3)), ACL: (4, slice(2, 4)), EVENT: (2, slice(1, 2))}


def request(direction, number, size):
    """The number of a request of usbfs (linux/usbdevice_fs.h, asm-generic/ioctl.h)."""
    return direction << 30 | size << 16 | ord("U") << 8 | number


NONE, WRITE, READ = 0, 1, 2
SUBMIT, DISCARD = request(READ, 10, 56), request(NONE, 11, 0)
REAP, REAP_NOW = request(WRITE, 12, 8), request(WRITE, 13, 8)
CLAIM, RELEASE = request(READ, 15, 4), request(READ, 16, 4)
WRAPPED, CLEAR_HALT = request(READ | WRITE, 18, 16), request(READ, 21, 4)
CAPABILITIES, DETACH_AND_CLAIM = request(READ, 26, 4), request(READ, 27, 264)
ATTACH_DRIVER = request(NONE, 23, 0)


class Transfer:
    """A URB that libusb submitted: 56 octets, and the buffer to which they point."""

    def __init__(self, argument):
        self.argument = argument
        self.block = argument.resolve(0, 56)
        octets = self.block.retrieve()
        self.kind, self.endpoint = octets[0], octets[1]
        (self.length,) = struct.unpack_from("<i", octets, 24)
        self.buffer = self.block.resolve(16, self.length) if self.length else None

    def sent(self):
        return bytes(self.buffer.retrieve()) if self.buffer else b""

    def end(self, status, received=None, count=0):
        if received is not None:
            count = len(received)
            if count:
                self.buffer.update(0, received)
        self.block.update(4, struct.pack("<i", status))
        self.block.update(28, struct.pack("<i", count))


class Node:
    """The device node: a pipe that holds one page, which is writable (as usbfs is when transfers ended) when empty."""

    def __init__(self, path):
        os.unlink(path)
        os.mkfifo(path, 0o600)
        self.descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.descriptor, 1031, 4096)  # F_SETPIPE_SZ
        self.is_ready = True
        self.show(False)

    def show(self, is_ready):
        if is_ready == self.is_ready:
            return
        self.is_ready = is_ready
        if is_ready:
            os.read(self.descriptor, 4096)
        else:
            os.write(self.descriptor, bytes(4096))


class Dongle(UMockdev.IoctlBase):
    """The dongle's side of usbfs."""

    def __init__(self, node, fault, radio):
        super().__init__()
        self.lock = threading.RLock()
        self.node, self.fault, self.radio = node, fault, radio
        self.waiting = {EVENTS: [], DATA_IN: []}
        self.pieces = {EVENTS: [], DATA_IN: []}
        self.ended = []
        self.halted = set()
        self.is_gone = False
        self.owner = "somebody" if fault == "busy" else "btusb"
        self.stalls = {"stall": [EVENTS], "stall-data": [DATA_IN, DATA_OUT]}.get(fault, [])
        self.report = {
            "commands": 0, "lastCommand": "", "dataOut": 0, "dataIn": 0, "events": 0, "mostWaiting": 0, "haltsCleared": [],
            "claimed": False, "driverDetached": False, "driverAttached": False, "unknown": [],
        }
        if radio:
            threading.Thread(target=self.listen, daemon=True).start()

    # The radio

    def receive_exactly(self, count):
        octets = b""
        while len(octets) < count:
            more = self.radio.recv(count - len(octets))
            if not more:
                raise EOFError
            octets += more
        return octets

    def listen(self):
        try:
            while True:
                kind = self.receive_exactly(1)[0]
                length, place = HEADERS[kind]
                head = self.receive_exactly(length)
                packet = head + self.receive_exactly(int.from_bytes(head[place], "little"))
                with self.lock:
                    self.arrive(EVENTS if kind == EVENT else DATA_IN, packet)
        except (EOFError, OSError):
            pass

    def arrive(self, endpoint, packet):
        self.report["events" if endpoint == EVENTS else "dataIn"] += 1
        size = EVENT_SIZE if endpoint == EVENTS else DATA_SIZE
        self.pieces[endpoint] += [packet[start:start + size] for start in range(0, len(packet), size)]
        self.pump(endpoint)

    # Transfers

    def finish(self, transfer, status, received=None, count=0):
        transfer.end(status, received, count)
        self.ended.append(transfer)
        self.node.show(True)

    def pump(self, endpoint):
        while self.waiting[endpoint] and self.pieces[endpoint] and endpoint not in self.halted:
            transfer = self.waiting[endpoint].pop(0)
            if endpoint in self.stalls:
                self.stalls.remove(endpoint)
                self.halted.add(endpoint)
                self.finish(transfer, -errno.EPIPE)
            else:
                self.finish(transfer, 0, self.pieces[endpoint].pop(0))

    def unplug(self):
        self.is_gone = True
        for waiting in self.waiting.values():
            for transfer in waiting:
                self.finish(transfer, -errno.ESHUTDOWN)
            waiting.clear()

    def submit(self, argument):
        if self.is_gone:
            return errno.ENODEV
        transfer = Transfer(argument)
        if transfer.endpoint in self.waiting:
            self.waiting[transfer.endpoint].append(transfer)
            self.report["mostWaiting"] = max(self.report["mostWaiting"], len(self.waiting[EVENTS]))
            self.pump(transfer.endpoint)
        elif transfer.kind == 2:
            self.control(transfer)
        else:
            self.send_data(transfer)
        return 0

    def control(self, transfer):
        octets = transfer.sent()
        kind, number, _, _, length = struct.unpack_from("<BBHHH", octets)
        if (kind, number) != (0x20, 0):
            self.report["unknown"].append(f"control request {kind:#x} {number}")
            return self.finish(transfer, -errno.EPIPE)
        self.report["commands"] += 1
        self.report["lastCommand"] = octets[8:8 + length].hex()
        if self.fault == "unplug" and self.report["commands"] > 4:
            self.waiting[EVENTS].append(transfer)
            return self.unplug()
        self.radio.sendall(bytes([COMMAND]) + octets[8:8 + length])
        return self.finish(transfer, 0, None, length)

    def send_data(self, transfer):
        if DATA_OUT in self.stalls:
            self.stalls.remove(DATA_OUT)
            self.halted.add(DATA_OUT)
        if DATA_OUT in self.halted:
            return self.finish(transfer, -errno.EPIPE)
        self.report["dataOut"] += 1
        self.radio.sendall(bytes([ACL]) + transfer.sent())
        return self.finish(transfer, 0, None, transfer.length)

    def discard(self, client):
        (address,) = struct.unpack("<Q", bytes(client.get_arg().retrieve())[:8])
        for waiting in self.waiting.values():
            for transfer in list(waiting):
                if transfer.block.client_addr == address:
                    waiting.remove(transfer)
                    self.finish(transfer, -errno.ENOENT)
                    return 0
        return errno.EINVAL

    def reap(self, client):
        if not self.ended:
            return errno.ENODEV if self.is_gone else errno.EAGAIN
        client.get_arg().resolve(0, 8).set_ptr(0, self.ended.pop(0).block)
        self.node.show(bool(self.ended))
        return 0

    # The interface

    def claim(self):
        if self.owner == "somebody":
            return errno.EBUSY
        if self.owner == "btusb":
            self.report["driverDetached"] = True
        self.owner = "usbfs"
        self.report["claimed"] = True
        return 0

    def release(self):
        self.owner = None
        return 0

    def wrapped(self, client):
        _, number = struct.unpack_from("<iI", bytes(client.get_arg().resolve(0, 16).retrieve()))
        if number != ATTACH_DRIVER:
            return errno.ENODATA
        self.report["driverAttached"] = self.owner is None
        self.owner = "btusb"
        return 0

    def clear_halt(self, client):
        endpoint = bytes(client.get_arg().resolve(0, 4).retrieve())[0]
        self.halted.discard(endpoint)
        self.report["haltsCleared"].append(endpoint)
        if endpoint in self.waiting:
            self.pump(endpoint)
        return 0

    def answer(self, client):
        number = client.get_request()
        if number == SUBMIT:
            return self.submit(client.get_arg())
        if number == DISCARD:
            return self.discard(client)
        if number in (REAP, REAP_NOW):
            return self.reap(client)
        if number == CAPABILITIES:
            client.get_arg().resolve(0, 4).update(0, struct.pack("<I", 0))
            return 0
        if number in (CLAIM, DETACH_AND_CLAIM):
            return self.claim()
        if number == RELEASE:
            return self.release()
        if number == WRAPPED:
            return self.wrapped(client)
        if number == CLEAR_HALT:
            return self.clear_halt(client)
        self.report["unknown"].append(f"request {number:#x}")
        return errno.ENOTTY

    def do_handle_ioctl(self, client):
        with self.lock:
            try:
                number = self.answer(client)
            except Exception as trouble:  # The command would wait for ever.
                self.report["unknown"].append(repr(trouble))
                number = errno.EIO
        client.complete(-1 if number else 0, number)
        return True


def descriptors(release):
    """A device of class E0/01/01 whose first interface has the three endpoints of a controller."""
    def endpoint(address, kind, size):
        return struct.pack("<BBBBHB", 7, 5, address, kind, size, 1)
    interfaces = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 3, 0xE0, 1, 1, 0)
    interfaces += endpoint(EVENTS, 3, EVENT_SIZE) + endpoint(DATA_OUT, 2, DATA_SIZE) + endpoint(DATA_IN, 2, DATA_SIZE)
    interfaces += struct.pack("<BBBBBBBBB", 9, 4, 1, 0, 2, 0xE0, 1, 1, 0)
    interfaces += endpoint(0x03, 1, 0) + endpoint(0x83, 1, 0)
    configuration = struct.pack("<BBHBBBBB", 9, 2, 9 + len(interfaces), 2, 1, 0, 0x80, 50)
    device = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0xE0, 1, 1, 64, 0x0A12, 0x0001, release, 0, 0, 3, 1)
    return device + configuration + interfaces


def plug(testbed, number, release):
    """Shows a device at port `number` of the first bus; returns the path of its node."""
    name = f"bus/usb/001/{number + 1:03}"
    lines = [
        f"P: /devices/pci0000:00/0000:00:14.0/usb1/1-{number}", f"N: {name}", f"E: DEVNAME=/dev/{name}",
        "E: DEVTYPE=usb_device", "E: SUBSYSTEM=usb", "E: BUSNUM=001", f"E: DEVNUM={number + 1:03}", "E: MAJOR=189",
        f"E: MINOR={number}", "A: bConfigurationValue=1", "A: busnum=1", f"A: devnum={number + 1}", "A: speed=12",
        f"A: serial=NUMBER-{number}", "H: descriptors=" + descriptors(release).hex(), "", "",
    ]
    testbed.add_from_string("\n".join(lines))
    return f"/dev/{name}"


def plug_hub(testbed):
    """Shows the root of the bus, which a device needs as its parent."""
    device = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 9, 0, 0, 64, 0x1D6B, 2, 0x0606, 0, 0, 0, 1)
    configuration = struct.pack("<BBHBBBBB", 9, 2, 25, 1, 1, 0, 0xE0, 0)
    interface = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 1, 9, 0, 0, 0) + struct.pack("<BBBBHB", 7, 5, 0x81, 3, 4, 12)
    testbed.add_from_string("\n".join([
        "P: /devices/pci0000:00/0000:00:14.0/usb1", "N: bus/usb/001/001", "E: DEVNAME=/dev/bus/usb/001/001",
        "E: DEVTYPE=usb_device", "E: SUBSYSTEM=usb", "A: busnum=1", "A: devnum=1", "A: speed=480",
        "A: bConfigurationValue=1", "H: descriptors=" + (device + configuration + interface).hex(), "", "",
    ]))


def forget_privileges():
    """Root reads every file by two privileges, which the command does without (linux/capability.h)."""
    library = ctypes.CDLL(None)
    for privilege in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        library.prctl(24, privilege, 0, 0, 0)  # PR_CAPBSET_DROP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", default="none")
    parser.add_argument("--controller")
    parser.add_argument("--report", required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    testbed = UMockdev.Testbed.new()
    plug_hub(testbed)
    release = 0x2520 if options.fault == "imitation" else 0x8891
    paths = [plug(testbed, number, release) for number in ((1, 2) if options.fault == "two" else (1,))]
    radio = None
    if options.controller:
        host, port = options.controller.rsplit(":", 1)
        radio = socket.create_connection((host, int(port)))
    node = Node(testbed.get_root_dir() + paths[0])
    dongle = Dongle(node, options.fault, radio)
    testbed.attach_ioctl(paths[0], dongle)
    if options.fault == "denied":
        os.chmod(testbed.get_root_dir() + paths[0], 0)

    environment = dict(os.environ, LD_PRELOAD="libumockdev-preload.so.0", UMOCKDEV_DIR=testbed.get_root_dir())
    process = subprocess.Popen(
        options.command, env=environment, preexec_fn=forget_privileges if options.fault == "denied" else None)
    status = process.wait()
    with dongle.lock, open(options.report, "w", encoding="utf-8") as file:
        json.dump(dongle.report, file)
    sys.stdout.flush()
    # Threads of the library still wait for requests.
    os._exit(status if status >= 0 else 70)


if __name__ == "__main__":
    main()
