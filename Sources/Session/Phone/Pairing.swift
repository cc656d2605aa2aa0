import Bytes
import Phone
import Requirements

/// What pairing came to.
package struct PairingResult: Sendable {
  /// The recorder that is paired now; `nil` where the library does not know it.
  package var recorder: BluetoothAddress?
  /// Whether it was not paired before.
  package var isNew: Bool
  /// How long their key is, in octets; `nil` where the library does not know it.
  package var keySize: UInt8?

  /// Whether the key is shorter than Bluetooth allows it to be.
  package var isKeyShort: Bool { keySize.map { $0 < OfferedKeySizes.longest } ?? false }
}

extension RecorderConversation {
  /// Connects, and pairs where that is needed. Refuses while another recorder is paired.
  package func pair() async throws -> PairingResult {
    if let paired = try await phone.pairedRecorder(), !isMeant(paired) { throw PhoneFailure.alreadyPaired(paired) }
    try await connect()
    let isNew = try await pairWhereNeeded()
    // The answer to a read arrives after our last keys. Without it the recorder might lose them with the link.
    _ = try await perform(.readBattery)
    let recorder = try await phone.pairedRecorder()
    var keySize: UInt8?
    if let recorder { keySize = try await phone.keySize(with: recorder) }
    return PairingResult(recorder: recorder, isNew: isNew, keySize: keySize)
  }

  /// Forgets the bond of the paired recorder, here and, with `tellsRecorder`, there. Returns which recorder that was.
  package func unpair(tellsRecorder: Bool) async throws -> BluetoothAddress {
    guard let paired = try await phone.pairedRecorder() else { throw PhoneFailure.notPaired }
    guard isMeant(paired) else { throw PhoneFailure.alreadyPaired(paired) }
    if tellsRecorder { try await connect() }
    _ = try await perform(.unpair)
    return paired
  }
}
