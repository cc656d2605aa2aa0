import Foundation
import Glibc
import Testing

/// One who steers simulated recorders through their socket.
final class Steering {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
  }

  deinit { close(descriptor) }

  /// Gives an order, and waits for nothing.
  func send(_ order: String) throws {
    let octets = Array((order + "\n").utf8)
    try #require(Glibc.send(descriptor, octets, octets.count, 0) == octets.count)
  }

  /// Gives an order, and waits for the line that answers it.
  func answer(to order: String) throws -> String {
    try send(order)
    var line: [UInt8] = []
    var octet: UInt8 = 0
    while recv(descriptor, &octet, 1, 0) == 1, octet != 0x0A { line.append(octet) }
    try Documents.expect(line, toBe: "simulation")
    return String(decoding: line, as: UTF8.self).replacing(#""schemaVersion":1,"schema":"simulation","#, with: "")
  }

  /// The next line that nobody ordered.
  func nextLine() throws -> [UInt8] {
    var line: [UInt8] = []
    var octet: UInt8 = 0
    while recv(descriptor, &octet, 1, 0) == 1, octet != 0x0A { line.append(octet) }
    try Documents.expect(line, toBe: "simulation")
    return line
  }
}

/// A terminal at which the test sits.
final class Terminal {
  /// What the program has as its terminal.
  let inside: FileHandle
  private let outside: Int32
  private var heard = ""

  init() throws {
    var (far, near): (Int32, Int32) = (-1, -1)
    try #require(openpty(&far, &near, nil, nil, nil) == 0)
    outside = far
    inside = FileHandle(fileDescriptor: near, closeOnDealloc: true)
  }

  deinit { close(outside) }

  /// Leaves the terminal to the program alone, so that its end is seen.
  func closeInside() { try? inside.close() }

  func type(_ text: String) {
    let octets = Array(text.utf8)
    _ = write(outside, octets, octets.count)
  }

  /// Milliseconds that a program may be silent before it is taken to have nothing more to say.
  private static let patience: Int32 = 60_000

  /// Reads until the program has said `words` since they were last heard.
  func hear(_ words: String) throws {
    while !heard.contains(words) {
      var watched = pollfd(fd: outside, events: Int16(POLLIN), revents: 0)
      try #require(poll(&watched, 1, Self.patience) > 0, "\(words) is not among \(heard)")
      var block = [UInt8](repeating: 0, count: 4_096)
      let count = read(outside, &block, block.count)
      try #require(count > 0, "\(heard)")
      heard += String(decoding: block.prefix(count), as: UTF8.self)
    }
    if let range = heard.range(of: words) { heard.removeSubrange(..<range.upperBound) }
  }
}
