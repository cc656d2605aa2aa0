import Foundation
import System
import Testing
import Timeline
import Transports
import World

@testable import Bench

/// One who steers.
private final class Client {
  let line: TextLine
  var heard = ""

  init(_ path: String, on loop: EventLoop) throws {
    let socket = try StreamSocket.open(family: AF_UNIX)
    try socket.connect(to: #require(SocketAddress.unix(path: path)))
    line = TextLine(over: socket, on: loop)
    line.onOctets = { [unowned self] in heard += String(decoding: $0, as: UTF8.self) }
  }
}

@Suite struct SteeringSockets {
  private let loop = EventLoop(driver: .wall, seed: 1)
  private let folder: Folder
  private var path: String { folder.path + "/socket" }

  init() throws { folder = try Folder() }

  private func wait(until holds: () -> Bool) {
    loop.runEvents(until: loop.now.advanced(by: .seconds(10)), holds)
    #expect(holds())
  }

  @Test func severalClientsAreAnsweredEachForItself() throws {
    let socket = try SteeringSocket(at: path, on: loop)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    var heard: [String] = []
    var left: [Int] = []
    socket.onLine = { number, line in
      heard.append(line)
      socket.send("\(number) \(line)", to: number)
    }
    socket.onLeft = { left.append($0) }
    let clients = [try Client(path, on: loop), try Client(path, on: loop)]
    clients[0].line.send(Array("one\nt".utf8))
    clients[1].line.send(Array("three\n".utf8))
    wait { heard.count == 2 }
    clients[0].line.send(Array("wo\n".utf8))
    wait { clients[0].heard == "1 one\n1 two\n" && clients[1].heard == "2 three\n" }
    clients[0].line.close()
    wait { left == [1] }
    // Who sends without an end is hung up on.
    clients[1].line.send([UInt8](repeating: 0x20, count: SteeringSocket.lineLimit))
    clients[1].line.send([0x20])
    wait { left == [1, 2] }
    socket.close()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func whatIsThereAlreadyIsLeftAloneUnlessNobodyListens() throws {
    func trouble() -> String {
      do {
        try SteeringSocket(at: path, on: loop).close()
        return "taken"
      } catch { return "\(error)" }
    }
    let first = try SteeringSocket(at: path, on: loop)
    #expect(trouble().contains("another process listens at"))
    first.close()
    try Data().write(to: URL(filePath: path))
    #expect(trouble().contains("exists and is not a socket"))
    try FileManager.default.removeItem(atPath: path)
    #expect(trouble() == "taken")
  }
}
