extension Bootloader {
  /// Starts a chip. Where a power cut left the two pages of settings unlike, the worse one is made good first: the next
  /// cut may damage the other one.
  mutating func start(_ reason: BootReason, _ effects: inout [BootloaderEffect]) {
    cutPower()
    settings = flash.storedSettings ?? BootloaderSettings()
    mode = .starting(reason)
    let repairs: [FlashOperation]
    switch (flash.settings, flash.backup) {
    case (nil, let backup?): repairs = [.eraseSettings(.primary), .storeSettings(.primary, backup)]
    case (let primary?, let backup) where primary != backup:
      repairs = [.eraseSettings(.backup), .storeSettings(.backup, primary)]
    default: repairs = []
    }
    preparation = repairs.reversed()
    prepareFurther(&effects)
  }

  /// Decides what a chip does next: puts a received image in place, takes updates, or starts the application.
  private mutating func decide(_ reason: BootReason, _ effects: inout [BootloaderEffect]) {
    if settings.bank1.content != .nothing {
      planActivation()
      return prepareFurther(&effects)
    }
    guard reason == .normal, isApplicationSound else {
      return takeUpdates(timeout: build.inactivityTimeout, &effects)
    }
    mode = .application
    if build.forgetsName { flash.advertisedName = nil }
    effects.append(.startApplication)
  }

  /// Whether the application may be started; a debug build starts a damaged one too.
  private var isApplicationSound: Bool {
    let bank = settings.bank0
    guard bank.content == .application else { return false }
    guard !build.isDebug, build.installsBeforeStarting, bank.checksum != 0 else { return true }
    return CRC32.checksum(flash.bytes(bank.start, Int(bank.size))) == bank.checksum
  }

  private mutating func takeUpdates(timeout: Int, _ effects: inout [BootloaderEffect]) {
    mode = .updating
    // A stored init packet is accepted without being checked again.
    if !settings.progress.command.isEmpty {
      accepted = try? validator.judge(settings.progress.command, installed: installed)
    }
    effects.append(.startTimer(.inactivity, timeout))
    advertise(&effects)
  }

  /// The versions that init packets are compared with.
  var installed: InstalledFirmware {
    InstalledFirmware(
      applicationVersion: settings.applicationVersion, bootloaderVersion: settings.bootloaderVersion,
      applicationSize: settings.bank0.content == .application ? settings.bank0.size : nil)
  }

  /// Lists the operations that put the received image in place.
  private mutating func planActivation() {
    var done = settings
    let received = settings.bank1
    var operations: [FlashOperation] = []
    switch received.content {
    case .application:
      operations = copyOperations(received)
      done.bank0 = received
      done.bank0.start = build.bankStart
    case .nothing, .softDevice, .bootloader, .softDeviceAndBootloader:
      // What lies outside the banks is copied by the master boot record, which this model leaves out.
      break
    }
    done.bank1 = FirmwareBank()
    done.copied = 0
    let settle = Self.operations(storing: done)
    operations = build.installsBeforeStarting ? operations + settle : settle + operations
    preparation = operations.reversed()
    mode = .activating(done)
  }

  /// Copies page by page. The progress is stored before a page is overwritten that would be needed again.
  private func copyOperations(_ image: FirmwareBank) -> [FlashOperation] {
    guard image.start > build.bankStart else { return [] }
    let page = UInt32(BootloaderBuild.pageSize)
    let distance = image.start - build.bankStart
    let step = min(Self.copyStep * page, distance / page * page)
    var operations: [FlashOperation] = []
    var progress = settings
    var offset = settings.copied
    while offset < image.size {
      operations += [
        .erase(build.bankStart + offset), .copy(from: image.start + offset, to: build.bankStart + offset),
      ]
      offset += page
      if build.installsBeforeStarting, (offset - settings.copied) % max(page, step) == 0, offset < image.size {
        progress.copied = offset
        operations += Self.operations(storing: progress)
      }
    }
    return operations
  }

  /// Carries on with the operations before updates are taken or the application starts, and then with what follows.
  mutating func prepareFurther(_ effects: inout [BootloaderEffect]) {
    if let operation = preparation.popLast() {
      _ = enqueue(operation, &effects)
      return
    }
    switch mode {
    case .starting(let reason): decide(reason, &effects)
    case .activating(let done): activated(done, &effects)
    case .off, .updating, .application: return
    }
  }

  private mutating func activated(_ done: BootloaderSettings, _ effects: inout [BootloaderEffect]) {
    let content = settings.bank1.content
    settings = done
    if content == .softDevice || content == .softDeviceAndBootloader {
      return takeUpdates(timeout: build.continuationTimeout, &effects)
    }
    reset(&effects)
  }
}
