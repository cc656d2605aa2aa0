import Bytes
import System
import Text
import Timeline
import World

/// A socket below a path, at which any number of clients steer simulated recorders line by line.
package final class SteeringSocket {
  /// Octets of one line; a client that sends more without a line feed is hung up on.
  package static let lineLimit = 65_536
  private static let clientLimit = 64

  private struct Client {
    let number: Int
    let line: TextLine
    var rest: [UInt8] = []
  }

  /// Told of each line, and of the number of the client that sent it.
  package var onLine: ((Int, String) -> Void)?
  /// Told that a client has left.
  package var onLeft: ((Int) -> Void)?

  private let loop: EventLoop
  private let listener: ListeningSocket
  private var clients: [Client] = []
  private var lastNumber = 0

  /// Listens at a path, for its owner alone. A socket that a dead process left behind is replaced; everything else is left
  /// alone.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what is in the way.
  package init(at path: String, on loop: EventLoop) throws(ControlFailure) {
    self.loop = loop
    do { listener = try ListeningSocket(atPath: path) } catch {
      let place = PlainText.escaped(path)
      switch error {
      case .unsuitablePath:
        throw .bench("\(place) is longer than \(SocketAddress.maximumPathLength) bytes, the limit for a socket's path")
      case .notASocket: throw .bench("\(place) exists and is not a socket", advice: "use another path")
      case .inUse: throw .bench("another process listens at \(place)", advice: "stop it, or use another path")
      case .system(let failure): throw .bench("cannot listen at \(place): \(failure)")
      }
    }
    loop.watch(listener.number, for: .readable) { [weak self] _ in self?.accept() }
  }

  deinit { close() }

  /// Sends a line to a client, if it is still there.
  package func send(_ text: String, to number: Int) {
    clients.first { $0.number == number }?.line.send(Array(text.utf8) + [0x0A])
  }

  /// Hangs up on everybody, and removes the socket.
  package func close() {
    loop.unwatch(listener.number)
    listener.close()
    for client in clients { client.line.close() }
    clients.removeAll()
  }

  private func accept() {
    // A failure to accept leaves the client waiting; the next event tries again.
    guard let socket = try? listener.accept() else { return }
    guard clients.count < Self.clientLimit else { return socket.close() }
    lastNumber += 1
    let number = lastNumber
    let line = TextLine(over: socket, on: loop)
    line.onOctets = { [weak self] octets in self?.take(octets, from: number) }
    line.onClosed = { [weak self] _ in self?.drop(number) }
    clients.append(Client(number: number, line: line))
  }

  private func take(_ octets: [UInt8], from number: Int) {
    guard let index = clients.firstIndex(where: { $0.number == number }) else { return }
    clients[index].rest += octets
    var lines: [String] = []
    while let end = clients[index].rest.firstIndex(of: 0x0A) {
      lines.append(String(decoding: clients[index].rest[..<end], as: UTF8.self))
      clients[index].rest.removeSubrange(...end)
    }
    if clients[index].rest.count > Self.lineLimit {
      clients[index].line.close()
      drop(number)
    }
    for line in lines { onLine?(number, line) }
  }

  private func drop(_ number: Int) {
    clients.removeAll { $0.number == number }
    onLeft?(number)
  }
}
