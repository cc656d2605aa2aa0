/// The options of an updater. The initial values are safe with every bootloader that the simulator knows.
public struct UpdateOptions: Hashable, Sendable {
  /// Packets between receipts; 0 asks for none. Ten leave room in the bootloader's queue of sixteen flash operations.
  public var receiptInterval: UInt16 = 10
  /// Whether receipts are switched off before the init packet's object is created, as Nordic's library for Android
  /// does; the one for iOS does it after.
  public var setsReceiptsFirst = true
  /// Milliseconds between the creation of the first data object and its first packet: the bootloader is still storing
  /// its settings then.
  public var firstObjectPause = 400
  /// Milliseconds until an answer of the control point is given up.
  public var replyTimeout = 20_000
  /// Milliseconds until a receipt is given up and asked for instead.
  public var receiptTimeout = 3_000
  /// Times that an object is sent without progress before the update is given up.
  public var attempts = 5

  /// Whether the checksum of an object is requested before the object is executed; only a wrong updater does
  /// without.
  public var checksObjects = true

  public init() {}
}

/// An input of the transfer of an image.
public enum ImageTransferInput: Hashable, Sendable {
  /// A link to the bootloader is there, its control point notifies, and a packet may have this many octets.
  case linkReady(packetSize: Int)
  /// The link is gone.
  case linkLost
  /// The control point notified.
  case notified([UInt8])
  /// The control point's write was refused with an ATT error.
  case requestRefused(UInt8)
  /// The timer ran out.
  case timerFired
}

/// An effect of the transfer of an image.
public enum ImageTransferEffect: Hashable, Sendable {
  /// Write the control point, with response.
  case writeControlPoint([UInt8])
  /// Write the packet characteristic, without response.
  case writePacket([UInt8])
  /// Start the only timer anew, in milliseconds.
  case startTimer(Int)
  /// Stop it.
  case stopTimer
  /// The transfer advanced: its phase, and the octets of the image that are confirmed.
  case progressed(UpdateState.Phase, octets: UInt32)
  /// End the link and make a new one: the bootloader stopped answering.
  case renewLink
  /// The bootloader said something that breaks its protocol.
  case trouble(String)
  /// The transfer is over.
  case ended(ImageTransferOutcome)
}

/// The end of the transfer of an image.
public enum ImageTransferOutcome: Hashable, Sendable {
  /// The bootloader took the image and is about to put it in place.
  case accepted
  /// The bootloader had taken it before this link.
  case alreadyInstalled
  /// The bootloader refused the init packet.
  case initPacketRefused(ControlPointReply)
  /// The bootloader refused an object of the image, or the image as a whole.
  case imageRefused(ControlPointReply)
  /// The checksums of the bootloader repeatedly differed from those of the data sent.
  case checksumsDiffer
  /// The bootloader repeatedly stopped answering.
  case noAnswer
}
