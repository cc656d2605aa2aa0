import Timeline
import Trace
import Verdicts

/// Measures what the events of one run hold besides verdicts: the battery, the recorder's clock, the speed of downloads.
package struct Measurements {
  /// The events that it needs.
  package static let interests: EventKinds = [.battery, .time, .fileTransfer, .oracle]
  /// Octets of the shortest record whose download tells a speed: a short one tells the delay of its request.
  static let leastRecord: UInt32 = 50_000

  private var lowestBattery: UInt8?
  private var clockError: Int64?
  private var throughput: Int64?
  /// Recorders that have read the time and whose clock was not stated since.
  private var readings: [UInt16] = []
  /// Downloads under way: whose, and since when.
  private var downloads: [(source: TraceSource, began: Instant)] = []

  /// Nothing was measured yet.
  package init() {}

  /// Takes the next event.
  package mutating func observe(_ event: ProductEvent) {
    switch event.happening {
    case .batteryRead(let percent), .batteryNotified(let percent):
      guard event.source.part == .phone, percent <= 100 else { return }
      lowestBattery = min(lowestBattery ?? percent, percent)
    case .timeServed where event.source.part == .recorder:
      if !readings.contains(event.source.index) { readings.append(event.source.index) }
    case .oracle(.recorderClock(let recorder, _, let aheadBy)):
      guard let place = readings.firstIndex(of: recorder) else { return }
      readings.remove(at: place)
      let milliseconds = Int64(clamping: aheadBy.components.seconds).multipliedReportingOverflow(by: 1_000)
      let rest = aheadBy.components.attoseconds / 1_000_000_000_000_000
      let error = milliseconds.overflow ? Int64.max : (milliseconds.partialValue + rest).magnitude.clamped
      clockError = max(clockError ?? error, error)
    case .fileTransfer(.requested(.fileData)) where event.source.part == .phone:
      downloads.removeAll { $0.source == event.source }
      downloads.append((event.source, event.instant))
    case .fileTransfer(.completed(_, let octets)) where event.source.part == .phone:
      guard let place = downloads.firstIndex(where: { $0.source == event.source }) else { return }
      let milliseconds = downloads.remove(at: place).began.duration(to: event.instant) / .milliseconds(1)
      guard octets >= Self.leastRecord, milliseconds >= 1 else { return }
      let rate = Int64(Double(octets) * 1_000 / milliseconds)
      throughput = max(throughput ?? rate, rate)
    default: break
    }
  }

  /// What was measured, in order of the names.
  package var figures: [Figure] {
    [
      lowestBattery.map { Figure("battery", Int64($0), "%") }, clockError.map { Figure("clock-error", $0, "ms") },
      throughput.map { Figure("throughput", $0, "octets/s") },
    ].compactMap { $0 }
  }
}

extension UInt64 {
  fileprivate var clamped: Int64 { Int64(clamping: self) }
}
