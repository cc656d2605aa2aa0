extension Bootloader {
  /// Carries out a request of the control point. Octets that are missing count as zero.
  mutating func take(_ request: [UInt8], _ effects: inout [BootloaderEffect]) {
    guard let octet = request.first else { return }
    guard let opCode = DFUOpCode(rawValue: octet) else {
      return effects.append(.notify([DFUOpCode.response, octet, DFUResultCode.opCodeNotSupported.rawValue]))
    }
    switch opCode {
    case .createObject: create(request, &effects)
    case .setPacketReceiptNotification:
      receiptInterval = UInt16(truncatingIfNeeded: Self.number(request, at: 1))
      packetsUntilReceipt = receiptInterval
      answer(.success, opCode, &effects)
    case .getChecksum:
      guard let currentObject else { return answer(.code(.invalidObject), opCode, &effects) }
      effects.append(.notify(DFUResult.success.reply(to: opCode) + state(of: currentObject)))
    case .executeObject: execute(&effects)
    case .selectObject: select(request, &effects)
    case .writeObject:
      // Over the air this request carries no data, which the handler of objects takes for granted.
      if build.asserts { return fail(&effects) }
      takePacket([], &effects)
    case .abort: leave(&effects)
    case .protocolVersion, .getMTU, .ping, .hardwareVersion, .firmwareVersion:
      // Even in full builds this transport sends no payload.
      answer(build.isReduced ? .code(.opCodeNotSupported) : .success, opCode, &effects)
    }
  }

  private func answer(_ result: DFUResult, _ opCode: DFUOpCode, _ effects: inout [BootloaderEffect]) {
    effects.append(.notify(result.reply(to: opCode)))
  }

  /// Four octets, least significant first.
  private static func number(_ request: [UInt8], at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { number, index in
      let octet = offset + index < request.count ? request[offset + index] : 0
      return number | UInt32(octet) << UInt32(8 * index)
    }
  }

  static func octets(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
  }

  /// Offset and checksum of an object.
  private func state(of object: DFUObjectType) -> [UInt8] {
    let progress = settings.progress
    switch object {
    case .command: return Self.octets(UInt32(progress.command.count)) + Self.octets(CRC32.checksum(progress.command))
    case .data: return Self.octets(progress.offset) + Self.octets(progress.checksum)
    }
  }

  private mutating func select(_ request: [UInt8], _ effects: inout [BootloaderEffect]) {
    currentObject = DFUObjectType(rawValue: request.count > 1 ? request[1] : 0)
    guard let currentObject else { return answer(.code(.invalidObject), .selectObject, &effects) }
    let limit = currentObject == .command ? InitPacket.lengthLimit : BootloaderBuild.pageSize
    let head = DFUResult.success.reply(to: .selectObject)
    effects.append(.notify(head + Self.octets(UInt32(limit)) + state(of: currentObject)))
  }

  private mutating func create(_ request: [UInt8], _ effects: inout [BootloaderEffect]) {
    currentObject = DFUObjectType(rawValue: request.count > 1 ? request[1] : 0)
    packetsUntilReceipt = receiptInterval
    let size = Self.number(request, at: 2)
    switch currentObject {
    case .command?:
      restartInactivityTimer(&effects)
      answer(createCommand(size), .createObject, &effects)
    case .data?: answer(createData(size, &effects), .createObject, &effects)
    case nil: answer(.code(.invalidObject), .createObject, &effects)
    }
  }

  private mutating func createCommand(_ size: UInt32) -> DFUResult {
    guard size > 0 else { return .code(.invalidParameter) }
    guard size <= UInt32(InitPacket.lengthLimit) else { return .code(.insufficientResources) }
    settings.progress = BootloaderSettings.Progress()
    settings.progress.commandSize = Int(size)
    if build.forgetsAcceptance { accepted = nil }
    return .success
  }

  private mutating func createData(_ size: UInt32, _ effects: inout [BootloaderEffect]) -> DFUResult {
    guard let accepted else { return .code(.operationNotPermitted) }
    guard size > 0 else { return .code(.invalidParameter) }
    let page = UInt32(BootloaderBuild.pageSize)
    let end = UInt64(settings.progress.executedOffset) + UInt64(size)
    guard size % page == 0 || end == UInt64(accepted.size) else { return .code(.invalidParameter) }
    guard size <= page else { return .code(.insufficientResources) }
    guard end <= UInt64(accepted.size) else { return .code(.operationNotPermitted) }
    guard enqueue(.erase(accepted.start + settings.progress.executedOffset), &effects) else {
      return .code(.invalidObject)
    }
    settings.progress.offset = settings.progress.executedOffset
    settings.progress.checksum = settings.progress.executedChecksum
    settings.progress.dataObjectSize = Int(size)
    return .success
  }
}
