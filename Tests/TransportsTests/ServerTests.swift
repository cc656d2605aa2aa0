import Foundation
import Glibc
import HCI
import System
import Testing
import Timeline

@testable import Transports

@Suite struct Servers {
  private static let reset = HCIPacket(.command, [0x03, 0x0C, 0x00])

  /// A path for a socket that no other test uses.
  private static func path(_ name: String) -> String { "/tmp/dictobench-\(getpid())-\(name).socket" }

  private func client(of specification: TransportSpecification) -> TransportSpecification {
    switch specification.transport {
    case let server as TCPServer: TransportSpecification(TCPClient(server.endpoint))
    case let server as UnixServer: TransportSpecification(UnixClient(server.path))
    default: specification
    }
  }

  static let places: [TransportSpecification] = [
    .tcpServer(host: "127.0.0.1", port: 0), .unixServer(path: path("meeting")),
  ]

  @Test(arguments: places) func bringHostAndControllerTogether(_ place: TransportSpecification) throws {
    let loop = EventLoop.wall()
    let (near, far) = (Collector(), Collector())
    var guest: H4Pipe?
    let server = try TransportServer(place, on: loop) { pipe in
      guest = pipe
      pipe.receiver = far
    }
    #expect(server.exposure == nil)
    if let listening = server.specification.transport as? TCPServer { #expect(listening.endpoint.port != 0) }
    let pipe = try TransportOpening.open(client(of: server.specification), on: loop)
    pipe.receiver = near
    pipe.send(Self.reset)
    loop.runWall { far.packets == [Self.reset] }
    guest?.send(Self.reset)
    loop.runWall { near.packets == [Self.reset] }
    guest?.close()
    loop.runWall { near.closure != nil }
    #expect(near.closure == .closedByPeer)
  }

  @Test func letOneHostInAtATimeAndTheNextWhenItHasLeft() throws {
    let loop = EventLoop.wall()
    var guests: [H4Pipe] = []
    let server = try TransportServer(.tcpServer(host: "127.0.0.1", port: 0), on: loop) { guests.append($0) }
    let place = client(of: server.specification)
    let first = try TransportOpening.open(place, on: loop)
    loop.runWall { guests.count == 1 }
    let second = try TransportOpening.open(place, on: loop)
    let refused = Collector()
    second.receiver = refused
    loop.runWall { refused.closure != nil }
    #expect(guests.count == 1)
    let left = Collector()
    guests[0].receiver = left
    first.close()
    loop.runWall { left.closure != nil }
    _ = try TransportOpening.open(place, on: loop)
    loop.runWall { guests.count == 2 }
    #expect(guests.count == 2)
  }

  @Test func letManyInWhenTold() throws {
    let loop = EventLoop.wall()
    var guests: [H4Pipe] = []
    let server = try TransportServer(.tcpServer(host: "127.0.0.1", port: 0), on: loop, admitting: .many) {
      guests.append($0)
    }
    let pipes = try (0..<3).map { _ in try TransportOpening.open(client(of: server.specification), on: loop) }
    loop.runWall { guests.count == pipes.count }
    #expect(guests.count == pipes.count)
  }

  @Test func sayLoudlyWhenTheyAreOpenToTheNetwork() throws {
    let loop = EventLoop.wall()
    let server = try TransportServer(.tcpServer(host: "0.0.0.0", port: 0), on: loop) { _ in }
    #expect(server.exposure?.contains("open to the network") == true)
    #expect(try TransportServer(.tcpServer(host: "localhost", port: 0), on: loop) { _ in }.exposure == nil)
  }

  @Test func makeUnixSocketsForTheirOwnerOnlyAndReplaceStaleOnes() throws {
    let loop = EventLoop.wall()
    let path = Self.path("mode")
    let stale = try StreamSocket.open(family: AF_UNIX)
    try stale.bind(to: #require(SocketAddress.unix(path: path)))
    stale.close()
    let server = try TransportServer(.unixServer(path: path), on: loop) { _ in }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(throws: TransportFailure.inUse(path: path)) {
      _ = try TransportServer(.unixServer(path: path), on: loop) { _ in }
    }
    server.close()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func leaveAloneWhatIsNoSocket() throws {
    let path = Self.path("file")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { _ = unlink(path) }
    #expect(throws: TransportFailure.notASocket(path: path)) {
      _ = try TransportServer(.unixServer(path: path), on: EventLoop.wall()) { _ in }
    }
  }

  @Test func canBeTheWayToOneController() throws {
    let loop = EventLoop.wall()
    var guest: TransportOpening?
    var guestPipe: (any PacketPipe)?
    let pipe = try TransportOpening.open(.tcpServer(host: "127.0.0.1", port: 0), on: loop) { opening in
      let place = opening.listeningAt.map(client)
      guest = try? place.map { try TransportOpening($0, on: loop) { guestPipe = try? $0.get() } }
    }
    loop.runWall { guestPipe != nil }
    let collector = Collector()
    guestPipe?.receiver = collector
    pipe.send(Self.reset)
    loop.runWall { !collector.packets.isEmpty }
    #expect(collector.packets == [Self.reset])
    withExtendedLifetime(guest) {}
  }
}

@Suite struct Openings {
  @Test func aPlaceWhereNobodyListensIsAFailureWithItsReason() throws {
    let loop = EventLoop.wall()
    let server = try TransportServer(.tcpServer(host: "127.0.0.1", port: 0), on: loop) { _ in }
    let listening = try #require(server.specification.transport as? TCPServer)
    server.close()
    let place = TransportSpecification(TCPClient(listening.endpoint))
    #expect(throws: TransportFailure.system(SystemCallFailure("connect", ECONNREFUSED), place)) {
      _ = try TransportOpening.open(place, on: loop)
    }
    let missing = TransportSpecification.unixClient(path: "/nowhere/at/all")
    #expect(throws: TransportFailure.system(SystemCallFailure("connect", ENOENT), missing)) {
      _ = try TransportOpening.open(missing, on: loop)
    }
  }

  @Test func patienceEndsAWaitForNobody() {
    let place = TransportSpecification.unixServer(path: "/tmp/dictobench-\(getpid())-patience.socket")
    #expect(throws: TransportFailure.timedOut(place)) {
      _ = try TransportOpening.open(place, on: EventLoop.wall(), options: OpeningOptions(patience: .milliseconds(1)))
    }
  }
}
