import Bytes
import DictofunProtocol
import HostStack
import Probe

extension Prober {
  /// Requests that the firmware does not know, and writes that are too short or too long.
  private static let requests: [(words: String, octets: [UInt8])] = [
    ("write nothing to the control point", []),
    ("write 00 to the control point", [0x00]),
    ("write 05 to the control point", [0x05]),
    ("write 07 to the control point", [0x07]),
    ("write ff to the control point", [0xFF]),
    (
      "write one octet too many to the control point", Array(repeating: 0, count: ControlPointRequest.maximumLength + 1)
    ),
  ]

  /// Makes requests that a phone does not make, and keeps the raw answers.
  mutating func makeBadRequests() async throws {
    try await connect()
    let (_, point) = try await subscribeToAnswers()
    for (words, octets) in Self.requests {
      let before = hearing.count
      try await attempt(words, .write(point, octets))
      await phone.wait(Self.quiet) { [hearing] in hearing.count > before }
      for value in hearing.values(after: before) {
        recorder.accesses.append(
          .init("then \(AttributeWords.handle(value.attribute)) notifies", Hexadecimal.string(value.octets)))
      }
    }
    try await disconnect()
  }
}
