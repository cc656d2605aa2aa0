import Bytes
import HCI
import Timeline

/// What a scanning controller remembers (Core Specification Vol 6, Part B, 4.4.3).
final class Scanner {
  let parameters: LEScanParameters
  let window: ListeningWindow
  private let filtersDuplicates: Bool
  private var reported: Set<BluetoothAddress> = []
  private var answered: Set<BluetoothAddress> = []

  // The back-off of Vol 6, Part B, 4.4.3.2.
  private var upperLimit: UInt64 = 1
  private var backoffCount: UInt64 = 1
  private var failures = 0
  private var successes = 0
  private static let highestLimit: UInt64 = 256

  /// Addresses remembered for the filter; beyond that, duplicates are reported again.
  private static let filterLimit = 4096

  init(_ parameters: LEScanParameters, filtersDuplicates: Bool, begin: UInt64) {
    self.parameters = parameters
    self.filtersDuplicates = filtersDuplicates
    window = ListeningWindow(
      begin: begin, intervalUnits: parameters.intervalUnits, windowUnits: parameters.windowUnits)
  }

  /// Whether advertising of this device, or its scan response, goes to the host.
  func shouldReport(_ address: BluetoothAddress, isResponse: Bool) -> Bool {
    guard filtersDuplicates else { return true }
    if isResponse {
      if answered.count >= Self.filterLimit { answered.removeAll() }
      return answered.insert(address).inserted
    }
    if reported.count >= Self.filterLimit { reported.removeAll() }
    return reported.insert(address).inserted
  }

  /// Whether to ask this advertiser now: it has something new to say, and the back-off has run down.
  func shouldAsk(_ address: BluetoothAddress) -> Bool {
    guard parameters.isActive, !(filtersDuplicates && answered.contains(address)) else { return false }
    // Only one request is on its way at a time.
    guard backoffCount > 0 else { return false }
    backoffCount -= 1
    return backoffCount == 0
  }

  /// Learns whether the answer to a scan request came.
  func requestEnded(success: Bool, _ stream: ChoiceStream) {
    if success {
      failures = 0
      successes += 1
      if successes == 2 {
        successes = 0
        upperLimit = max(1, upperLimit / 2)
      }
    } else {
      successes = 0
      failures += 1
      if failures == 2 {
        failures = 0
        upperLimit = min(Self.highestLimit, upperLimit * 2)
      }
    }
    backoffCount = upperLimit == 1 ? 1 : 1 + stream.below(upperLimit)
  }
}

/// What an initiating controller looks for (Core Specification Vol 6, Part B, 4.4.4).
final class Initiator {
  let parameters: LECreateConnection
  let window: ListeningWindow
  let ownAddress: BluetoothAddress

  init(_ parameters: LECreateConnection, ownAddress: BluetoothAddress, begin: UInt64) {
    self.parameters = parameters
    self.ownAddress = ownAddress
    window = ListeningWindow(
      begin: begin, intervalUnits: parameters.scanIntervalUnits, windowUnits: parameters.scanWindowUnits)
  }
}
