import Bytes
import Charts

/// The conversation that brings one image into a bootloader, over as many links as it takes: Nordic's Secure DFU from
/// the central's side, without radio and clock (nRF5 SDK 17.1.0, `nrf_dfu_req_handler.c`).
///
///     select command ─▶ (create ─▶ packets ─▶ checksum) ─▶ execute
///     select data    ─▶ { create ─▶ packets, receipts ─▶ checksum ─▶ execute } for each object
///
/// It moves on the chart ``Updater``. Every link begins with a selection, whose answer says where to go on. What was lost is sent again: the end of an
/// object where the checksum of its beginning is right, else the object, else everything.
public struct ImageTransfer: Sendable {
  /// The step that follows once receipts are switched.
  enum Continuation: Hashable {
    case createCommand
    case sendCommand
    case selectData
    case sendData
  }

  /// The longest pause after the first receipt of an object, in milliseconds.
  static let longestPause = 2_000
  /// Milliseconds of that pause once packets were dropped, doubled whenever that happens again: a flash page is erased
  /// in 85 to 90, and a burst with its receipt takes half of that.
  static let firstPause = 40
  /// Packets that a bootloader has room for while it erases a page, with some to spare.
  static let safeReceiptInterval: UInt16 = 10
  /// Links on which a bootloader may fall silent.
  static let silenceLimit = 3

  let initPacket: [UInt8]
  /// The image.
  public let image: [UInt8]
  let options: UpdateOptions
  private var imageChecksum = RunningChecksum()

  var steps = ChartedState(Updater.chart)
  /// What follows once receipts are switched.
  private var continuation = Continuation.createCommand
  var packetSize = 20
  /// Packets between receipts that are wanted; fewer once packets were dropped.
  var receiptInterval: UInt16
  /// The interval set on this link. A bootloader keeps it from link to link, but this may be another bootloader.
  var receiptsSet: UInt16?
  /// Octets of the longest data object.
  var objectLimit: UInt32 = 4096
  /// The object in hand, as offsets into the image.
  var objectStart: UInt32 = 0
  var objectEnd: UInt32 = 0
  /// Octets of the init packet that were handed to the link.
  var commandSent = 0
  /// Octets of the image that were handed to the link.
  public internal(set) var sent: UInt32 = 0
  /// Octets of the image that the bootloader confirmed on this link.
  var confirmed: UInt32 = 0
  var packetsUntilReceipt: UInt16 = 0
  /// Milliseconds after the first receipt of each object, in which the page that the object goes to is erased.
  var pause = 0
  var isFirstBurst = true
  var isFirstObject = true
  /// Whether a checksum that differs was asked for a second time, since a late receipt may have taken its place.
  var hasAskedAgain = false
  var commandAttempts = 0
  var objectAttempts = 0
  var silences = 0
  /// Whether the last object was executed and its answer was lost.
  var mayBeInstalled = false
  /// Times that packets were found missing.
  public internal(set) var drops = 0

  /// A transfer that waits for a link; neither init packet nor image may be empty.
  public init(initPacket: [UInt8], image: [UInt8], options: UpdateOptions = UpdateOptions()) {
    precondition(!initPacket.isEmpty && !image.isEmpty, "there is something to transfer")
    self.initPacket = initPacket
    self.image = image
    self.options = options
    receiptInterval = options.receiptInterval
  }

  /// Whether the bootloader may have taken the image although it was not heard to say so.
  public var isOutcomeUncertain: Bool { mayBeInstalled }

  /// The largest multiple of four that fits into a packet: anything else never reaches the flash.
  public static func packetSize(maximumTransmissionUnit: Int) -> Int { max(20, (maximumTransmissionUnit - 3) & ~3) }

  /// The request that ends an update and sends the device back to its application; it has no answer.
  public static let abortRequest: [UInt8] = [DFUOpCode.abort.rawValue]

  private var step: TransferStep { steps.state }

  /// What it did on its chart.
  package var chartLog: ChartLog { steps.chartLog }

  /// Takes an input.
  public mutating func handle(_ input: ImageTransferInput, _ effects: inout [ImageTransferEffect]) {
    switch input {
    case .linkReady(let size):
      packetSize = max(4, size & ~3)
      receiptsSet = nil
      hasAskedAgain = false
      effects.append(.progressed(.announcing, octets: 0))
      ask([DFUOpCode.selectObject.rawValue, 1], .selectCommand, &effects)
    case .linkLost:
      steps.take(.linkLost)
      effects.append(.stopTimer)
    case .notified(let bytes): notified(bytes, &effects)
    case .requestRefused(let code):
      guard step != .idle else { return }
      effects.append(.trouble("a request was refused with ATT error \(code)"))
      renewLink(&effects)
    case .timerFired: timerFired(&effects)
    }
  }

  private mutating func timerFired(_ effects: inout [ImageTransferEffect]) {
    switch step {
    case .idle: break
    case .pausing: sendData(&effects)
    // A receipt that was lost can be asked for.
    case .awaitingReceipt: askForChecksum(.checkObject, &effects)
    default: renewLink(&effects)
    }
  }

  private mutating func notified(_ bytes: [UInt8], _ effects: inout [ImageTransferEffect]) {
    guard step != .idle else { return }
    do throws(DecodingFailure) {
      let reply = try ControlPointReply(decoding: bytes)
      guard let expected, reply.answers(expected) else {
        // Receipts may come late.
        if !reply.answers(.getChecksum) { effects.append(.trouble("unexpected answer to request \(reply.opCode)")) }
        return
      }
      replied(reply, &effects)
    } catch {
      effects.append(.trouble("cannot read a reply: \(error)"))
    }
  }

  /// The request whose answer is awaited.
  private var expected: DFUOpCode? {
    switch step {
    case .idle, .pausing: nil
    case .selectingCommand, .probing, .selectingData: .selectObject
    case .switchingReceipts: .setPacketReceiptNotification
    case .creatingCommand, .creatingObject, .creatingObjectAnew: .createObject
    case .checkingCommand, .checkingBase, .awaitingReceipt, .checkingObject: .getChecksum
    case .executingCommand, .executingFoundCommand, .executingObject, .executingFoundObject: .executeObject
    }
  }

  private mutating func replied(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    silences = 0
    switch step {
    case .idle, .pausing: break
    case .selectingCommand: commandSelected(reply, &effects)
    case .switchingReceipts: receiptsSwitched(continuation, &effects)
    case .creatingCommand: commandCreated(reply, &effects)
    case .checkingCommand: commandChecked(reply, &effects)
    case .executingCommand: commandExecuted(reply, isFound: false, &effects)
    case .executingFoundCommand: commandExecuted(reply, isFound: true, &effects)
    case .probing: probed(reply, &effects)
    case .selectingData: dataSelected(reply, &effects)
    case .creatingObject: dataCreated(reply, isBaseKnown: true, &effects)
    case .creatingObjectAnew: dataCreated(reply, isBaseKnown: false, &effects)
    case .checkingBase: baseChecked(reply, &effects)
    case .awaitingReceipt: receiptArrived(reply, &effects)
    case .checkingObject: dataChecked(reply, &effects)
    case .executingObject: dataExecuted(reply, isFound: false, &effects)
    case .executingFoundObject: dataExecuted(reply, isFound: true, &effects)
    }
  }

  // MARK: Asking

  /// Goes on with a request, where the chart allows it.
  mutating func ask(_ request: [UInt8], _ decision: TransferDecision, _ effects: inout [ImageTransferEffect]) {
    guard steps.take(decision) else { return }
    effects.append(.writeControlPoint(request))
    effects.append(.startTimer(options.replyTimeout))
  }

  mutating func askForChecksum(_ decision: TransferDecision, _ effects: inout [ImageTransferEffect]) {
    ask([DFUOpCode.getChecksum.rawValue], decision, &effects)
  }

  /// Waits this many milliseconds, for a receipt or before more is sent.
  mutating func wait(_ milliseconds: Int, _ decision: TransferDecision, _ effects: inout [ImageTransferEffect]) {
    if steps.take(decision) { effects.append(.startTimer(milliseconds)) }
  }

  /// Switches receipts where that was not done on this link, and goes on.
  mutating func setReceipts(_ interval: UInt16, then next: Continuation, _ effects: inout [ImageTransferEffect]) {
    guard receiptsSet != interval else { return receiptsSwitched(next, &effects) }
    receiptsSet = interval
    let request = [
      DFUOpCode.setPacketReceiptNotification.rawValue, UInt8(truncatingIfNeeded: interval), UInt8(interval >> 8),
    ]
    continuation = next
    ask(request, .switchReceipts, &effects)
  }

  private mutating func receiptsSwitched(_ next: Continuation, _ effects: inout [ImageTransferEffect]) {
    switch next {
    case .createCommand: createCommand(&effects)
    case .sendCommand: sendCommand(&effects)
    case .selectData: ask([DFUOpCode.selectObject.rawValue, 2], .selectData, &effects)
    // Packets were dropped: the flash is given time, or it drops the next ones as well.
    case .sendData where pause > 0: wait(pause, .pause, &effects)
    case .sendData: sendData(&effects)
    }
  }

  /// Asks for a new link, unless the bootloader has fallen silent too often.
  private mutating func renewLink(_ effects: inout [ImageTransferEffect]) {
    silences += 1
    guard silences < Self.silenceLimit else { return end(.noAnswer, &effects) }
    steps.take(.renewLink)
    effects += [.stopTimer, .renewLink]
  }

  mutating func end(_ outcome: ImageTransferOutcome, _ effects: inout [ImageTransferEffect]) {
    steps.take(.end)
    effects += [.stopTimer, .ended(outcome)]
  }

  /// Whether the bootloader's object consists of the first octets of the image.
  mutating func isOfImage(_ state: ControlPointReply.ObjectState) -> Bool {
    guard state.offset <= UInt32(image.count) else { return false }
    return imageChecksum.of(first: Int(state.offset), in: image) == state.checksum
  }

  /// Whether the bootloader's object consists of the first octets of the init packet.
  func isOfInitPacket(_ state: ControlPointReply.ObjectState) -> Bool {
    guard state.offset <= UInt32(initPacket.count) else { return false }
    return CRC32.checksum(Array(initPacket[..<Int(state.offset)])) == state.checksum
  }

  static func createRequest(_ type: UInt8, _ size: UInt32) -> [UInt8] {
    [DFUOpCode.createObject.rawValue, type] + Bootloader.octets(size)
  }
}
