import Foundation
import HCI
import System
import Testing
import Timeline

@testable import Transports

@Suite struct SecureSockets {
  /// Key files in a folder that goes away with it.
  private final class Keys {
    let folder = FileManager.default.temporaryDirectory.appending(path: "dictobench-keys-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String, _ text: String) throws -> String {
      let path = folder.appending(path: name).path
      try Data(text.utf8).write(to: URL(filePath: path))
      return path
    }
  }

  private static let secret = String(repeating: "5eed", count: 16)

  private static func server(_ key: String) throws -> TransportSpecification {
    try TransportSpecification(parsing: "tls-server:127.0.0.1:0,\(key)")
  }

  private static func client(
    of server: TransportServer, key: String
  ) throws -> TransportSpecification {
    let listening = try #require(server.specification.transport as? TLSServer)
    #expect(listening.secure.endpoint.port != 0)
    return try TransportSpecification(parsing: "tls-client:127.0.0.1:\(listening.secure.endpoint.port),\(key)")
  }

  @Test func carryPacketsBothWaysAndTheEnd() throws {
    let keys = try Keys()
    // Blanks around the key do not count.
    let (one, other) = (try keys.file("one", Self.secret + "\n"), try keys.file("other", " \(Self.secret)"))
    let loop = EventLoop.wall()
    let (near, far) = (Collector(), Collector())
    var guest: H4Pipe?
    let server = try TransportServer(try Self.server(one), on: loop) { pipe in
      guest = pipe
      pipe.receiver = far
    }
    let pipe = try TransportOpening.open(try Self.client(of: server, key: other), on: loop)
    pipe.receiver = near
    let packets = (0..<200).map { number in
      HCIPacket(.acl, [0x01, 0x00, 0xE8, 0x03] + (0..<1_000).map { UInt8(truncatingIfNeeded: $0 + number) })
    }
    for packet in packets { pipe.send(packet) }
    loop.runWall { far.packets.count == packets.count }
    #expect(far.packets == packets)
    for packet in packets { guest?.send(packet) }
    loop.runWall { near.packets.count == packets.count }
    #expect(near.packets == packets)
    guest?.close()
    loop.runWall { near.closure != nil }
    #expect(near.closure == .closedByPeer)
  }

  @Test func keepOutWhoeverDoesNotHaveTheKey() throws {
    let keys = try Keys()
    let (right, wrong) = (
      try keys.file("right", Self.secret), try keys.file("wrong", String(Self.secret.reversed()))
    )
    let loop = EventLoop.wall()
    var (guests, refused) = ([H4Pipe](), 0)
    let server = try TransportServer(try Self.server(right), on: loop) { guests.append($0) }
    server.onRefusal = { refused += 1 }
    let specification = try Self.client(of: server, key: wrong)
    #expect(throws: TransportFailure.keyRefused(specification)) {
      _ = try TransportOpening.open(specification, on: loop)
    }
    loop.runWall { refused == 1 }
    // Whoever says nothing, or something else, does not keep others out.
    let port = try #require(server.specification.transport as? TLSServer).secure.endpoint.port
    let silent = try TransportOpening.open(.tcpClient(host: "127.0.0.1", port: port), on: loop)
    let plain = try TransportOpening.open(.tcpClient(host: "127.0.0.1", port: port), on: loop)
    plain.send(HCIPacket(.command, [0x03, 0x0C, 0x00]))
    loop.runWall { refused == 2 }
    #expect(guests.isEmpty)
    _ = try TransportOpening.open(try Self.client(of: server, key: right), on: loop)
    loop.runWall { guests.count == 1 }
    #expect(guests.count == 1)
    silent.close()
  }

  @Test func openToTheNetworkOnlyWithAKeyWhereStrangersAreRefused() throws {
    let keys = try Keys()
    let loop = EventLoop.wall()
    let open = TransportSpecification.tcpServer(host: "0.0.0.0", port: 0)
    #expect(throws: TransportFailure.exposed(open)) {
      _ = try TransportServer(open, on: loop, strangers: .refused) { _ in }
    }
    let local = try TransportServer(.tcpServer(host: "127.0.0.1", port: 0), on: loop, strangers: .refused) { _ in }
    #expect(local.exposure == nil)
    let place = try TransportSpecification(parsing: "tls-server:_:0,\(try keys.file("key", Self.secret))")
    #expect(try TransportServer(place, on: loop, strangers: .refused) { _ in }.exposure == nil)
  }

  @Test(arguments: [("short", "0123"), ("long", String(repeating: "x", count: 5_000))])
  func keysThatAreNoneAreRefused(_ name: String, _ text: String) throws {
    let keys = try Keys()
    let path = try keys.file(name, text)
    let place = try Self.server(path)
    #expect(throws: TransportFailure.self) { _ = try TransportServer(place, on: EventLoop.wall()) { _ in } }
    let failure = TransportFailure.badKey(path: "/k", reason: "cannot be read (No such file or directory)")
    #expect(failure.description.hasPrefix("the key file /k cannot be read (No such file or directory): make one with "))
  }
}
