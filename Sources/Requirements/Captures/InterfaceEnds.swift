import Timeline

/// Where the records of each interface of a capture end. An interface that ends while others go on has not seen how its
/// connections went on.
struct InterfaceEnds {
  private struct Interface {
    var adapters: ClosedRange<UInt16>
    /// Which of all records was its last, counted from 1, and when.
    var record: Int
    var instant: Instant
  }

  /// How long an interface may be silent when the capture ends, without having ended before.
  private static let patience: Duration = .seconds(1)

  private var interfaces: [Interface] = []

  /// Takes a record of the interface with these adapters.
  mutating func observe(_ record: Int, of adapters: ClosedRange<UInt16>, at instant: Instant) {
    if let known = interfaces.firstIndex(where: { $0.adapters == adapters }) {
      interfaces[known].record = record
      interfaces[known].instant = instant
    } else {
      interfaces.append(Interface(adapters: adapters, record: record, instant: instant))
    }
  }

  /// The interfaces that ended before the capture did, each with its last record.
  func early(before end: Instant) -> [(record: Int, adapters: ClosedRange<UInt16>)] {
    interfaces.filter { $0.instant.advanced(by: Self.patience) < end }.map { ($0.record, $0.adapters) }
  }
}
