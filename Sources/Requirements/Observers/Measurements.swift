import Timeline
import Trace
import Verdicts

/// Measures what the events of one run hold besides verdicts: the battery, the recorder's clock, the speed of downloads
/// and of their links.
package struct Measurements {
  /// The events that it needs.
  package static let interests: EventKinds = [.links, .battery, .time, .fileTransfer, .oracle]
  /// Octets of the shortest record whose download tells a speed: a short one tells the delay of its request.
  static let leastRecord: UInt32 = 50_000

  private var lowestBattery: UInt8?
  private var clockError: Int64?
  private var throughput: (rate: Int64, bound: Int64?)?
  /// Recorders that have read the time and whose clock was not stated since.
  private var readings: [UInt16] = []
  /// The ATT_MTU of the phones' links.
  private var units: [TraceSource: UInt16] = [:]
  /// Downloads under way.
  private var downloads: [Download] = []

  private struct Download {
    let source: TraceSource
    let began: Instant
    /// Octets that the link could carry in a second when it was at its best.
    var bound: Int64?
  }

  /// The ATT_MTU until another one is agreed (Vol 3, Part G, 5.2.1).
  private static let initialUnit: UInt16 = 23

  /// Nothing was measured yet.
  package init() {}

  /// Takes the next event. `capacity` tells how many octets of data the event's link can carry in a second with an ATT_MTU,
  /// and is asked only while a record is downloaded; it returns `nil` where nobody knows.
  package mutating func observe(_ event: ProductEvent, capacity: (_ unit: UInt16) -> Int64? = { _ in nil }) {
    switch event.happening {
    case .linkUp where event.source.part == .phone: units[event.source] = nil
    case .maximumTransmissionUnit(let unit) where event.source.part == .phone:
      units[event.source] = unit
      lookAtLink(of: event.source, capacity)
    case .parametersChanged where event.source.part == .phone: lookAtLink(of: event.source, capacity)
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
      downloads.append(Download(source: event.source, began: event.instant))
      lookAtLink(of: event.source, capacity)
    case .fileTransfer(.completed(_, let octets)) where event.source.part == .phone:
      lookAtLink(of: event.source, capacity)
      guard let place = downloads.firstIndex(where: { $0.source == event.source }) else { return }
      let download = downloads.remove(at: place)
      let milliseconds = download.began.duration(to: event.instant) / .milliseconds(1)
      guard octets >= Self.leastRecord, milliseconds >= 1 else { return }
      let rate = Int64(Double(octets) * 1_000 / milliseconds)
      if rate > throughput?.rate ?? -1 { throughput = (rate, download.bound) }
    default: break
    }
  }

  private mutating func lookAtLink(of source: TraceSource, _ capacity: (UInt16) -> Int64?) {
    guard let place = downloads.firstIndex(where: { $0.source == source }),
      let now = capacity(units[source] ?? Self.initialUnit)
    else { return }
    downloads[place].bound = max(downloads[place].bound ?? now, now)
  }

  /// What was measured, in order of the names. `radioTime` is how long the longest meeting kept the recorder's radio; `nil`
  /// where nobody knows.
  package func figures(radioTime: Duration? = nil) -> [Figure] {
    [
      lowestBattery.map { Figure("battery", Int64($0), "%") }, clockError.map { Figure("clock-error", $0, "ms") },
      throughput?.bound.map { Figure("link-capacity", $0, "octets/s") },
      radioTime.map { Figure("radio-time", Int64(($0 / .milliseconds(1)).rounded()), "ms") },
      throughput.map { Figure("throughput", $0.rate, "octets/s") },
    ].compactMap { $0 }
  }
}

extension UInt64 {
  fileprivate var clamped: Int64 { Int64(clamping: self) }
}
