import HostStack
import Processor

/// Commands of the master boot record (`SD_MBR_COMMAND_…`).
private enum BootRecordCommand {
  /// `COPY_BL`: source, words.
  static let copyBootloader: UInt32 = 0
  /// `COPY_SD`: source, destination, words.
  static let copySoftDevice: UInt32 = 1
  /// `INIT_SD`.
  static let startSoftDevice: UInt32 = 2
  /// `COMPARE`: two addresses, words.
  static let compare: UInt32 = 3
  /// `VECTOR_TABLE_BASE_SET`: where the first program begins after a reset.
  static let setStart: UInt32 = 4
  /// `IRQ_FORWARD_ADDRESS_SET`.
  static let forwardInterrupts: UInt32 = 6
}

/// The SoftDevice manager, 0x10 to 0x13, and the master boot record, 0x18 (`nrf_sdm.h`, `nrf_mbr.h`).
extension SoftDeviceHost {
  /// Places of interrupts whose priorities the SoftDevice keeps for itself: 0, 1, 4 (SoftDevice specification, "Interrupt
  /// model").
  private static let ownPriorities: [UInt8] = [0, 1, 4]
  /// The priority of SWI2/EGU2 from then on, the lowest but one.
  private static let eventPriority: UInt8 = 6
  /// `NRF_CLOCK_LF_SRC_SYNTH`, the last source of the low-frequency clock.
  private static let lastClockSource: UInt8 = 2

  /// 0x10 `sd_softdevice_enable`. SWI2/EGU2 has the lowest of the SoftDevice's priorities from now on.
  mutating func enable(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard !state.isEnabled else { throw .invalidState }
    // A null pointer chooses the RC oscillator.
    if call.r0 != 0 {
      let clock = try structure(call.r0, 4, call, processor)
      guard clock.u8(0) <= Self.lastClockSource else { throw .unknownClockSource }
    }
    guard call.r1 != 0 else { throw .invalidAddress }
    for interrupt in 0..<CortexM4.interruptCount where processor.isEnabled(interrupt: interrupt) {
      let priority = processor.priority(ofInterrupt: interrupt)
      guard Self.ownPriorities.contains(priority) else { continue }
      guard settings.policies.illegalPriority == .accepted else { throw .incorrectInterruptConfiguration }
      note(.withoutEffect(call: call.number, "interrupt \(interrupt) has priority \(priority), the SoftDevice's own"))
    }
    processor.setPriority(Self.eventPriority, ofInterrupt: Self.eventInterrupt)
    state.isEnabled = true
  }

  /// 0x11 `sd_softdevice_disable`: the radio falls silent, and everything of Bluetooth is forgotten.
  mutating func disable(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    if let link = state.link { ask(.disconnect(link.handle, .remoteUserTerminatedConnection)) }
    if state.advertising.isOn { ask(.setAdvertising(nil)) }
    let flash = state.flash
    state = ChipState()
    state.flash = flash
  }

  /// 0x12 `sd_softdevice_is_enabled`.
  mutating func tellEnabled(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write([state.isEnabled ? 1 : 0], to: call.r0, call, &processor)
  }

  /// 0x13 `sd_softdevice_vector_table_base_set`.
  mutating func setVectorTable(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    output.vectorTable = call.r0
  }

  /// 0x18 `sd_mbr_command`: a command's number, then its parameters.
  mutating func commandBootRecord(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let command = try structure(call.r0, 4, call, processor).u32(0)
    switch command {
    case BootRecordCommand.copyBootloader: try copyBootloader(call, processor)
    case BootRecordCommand.copySoftDevice: try copySoftDevice(call, processor)
    case BootRecordCommand.startSoftDevice: return
    case BootRecordCommand.compare:
      let parameters = try structure(call.r0, 16, call, processor)
      let count = parameters.u32(12)
      guard count <= settings.variant.flashSize / 4 else { throw .invalidLength }
      let first = try read(parameters.u32(4), Int(count) * 4, call, processor)
      let second = try read(parameters.u32(8), Int(count) * 4, call, processor)
      guard first == second else { throw .null }
    case BootRecordCommand.setStart:
      guard let page = BootRecord.parameterPage(processor.memory) else { throw .noMemory }
      let address = try structure(call.r0, 8, call, processor).u32(4)
      guard address < settings.variant.flashSize else { throw .invalidAddress }
      output.bootRecordWork = BootRecord.settingStart(address, page: page)
    case BootRecordCommand.forwardInterrupts:
      output.vectorTable = try structure(call.r0, 8, call, processor).u32(4)
    default:
      note(.notModelled(call: call.number, "command \(command) of the master boot record; answered 6"))
      throw .notSupported
    }
  }

  /// Copies a bootloader to where the chip starts, and resets; a power cut only delays it.
  private mutating func copyBootloader(_ call: SupervisorCall, _ processor: CortexM4) throws(ErrorNumber) {
    let parameters = try structure(call.r0, 12, call, processor)
    guard let target = BootRecord.bootloader(processor.memory) else { throw .forbidden }
    guard let page = BootRecord.parameterPage(processor.memory) else { throw .noMemory }
    let (source, words) = (parameters.u32(4), parameters.u32(8))
    try checkCopy(from: source, to: target, words: words)
    output.bootRecordWork = BootRecord.copyingBootloader(from: source, to: target, words: words, page: page)
  }

  /// Copies words within flash; a power cut leaves what was copied by then.
  private mutating func copySoftDevice(_ call: SupervisorCall, _ processor: CortexM4) throws(ErrorNumber) {
    let parameters = try structure(call.r0, 16, call, processor)
    let (source, target, words) = (parameters.u32(4), parameters.u32(8), parameters.u32(12))
    try checkCopy(from: source, to: target, words: words)
    output.bootRecordWork = BootRecordWork(
      steps: BootRecord.copying(from: source, to: target, words: words), resets: false)
  }

  private func checkCopy(from source: UInt32, to target: UInt32, words: UInt32) throws(ErrorNumber) {
    guard BootRecord.fits(from: source, to: target, words: words, flashSize: settings.variant.flashSize) else {
      throw .invalidLength
    }
    guard source % 4 == 0, target % 4 == 0 else { throw .invalidAddress }
  }
}
