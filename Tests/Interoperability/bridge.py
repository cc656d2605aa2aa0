"""Virtual controllers on one link, two unless more ports are named, each behind an H4 TCP server on loopback.

Bumble's stock controllers, with the repairs without which two hosts cannot meet twice on them: a reset resets, a
client that leaves takes its links with it, a cancelled connection is cancelled, and data finds its way whichever
address a link was made with.

Prints `listening NAME PORT` for every controller and runs until it is stopped.
"""

import argparse
import asyncio
import logging

from bumble import hci
from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.link import LocalLink
from bumble.transport.common import PacketParser

# How often a newcomer looks whether the place is free.
PATIENCE = 10
NAMES = ('first', 'second', 'third')


class RepairedLink(LocalLink):
    """A link that delivers data under the address with which the connection was made.

    The stock one always takes the sender's current random address, so data of a link made with a public address,
    or with that of an advertising set, is lost.
    """

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if transport != PhysicalTransport.LE or connection is None or receiver is None:
            return
        asyncio.get_running_loop().call_soon(
            receiver.on_link_acl_data, connection.self_address, transport, data
        )


class TimedLink(RepairedLink):
    """A link on which packets take their time: one in a connection event of 10 ms, which is slow, and leaves a recorder
    on a busy machine the time that it is kept waiting.

    On the stock one they take none, and whoever sends without waiting for answers outruns the flash of every recorder.
    """

    PACE = 0.01

    def __init__(self):
        super().__init__()
        self.free: dict[Controller, float] = {}

    def deliver(self, receiver, perform, *arguments):
        """Calls behind everything that is on its way to the same controller."""
        loop = asyncio.get_running_loop()
        self.free[receiver] = max(loop.time(), self.free.get(receiver, 0)) + self.PACE
        loop.call_at(self.free[receiver], perform, *arguments)

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if transport != PhysicalTransport.LE or connection is None or receiver is None:
            return
        self.deliver(receiver, receiver.on_link_acl_data, connection.self_address, transport, data)

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        receiver = self.find_le_controller(receiver_address)
        if receiver is not None:
            self.deliver(receiver, receiver.on_ll_control_pdu, sender_address, packet)


class RepairedController(Controller):
    """A controller whose reset resets, and whose cancelling cancels."""

    def on_hci_reset_command(self, command):
        self.forget_everything()
        return super().on_hci_reset_command(command)

    def on_hci_le_create_connection_cancel_command(self, command):
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        # The command is answered first, the connection that will not be comes after it.
        asyncio.get_running_loop().call_soon(self._report_cancelled, pending.peer_address)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def _report_cancelled(self, peer_address):
        self.send_hci_packet(
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=peer_address.address_type,
                peer_address=peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            )
        )

    def forget_everything(self):
        """Ends all activity; who is connected hears of it as of a link that was lost."""
        for connection in list(self.le_connections.values()):
            peer = self.link.find_le_controller(connection.peer_address)
            del self.le_connections[connection.peer_address]
            lost = peer.le_connections.get(connection.self_address) if peer else None
            if lost is not None:
                peer.on_le_disconnected(lost, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
        self.le_legacy_advertiser.stop()
        for advertising_set in self.advertising_sets.values():
            advertising_set.stop()
        self.advertising_sets.clear()
        self.le_scan_enable = False
        self.pending_le_connection = None


class HostPort(asyncio.Protocol):
    """The place of one controller's host: one at a time, H4 in both directions."""

    def __init__(self, controller: RepairedController):
        self.controller = controller
        self.parser = PacketParser(controller)
        self.transport = None

    def connection_made(self, transport):
        transport.pause_reading()
        self.take(transport, PATIENCE)

    def take(self, transport, turns: int):
        """Takes the place; the host before may have left without our having heard of it yet."""
        if self.controller.host is None:
            self.transport = transport
            self.controller.host = self
            transport.resume_reading()
        elif turns > 0 and not transport.is_closing():
            asyncio.get_running_loop().call_later(0.02, self.take, transport, turns - 1)
        else:
            transport.close()

    def data_received(self, data):
        if self.transport is not None:
            self.parser.feed_data(data)

    def connection_lost(self, error):
        if self.transport is not None:
            self.transport = None
            self.controller.host = None
            self.controller.forget_everything()

    def on_packet(self, packet: bytes):
        if self.transport is not None:
            self.transport.write(packet)


async def run(ports: list[int], links: int, is_timed: bool):
    loop = asyncio.get_running_loop()
    servers = []
    for _ in range(links):
        link = TimedLink() if is_timed else RepairedLink()
        for name, port in zip(NAMES, ports):
            controller = RepairedController(name, link=link)
            server = await loop.create_server(lambda c=controller: HostPort(c), '127.0.0.1', port)
            servers.append(server)
            print('listening', name, server.sockets[0].getsockname()[1], flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ports', type=int, nargs='+', default=[0, 0], help='at most three; 0 lets the system choose')
    parser.add_argument('--links', type=int, default=1, help='so many links that know nothing of each other')
    parser.add_argument('--timed', action='store_true', help='packets take their time on the air')
    parser.add_argument('--verbose', action='store_true')
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if arguments.verbose else logging.WARNING)
    asyncio.run(run(arguments.ports, arguments.links, arguments.timed))


if __name__ == '__main__':
    main()
