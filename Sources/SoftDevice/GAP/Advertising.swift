import HostStack
import Processor

/// Types of advertising (`BLE_GAP_ADV_TYPE_…`).
private enum AdvertisingType {
  /// `CONNECTABLE_SCANNABLE_UNDIRECTED`.
  static let connectable: UInt8 = 1
  /// `NONCONNECTABLE_SCANNABLE_UNDIRECTED`.
  static let scannable: UInt8 = 5
  /// `NONCONNECTABLE_NONSCANNABLE_UNDIRECTED`.
  static let plain: UInt8 = 6
  /// Directed and extended types; those above have gone before.
  static let others: ClosedRange<UInt8> = 2...12
}

/// Advertising, 0x72 to 0x74 (`ble_gap.h`): one set, legacy PDUs.
extension SoftDeviceHost {
  /// `BLE_CONN_HANDLE_INVALID`.
  private static let noConnection: UInt16 = 0xFFFF
  /// `BLE_GAP_EVT_ADV_SET_TERMINATED_REASON_TIMEOUT`.
  private static let endedByTime: UInt8 = 1
  /// `BLE_GAP_EVT_ADV_SET_TERMINATED_REASON_LIMIT_REACHED`.
  private static let endedByCount: UInt8 = 2

  /// 0x72 `sd_ble_gap_adv_set_configure`: pointer to the set's handle (0xFF asks for one), data, parameters.
  mutating func configureAdvertising(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let handle = try read(call.r0, 1, call, processor)[0]
    guard handle == 0 && state.advertising.isConfigured || handle == GAPNumber.notSet else {
      throw .invalidAdvertisingSet
    }
    if handle == GAPNumber.notSet {
      guard !state.advertising.isConfigured else { throw .noMemory }
      guard call.r2 != 0 else { throw .invalidAddress }
    }
    var set = state.advertising
    if call.r2 != 0 {
      guard !set.isOn else { throw .invalidState }
      try readParameters(&set, call, processor)
    }
    if call.r1 != 0 { try readData(&set, call, processor) }
    try write([0], to: call.r0, call, &processor)
    set.isConfigured = true
    state.advertising = set
    if set.isOn { ask(.setAdvertising(set.advertisement)) }
  }

  private mutating func readParameters(
    _ set: inout AdvertisingSet, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) {
    let parameters = try structure(call.r2, 24, call, processor)
    switch parameters.u8(0) {
    case AdvertisingType.connectable: set.isConnectable = true
    case AdvertisingType.scannable: set.isConnectable = false
    case AdvertisingType.plain:
      set.isConnectable = false
      note(.notModelled(call: call.number, "advertising that cannot be scanned; it can be"))
    case AdvertisingType.others:
      note(.notModelled(call: call.number, "advertising of type \(parameters.u8(0)); answered 6"))
      throw .notSupported
    default: throw .invalidParameter
    }
    let interval = parameters.u32(8)
    let filter = parameters.u8(20)
    guard GAPNumber.advertisingIntervals.contains(interval), filter <= GAPNumber.highestFilterPolicy else {
      throw .invalidParameter
    }
    if filter != 0 { note(.withoutEffect(call: call.number, "filter of peers")) }
    set.intervalUnits = UInt16(interval)
    set.duration = parameters.u16(12)
    set.eventLimit = parameters.u8(14)
  }

  private mutating func readData(
    _ set: inout AdvertisingSet, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) {
    let structure = try structure(call.r1, 16, call, processor)
    // New data need new buffers while the old ones are on the air.
    if set.isOn, structure.u32(0) == GuestStructure(octets: set.pointers).u32(0), structure.u32(0) != 0 {
      throw .invalidState
    }
    set.data = try readPart(structure.u32(0), structure.u16(4), call, processor)
    set.scanResponse = try readPart(structure.u32(8), structure.u16(12), call, processor)
    set.pointers = structure.octets
  }

  private mutating func readPart(
    _ address: UInt32, _ length: UInt16, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> [UInt8] {
    guard address != 0, length > 0 else { return [] }
    guard length <= GAPNumber.advertisingDataLimit else { throw .invalidLength }
    return try read(address, Int(length), call, processor)
  }

  /// 0x73 `sd_ble_gap_adv_start`: the set, the configuration's tag.
  mutating func startAdvertising(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard state.advertising.isConfigured, UInt8(truncatingIfNeeded: call.r0) == 0 else { throw .invalidAdvertisingSet }
    guard !state.advertising.isOn else { throw .invalidState }
    if state.advertising.isConnectable, state.link != nil { throw .connectionCount }
    startStack(call)
    state.advertising.isOn = true
    state.advertising.number = nextNumber()
    ask(.setAdvertising(state.advertising.advertisement))
    guard let due = state.advertising.end(from: call.cycle) else { return }
    output.completions.append(
      TimedCompletion(due: due, completion: .advertising(state.advertising.number)))
  }

  /// 0x74 `sd_ble_gap_adv_stop`.
  mutating func stopAdvertising(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard state.advertising.isConfigured, UInt8(truncatingIfNeeded: call.r0) == 0 else { throw .invalidAdvertisingSet }
    guard state.advertising.isOn else { throw .invalidState }
    state.advertising.isOn = false
    ask(.setAdvertising(nil))
  }

  /// The time, or the number of events, that the image gave for advertising is over.
  mutating func completeAdvertising(_ number: UInt32, at cycle: UInt64) {
    guard state.advertising.isOn, state.advertising.number == number else { return }
    state.advertising.isOn = false
    ask(.setAdvertising(nil))
    var fields = GuestFields(24)
    fields.put(Self.noConnection, at: 0)
    fields.put(state.advertising.duration != 0 ? Self.endedByTime : Self.endedByCount, at: 4)
    fields.put(UInt8(0), at: 5)
    fields.put(state.advertising.eventLimit, at: 6)
    fields.put(state.advertising.pointers, at: 8)
    queue(.advertisingSetTerminated, fields, at: cycle)
  }
}

extension AdvertisingSet {
  /// Cycles of 10 ms, the unit of durations.
  private static let durationUnit: UInt64 = 640_000
  /// Cycles of 0.625 ms, the unit of intervals.
  private static let intervalUnit: UInt64 = 40_000
  /// Cycles by which chance delays an event in the mean: 5 ms.
  private static let meanDelay: UInt64 = 320_000

  /// What the host stack advertises.
  var advertisement: Advertisement {
    var result = Advertisement(intervalUnits: intervalUnits, data: data, scanResponse: scanResponse)
    result.isConnectable = isConnectable
    return result
  }

  /// When it ends by itself, in cycles. Events come an interval apart and up to 10 ms later, 5 ms in the mean
  /// (Core Specification Vol 6, Part B, 4.4.2.2).
  func end(from cycle: UInt64) -> UInt64? {
    if duration > 0 { return cycle + UInt64(duration) * Self.durationUnit }
    let period = UInt64(intervalUnits) * Self.intervalUnit + Self.meanDelay
    return eventLimit > 0 ? cycle + UInt64(eventLimit) * period : nil
  }
}
