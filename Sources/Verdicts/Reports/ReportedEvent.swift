import Bytes
import Timeline
import Trace

/// Something that happened to the products, with the name and the values that reports show.
package struct ReportedEvent: Hashable, Sendable {
  /// When it happened.
  package var instant: Instant
  /// Whose packets told it.
  package var source: TraceSource
  /// Number of the connection on that host, from 1; 0 for what belongs to none.
  package var link: UInt32
  /// The address of the other end of the connection.
  package var peer: BluetoothAddress?
  /// What happened, such as `battery.read`.
  package var name: String
  /// What it holds, in a fixed order.
  package var details: [EventDetail]
  /// Who did it, and to whom: `phone → recorder`; empty where the teller did not say.
  package var who = ""
  /// The phone that it is about, by the name that it has in `who`; empty where it is about none, or the teller did not say.
  package var phone = ""
  /// The recorder that it is about, likewise.
  package var recorder = ""
  /// What happened, as a person would tell it; empty where the teller did not say. It may hold text of a device.
  package var words = ""

  /// Whether it is what a recorder did, and not only what it heard.
  package var isOfRecorder: Bool {
    let name = recorder.isEmpty ? "recorder" : recorder
    return who.isEmpty ? source.part == .recorder : who == name || who.hasPrefix(name + " ")
  }

  /// The way that something took between the two ends of a link.
  package enum Way: Hashable, Sendable {
    /// From phone to recorder.
    case toRecorder
    /// From recorder to phone.
    case toPhone
    /// It concerns both ends.
    case between
    /// It happened at one end.
    case local
  }

  package init(
    at instant: Instant, from source: TraceSource, link: UInt32 = 0, peer: BluetoothAddress? = nil, name: String,
    details: [EventDetail] = []
  ) {
    self.instant = instant
    self.source = source
    self.link = link
    self.peer = peer
    self.name = name
    self.details = details
  }
}

/// One named value of an event.
package struct EventDetail: Hashable, Sendable {
  /// A value as reports write it.
  package enum Value: Hashable, Sendable {
    /// Text; it may come from a device.
    case text(String)
    /// A whole number.
    case number(Int64)
    /// Yes or no.
    case flag(Bool)
  }

  /// Name of the value, in camel case.
  package let name: String
  /// The value.
  package let value: Value

  package init(_ name: String, _ text: String) {
    self.name = name
    value = .text(text)
  }

  package init(_ name: String, _ number: Int64) {
    self.name = name
    value = .number(number)
  }

  package init(_ name: String, _ flag: Bool) {
    self.name = name
    value = .flag(flag)
  }
}

extension EventDetail: CustomStringConvertible {
  /// `name=value`.
  package var description: String {
    switch value {
    case .text(let text): "\(name)=\(text)"
    case .number(let number): "\(name)=\(number)"
    case .flag(let flag): "\(name)=\(flag)"
    }
  }
}
