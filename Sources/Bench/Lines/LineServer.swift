import Bytes
import System
import Text
import Timeline
import World

/// The instrument's end of a line, for simulators.
protocol ServedLine: AnyObject {
  /// Told of what the client sends.
  var onOctets: (([UInt8]) -> Void)? { get set }
  /// Sends octets to the client, if one is there.
  func send(_ octets: [UInt8])
}

/// A line that other programs can open: a pseudo-terminal under the name of the serial port, or a TCP port.
package final class LineServer: ServedLine {
  /// Told of what the client sends.
  package var onOctets: (([UInt8]) -> Void)?

  private let loop: EventLoop
  private var line: TextLine?
  /// The name under which the client finds the pseudo-terminal.
  private var link: String?
  private var listener: ListeningSocket?

  /// Offers a line where a bench file says that an instrument is.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where something else is there already.
  package init(at resource: LineResource, on loop: EventLoop) throws(ControlFailure) {
    self.loop = loop
    switch resource {
    case .rawSerialPort(let port, _): try openTerminal(at: port)
    case .networkSerialPort(let host, let port): try listen(host, port)
    case .usbSerialPort:
      throw .bench("a USB device cannot be simulated", advice: "state a `RawSerialPort` with a path in /tmp")
    }
  }

  deinit { close() }

  /// Sends octets to the client, if one is there.
  package func send(_ octets: [UInt8]) { line?.send(octets) }

  /// Hangs up on the client.
  package func hangUp() {
    line?.close()
    line = nil
  }

  /// Ends the line and removes its name.
  package func close() {
    hangUp()
    // Whoever removed the name before us has done what is wanted.
    if let link { try? FileSystem.remove(link) }
    if let listener {
      loop.unwatch(listener.number)
      listener.close()
    }
    (link, listener) = (nil, nil)
  }

  // MARK: A pseudo-terminal

  private func openTerminal(at path: String) throws(ControlFailure) {
    let terminal: PseudoTerminal
    do { terminal = try PseudoTerminal() } catch { throw .bench("cannot open a pseudo-terminal: \(error)") }
    adopt(TextLine(over: terminal, on: loop))
    do { try Self.makeLink(path, to: terminal.path) } catch {
      throw .bench("cannot make \(PlainText.escaped(path)): \(error)")
    }
    link = path
  }

  /// Puts the terminal's name at the port's path. A name that a simulator left there is replaced; everything else is left
  /// alone.
  private static func makeLink(_ path: String, to terminal: String) throws(SystemCallFailure) {
    if let target = FileSystem.target(ofLink: path), PseudoTerminal.isPath(target) { try FileSystem.remove(path) }
    try FileSystem.makeLink(path, to: terminal)
  }

  // MARK: A TCP port

  private func listen(_ host: String, _ port: Int) throws(ControlFailure) {
    // A simulator is for this machine alone.
    guard host == "127.0.0.1" || host == "localhost" else {
      throw .bench(
        "\(PlainText.escaped(host)) is not this machine", advice: "use 127.0.0.1 for an instrument to simulate")
    }
    do {
      let listener = try ListeningSocket(at: .loopback(port: UInt16(clamping: port)))
      self.listener = listener
      loop.watch(listener.number, for: .readable) { [weak self] _ in self?.accept() }
    } catch { throw .bench("cannot listen at port \(port): \(error)") }
  }

  /// The port that the system chose when 0 was asked for; `nil` for a pseudo-terminal.
  package var port: Int? {
    guard let listener, let port = try? listener.port() else { return nil }
    return Int(port)
  }

  private func accept() {
    // A failure to accept leaves the client waiting; the next event tries again.
    guard let client = try? listener?.accept() else { return }
    // The newest client is the one: an instrument has one panel.
    line?.close()
    adopt(TextLine(over: client, on: loop))
  }

  private func adopt(_ line: TextLine) {
    line.onOctets = { [weak self] in self?.onOctets?($0) }
    self.line = line
  }
}
