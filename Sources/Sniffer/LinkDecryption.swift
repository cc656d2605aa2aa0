import Crypto

/// The encryption of one connection as a listener follows it (Core Specification Vol 6, Part B, 5.1.3).
struct LinkDecryption {
  /// Packets of one direction that may be missed before the rest cannot be decrypted.
  private static let gapLimit: UInt64 = 64

  /// LL_ENC_REQ, as far as a listener needs it.
  struct Request {
    var randomNumber: UInt64
    var encryptedDiversifier: UInt16
    var diversifier: UInt64
    var vector: UInt32
  }

  private enum State {
    case clear
    case requested(Request)
    /// The session keys that come into question; the first packet tells which it is.
    case encrypted([LinkEncryption])
  }

  private var state = State.clear
  /// Session keys that begin with LL_START_ENC_REQ.
  private var prepared: [LinkEncryption] = []
  private var counters: [UInt64] = [0, 0]

  /// Whether packets with a payload are encrypted.
  var isEncrypted: Bool { if case .encrypted = state { true } else { false } }

  /// Whether the central asked for encryption that has not begun.
  var isRequested: Bool { if case .requested = state { true } else { false } }

  /// The central asks for encryption.
  mutating func requested(_ request: Request) { state = .requested(request) }

  /// The peripheral answers; `keys` are those that come into question.
  mutating func answered(diversifier: UInt64, vector: UInt32, keys: (Request) -> [Key128]) {
    guard case .requested(let request) = state else { return }
    prepared = keys(request).map { key in
      LinkEncryption(
        longTermKey: key, centralDiversifier: request.diversifier, peripheralDiversifier: diversifier,
        centralVector: request.vector, peripheralVector: vector)
    }
  }

  /// From now on packets are encrypted.
  mutating func start() {
    state = .encrypted(prepared)
    counters = [0, 0]
  }

  /// Encryption begins where a packet is the first that a prepared key opens: LL_START_ENC_REQ was missed.
  mutating func startIfOpening(_ payload: [UInt8], header: UInt8, isFromCentral: Bool) {
    guard case .requested = state else { return }
    let direction: LinkEncryption.Direction = isFromCentral ? .centralToPeripheral : .peripheralToCentral
    if prepared.contains(where: {
      (try? $0.open(payload, header: header, counter: 0, direction: direction)) != nil
    }) {
      start()
    }
  }

  /// From now on packets are in clear.
  mutating func end() { state = .clear }

  /// Octets of LL_ENC_REQ with its opcode.
  private static let requestLength = 23

  /// Ends the encryption where the central pauses it although the peripheral's LL_PAUSE_ENC_RSP was missed: from that on the
  /// central sends its own and LL_ENC_REQ in clear (Core Specification Vol 6, Part B, 5.1.3.2). Returns whether it did.
  mutating func endIfPaused(_ payload: [UInt8], header: UInt8, isFromCentral: Bool) -> Bool {
    guard isEncrypted, isFromCentral, header & 0b11 == 0b11 else { return false }
    // What is encrypted is never as short as the one, and hardly ever looks like the other where no key opens it.
    let isRequest = payload.count == Self.requestLength && payload[0] == 0x03
    guard payload == [0x0B] || isRequest && !canOpen(payload, header: header) else { return false }
    end()
    return true
  }

  /// Whether a packet of the central can be decrypted; it does not count as taken.
  private func canOpen(_ payload: [UInt8], header: UInt8) -> Bool {
    var copy = self
    return copy.open(payload, header: header, isFromCentral: true) != nil
  }

  /// The payload of an encrypted packet, and how many before it were missed; `nil` when no key fits.
  mutating func open(_ payload: [UInt8], header: UInt8, isFromCentral: Bool) -> (payload: [UInt8], missed: Int)? {
    guard case .encrypted(let candidates) = state else { return nil }
    let side = isFromCentral ? 1 : 0
    let direction: LinkEncryption.Direction = isFromCentral ? .centralToPeripheral : .peripheralToCentral
    for candidate in candidates {
      for counter in counters[side]...(counters[side] + Self.gapLimit) {
        guard let opened = try? candidate.open(payload, header: header, counter: counter, direction: direction) else {
          continue
        }
        let missed = Int(counter - counters[side])
        state = .encrypted([candidate])
        counters[side] = counter + 1
        return (opened, missed)
      }
    }
    return nil
  }
}
