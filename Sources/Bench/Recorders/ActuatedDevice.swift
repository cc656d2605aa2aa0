import Bytes
import DictofunProtocol
import Phone
import Text
import Timeline
import World

/// A real recorder, and what its bench can do to it: each thing by the first actuator that can, in the order of
/// ``ActuatorKinds/all``. What none can do is lacking.
package final class ActuatedDevice: DeviceControl {
  package let name: String
  package var address: BluetoothAddress { site.address }
  /// Told just before something is done to the recorder, of which its instrument tells only afterwards.
  package var onAction: ((Deed) -> Void)?
  /// Told when it was done, or given up.
  package var onActed: (() -> Void)?
  /// Told the SHA-256 of an image that was written to the recorder, in hexadecimal digits, where the program says it.
  var onWritten: ((String) -> Void)? {
    get { site.onWritten }
    set { site.onWritten = newValue }
  }
  /// What the bench has made on its recorders.
  var memory = RecordMemory()

  /// Whether what its console is told reaches the recorder with its address.
  package var belonging: Belonging {
    get { site.belonging }
    set { site.belonging = newValue }
  }

  /// Its place in the bench file.
  package let place: RecorderPlace
  /// What a scanner hears of it.
  let ear = RecorderEar()
  let loop: EventLoop
  let waits: Waits
  private let site: ActuatorSite
  private let actuators: [any Actuator]
  /// What a scenario has done to the recorder, to be undone after it.
  private var traces = Traces()

  private struct Traces {
    var isButtonDown = false
    /// The battery's last voltage, as the recorder reports it.
    var battery: Int?
    /// Whether the power was last taken away by an actuator that does not know how it found it.
    var isPowerCut = false
  }

  /// Opens the recorder's actuators; by hand nothing is done without an operator's place.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where one cannot be opened.
  package convenience init(
    _ name: String, _ place: RecorderPlace, operator attended: OperatorPlace?, on loop: EventLoop, _ waits: Waits
  ) throws(ControlFailure) {
    let site = ActuatorSite(
      place.address, place.calibration, isCalibrated: place.isCalibrated, attended: attended, on: loop, waits)
    var actuators: [any Actuator] = []
    do throws(ControlFailure) {
      for plan in place.actuators {
        if let actuator = try plan.open(at: site) { actuators.append(actuator) }
      }
    } catch {
      for actuator in actuators { actuator.close() }
      throw error
    }
    self.init(name, place, actuators, at: site)
  }

  /// A recorder that can only be reached by radio.
  package convenience init(
    bare name: String, _ address: BluetoothAddress, on loop: EventLoop, _ waits: Waits
  ) throws(ControlFailure) {
    try self.init(name, RecorderPlace(bare: address), operator: nil, on: loop, waits)
  }

  private init(_ name: String, _ place: RecorderPlace, _ actuators: [any Actuator], at site: ActuatorSite) {
    self.name = name
    self.place = place
    self.actuators = actuators
    self.site = site
    (loop, waits) = (site.loop, site.waits)
    if let console {
      site.makeWitness = { [loop, waits] deeds in ConsoleWitness(deeds, at: console, on: loop, waits) }
    } else if let plan = place.senseOfCurrent, let supply = first() as SupplyActuator? {
      site.makeWitness = { [loop, waits] deeds in CurrentWitness(deeds, at: supply.link, plan, on: loop, waits) }
    } else {
      site.makeWitness = { [ear, loop, waits] deeds in AirWitness(deeds, hearing: ear, on: loop, waits) }
    }
  }

  private func first<Kind>() -> Kind? { actuators.lazy.compactMap { $0 as? Kind }.first }

  private var desk: OperatorDesk? { (first() as OperatorActuator?)?.desk }

  var console: ConsoleLink? { (first() as ConsoleActuator?)?.link }

  /// The boot banner that its console showed last, in plain text; `nil` where none was heard.
  package var bootBanner: String? { console?.banner.map { PlainText.escaped($0, limit: BenchTrait.valueLimit) } }

  /// Calls `handler` for each line of the log at its console from now on.
  package func onConsoleLog(_ handler: @escaping (ConsoleLog) -> Void) { console?.onSaid = handler }

  /// The supply in the place of its battery, where its current tells whether the recorder is on.
  var measuringSupply: SupplyLink? { place.senseOfCurrent == nil ? nil : (first() as SupplyActuator?)?.link }

  var pico: PicoLink? { (first() as PicoActuator?)?.link }

  /// What the operator was asked for.
  package var prompts: [OperatorDesk.Prompt] { desk?.prompts ?? [] }

  /// Gives the instruments back.
  package func close() { for actuator in actuators { actuator.close() } }

  // MARK: Before anything is done

  /// Makes sure that every instrument is the one that the bench file states, and returns what identifies them. Nothing is
  /// changed before.
  @discardableResult
  package func identify() async throws(ControlFailure) -> [BenchTrait] {
    var traits: [BenchTrait] = []
    for actuator in actuators { traits += try await actuator.identify() }
    return traits
  }

  /// Looks at everything once: the instruments, the flash, which is written where it does not hold the image of the
  /// bench file, whether a phone on the air sees the recorder with the address in their hands, and the firmware at the
  /// console. The recorder is woken where that can be done. Returns what identifies all of it.
  @discardableResult
  package func prepare(seenBy phone: PhoneDesk?) async throws(ControlFailure) -> [BenchTrait] {
    var traits = try await identify()
    guard place.actuators.contains(where: \.needsRecorder) || isRailMechanical else { return traits }
    var witness = phone.map { Witness($0, of: self) }
    if isRailMechanical {
      if place.abilities(isAttended: false).contains(.battery) { try await setBattery(millivolts: Self.goodBattery) }
      try await cutPower()
      try await witness?.lookWhileOff()
      console?.forgetTidings()
      try await powerOn()
    } else if place.abilities(isAttended: desk != nil).contains(.rail) {
      try await perform([.wish(.power(true))])
    }
    for actuator in actuators { traits += try await actuator.prepareRecorder() }
    if let found = try await witness?.lookWhileOn() { belonging = found }
    for actuator in actuators { try await actuator.verifyRecorder() }
    return traits + [bootBanner.map { BenchTrait(BenchTrait.firmwareName(of: address), $0) }].compactMap { $0 }
  }

  /// Whether power is taken away and given without an operator.
  var isRailMechanical: Bool { place.abilities(isAttended: false).contains(.rail) }

  /// Whether its clock can be set without a phone.
  package var canSetClock: Bool { place.abilities(isAttended: desk != nil).contains(.clock) }

  /// Whether it can be seen on the air that instruments belong to the recorder.
  var canBeSeen: Bool { console != nil || isRailMechanical }

  /// A battery with which every recorder works, in millivolts.
  static let goodBattery = BatteryLevel.millivolts(percent: 96)

  /// Makes sure of the instruments, and switches the recorder off and on where nobody has to do it by hand; whether it
  /// was.
  package func restart() async throws(ControlFailure) -> Bool {
    try await identify()
    guard isRailMechanical else { return false }
    try await perform([.wish(.power(true))])
    return true
  }

  /// Brings the recorder into the state that a scenario begins with; what is left to the operator is grouped into prompts
  /// as ``RecorderPlace/parts(_:)`` says.
  ///
  /// What the operator is asked for before anything else is left out where `isFirstAsked`, because somebody has asked for it.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` for what nothing here can do.
  package func perform(_ preparations: [Preparation], isFirstAsked: Bool = false) async throws(ControlFailure) {
    // The scenario before may have ended with the button held.
    if place.abilities(isAttended: false).contains(.button) { try await releaseButton() }
    for (number, part) in place.parts(preparations).enumerated() {
      switch part {
      case .done(let preparation): try await perform(preparation)
      case .asked(let asked):
        guard let desk else { throw .lacking(asked[0].ability.capability) }
        for case .wish(.battery(let millivolts)) in asked { traces.battery = millivolts }
        memory.forget(address)
        if isFirstAsked, number == 0 { continue }
        try await desk.ask(asked.map { $0.request(at: place) }, seenBy: witness(of: asked).map { [$0] } ?? [])
      }
    }
  }

  /// Asks the operator at once for what several recorders need before anything else is done to them, each with its
  /// preparations. Returns the recorders for which that was asked, by their places among `devices`: none, or at least two.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` when nobody answers, or the operator cannot do it.
  package static func askTogether(
    _ devices: [(device: ActuatedDevice, preparations: [Preparation])]
  ) async throws(ControlFailure) -> [Int] {
    var requests: [String] = []
    var asked: [Int] = []
    var witnesses: [(any PromptWitness)?] = []
    for (index, (device, preparations)) in devices.enumerated() {
      guard device.desk != nil, case .asked(let first)? = device.place.parts(preparations).first else { continue }
      asked.append(index)
      requests += first.map { "Recorder \(device.address): \($0.request(at: device.place))" }
      witnesses.append(device.witness(of: first))
    }
    guard asked.count > 1, let desk = devices[asked[0]].device.desk else { return [] }
    // Where one of the recorders has no console, the others alone cannot confirm the prompt.
    let all = witnesses.compactMap { $0 }
    try await desk.ask(requests, areOfSeveral: true, seenBy: all, isComplete: all.count == witnesses.count)
    return asked
  }

  /// Who sees whether the operator made preparations; `nil` where nobody does.
  private func witness(of asked: [Preparation]) -> (any PromptWitness)? {
    site.witness(of: asked.map(\.deed))
  }

  private func perform(_ preparation: Preparation) async throws(ControlFailure) {
    switch preparation {
    case .wish(.power(true)):
      try await cutPower()
      try await powerOn()
    case .wish(let wish): try await act(wish.deed)
    case .eraseRecords: try await act(.eraseRecords)
    case .makeRecords(let count, let length): try await makeRecords(count, each: length)
    case .forgetBonds: try await forgetBonds()
    }
  }

  // MARK: Deeds

  /// Has the first actuator that can do it.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` where none can.
  private func act(_ deed: Deed, isRestoring: Bool = false) async throws(ControlFailure) {
    onAction?(deed)
    defer { onActed?() }
    switch deed {
    case .press:
      traces.isButtonDown = true
      memory.forget(address)
    case .eraseRecords, .installFirmware: memory.forget(address)
    case .setBattery(let millivolts): traces.battery = millivolts
    case .powerOn, .cutPower: for actuator in actuators { try await actuator.rememberPower() }
    default: break
    }
    for actuator in actuators where try await actuator.perform(deed, isRestoring: isRestoring) {
      note(deed, by: actuator)
      return
    }
    throw .lacking(deed.purpose.ability.capability)
  }

  private func note(_ deed: Deed, by actuator: any Actuator) {
    switch deed {
    case .release: traces.isButtonDown = false
    case .powerOn where actuator.forgetsPower: traces.isPowerCut = false
    case .cutPower where actuator.forgetsPower: traces.isPowerCut = true
    default: break
    }
  }

  package func pressButton() async throws(ControlFailure) { try await act(.press) }

  package func releaseButton() async throws(ControlFailure) { try await act(.release) }

  package func powerOn() async throws(ControlFailure) { try await act(.powerOn) }

  package func cutPower() async throws(ControlFailure) { try await act(.cutPower) }

  package func setBattery(millivolts: Int) async throws(ControlFailure) {
    try await act(.setBattery(millivolts: millivolts))
  }

  /// Records that the bench has made on it and nothing has touched since; `nil` where it is not known what it has.
  package var madeRecords: MadeRecords? { memory.made(on: address) }

  /// The bench has just made these records, and the recorder has no others.
  package func remember(_ records: MadeRecords) { memory.remember(records, on: address) }

  package func setClock(_ seconds: LocalSeconds) async throws(ControlFailure) { try await act(.setClock(seconds)) }

  package func forgetBonds() async throws(ControlFailure) { try await act(.forgetBonds) }

  private func makeRecords(_ count: Int, each length: Duration) async throws(ControlFailure) {
    for _ in 0..<count {
      try await press(for: length)
      // Identifiers are seconds, so the next record must begin in another one.
      try await pass(Self.recordGap)
    }
  }

  /// Whether an instrument measures how long the button is pressed.
  package var timesPresses: Bool { picoAtButton != nil }

  /// Presses the button for a time. The Pico measures it: between two orders, a host that is busy may let more time pass, or
  /// press and release may reach a recorder so close together that it notices neither.
  package func press(for time: Duration) async throws(ControlFailure) {
    guard let pico = picoAtButton else {
      try await pressButton()
      try await pass(time)
      return try await releaseButton()
    }
    let began = loop.now
    traces.isButtonDown = true
    memory.forget(address)
    onAction?(.press)
    do {
      defer { onActed?() }
      try await pico.hold(for: time)
    }
    // Orders take their time, which a scenario of many presses must not gather.
    let rest = time - began.duration(to: loop.now)
    if rest > .zero, case .failure(let end) = await waits.pass(rest, on: loop) {
      // Whoever gives the step up must not leave a finger on the button.
      try? await releaseButton()
      throw .ended(end)
    }
    onAction?(.release)
    defer { onActed?() }
    try await pico.awaitRelease()
    traces.isButtonDown = false
  }

  /// The Pico, where nothing else presses the button.
  private var picoAtButton: PicoLink? {
    place.actuators.first { $0.purposes.contains(.press) } is PicoPlan ? pico : nil
  }

  private static let recordGap = Duration.milliseconds(1_200)

  private func pass(_ time: Duration) async throws(ControlFailure) {
    guard case .success = await waits.pass(time, on: loop) else {
      throw .bench("the step timed out before the recorder's records were made")
    }
  }

  // MARK: What no bench can do

  package func cutPower(afterStorageOperations operations: Int) async throws(ControlFailure) {
    throw .lacking("\(Ability.rail.capability) in the middle of a write")
  }

  package func setOscillatorError(partsPerBillion: Int) async throws(ControlFailure) {
    throw .lacking(Ability.clock.capability)
  }

  package func setSound(_ samples: [Int16]) async throws(ControlFailure) { throw .lacking("actuators: sound") }

  package func inspect() async throws(ControlFailure) -> DeviceInspection { throw .lacking("sensors: inspection") }

  // MARK: After everything is done

  /// Undoes what was done to the recorder: releases the button, sets the battery that the recorder then reports, and the
  /// power as it was found. An operator is told of it without being asked.
  ///
  /// - Returns: what could not be undone, a sentence each.
  package func restore(batteryMillivolts: Int) async -> [String] {
    var troubles: [String] = []
    let done = traces
    if done.isButtonDown {
      await attempt(&troubles) { () async throws(ControlFailure) in
        try await self.act(.release, isRestoring: true)
      }
    }
    if let battery = done.battery, battery != batteryMillivolts {
      await attempt(&troubles) { () async throws(ControlFailure) in
        try await self.act(.setBattery(millivolts: batteryMillivolts), isRestoring: true)
      }
    }
    if done.isPowerCut {
      await attempt(&troubles) { () async throws(ControlFailure) in
        try await self.act(.powerOn, isRestoring: true)
      }
    }
    for actuator in actuators {
      await attempt(&troubles) { () async throws(ControlFailure) in try await actuator.restore() }
    }
    return troubles
  }

  /// Does something once more over new lines, where one was given up in the middle of an answer.
  private func attempt(
    _ troubles: inout [String], _ body: () async throws(ControlFailure) -> Void
  ) async {
    do throws(ControlFailure) {
      do throws(ControlFailure) { try await body() } catch {
        guard try await reopen() else { throw error }
        try await body()
      }
    } catch {
      switch error {
      case .bench(let fault): troubles.append(fault.description)
      case .ended: troubles.append("the instruments of \(name) took too long")
      case .lacking, .impossible: troubles.append("\(error)")
      }
    }
  }

  /// Opens the lines again on which a question was not answered; whether there was one.
  private func reopen() async throws(ControlFailure) -> Bool {
    let broken = actuators.filter(\.isBroken)
    guard !broken.isEmpty else { return false }
    for actuator in broken { actuator.close() }
    // An answer that is still on its way must not be taken for that of another question.
    _ = await waits.pass(Self.silence, on: loop)
    for actuator in broken { try actuator.reopen() }
    try await identify()
    return true
  }

  private static let silence = Duration.milliseconds(200)
}
