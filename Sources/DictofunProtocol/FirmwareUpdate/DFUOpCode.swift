/// The first octet of a control point's request (nRF5 SDK 17.1.0, `nrf_dfu_op_t`).
public enum DFUOpCode: UInt8, CaseIterable, Sendable {
  /// Which version of the protocol is spoken; left out of reduced builds.
  case protocolVersion = 0x00
  /// Begins an object.
  case createObject = 0x01
  /// After how many packets a receipt is notified.
  case setPacketReceiptNotification = 0x02
  /// Offset and checksum of the current object.
  case getChecksum = 0x03
  /// Takes the object that was transferred.
  case executeObject = 0x04
  /// Makes an object the current one and tells its state.
  case selectObject = 0x06
  /// The transfer size of a serial link; left out of reduced builds.
  case getMTU = 0x07
  /// Content of an object on serial links; over the air it comes through the packet characteristic.
  case writeObject = 0x08
  /// Asks for an answer; left out of reduced builds.
  case ping = 0x09
  /// Which hardware it is; left out of reduced builds.
  case hardwareVersion = 0x0A
  /// Which firmware is installed; left out of reduced builds.
  case firmwareVersion = 0x0B
  /// Gives the update up.
  case abort = 0x0C

  /// The first octet of every response.
  public static let response: UInt8 = 0x60
}

/// The kinds of object that are transferred (nRF5 SDK 17.1.0, `nrf_dfu_obj_type_t`).
public enum DFUObjectType: UInt8, CaseIterable, Sendable {
  /// An init packet.
  case command = 0x01
  /// A part of an image.
  case data = 0x02
}
