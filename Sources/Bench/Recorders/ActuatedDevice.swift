import Bytes
import DictofunProtocol
import Phone
import Timeline
import World

/// A real recorder, and what its bench can do to it: each thing by a program of the bench file where one is stated, else
/// by an instrument, else by the operator; what nothing can do is lacking.
public final class ActuatedDevice: DeviceControl {
  public let name: String
  public let address: BluetoothAddress
  /// Told just before something is done to the recorder, of which its instrument tells only afterwards.
  public var onAction: (() -> Void)?

  /// Whether what its console is told reaches the recorder with its address.
  public var belonging = Belonging.unknown("nobody looked whose it is")

  let place: RecorderPlace
  let loop: EventLoop
  let waits: Waits
  let console: ConsoleLink?
  private var supply: SupplyLink?
  private var pico: PicoLink?
  private let desk: OperatorDesk?
  /// What a scenario has done to the recorder, to be undone after it.
  private var traces = Traces()

  private struct Traces {
    var isButtonDown = false
    /// The battery's last voltage, as the recorder reports it.
    var battery: Int?
    /// Whether the supply's output was on, and the recorder's latch, before they were changed first.
    var wasOutputOn: Bool?
    var wasLatched: Bool?
    /// Whether the rail was last taken away by a program or by hand, which nobody can look at.
    var isRailCut = false
  }

  /// Opens the recorder's instruments; by hand nothing is done without an operator's place.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where one cannot be opened.
  public init(
    _ name: String, _ place: RecorderPlace, operator attended: OperatorPlace?, on loop: EventLoop, _ waits: Waits
  ) throws(ControlFailure) {
    self.name = name
    self.place = place
    self.loop = loop
    self.waits = waits
    address = place.address
    console = try place.console.map { plan throws(ControlFailure) in try ConsoleLink(plan, on: loop, waits) }
    supply = try place.supply.map { plan throws(ControlFailure) in try SupplyLink(plan, on: loop, waits) }
    pico = try place.pico.map { plan throws(ControlFailure) in try PicoLink(plan, on: loop, waits) }
    desk = place.helper.flatMap { plan in attended.map { OperatorDesk($0, plan, on: loop, waits) } }
  }

  /// A recorder that can only be reached by radio.
  public convenience init(
    bare name: String, _ address: BluetoothAddress, on loop: EventLoop, _ waits: Waits
  ) throws(ControlFailure) {
    try self.init(name, RecorderPlace(bare: address), operator: nil, on: loop, waits)
  }

  /// What the operator was asked for.
  public var prompts: [OperatorDesk.Prompt] { desk?.prompts ?? [] }

  /// Gives the instruments back.
  public func close() {
    console?.close()
    supply?.close()
    pico?.close()
    desk?.close()
  }

  // MARK: Before anything is done

  /// Makes sure that every instrument is the one that the bench file states, and tells what they are. Nothing is changed
  /// before.
  @discardableResult
  public func identify() async throws(ControlFailure) -> [BenchTrait] {
    var traits: [BenchTrait] = []
    if let supply { traits.append(BenchTrait("supply of \(address)", try await supply.identify())) }
    if let pico { traits.append(BenchTrait("pico of \(address)", try await pico.identify())) }
    return traits
  }

  /// Looks at everything once: the instruments, the flash, which is written where it does not hold the image of the
  /// bench file, whether a phone on the air sees the recorder with the address in their hands, and the firmware at the
  /// console. The recorder is woken where that can be done. What they are.
  @discardableResult
  public func prepare(seenBy phone: PhoneDesk?) async throws(ControlFailure) -> [BenchTrait] {
    var traits = try await identify()
    guard place.console != nil || place.flash != nil || isRailMechanical else { return traits }
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
    if let flash = place.flash {
      try await FlashProgrammer(flash).establish(on: address, loop, waits)
      if let trait = flash.imageTrait(of: address) { traits.append(trait) }
    }
    try await console?.identify()
    if let found = try await witness?.lookWhileOn() { belonging = found }
    if let console, place.console?.image != nil {
      try checkBelonging(console, "reset")
      try await console.checkImage()
    }
    return traits
  }

  /// Whether power is taken away and given without an operator.
  var isRailMechanical: Bool { place.abilities(isAttended: false).contains(.rail) }

  /// Whether it can be seen on the air that instruments belong to the recorder.
  var canBeSeen: Bool { console != nil || isRailMechanical }

  /// A battery with which every recorder works.
  private static let goodBattery = BatteryLevel.millivolts(percent: 96)

  /// Nothing is destroyed that may be another recorder's.
  private func checkBelonging(_ console: ConsoleLink, _ deed: String) throws(ControlFailure) {
    guard case .unknown(let reason) = belonging else { return }
    throw .bench("nothing was \(deed), as it is not certain that the \(console.name) is that of \(address): \(reason)")
  }

  /// Makes sure of the instruments, and switches the recorder off and on where nobody has to do it by hand; whether it
  /// was.
  public func restart() async throws(ControlFailure) -> Bool {
    try await identify()
    guard place.abilities(isAttended: false).contains(.rail) else { return false }
    try await perform([.wish(.power(true))])
    return true
  }

  /// Brings the recorder into the state that a scenario begins with; what is left to the operator is grouped into prompts
  /// as ``RecorderPlace/parts(_:)`` says.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` for what nothing here can do.
  public func perform(_ preparations: [Preparation]) async throws(ControlFailure) {
    // The scenario before may have ended with the button held.
    if place.abilities(isAttended: false).contains(.button) { try await releaseButton() }
    for part in place.parts(preparations) {
      switch part {
      case .done(let preparation): try await perform(preparation)
      case .asked(let asked):
        guard let desk else { throw .lacking(asked[0].ability.capability) }
        for case .wish(.battery(let millivolts)) in asked { traces.battery = millivolts }
        try await desk.ask(asked.map { $0.request(at: place) })
      }
    }
  }

  private func perform(_ preparation: Preparation) async throws(ControlFailure) {
    switch preparation {
    case .wish(let wish): try await perform(wish)
    case .eraseRecords: try await eraseRecords()
    case .makeRecords(let count, let length): try await makeRecords(count, each: length)
    case .forgetBonds: try await forgetBonds()
    }
  }

  private func perform(_ wish: Wish) async throws(ControlFailure) {
    switch wish {
    case .power(true):
      try await cutPower()
      try await powerOn()
    case .power(false): try await cutPower()
    case .battery(let millivolts): try await setBattery(millivolts: millivolts)
    case .clock(let seconds): try await setClock(seconds)
    case .firmware:
      guard try await run(.installFirmware) else { throw .lacking(Ability.firmware.capability) }
    }
  }

  // MARK: Controls

  public func pressButton() async throws(ControlFailure) {
    onAction?()
    traces.isButtonDown = true
    if try await run(.press) { return }
    if let pico { return try await pico.setButton(pressed: true) }
    guard let desk = helper(.button) else { throw .lacking(Ability.button.capability) }
    try await desk.ask(["Press the recorder's button and keep it pressed."])
  }

  public func releaseButton() async throws(ControlFailure) {
    onAction?()
    if try await !run(.release) {
      if let pico {
        try await pico.setButton(pressed: false)
      } else if let desk = helper(.button) {
        // The moment counts, so nobody is asked to confirm it.
        desk.tell("Let the button go now.")
      } else {
        throw .lacking(Ability.button.capability)
      }
    }
    traces.isButtonDown = false
  }

  public func powerOn() async throws(ControlFailure) {
    onAction?()
    try await noteRail()
    if try await run(.powerOn) { return traces.isRailCut = false }
    if let supply { try await supply.setOutput(on: true) }
    if place.supply?.feeds == .rail { return }
    if let pico { return try await pico.setLatch(true) }
    try await byHand(.wish(.power(true)))
    traces.isRailCut = false
  }

  public func cutPower() async throws(ControlFailure) {
    onAction?()
    try await noteRail()
    if try await run(.cutPower) { return traces.isRailCut = true }
    if let supply {
      try await supply.setOutput(on: false)
      // A battery that was pulled out is put back: the recorder is off, and its button can wake it.
      if place.supply?.feeds == .battery { try await supply.setOutput(on: true) }
      return
    }
    if let pico { return try await pico.setLatch(false) }
    try await byHand(.wish(.power(false)))
    traces.isRailCut = true
  }

  /// Looks how the rail is before it is changed first.
  private func noteRail() async throws(ControlFailure) {
    if traces.wasOutputOn == nil { traces.wasOutputOn = try await supply?.isOn() }
    if traces.wasLatched == nil, place.supply?.feeds != .rail {
      traces.wasLatched = try await pico?.sense().isLatched
    }
  }

  public func cutPower(afterStorageOperations operations: Int) async throws(ControlFailure) {
    throw .lacking("\(Ability.rail.capability) in the middle of a write")
  }

  public func setBattery(millivolts: Int) async throws(ControlFailure) {
    onAction?()
    traces.battery = millivolts
    let actual = max(0, place.calibration.actual(reported: millivolts))
    if try await run(.setBattery, [("%millivolts", String(actual)), ("%reported", String(millivolts))]) { return }
    if let supply, place.supply?.feeds == .battery {
      try await supply.set(reported: millivolts)
      try await noteRail()
      return try await supply.setOutput(on: true)
    }
    try await byHand(.wish(.battery(millivolts: millivolts)))
  }

  public func setClock(_ seconds: LocalSeconds) async throws(ControlFailure) {
    onAction?()
    if try await run(.setClock, [("%seconds", String(Wish.secondsSince1970(seconds)))]) { return }
    try await byHand(.wish(.clock(seconds)))
  }

  public func setOscillatorError(partsPerBillion: Int) async throws(ControlFailure) {
    throw .lacking(Ability.clock.capability)
  }

  public func setSound(_ samples: [Int16]) async throws(ControlFailure) { throw .lacking("actuators: sound") }

  public func forgetBonds() async throws(ControlFailure) {
    onAction?()
    if try await run(.forgetBonds) { return }
    // The firmware keeps one bond, that of peer 0.
    if let console {
      try checkBelonging(console, "forgotten")
      return try await console.perform(.bluetooth(3))
    }
    try await byHand(.forgetBonds)
  }

  private func eraseRecords() async throws(ControlFailure) {
    if try await run(.eraseRecords) { return }
    if let console {
      try checkBelonging(console, "erased")
      return try await console.eraseRecords()
    }
    try await byHand(.eraseRecords)
  }

  private func makeRecords(_ count: Int, each length: Duration) async throws(ControlFailure) {
    for _ in 0..<count {
      try await pressButton()
      try await pass(length)
      try await releaseButton()
      // Identifiers are seconds, so the next record must begin in another one.
      try await pass(Self.recordGap)
    }
  }

  private static let recordGap = Duration.milliseconds(1_200)

  private func pass(_ time: Duration) async throws(ControlFailure) {
    guard case .success = await waits.pass(time, on: loop) else {
      throw .bench("the time was up before the recorder's records were made")
    }
  }

  public func inspect() async throws(ControlFailure) -> DeviceInspection { throw .lacking("sensors: inspection") }

  // MARK: Ways

  /// Runs the program that the bench file allows for a purpose; false when there is none.
  private func run(
    _ purpose: CommandPlan.Purpose, _ values: [(name: String, text: String)] = []
  ) async throws(ControlFailure) -> Bool {
    guard let plan = place.commands.first(where: { $0.purpose == purpose }) else { return false }
    try await plan.program(values).perform(on: loop, waits)
    return true
  }

  private func helper(_ ability: Ability) -> OperatorDesk? { place.isByHand(ability) ? desk : nil }

  private func byHand(_ preparation: Preparation) async throws(ControlFailure) {
    guard let desk = helper(preparation.ability) else { throw .lacking(preparation.ability.capability) }
    try await desk.ask([preparation.request(at: place)])
  }

  // MARK: After everything is done

  /// Undoes what was done to the recorder: lets the button go, sets the battery's voltage, which the recorder then
  /// reports, and the rail as it was found. Nobody is asked for it, an operator is told.
  ///
  /// - Returns: what could not be undone, a sentence each.
  public func restore(batteryMillivolts: Int) async -> [String] {
    var troubles: [String] = []
    let done = traces
    if done.isButtonDown {
      await attempt(&troubles) { () async throws(ControlFailure) in try await self.releaseButton() }
    }
    if let battery = done.battery, battery != batteryMillivolts {
      if let desk = helper(.battery) {
        desk.tell(Wish.battery(millivolts: batteryMillivolts).request(at: place))
      } else {
        await attempt(&troubles) { () async throws(ControlFailure) in
          try await self.setBattery(millivolts: batteryMillivolts)
        }
      }
    }
    await attempt(&troubles) { () async throws(ControlFailure) in try await self.restoreRail(done) }
    return troubles
  }

  private func restoreRail(_ done: Traces) async throws(ControlFailure) {
    if done.isRailCut {
      if let desk = helper(.rail) {
        desk.tell(Wish.power(true).request(at: place))
      } else {
        _ = try await run(.powerOn)
      }
    }
    if let wasOn = done.wasOutputOn, let supply, try await supply.isOn() != wasOn {
      try await supply.setOutput(on: wasOn)
    }
    if let wasLatched = done.wasLatched, let pico, try await pico.sense().isLatched != wasLatched {
      try await pico.setLatch(wasLatched)
    }
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
      if case .bench(let sentence) = error { troubles.append(sentence) } else { troubles.append("\(error)") }
    }
  }

  /// Opens the lines anew on which a question was not answered; whether there was one.
  private func reopen() async throws(ControlFailure) -> Bool {
    let isSupply = supply?.isBroken == true
    let isPico = pico?.isBroken == true
    guard isSupply || isPico else { return false }
    if isSupply { supply?.close() }
    if isPico { pico?.close() }
    // An answer that is still on its way must not be taken for that of another question.
    _ = await waits.pass(Self.silence, on: loop)
    if isSupply, let plan = place.supply { supply = try SupplyLink(plan, on: loop, waits) }
    if isPico, let plan = place.pico { pico = try PicoLink(plan, on: loop, waits) }
    try await identify()
    return true
  }

  private static let silence = Duration.milliseconds(200)
}

extension CommandPlan {
  /// The program with values in place of their names; an argument stays one argument whatever the value is.
  func program(_ values: [(name: String, text: String)]) -> ExternalProgram {
    let words = words.map { word in
      guard let value = values.first(where: { word.contains($0.name) }) else { return word }
      return word.split(separator: value.name, omittingEmptySubsequences: false).joined(separator: value.text)
    }
    return ExternalProgram(words, within: limit)
  }
}
