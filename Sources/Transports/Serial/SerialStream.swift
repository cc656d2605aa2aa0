import Bytes
import HCI
import System
import Text

/// A serial line as H4 wants it: RTS and CTS hold the other side up (Core Specification Vol 4, Part A, 3).
struct SerialStream: OctetStream {
  private let line: SerialLine
  private let path: String
  private let speed: UInt32

  /// More than two of the longest packets: whatever was on its way when the line was opened is past by then.
  let toleratedGarbage = 4096

  /// Opens the line at `path`; `speed` in bits per second.
  static func open(_ path: String, speed: UInt32) throws(AdapterTrouble) -> SerialStream {
    do {
      return SerialStream(
        line: try SerialLine(path, bitsPerSecond: speed, flowControl: true), path: path, speed: speed)
    } catch { throw trouble(error, path) }
  }

  var descriptor: FileDescriptor { line.descriptor }

  /// The system keeps serial lines from this user.
  static let notPermitted = AdapterTrouble.permissionDenied(
    "serial lines belong to the group dialout", advice: "join it (`sudo adduser $USER dialout`) and log in again")

  /// What a failure to open the line means.
  static func trouble(_ failure: SerialLineFailure, _ path: String) -> AdapterTrouble {
    switch failure {
    case .inUse:
      .busy("another program has opened the line", advice: "stop it; `fuser \(PlainText.escaped(path))` names it")
    case .notALine:
      .unsuitable("this is not a serial line", advice: "check the port; `ls -l /dev/serial/by-id` shows what is there")
    case .unknownSpeed(let speed):
      .unsuitable(
        "\(speed) bits per second is not a speed of serial lines",
        advice: "use one of "
          + SerialSpeed.all.map { String($0.bitsPerSecond) }.joined(separator: ", "))
    case .speedRefused(let speed):
      .unsuitable("the line cannot do \(speed) bits per second", advice: "use another speed")
    case .system(let failure): trouble(failure)
    }
  }

  private static func trouble(_ failure: SystemCallFailure) -> AdapterTrouble {
    switch failure.code {
    case .noSuchFile, .noSuchDeviceOrAddress, .noSuchDevice: absent
    case .permissionDenied, .notPermitted: notPermitted
    default: .system(failure)
    }
  }

  /// There is no line at the path.
  static var absent: AdapterTrouble {
    .absent(
      "there is no such serial line",
      present: SystemTree.machine.names(byIdentity).map { PlainText.escaped("\(byIdentity)/\($0)") })
  }

  /// Where the system names lines by what they are, whichever number they got.
  private static let byIdentity = "/dev/serial/by-id"

  func closure(after failure: SystemCallFailure?, isBetweenPackets: Bool) -> PipeClosure {
    switch failure?.code {
    case nil, .inputOutput, .noSuchDeviceOrAddress, .noSuchDevice:
      .failed("\(PlainText.escaped(path)) is gone: unplugged")
    default: .failed("\(PlainText.escaped(path)): \(failure.map(\.description) ?? "")")
    }
  }

  func sentence(forGarbage violation: H4Violation?) -> String {
    guard let violation else {
      return "received over \(toleratedGarbage) octets without an H4 packet: "
        + "\(speed) bits per second is the wrong speed, or there is no HCI controller"
    }
    return "the line lost octets (\(violation.sentence)): check that RTS and CTS are wired, or use a lower speed"
  }

  func sayFarewell() {
    // The line may be gone, and then there is nobody to tell.
    _ = try? write(Command.reset.packet.framed[...])
    line.drain(milliseconds: Self.farewellMilliseconds)
  }

  /// Enough for the four octets of a reset, unless the other end holds the line up.
  private static let farewellMilliseconds = 20

  func close() { line.close() }
}
