/// Faults of an update although the bootloader itself is Nordic's: faults of flash and radio around it, and changed
/// bootloaders. Counts begin with 1 when the recorder is made and continue over resets, so a fault at a number happens
/// once.
package struct BootloaderFaults: Hashable, Sendable {
  /// A fault of receipts, the unsolicited notifications after every N packets.
  package struct ReceiptFault: Hashable, Sendable {
    /// The ways in which a receipt can go wrong.
    package enum Kind: Hashable, Sendable {
      /// It never comes.
      case lost
      /// It comes later by this time; what follows does not wait for it.
      case late(Duration)
      /// It comes twice.
      case duplicated
      /// Its offset is one word too high.
      case wrongOffset
    }

    /// What happens to it.
    package var kind: Kind
    /// Which receipt; every one for `nil`.
    package var number: Int?

    /// A fault of one receipt or of all.
    package init(_ kind: Kind, number: Int? = nil) {
      self.kind = kind
      self.number = number
    }
  }

  /// A fault of answers, the notifications that requests to the control point ask for.
  package struct AnswerFault: Hashable, Sendable {
    /// The ways in which an answer can go wrong.
    package enum Kind: Hashable, Sendable {
      /// It never comes.
      case missing
      /// It names another request.
      case wrongOpCode
      /// It has this result: the code and the extended error, if any. The request is performed nevertheless.
      case result([UInt8])
      /// The checksum in it is wrong.
      case wrongChecksum
      /// The offset in it is one word too high.
      case wrongOffset
    }

    /// What happens to it.
    package var kind: Kind
    /// Opcode of the request whose answers are affected; `nil` for every request.
    package var opCode: UInt8?
    /// How many answers are affected; `nil` for all.
    package var count: Int?
    /// How many answers to that request are correct before the first affected one.
    package var spared: Int

    /// A fault of answers.
    package init(_ kind: Kind, to opCode: UInt8? = nil, count: Int? = nil, sparing spared: Int = 0) {
      self.spared = spared
      self.kind = kind
      self.opCode = opCode
      self.count = count
    }
  }

  /// A link that ends.
  package struct LinkBreak: Hashable, Sendable {
    /// The request to the control point in whose place it ends; 0 for the connection itself.
    package var exchange: Int
    /// Whether it falls silent, so that the phone's supervision times out; otherwise it is terminated with reason 0x13.
    package var isSilent: Bool

    /// The end of a link.
    package init(exchange: Int, isSilent: Bool) {
      self.exchange = exchange
      self.isSilent = isSilent
    }
  }

  /// A fault of the application when a client sets the bootloader's name.
  package enum NameFault: Hashable, Sendable {
    /// It stores nothing and answers with this result.
    case result(UInt8)
    /// It ends the link instead of answering.
    case disconnects
  }

  /// Number of the packet that is lost before the bootloader sees it.
  package var droppedPacket: Int?
  /// Every packet whose number is a multiple of this is lost.
  package var droppedPacketInterval: Int?
  /// A fault of receipts; `nil` for none.
  package var receipt: ReceiptFault?
  /// A fault of answers; `nil` for none.
  package var answer: AnswerFault?
  /// By how much answers are late.
  package var answerDelay = Duration.zero
  /// Whether requests to the control point are not even confirmed.
  package var isMute = false
  /// A link that ends; `nil` for none.
  package var linkBreak: LinkBreak?
  /// By how much later it starts to advertise.
  package var advertisingDelay = Duration.zero
  /// Whether it never advertises.
  package var neverAdvertises = false
  /// Whether it advertises from the application's address, as with bonds.
  package var keepsAddress = false
  /// Whether its advertisement leaves out the name.
  package var hidesName = false
  /// Whether its advertisement does not name the DFU service.
  package var hidesService = false
  /// Largest ATT MTU it answers, 23 to 247, before it is rounded.
  package var maximumTransmissionUnit: UInt16 = 247
  /// A fault of the application when its name for the bootloader is set; `nil` for none.
  package var name: NameFault?
  /// Whether it waits for a client forever.
  package var neverTimesOut = false
  /// Whether the checksums that it states when asked are wrong; independent of ``answer``.
  package var statesWrongChecksums = false

  /// No fault.
  package init() {}
}
