import Bytes
import System
import Text
import Timeline
import World

/// Where an instrument is reached, in labgrid's words (doc/configuration.rst of labgrid).
package enum LineResource: Hashable, Sendable {
  /// `RawSerialPort`: a device file, and bits a second.
  case rawSerialPort(port: String, speed: Int)
  /// `USBSerialPort`: found by udev's properties, and bits a second.
  case usbSerialPort(USBMatch, speed: Int)
  /// `NetworkSerialPort` with the protocol `raw`: a TCP port.
  case networkSerialPort(host: String, port: Int)

  /// udev's properties by which a USB device is found.
  package struct USBMatch: Hashable, Sendable {
    /// `ID_PATH`: the place it is plugged in at.
    package var path: String?
    /// `ID_SERIAL_SHORT`: its serial number.
    package var serial: String?
  }

  /// What messages call it.
  package var description: String {
    switch self {
    case .rawSerialPort(let port, _): PlainText.escaped(port)
    case .usbSerialPort(let match, _): PlainText.escaped(match.serial ?? match.path ?? "")
    case .networkSerialPort(let host, let port): PlainText.escaped(host) + ":\(port)"
    }
  }

  /// What two instruments at one line have in common, whatever speed and which of its names the bench file states.
  var identity: LineResource {
    switch self {
    case .rawSerialPort(let port, _): .rawSerialPort(port: FileSystem.canonical(port), speed: 0)
    case .usbSerialPort(let match, _): .usbSerialPort(match, speed: 0)
    case .networkSerialPort: self
    }
  }

  /// Opens it.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with one sentence on what to do.
  package func open(on loop: EventLoop) throws(ControlFailure) -> TextLine {
    switch self {
    case .rawSerialPort(let port, let speed): return try InstrumentLine.open(port, speed: speed, on: loop)
    case .usbSerialPort(let match, let speed):
      return try InstrumentLine.open(try InstrumentLine.find(match), speed: speed, on: loop)
    case .networkSerialPort(let host, let port): return try Self.connect(host, port, on: loop)
    }
  }

  /// Begins to connect; a failure is told as the end of the line.
  private static func connect(_ host: String, _ port: Int, on loop: EventLoop) throws(ControlFailure) -> TextLine {
    let name = PlainText.escaped(host)
    let address: SocketAddress
    do { address = try .resolve(host: host, port: UInt16(clamping: port)) } catch {
      throw .bench("cannot resolve \(name) (\(error.reason))", advice: "check the name of the host")
    }
    do {
      let socket = try StreamSocket.open(family: address.family)
      try socket.connect(to: address)
      return TextLine(over: socket, isConnecting: true, on: loop)
    } catch { throw .bench("\(name):\(port) does not answer (\(error))", advice: "check its power and its cable") }
  }
}

/// Serial lines of instruments, without flow control.
enum InstrumentLine {
  /// The speeds that instruments use, in bits per second; any other one is a mistake in the bench file.
  static let speeds = SerialSpeed.all.map { Int($0.bitsPerSecond) }.filter { (slowest...fastest).contains($0) }
  static let slowest = 9_600
  static let fastest = 921_600

  /// Opens a line for ourselves alone.
  static func open(_ path: String, speed: Int, on loop: EventLoop) throws(ControlFailure) -> TextLine {
    do {
      let line = try SerialLine(path, bitsPerSecond: UInt32(clamping: speed), flowControl: false)
      return TextLine(over: line, on: loop)
    } catch { throw .bench(fault(error, PlainText.escaped(path), speed)) }
  }

  private static func fault(_ failure: SerialLineFailure, _ name: String, _ speed: Int) -> BenchFault {
    switch failure {
    case .inUse: BenchFault("\(name) is in use by another program", advice: "stop it; `fuser \(name)` names it")
    case .notALine: BenchFault("\(name) is not a serial line", advice: "check the port in the bench file")
    case .unknownSpeed:
      BenchFault(
        "\(speed) is not a speed of serial lines",
        advice: "use one of \(speeds.map(String.init).joined(separator: ", "))")
    case .speedRefused:
      BenchFault("\(name) cannot do \(speed) bits per second", advice: "check the speed in the bench file")
    case .system(let failure): fault(failure, name)
    }
  }

  private static func fault(_ failure: SystemCallFailure, _ name: String) -> BenchFault {
    switch failure.code {
    case .noSuchFile, .noSuchDevice, .noSuchDeviceOrAddress:
      BenchFault("\(name) does not exist", advice: "plug it in, or correct the port in the bench file")
    case .permissionDenied, .notPermitted:
      BenchFault(
        "no permission to open \(name)", advice: "join the group that owns it, usually dialout, and log in again")
    default: BenchFault("cannot open \(name) (\(failure))", advice: "check its cable")
    }
  }

  /// The device file of a USB line, by the links that udev makes below `/dev/serial`.
  static func find(_ match: LineResource.USBMatch, below root: String = "/dev/serial") throws(ControlFailure) -> String
  {
    let (folder, wanted) = match.serial.map { ("by-id", $0) } ?? ("by-path", match.path ?? "")
    // Without udev, or without any line, there is no such folder.
    let found = ((try? FileSystem.names(in: "\(root)/\(folder)")) ?? []).filter { name in
      // usb-Vendor_Model_SERIAL-if00 and pci-0000:05:00.0-usb-0:3.1:1.0
      match.serial == nil ? name.hasPrefix(wanted + ":") : name.contains("_\(wanted)-")
    }
    guard found.count == 1 else {
      let name = PlainText.escaped(wanted)
      throw found.isEmpty
        ? .bench(
          "USB serial line \(name) is not plugged in", advice: "plug it in, or correct its match in the bench file")
        : .bench(
          "\(found.count) USB serial lines match \(name)", advice: "state a longer match in the bench file")
    }
    return "\(root)/\(folder)/\(found[0])"
  }
}
