import DictofunProtocol
import Phone

/// A battery level as the recorder tells it.
package struct BatteryReading: Equatable, Sendable {
  /// The octet that was read.
  package var octet: UInt8

  package init(octet: UInt8) { self.octet = octet }

  /// The level in percent; `nil` for an octet above 100, which a recorder sends before its first measurement.
  package var percent: UInt8? { octet <= 100 ? octet : nil }

  /// Whether the level is so low that an application asks for nothing else.
  package var isLow: Bool { percent.map { $0 <= LowBatteryRule.lowPercent } ?? false }
}

extension RecorderConversation {
  /// Connects, and reads the battery level.
  package func readBattery() async throws -> BatteryReading {
    try await connect()
    guard case .battery(let level) = try await perform(.readBattery) else { throw PhoneFailure.abandoned }
    return BatteryReading(octet: level)
  }
}
