import Bytes
import ScenarioLanguage
import Text
import Trace

/// One record of a trace as a line for people: time, who, what.
enum TraceLine {
  /// Octets of a packet that are shown.
  private static let shownOctets = 24

  static func text(_ record: TraceRecord) -> String {
    let what: String
    if record.kind.isPacket {
      let shown = Hexadecimal.string(Array(record.payload.prefix(shownOctets)))
      what = "\(record.kind) \(shown)\(record.payload.count > shownOctets ? "…" : "")"
    } else {
      what = PlainText.escaped(record.text)
    }
    return "\(record.instant)  \(record.source)  \(what)"
  }
}
