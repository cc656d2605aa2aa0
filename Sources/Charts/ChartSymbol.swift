/// A state or an event of a chart: an enumeration without payloads, numbered from 0.
///
/// The name of a case is the name of the state or event, so it is written for readers: `awaitingAnswer`.
package protocol ChartSymbol: RawRepresentable<UInt8>, CaseIterable, Hashable, Sendable {}

extension ChartSymbol {
  /// The name of the case.
  package var name: String { String(describing: self) }

  /// The name in words: `button pressed` for `buttonPressed`.
  package var words: String {
    String(name.flatMap { $0.isUppercase ? [" ", Character($0.lowercased())] : [$0] })
  }
}
