extension Bootloader {
  /// Takes a packet into the current object. It is not answered, except that a receipt is notified
  /// after every N packets; a refusal shows in it.
  mutating func takePacket(_ packet: [UInt8], _ effects: inout [BootloaderEffect]) {
    let waiting = flashQueue.count { if case .write = $0 { true } else { false } }
    guard leakedBuffers + waiting < Self.bufferCount else { return effects.append(.packetDropped) }
    var result = DFUResult.code(.invalidObject)
    var receipt: [UInt8] = []
    switch currentObject {
    case .command?: (result, receipt) = (append(packet), [])
    case .data?: (result, receipt) = store(packet, &effects)
    case nil: break
    }
    guard receiptInterval > 0 else { return }
    packetsUntilReceipt -= 1
    guard packetsUntilReceipt == 0 else { return }
    packetsUntilReceipt = receiptInterval
    let head = result.reply(to: .getChecksum)
    effects.append(.notify(result == .success ? head + (receipt.isEmpty ? commandState : receipt) : head))
  }

  private var commandState: [UInt8] {
    Self.octets(UInt32(settings.progress.command.count)) + Self.octets(CRC32.checksum(settings.progress.command))
  }

  private mutating func append(_ packet: [UInt8]) -> DFUResult {
    guard settings.progress.command.count + packet.count <= settings.progress.commandSize else {
      return .code(.invalidParameter)
    }
    settings.progress.command += packet
    return .success
  }

  private mutating func store(_ packet: [UInt8], _ effects: inout [BootloaderEffect]) -> (DFUResult, [UInt8]) {
    guard let accepted else {
      leakBuffer()
      return (.code(.operationNotPermitted), [])
    }
    let arrived = Int(settings.progress.offset - settings.progress.executedOffset)
    guard arrived + packet.count <= settings.progress.dataObjectSize else {
      leakBuffer()
      return (.code(.invalidParameter), [])
    }
    guard enqueue(.write(accepted.start + settings.progress.offset, packet), &effects) else {
      effects.append(.packetDropped)
      return (.success, [UInt8](repeating: 0, count: 8))
    }
    settings.progress.offset += UInt32(packet.count)
    settings.progress.checksum = CRC32.checksum(packet, continuing: settings.progress.checksum)
    return (.success, Self.octets(settings.progress.offset) + Self.octets(settings.progress.checksum))
  }

  private mutating func leakBuffer() { if build.leaksBuffers { leakedBuffers += 1 } }

  /// Takes the current object, if it is complete.
  mutating func execute(_ effects: inout [BootloaderEffect]) {
    switch currentObject {
    case .command?: effects.append(.notify(executeCommand(&effects).reply(to: .executeObject)))
    case .data?: executeData(&effects)
    case nil: effects.append(.notify(DFUResult.code(.invalidObject).reply(to: .executeObject)))
    }
  }

  private mutating func executeCommand(_ effects: inout [BootloaderEffect]) -> DFUResult {
    guard settings.progress.command.count == settings.progress.commandSize else {
      return .code(.operationNotPermitted)
    }
    if accepted != nil { return .success }
    do throws(InitPacketRefusal) {
      let image = try validator.judge(settings.progress.command, installed: installed)
      if image.replacesApplication { settings.bank0 = FirmwareBank() }
      accepted = image
    } catch {
      if !error.keepsProgress { settings.progress = BootloaderSettings.Progress() }
      return error.result
    }
    return storeSettings(&effects) ? .success : .code(.operationFailed)
  }

  private mutating func executeData(_ effects: inout [BootloaderEffect]) {
    let progress = settings.progress
    guard progress.dataObjectSize == Int(progress.offset - progress.executedOffset) else {
      return effects.append(.notify(DFUResult.code(.operationNotPermitted).reply(to: .executeObject)))
    }
    // Without an image, zero of zero octets are complete; the firmware takes that for the end of an image.
    guard accepted != nil else {
      if build.asserts { fail(&effects) }
      return
    }
    settings.progress.dataObjectSize = 0
    settings.progress.executedOffset = progress.offset
    settings.progress.executedChecksum = progress.checksum
    if flashQueue.isEmpty { dataObjectStored(&effects) } else { pending = .dataExecuted }
  }

  /// Answers an executed data object; after the last one the image is checked and the update ends.
  mutating func dataObjectStored(_ effects: inout [BootloaderEffect]) {
    guard let accepted else { return }
    guard settings.progress.offset == accepted.size else {
      effects.append(.notify(DFUResult.success.reply(to: .executeObject)))
      restartInactivityTimer(&effects)
      if build.savesProgress { _ = storeSettings(&effects) }
      return
    }
    let result = install(accepted)
    effects.append(.notify(result.reply(to: .executeObject)))
    restartInactivityTimer(&effects)
    // The page is erased once more than needed: its other content is erased first.
    let isStored = storeSettings(&effects, erasingTwice: true)
    precondition(isStored, "the flash is idle")
    pending = .updateEnded
  }

  /// Checks the image that arrived and notes it for the next start; forgets the transfer in any case.
  private mutating func install(_ image: AcceptedImage) -> DFUResult {
    let bytes = flash.bytes(image.start, Int(image.size))
    let staleChecksum = image.start
    settings.progress = BootloaderSettings.Progress()
    accepted = nil
    if build.checksImage {
      do throws(ImageRefusal) { try validator.check(bytes, image.command) } catch { return error.result }
    }
    // The address of the image takes the place of its checksum and stays there unused.
    settings.progress.checksum = staleChecksum
    settings.bank1.content = Self.content(image.command.type)
    settings.bank1.size = image.size
    settings.bank1.start = image.start
    settings.bank1.checksum = Self.storesChecksum(image.command) ? CRC32.checksum(bytes) : 0
    if image.command.type == .application { settings.bank0.content = .nothing }
    let skipsVersion = build.isDebug && image.command.isDebug
    if !skipsVersion, let version = image.command.firmwareVersion {
      switch image.command.type {
      case .application?: settings.applicationVersion = version
      case .bootloader?, .softDeviceAndBootloader?: settings.bootloaderVersion = version
      default: break
      }
    }
    return .success
  }

  private static func content(_ type: FirmwareType?) -> FirmwareBank.Content {
    switch type {
    case .softDevice?: .softDevice
    case .bootloader?: .bootloader
    case .softDeviceAndBootloader?: .softDeviceAndBootloader
    default: .application
    }
  }

  /// Whether each start checks the image by a CRC.
  private static func storesChecksum(_ command: InitCommand) -> Bool {
    command.bootValidations.first.map { $0.type != BootValidation.none } ?? true
  }
}
