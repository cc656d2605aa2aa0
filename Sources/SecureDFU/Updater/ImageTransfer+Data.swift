/// The image.
extension ImageTransfer {
  private var size: UInt32 { UInt32(image.count) }

  mutating func dataSelected(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    guard let state = reply.object, let limit = reply.limit, limit >= 4 else {
      return end(.imageRefused(reply), &effects)
    }
    objectLimit = limit
    // The checksum of nothing is left over from another update.
    guard state.offset > 0 else { return createData(at: 0, isBaseKnown: true, &effects) }
    guard isOfImage(state) else {
      return createData(at: min(state.offset - 1, size - 1) / limit * limit, isBaseKnown: false, &effects)
    }
    confirm(state.offset, &effects)
    sent = state.offset
    if state.offset == size || state.offset % limit == 0 {
      objectEnd = state.offset
      return execute(isFound: true, &effects)
    }
    objectStart = state.offset / limit * limit
    objectEnd = min(objectStart + limit, size)
    packetsUntilReceipt = receiptInterval
    sendData(&effects)
  }

  mutating func createData(at start: UInt32, isBaseKnown: Bool, _ effects: inout [ImageTransferEffect]) {
    if start < confirmed { confirm(start, &effects) }
    objectStart = start
    objectEnd = min(start + objectLimit, size)
    ask(Self.createRequest(2, objectEnd - objectStart), isBaseKnown ? .createObject : .createObjectAnew, &effects)
  }

  mutating func dataCreated(
    _ reply: ControlPointReply, isBaseKnown: Bool, _ effects: inout [ImageTransferEffect]
  ) {
    guard reply.isSuccess else {
      // A bootloader that lost the init packet must be told again.
      let isLost = reply.resultCode == DFUResultCode.operationNotPermitted.rawValue
      return isLost ? beginCommand(&effects) : end(.imageRefused(reply), &effects)
    }
    isBaseKnown ? beginObject(&effects) : askForChecksum(.checkBase, &effects)
  }

  /// Creating an object went back to the last executed one: here it says which that is.
  mutating func baseChecked(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    guard let state = reply.object, isOfImage(state) else { return beginCommand(&effects) }
    if state.offset == objectStart { return beginObject(&effects) }
    guard state.offset < size, state.offset % objectLimit == 0, allowsAnotherAttempt(&effects) else { return }
    createData(at: state.offset, isBaseKnown: true, &effects)
  }

  private mutating func beginObject(_ effects: inout [ImageTransferEffect]) {
    sent = objectStart
    packetsUntilReceipt = receiptInterval
    isFirstBurst = true
    let isPausing = isFirstObject && receiptInterval > 0
    isFirstObject = false
    wait(isPausing ? options.firstObjectPause : 0, &effects)
  }

  /// Sends more after this many milliseconds.
  private mutating func wait(_ pause: Int, _ effects: inout [ImageTransferEffect]) {
    guard pause > 0 else { return sendData(&effects) }
    wait(pause, .pause, &effects)
  }

  /// Sends packets until a receipt is due or the object is complete.
  mutating func sendData(_ effects: inout [ImageTransferEffect]) {
    while sent < objectEnd, receiptInterval == 0 || packetsUntilReceipt > 0 {
      let end = min(objectEnd, sent + UInt32(packetSize))
      effects.append(.writePacket(Array(image[Int(sent)..<Int(end)])))
      sent = end
      if receiptInterval > 0 { packetsUntilReceipt -= 1 }
    }
    hasAskedAgain = false
    guard options.checksObjects || sent < objectEnd else { return execute(isFound: false, &effects) }
    guard receiptInterval > 0, packetsUntilReceipt == 0 else { return askForChecksum(.checkObject, &effects) }
    wait(options.receiptTimeout, .awaitReceipt, &effects)
  }

  mutating func receiptArrived(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    let state = reply.object
    // The same receipt a second time, or an early one late; the right one may still come.
    if let state, state.offset > objectStart, state.offset <= confirmed { return }
    guard let state, state.offset == sent, isOfImage(state) else {
      return askForChecksum(.checkObject, &effects)
    }
    packetsUntilReceipt = receiptInterval
    confirm(sent, &effects)
    guard sent < objectEnd else { return execute(isFound: false, &effects) }
    let pause = isFirstBurst ? self.pause : 0
    isFirstBurst = false
    wait(pause, &effects)
  }

  mutating func dataChecked(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    if let state = reply.object, state.offset == sent, isOfImage(state) {
      confirm(sent, &effects)
      packetsUntilReceipt = receiptInterval
      return sent == objectEnd ? execute(isFound: false, &effects) : sendData(&effects)
    }
    guard hasAskedAgain else {
      hasAskedAgain = true
      return askForChecksum(.checkObject, &effects)
    }
    packetsWereDropped()
    if let state = reply.object, state.offset >= objectStart, state.offset < sent, isOfImage(state) {
      // The end is missing, and the rest is correct.
      if state.offset > confirmed { objectAttempts = 0 }
      confirm(state.offset, &effects)
      guard allowsAnotherAttempt(&effects) else { return }
      sent = state.offset
      packetsUntilReceipt = receiptInterval
      // Setting the interval begins the count anew, which the bootloader's own may be out of step with.
      receiptsSet = nil
      return setReceipts(receiptInterval, then: .sendData, &effects)
    }
    sendObjectAgain(&effects)
  }

  /// Goes on more carefully: in bursts for which there is room, then with time for the flash between them, and in
  /// shorter ones where an object fails again.
  private mutating func packetsWereDropped() {
    drops += 1
    guard (1...Self.safeReceiptInterval).contains(receiptInterval) else {
      receiptInterval = Self.safeReceiptInterval
      return
    }
    pause = min(Self.longestPause, max(Self.firstPause, pause * 2))
    if objectAttempts > 0 { receiptInterval = max(1, receiptInterval / 2) }
  }

  /// Notes how much of the image the bootloader has, which may have become less.
  mutating func confirm(_ octets: UInt32, _ effects: inout [ImageTransferEffect]) {
    confirmed = octets
    effects.append(.progressed(.sending, octets: octets))
  }

  private mutating func sendObjectAgain(_ effects: inout [ImageTransferEffect]) {
    guard allowsAnotherAttempt(&effects) else { return }
    createData(at: objectStart, isBaseKnown: false, &effects)
  }

  private mutating func allowsAnotherAttempt(_ effects: inout [ImageTransferEffect]) -> Bool {
    objectAttempts += 1
    if objectAttempts < options.attempts { return true }
    end(.checksumsDiffer, &effects)
    return false
  }

  private mutating func execute(isFound: Bool, _ effects: inout [ImageTransferEffect]) {
    if objectEnd == size { mayBeInstalled = true }
    ask([DFUOpCode.executeObject.rawValue], isFound ? .executeFoundObject : .executeObject, &effects)
  }

  mutating func dataExecuted(
    _ reply: ControlPointReply, isFound: Bool, _ effects: inout [ImageTransferEffect]
  ) {
    if reply.isSuccess {
      objectAttempts = 0
      commandAttempts = 0
      guard objectEnd < size else { return end(.accepted, &effects) }
      return createData(at: objectEnd, isBaseKnown: true, &effects)
    }
    mayBeInstalled = false
    guard reply.resultCode == DFUResultCode.operationNotPermitted.rawValue else {
      return end(.imageRefused(reply), &effects)
    }
    // Older bootloaders do not execute an object twice, and none executes an incomplete one.
    guard isFound else { return sendObjectAgain(&effects) }
    guard allowsAnotherAttempt(&effects) else { return }
    createData(at: min(objectEnd, size - 1) / objectLimit * objectLimit, isBaseKnown: false, &effects)
  }
}
