import Bytes

/// Findings in words: the call table knows the names of calls.
extension SoftDeviceFinding {
  /// One sentence.
  package var description: String {
    switch self {
    case .unknownCall(let number): "supervisor call \(Self.hexadecimal(number)) is not known: answered 6"
    case .notModelled(let call, let text): "\(Self.name(call)): \(text) (not modelled)"
    case .withoutEffect(let call, let text): "\(Self.name(call)): \(text) (accepted, without effect)"
    case .badPointer(let call, let address, let count):
      "\(Self.name(call)): pointer \(Self.hexadecimal(address)) to \(count) octets points to no such memory"
    case .refused(let call, let error):
      "\(Self.name(call)): refused with \(error.rawValue), \(error.mistake ?? "an error")"
    case .notificationStorm(let handle):
      "attribute \(handle) was told again and again without waiting until an earlier value was sent"
    case .flashSourceChanged(let address):
      "the source of a flash write at \(Self.hexadecimal(address)) changed before the write was done"
    case .keyStoreLost(let address): "the key store at \(Self.hexadecimal(address)) cannot be written"
    case .eventLost(let number): "event \(number) was lost: the image fetches none"
    case .radio(let text): "radio: \(text)"
    }
  }

  private static func name(_ call: UInt8) -> String { CallTable.name(of: call) ?? hexadecimal(call) }
  private static func hexadecimal(_ value: UInt8) -> String { "0x" + Hexadecimal.string([value]) }
  private static func hexadecimal(_ value: UInt32) -> String {
    "0x" + Hexadecimal.string((0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
  }
}
