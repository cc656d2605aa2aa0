import Packets

// Values of packets that are part of this module's own vocabulary, so that those above need not import `Packets`.

/// Number by which client and server name an attribute.
public typealias AttributeHandle = Packets.AttributeHandle
/// A handle with its value.
public typealias AttributeValue = Packets.AttributeValue
/// Why a server refused a request.
public typealias ATTErrorCode = Packets.ATTErrorCode
/// Why pairing failed.
public typealias PairingFailureReason = Packets.PairingFailureReason
