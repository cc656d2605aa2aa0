/// The init packet.
extension ImageTransfer {
  mutating func commandSelected(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    guard let state = reply.object else { return beginCommand(&effects) }
    if state.offset == 0, mayBeInstalled {
      return ask([DFUOpCode.selectObject.rawValue, 2], .probe, &effects)
    }
    // The transfer's state is still there, so the image was not taken.
    mayBeInstalled = false
    guard state.offset > 0, isOfInitPacket(state) else { return beginCommand(&effects) }
    if state.offset == UInt32(initPacket.count) {
      return ask([DFUOpCode.executeObject.rawValue], .executeFoundCommand, &effects)
    }
    commandSent = Int(state.offset)
    setReceipts(0, then: .sendCommand, &effects)
  }

  /// After an update the transfer's state is gone, and the address of the image has replaced the image's checksum;
  /// both are zero where an image was refused or never sent.
  mutating func probed(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    mayBeInstalled = false
    if let state = reply.object, state.offset == 0, state.checksum != 0 { return end(.alreadyInstalled, &effects) }
    beginCommand(&effects)
  }

  mutating func beginCommand(_ effects: inout [ImageTransferEffect]) {
    commandAttempts += 1
    guard commandAttempts <= options.attempts else { return end(.checksumsDiffer, &effects) }
    if options.setsReceiptsFirst { setReceipts(0, then: .createCommand, &effects) } else { createCommand(&effects) }
  }

  mutating func createCommand(_ effects: inout [ImageTransferEffect]) {
    isFirstObject = true
    commandSent = 0
    ask(Self.createRequest(1, UInt32(initPacket.count)), .createCommand, &effects)
  }

  mutating func commandCreated(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    guard reply.isSuccess else { return end(.initPacketRefused(reply), &effects) }
    setReceipts(0, then: .sendCommand, &effects)
  }

  mutating func sendCommand(_ effects: inout [ImageTransferEffect]) {
    while commandSent < initPacket.count {
      let end = min(initPacket.count, commandSent + packetSize)
      effects.append(.writePacket(Array(initPacket[commandSent..<end])))
      commandSent = end
    }
    hasAskedAgain = false
    askForChecksum(.checkCommand, &effects)
  }

  mutating func commandChecked(_ reply: ControlPointReply, _ effects: inout [ImageTransferEffect]) {
    guard let state = reply.object, state.offset == UInt32(initPacket.count), isOfInitPacket(state)
    else {
      guard hasAskedAgain else {
        hasAskedAgain = true
        return askForChecksum(.checkCommand, &effects)
      }
      return beginCommand(&effects)
    }
    ask([DFUOpCode.executeObject.rawValue], .executeCommand, &effects)
  }

  mutating func commandExecuted(
    _ reply: ControlPointReply, isFound: Bool, _ effects: inout [ImageTransferEffect]
  ) {
    guard reply.isSuccess else {
      // A packet that could not be decoded stays where it is; resuming it would fail here every time.
      return isFound ? beginCommand(&effects) : end(.initPacketRefused(reply), &effects)
    }
    confirm(0, &effects)
    setReceipts(receiptInterval, then: .selectData, &effects)
  }
}
