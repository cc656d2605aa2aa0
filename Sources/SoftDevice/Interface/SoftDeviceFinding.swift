/// What the SoftDevice's place cannot answer for, or what an image did wrong in a call. Reports name these; nothing is
/// guessed in silence.
package enum SoftDeviceFinding: Hashable, Sendable {
  /// The image called an unknown number; it was answered with "not supported" (6).
  case unknownCall(UInt8)
  /// What a call asks for is not modelled; the words say what, and what was done instead.
  case notModelled(call: UInt8, String)
  /// A call was accepted, and what it asks for shows in nothing.
  case withoutEffect(call: UInt8, String)
  /// A call came with a pointer to this many octets; some of them do not exist or must not be written.
  case badPointer(call: UInt8, address: UInt32, count: Int)
  /// A call was refused for a reason that a correct image never meets; its result.
  case refused(call: UInt8, ErrorNumber)
  /// The value of this handle was told again and again while an earlier one was still on its way.
  case notificationStorm(handle: UInt16)
  /// An image wrote to the place that it had given away, at this address, while the SoftDevice still needed it.
  case flashSourceChanged(address: UInt32)
  /// Key stores that the image had named could not be written when pairing was done.
  case keyStoreLost(address: UInt32)
  /// So many events waited that the next one was lost: the image does not fetch them.
  case eventLost(UInt16)
  /// The radio below refused something, or is gone.
  case radio(String)
}
