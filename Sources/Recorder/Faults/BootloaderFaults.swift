/// What goes wrong in an update although the bootloader itself is Nordic's: faults of flash and radio around it, and
/// bootloaders that others changed. Counts begin with 1 when the recorder is made and go on over resets, so what fails
/// at a number fails once.
public struct BootloaderFaults: Hashable, Sendable {
  /// What becomes of receipts, the unsolicited notifications after every so many packets.
  public struct ReceiptFault: Hashable, Sendable {
    /// The ways in which a receipt can go wrong.
    public enum Kind: Hashable, Sendable {
      /// It never comes.
      case lost
      /// It comes so much later; what follows does not wait for it.
      case late(Duration)
      /// It comes twice.
      case duplicated
      /// Its offset is one word too high.
      case wrongOffset
    }

    /// What happens to it.
    public var kind: Kind
    /// Which receipt; every one for `nil`.
    public var number: Int?

    /// A fault of one receipt or of all.
    public init(_ kind: Kind, number: Int? = nil) {
      self.kind = kind
      self.number = number
    }
  }

  /// What becomes of answers, the notifications that requests to the control point ask for.
  public struct AnswerFault: Hashable, Sendable {
    /// The ways in which an answer can go wrong.
    public enum Kind: Hashable, Sendable {
      /// It never comes.
      case missing
      /// It names another request.
      case wrongOpCode
      /// It has this result: the code and, where there is one, the extended error. What was asked for happened all the
      /// same.
      case result([UInt8])
      /// The checksum in it is wrong.
      case wrongChecksum
      /// The offset in it is one word too high.
      case wrongOffset
    }

    /// What happens to it.
    public var kind: Kind
    /// The request whose answers it happens to; every request's for `nil`.
    public var opCode: UInt8?
    /// How many answers it happens to; all for `nil`.
    public var count: Int?
    /// How many answers to that request are right before.
    public var spared: Int

    /// A fault of answers.
    public init(_ kind: Kind, to opCode: UInt8? = nil, count: Int? = nil, sparing spared: Int = 0) {
      self.spared = spared
      self.kind = kind
      self.opCode = opCode
      self.count = count
    }
  }

  /// A link that ends.
  public struct LinkBreak: Hashable, Sendable {
    /// The request to the control point in whose place it ends; 0 for the connection itself.
    public var exchange: Int
    /// Whether it falls silent, so that the phone's supervision must notice; else it is terminated with reason 0x13.
    public var isSilent: Bool

    /// The end of a link.
    public init(exchange: Int, isSilent: Bool) {
      self.exchange = exchange
      self.isSilent = isSilent
    }
  }

  /// What the application does when it is told a name for the bootloader.
  public enum NameFault: Hashable, Sendable {
    /// It keeps nothing and answers this.
    case result(UInt8)
    /// It ends the link instead of answering.
    case disconnects
  }

  /// The packet that is lost before the bootloader sees it.
  public var droppedPacket: Int?
  /// Every packet whose number is a multiple of this is lost.
  public var droppedPacketInterval: Int?
  /// What becomes of receipts.
  public var receipt: ReceiptFault?
  /// What becomes of answers.
  public var answer: AnswerFault?
  /// How much later answers come.
  public var answerDelay = Duration.zero
  /// Whether requests to the control point are not even confirmed.
  public var isMute = false
  /// The end of a link.
  public var linkBreak: LinkBreak?
  /// How much later it is heard after it started.
  public var advertisingDelay = Duration.zero
  /// Whether it is never heard.
  public var neverAdvertises = false
  /// Whether it advertises from the application's address, as with bonds.
  public var keepsAddress = false
  /// Whether its advertisement has no name.
  public var hidesName = false
  /// Whether its advertisement does not name the DFU service.
  public var hidesService = false
  /// Largest ATT MTU it answers, 23 to 247, before it is rounded.
  public var maximumTransmissionUnit: UInt16 = 247
  /// What the application does with a name.
  public var name: NameFault?
  /// Whether it waits for a client forever.
  public var neverTimesOut = false
  /// Whether the checksums that it states when asked are wrong, whatever becomes of its answers otherwise.
  public var statesWrongChecksums = false

  /// Nothing is wrong.
  public init() {}
}
