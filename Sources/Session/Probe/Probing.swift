import Bench
import Bytes
import Phone
import Probe
import Recorder
import Timeline

/// What a probe does only where it is asked for.
package struct ProbeExtent: Sendable {
  /// How long the clock is left alone between two looks at it; `nil` for no look.
  package var drift: Duration?
  /// Whether the recorder is sent into its bootloader.
  package var entersBootloader: Bool

  /// Without anything stated, neither.
  package init(drift: Duration? = nil, entersBootloader: Bool = false) {
    self.drift = drift
    self.entersBootloader = entersBootloader
  }
}

extension RecorderConversation {
  /// Measures the recorder with the instruments that stand around it, and compares it with a twin. Steps that are not needed
  /// for what is `wanted` are left out, and so is what `extent` does not ask for. `console` has what the recorder's console
  /// tells; `words` are for a failure that is told in the place of a figure.
  ///
  /// - Throws: ``PhoneFailure`` where no recorder is heard, or several are and none was named.
  package func probe(
    _ log: ProbeLog, against twin: RecorderProfile, for wanted: Set<ProbedConstant> = Set(ProbedConstant.allCases),
    _ extent: ProbeExtent = ProbeExtent(), console: ConsoleTale? = nil,
    words: @escaping @Sendable (PhoneFailure) -> String,
    tell: @escaping @Sendable (ProbeEvent) -> Void
  ) async throws -> MeasuredRecorder {
    tell(.step("listens to its advertisements", Prober.listening))
    let began = phone.now
    let scan = try await scan(for: Prober.listening)
    guard let found = scan.recorders.first(where: { !$0.isBootloader }) else { throw PhoneFailure.nothingInSight }
    guard scan.recorders.count == 1 else { throw PhoneFailure.severalInSight(scan.recorders.map(\.address)) }
    let hearing = Hearing()
    await phone.onEvent { [phone] in hearing.take($0, at: phone.now) }
    var prober = Prober(
      conversation: self, log: log, twin: twin, words: words, tell: tell, hearing: hearing, wanted: wanted,
      recorder: MeasuredRecorder(address: found.address, twin: twin.name))
    prober.takeAdvertisements(since: began)
    try await prober.measureAwake()
    do { try await prober.measureAsleep(extent) } catch {
      await prober.restore()
      throw error
    }
    await prober.restore()
    if let console { prober.takeTale(console) }
    prober.recorder.boundNoRecord()
    prober.recorder.findTick(twin)
    for constant in ProbedConstant.allCases where !wanted.contains(constant) {
      prober.recorder.keep(constant, missing: "was not asked for")
    }
    for constant in ProbedConstant.allCases where constant.instrument != .radio {
      prober.recorder.keep(constant, missing: "needs \(constant.instrument.need)")
    }
    return prober.recorder
  }
}

extension Prober {
  /// What the radio alone can measure without ending the recorder's power.
  mutating func measureAwake() async throws {
    try await run(
      "reads its attributes without encryption", .seconds(5), for: [.maximumTransmissionUnit], isNeeded: true
    ) {
      try await $0.readInTheClear()
    }
    try await run("pairs, and reads its attributes again", .seconds(10), for: []) { try await $0.readEncrypted() }
    try await run("asks for its records", .seconds(20), for: [.flashRead]) { try await $0.askForRecords() }
    try await run("makes requests that are not allowed", .seconds(15), for: []) { try await $0.makeBadRequests() }
    try await run("waits for its wish for encryption", .seconds(15), for: [.securityRequest]) {
      try await $0.awaitSecurityRequests()
    }
    try await run("stays without encryption", .seconds(110), for: [.strangersLink]) { try await $0.stayStranger() }
  }
}

extension Prober {
  /// What ends with the recorder's power, and what needs more than the radio. What needs an instrument that is not there is
  /// left out.
  mutating func measureAsleep(_ extent: ProbeExtent) async throws {
    try await run(
      "watches it boot and switch itself off", .seconds(240), for: Self.bootConstants, beginningWith: .cutPower
    ) {
      try await $0.watchBoots()
    }
    try await run("is silent on a link", .seconds(60), for: [.keepAlive]) { try await $0.beSilent() }
    try await run(
      "changes its battery", .seconds(900), for: [.divider, .batteryPeriod, .lowBattery],
      beginningWith: .setBattery(millivolts: Self.full)
    ) {
      try await $0.changeBattery()
    }
    try await run(
      "presses its button", .seconds(180), for: [.afterRecord, .afterDisconnect, .sampleRate],
      beginningWith: .release
    ) {
      try await $0.makeRecords()
    }
    if let span = extent.drift {
      try await run(
        "presses its button, now and later", Self.driftLength(span), for: [.clockDrift], beginningWith: .release
      ) { try await $0.measureDrift(over: span) }
    } else {
      recorder.keep(.clockDrift, missing: "needs --drift-for")
    }
    if extent.entersBootloader {
      try await run("lets its bootloader wait", .seconds(190), for: [.bootloaderIdle]) {
        try await $0.visitBootloader()
      }
    } else {
      recorder.keep(.bootloaderIdle, missing: "needs --enter-bootloader")
    }
  }

  /// What the console told in all boots: which firmware it is, and when its file system was mounted.
  mutating func takeTale(_ console: ConsoleTale) {
    recorder.firmware = console.banner
    var mounted = Measurement(.time, "the stamp of `\(ConsoleLog.mounted)` in its log")
    for line in console.lines where line.text == ConsoleLog.mounted {
      guard let microseconds = line.microseconds else { continue }
      // Stamps are whole ticks.
      mounted.add(.init(microseconds * 1_000 - Self.halfTick, microseconds * 1_000 + Self.halfTick))
    }
    recorder.keep(.mounted, mounted, otherwise: "its console told of no mount")
  }

  /// Nanoseconds of half a tick.
  private static let halfTick: Int64 = 488_281

  /// Leaves the recorder with its button released, a good battery and power, as far as there are instruments for it.
  func restore() async {
    for deed in [Deed.release, .setBattery(millivolts: Self.high), .powerOn] { try? await phone.perform(deed) }
  }

  private static let bootConstants: [ProbedConstant] = [
    .bootToAdvertising, .noRecord, .resetOnHeldRail, .format, .mounted,
  ]
}

extension ProbedConstant.Instrument {
  /// What is needed, for a sentence.
  var need: String {
    switch self {
    case .radio: "a link"
    case .button: "something that presses its button, such as a Pico"
    case .rail: "something that switches its power, such as a supply at the rail"
    case .supply: "a supply in place of its battery"
    case .console: "its console, and something that boots it"
    }
  }
}
