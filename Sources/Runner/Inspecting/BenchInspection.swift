import Bench
import Phone
import ScenarioLanguage
import Timeline
import Verdicts
import World

/// How a bench finds out what `device: inspect` asks for: by the rail, by what the recorder lists to a phone, by new
/// records whose names tell the time, and by the keys that still encrypt a link.
enum BenchInspection {
  /// The fields that the recorder's list of records tells.
  static let listed: [any FieldKey] = [Inspect.records, Inspect.newest, Inspect.size, Inspect.unique]

  /// Whether a call states something about the records of a recorder.
  static func countsRecords(_ call: VerbCall) -> Bool {
    call.declaration.name == Inspect.declaration.name
      && (listed.contains { call.wants($0) } || call.wants(Inspect.clockError))
  }

  /// The first field that a call asks for and that nothing here can tell; `nil` where all can be told.
  static func unseenField(
    of call: VerbCall, at position: Int, in steps: [Step], of scenario: Scenario, tellsFirmware: Bool,
    by sensor: (SensedKind) -> Sensor?
  ) -> String? {
    let phone = PhoneAt(position, in: steps, of: scenario)
    let wanted = (call.expectation.matchers.map(\.field) + call.keeps.map(\.field)).map(\.name)
    return wanted.first { name in
      if name == Inspect.power.declaration.name { return sensor(.power) == nil }
      if name == Inspect.version.declaration.name { return !tellsFirmware }
      if name == Inspect.bootloader.declaration.name { return false }
      if listed.contains(where: { $0.declaration.name == name }) { return !phone.canList }
      if name == Inspect.clockError.declaration.name { return !phone.canList || phone.recordsMatterLater }
      if name == Inspect.bonds.declaration.name { return !phone.bondsAreItsKeys }
      return true
    }
  }
}

/// What a scenario has done with its phones when a step begins, and does later.
private struct PhoneAt {
  private let before: [VerbCall]
  private let after: [VerbCall]
  private let isBonded: Bool
  private let areKeysKept: Bool

  init(_ position: Int, in steps: [Step], of scenario: Scenario) {
    before = steps[..<position].compactMap(\.call)
    after = steps[(position + 1)...].compactMap(\.call)
    let phones = scenario.given.sections(of: GivenPhone.declaration)
    isBonded = phones.contains { $0.arguments[GivenPhone.bonded] }
    areKeysKept = phones.allSatisfy { $0.arguments[GivenPhone.keepsKeys] }
  }

  private func does(_ verb: any Verb.Type) -> Bool { before.contains { $0.declaration.name == verb.declaration.name } }

  /// Whether a phone has keys by which it gets the list, or can pair for that and be forgotten again unnoticed.
  var canList: Bool {
    if does(Unpair.self) || does(ForgetBonds.self) { return false }
    return isBonded || does(Pair.self) || !after.contains { $0.declaration.actor == .phone }
  }

  /// Whether further records would be noticed.
  var recordsMatterLater: Bool {
    after.contains { call in
      call.wants(Inspect.records) || call.declaration.actor == .phone && call.declaration.touches.contains(.records)
    }
  }

  /// Whether the recorder has as many bonds as there are keys that it knows, unless it is faulty: nobody was refused, and
  /// everybody kept the keys.
  var bondsAreItsKeys: Bool {
    areKeysKept && !does(ForgetBonds.self)
      && !before.contains { $0.declaration.name == Pair.declaration.name && ($0.expectedFailure != nil || $0.mayFail) }
      && (isBonded || does(Pair.self))
  }
}

extension Stage {
  /// Finds out what a step asks of a real recorder.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` where it cannot be told, which counts against nobody.
  func look(at device: ActuatedDevice, for call: VerbCall) async throws(ControlFailure) -> Findings {
    guard let senses else { throw .lacking(Capabilities.inspection.description) }
    beginLook()
    var findings = Findings()
    let index = devices.firstIndex { $0 === device } ?? 0
    try await awaitLook(at: index, by: senses)
    if call.wants(Inspect.power) {
      guard let isOn = senses.isOn(index) else { throw Self.unseen("whether it is on", "nothing looks at it") }
      findings.set(Inspect.power, isOn)
      seenBy.append((device.powerSensor ?? .rail).name)
    }
    try await lookAtPrograms(of: device, index, by: senses, call, &findings)
    if call.wants(Inspect.bonds) {
      findings.set(Inspect.bonds, try await workingKeys(of: device))
      seenBy.append("keys that still encrypt a link")
    }
    if call.wants(Inspect.clockError) {
      try await lookAtClock(of: device, call, &findings)
      seenBy.append("the names of new records")
    }
    guard BenchInspection.listed.contains(where: { call.wants($0) }) else { return findings }
    let wantsSize = call.wants(Inspect.size)
    let (names, size) = try await listed(by: device, thenOff: senses.isOn(index) == false, andSize: wantsSize)
    findings.set(Inspect.records, names.count)
    findings.set(Inspect.unique, Set(names).count == names.count)
    if let newest = names.max().flatMap(RecordName.init) { findings.set(Inspect.newest, newest) }
    if let size { findings.set(Inspect.size, ByteCount(bytes: Int(size))) }
    seenBy.append("the list of records")
    return findings
  }

  /// Waits until somebody has looked whether a recorder is on. The last look may be older than what was done to it last.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where a sensor tells nothing any more.
  private func awaitLook(at index: Int, by senses: BenchSenses) async throws(ControlFailure) {
    let began = loop.now
    while senses.trouble == nil, let last = senses.lookedAt(index), last < began { try await rest(Self.lookPace) }
    if let trouble = senses.trouble { throw .bench(BenchFault(trouble)) }
  }

  static func unseen(_ what: String, _ why: String) -> ControlFailure {
    .lacking("\(StepOutcome.unobservableWords): \(what), because \(why)")
  }

  /// The names that a recorder lists, and the size of the newest where it is asked for. A recorder that is off is booted
  /// without a press, and switched off again.
  func listed(
    by device: ActuatedDevice, thenOff isOff: Bool, andSize wantsSize: Bool
  ) async throws(ControlFailure) -> (names: [String], newestSize: UInt32?) {
    for phone in phones {
      if case .success(.records(let names)) = try await phone.perform(.list) {
        return (names, wantsSize ? try await newestSize(by: phone) : nil)
      }
    }
    if isOff { try await device.powerOn() }
    var failure: PhoneFailure?
    for phone in phones {
      if case .failure(let reason) = try await phone.perform(.connect(.address(device.address))) {
        failure = reason
        continue
      }
      var isGuest = false
      var answer = try await phone.perform(.list)
      if case .failure(.refused) = answer {
        // Nobody has keys: one pairs, and has itself forgotten.
        isGuest = true
        _ = try await phone.perform(.pair)
        answer = try await phone.perform(.list)
      }
      let size = wantsSize ? try await newestSize(by: phone) : nil
      if isGuest { _ = try await phone.perform(.unpair) }
      _ = try await phone.perform(.disconnect)
      switch answer {
      case .success(.records(let names)):
        if isOff { try await device.cutPower() }
        return (names, size)
      case .success: break
      case .failure(let reason): failure = reason
      }
    }
    throw Self.unseen("its records", "no phone got the list (\(failure.map { "\(VerbFailure($0))" } ?? "no phone"))")
  }

  /// What a recorder sends when records are fetched from it once more: two readings that are the same tell as much as a
  /// look at its memory, except for what it stored wrongly itself. Records that it no longer lists are left out.
  func readAgain(
    _ entries: [LibraryEntry], from device: ActuatedDevice, by phone: any PhoneControl
  ) async throws(ControlFailure) -> [LibraryEntry] {
    guard !entries.isEmpty else { return [] }
    guard senses != nil else { throw .lacking(Capabilities.inspection.description) }
    beginLook()
    let index = devices.firstIndex { $0 === device } ?? 0
    let isOff = senses?.isOn(index) == false
    var list = try await phone.perform(.list)
    let isGuest = list == .failure(.notConnected)
    if isGuest {
      if isOff { try await device.powerOn() }
      _ = try await phone.perform(.connect(.address(device.address)))
      list = try await phone.perform(.list)
    }
    guard case .success(.records(let names)) = list else { throw Self.unseen("its records", "no phone got the list") }
    var stored: [LibraryEntry] = []
    for entry in entries where names.contains(entry.identifier) {
      // It asks for the size and for the data.
      for _ in 0..<2 { (phone as? SimulatedPhone)?.lookThrough() }
      guard
        case .success(.record(let name, let bytes)) = try await phone.perform(.download(.identifier(entry.identifier)))
      else { throw Self.unseen("its records", "\(entry.identifier) could not be fetched again") }
      stored.append(LibraryEntry(identifier: name, bytes: bytes))
    }
    if isGuest {
      _ = try await phone.perform(.disconnect)
      if isOff { try await device.cutPower() }
    }
    seenBy.append("fetching the records again")
    return stored
  }

  private func newestSize(by phone: any PhoneControl) async throws(ControlFailure) -> UInt32? {
    if case .success(.size(let size)) = try await phone.perform(.inform(.newest)) { size } else { nil }
  }

  /// The number of keys that encrypt a link to the recorder: those that phones have, and those that they have deleted.
  private func workingKeys(of device: ActuatedDevice) async throws(ControlFailure) -> Int {
    var count = 0
    for case let phone as SimulatedPhone in phones {
      if try phone.bond(with: device.address) != nil {
        if try await isKnown(phone, to: device) { count += 1 }
        continue
      }
      for former in formerKeys where former.phone == phone.name {
        _ = try await phone.perform(.disconnect)
        try await phone.lend(former.bond)
        let isKnown = try await isKnown(phone, to: device)
        try await phone.lend(nil)
        if isKnown { count += 1 }
      }
    }
    return count
  }

  /// Whether the recorder still has the keys that a phone has.
  private func isKnown(_ phone: SimulatedPhone, to device: ActuatedDevice) async throws(ControlFailure) -> Bool {
    // A phone that is connected and gets the list has encrypted its link.
    if case .success = try await phone.perform(.list) { return true }
    let outcome = try await phone.perform(.connect(.address(device.address)))
    let list = try await phone.perform(.list)
    _ = try await phone.perform(.disconnect)
    switch (outcome, list) {
    case (.success, .success): return true
    case (.failure(.securityFailed), _): return false
    default: throw Self.unseen("its bonds", "a phone with keys could neither encrypt its link nor was it refused")
    }
  }
}

extension Stage {
  /// Remembers the keys that a phone is about to delete, before a real recorder.
  func rememberKeys(of phone: any PhoneControl) throws(ControlFailure) {
    guard let phone = phone as? SimulatedPhone else { return }
    for case let device as ActuatedDevice in devices {
      if let bond = try phone.bond(with: device.address) { formerKeys.append((phone.name, bond)) }
    }
  }
}
