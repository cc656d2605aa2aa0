import Board
import Bytes
import FirmwareImages
import Foundation
import HCI
import HostStack
import Recorder
import Timeline

@testable import ImageRecorder

/// The programs of `firmware-images/guests`, as they were built.
enum Guests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "firmware-images/guests")

  /// A guest by the name of its file.
  static func image(_ file: String) throws -> FirmwareImage {
    try FirmwareImage([UInt8](Data(contentsOf: folder.appending(path: "built/\(file)"))), name: file)
  }

  /// A recorder that is off, with a guest on its chip.
  static func recorder(_ file: String, on board: BoardDescription = .s140) throws -> ExecutedRecorder {
    ExecutedRecorder(
      try ImageProgram(try image(file), on: board),
      RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random)))
  }
}

extension ExecutedRecorder {
  /// Something outside gives it power, which starts it.
  mutating func start() { take(.holdRail, at: .zero) }

  /// Lets time pass until so many milliseconds after the start; what it asked for meanwhile.
  mutating func wait(until milliseconds: UInt64) -> RecorderOutput {
    timerFired(0, at: Instant(nanoseconds: milliseconds * 1_000_000))
    var output = RecorderOutput()
    drain(&output)
    return output
  }

  /// A phone connects, so many milliseconds after the start.
  mutating func connectPhone(at milliseconds: UInt64) {
    let phone = BluetoothAddress(0xC000_0000_0001, .random)
    let parameters = ConnectionParameters(
      minimumIntervalUnits: 24, maximumIntervalUnits: 24, latency: 0, supervisionTimeoutUnits: 400)
    take(
      .connected(
        ConnectionInformation(
          isCentral: false, handle: ConnectionHandle(1), peer: phone, identity: phone, isBonded: false,
          parameters: parameters)), at: Instant(nanoseconds: milliseconds * 1_000_000))
  }
}
