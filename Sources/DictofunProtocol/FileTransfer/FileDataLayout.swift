import Bytes

/// The division of a file into notifications.
///
/// The firmware reads blocks of 256 octets and sends each as 200 and 56; octets that do not fit into the ATT MTU go out
/// with the rest of its block. There are no frame markers: the file is complete when the announced size is reached.
public enum FileDataLayout {
  /// A notification.
  public static let layout = WireLayout("file data", [WireField("data", .rest)])

  /// Octets of a block read from flash.
  public static let blockLength = 256
  /// The most octets of a block in one notification.
  public static let maximumPacketLength = 200

  /// Octets of the next notification, when `left` octets of the current block are left and the ATT MTU is
  /// `maximumTransmissionUnit`, 23 or more.
  @inlinable public static func packetLength(left: Int, maximumTransmissionUnit: Int) -> Int {
    min(maximumPacketLength, left, maximumTransmissionUnit - 3)
  }

  /// Lengths of all notifications of a file of `size` octets. An empty file has one empty notification.
  public static func packetLengths(fileSize size: Int, maximumTransmissionUnit: Int = 247) -> [Int] {
    guard size > 0 else { return [0] }
    var result: [Int] = []
    var left = size
    while left > 0 {
      var block = min(left, blockLength)
      left -= block
      while block > 0 {
        let packet = packetLength(left: block, maximumTransmissionUnit: maximumTransmissionUnit)
        result.append(packet)
        block -= packet
      }
    }
    return result
  }
}
