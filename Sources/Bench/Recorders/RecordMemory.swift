import Bytes
import DictofunProtocol
import Phone
import Synchronization

/// What a bench has made on its recorders and nothing has touched since, so that the next scenario which begins with the
/// same need not have it made again.
///
/// What is remembered is not believed: ``MadeRecords/areListed(as:)`` tells whether the recorder still lists it. What no
/// list shows, such as which records a phone has fetched, is never taken over: ``forget(_:)`` is called for every request
/// that may change it.
package final class RecordMemory: Sendable {
  private let made = Mutex<[BluetoothAddress: MadeRecords]>([:])

  package init() {}

  /// What was made on a recorder; `nil` where that is not known any more.
  package func made(on recorder: BluetoothAddress) -> MadeRecords? { made.withLock { $0[recorder] } }

  /// A recorder has these records, and no others.
  package func remember(_ records: MadeRecords, on recorder: BluetoothAddress) {
    made.withLock { $0[recorder] = records }
  }

  /// A recorder may have other records now.
  package func forget(_ recorder: BluetoothAddress) { made.withLock { $0[recorder] = nil } }

  /// The bench failed, so every recorder may have other records.
  package func forgetAll() { made.withLock { $0.removeAll() } }

  /// A phone asked a recorder for something. What a recorder keeps of a request that fetches or confirms is not seen.
  package func note(_ request: ControlPointRequest, to recorder: BluetoothAddress) {
    if let records = made(on: recorder), records.count > 0, Self.mayChange(request) { forget(recorder) }
  }

  /// Whether a recorder may be in another state after a request, as far as its records matter.
  package static func mayChange(_ request: ControlPointRequest) -> Bool {
    switch request {
    case .listFiles, .fileInformation, .fileSystemStatus: false
    case .fileData, .receiveComplete, .unaccepted: true
    }
  }
}

/// Records that were made with the button, the last thing that was done to a recorder's flash.
package struct MadeRecords: Hashable, Sendable {
  /// Number of records; 0 for a flash that was erased.
  package let count: Int
  /// How long the button was held for each.
  package let length: Duration
  /// What the phone that had set the recorder's clock showed before the first and after the last; `nil` where no phone had,
  /// and nothing was made.
  package let span: ClosedRange<LocalSeconds>?

  /// Two clocks that show whole seconds, and the second in which a record begins.
  private static let slack: LocalSeconds = 2

  /// An empty flash.
  package static let none = MadeRecords(count: 0, length: .zero, span: nil)

  package init(count: Int, length: Duration, span: ClosedRange<LocalSeconds>?) {
    self.count = count
    self.length = count > 0 ? length : .zero
    self.span = span
  }

  /// Whether they are what a scenario begins with whose phone shows `begin` then: records must be older than that.
  package func serve(count: Int, length: Duration, before begin: LocalSeconds) -> Bool {
    guard self.count == count, count > 0 else { return self.count == count }
    return self.length == length && (span.map { $0.upperBound < begin } ?? false)
  }

  /// Whether a recorder that lists these names still has them, and nothing else.
  package func areListed(as names: [String]) -> Bool {
    guard names.count == count, Set(names).count == count else { return false }
    guard count > 0 else { return true }
    guard let span else { return false }
    return names.allSatisfy { name in
      guard let time = RecordIdentifier(name)?.date?.secondsSince2000 else { return false }
      return time >= span.lowerBound - Self.slack && time <= span.upperBound + Self.slack
    }
  }
}
