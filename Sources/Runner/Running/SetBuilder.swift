import Bench
import Bytes
import Controllers
import DictofunProtocol
import HostStack
import Phone
import Recorder
import Requirements
import ScenarioLanguage
import Timeline
import Trace
import World

/// Builds the world that a scenario's `given:` describes: a simulated one, or our phone before a real recorder.
struct SetBuilder {
  let scenario: Scenario
  let settings: RunSettings
  let world: BluetoothWorld
  let sounds: any SoundLibrary
  let firmware: any FirmwareLibrary
  let observer: (any RunObserver)?

  private static let defaultClock = RecorderConfiguration.defaultClock.secondsSince2000

  /// Everybody on stage at time zero.
  func build() throws -> StageSet {
    let phoneSections = scenario.given.sections(of: GivenPhone.declaration)
    let deviceSections = scenario.given.sections(of: GivenDevice.declaration)
    if let lack = ProgramOutlook(scenario, running: settings.program).lackAtBeginning {
      throw ControlFailure.lacking(lack.description)
    }
    let medium = try makeMedium()
    var recorders = try deviceSections.enumerated().map { index, section in
      let phoneClock = phoneSections[0].arguments[GivenPhone.clock]?.localSeconds
      return try recorder(section.arguments, index: index, phoneClock: phoneClock)
    }
    var phones: [PhoneConfiguration] = []
    for (index, section) in phoneSections.enumerated() {
      var phone = try self.phone(section.arguments, index: index)
      if section.arguments[GivenPhone.bonded], settings.program.isModelled { try bond(&phone, &recorders[0]) }
      phones.append(phone)
    }
    for index in recorders.indices { settings.generated?.change(&recorders[index]) }
    if !settings.program.isModelled {
      let bonded = phoneSections.indices.filter { phoneSections[$0].arguments[GivenPhone.bonded] }
      try rehearseBonds(of: bonded, &phones, &recorders[0])
    }
    introduce(phoneSections.map(\.name), zip(deviceSections, recorders).map { ($0.name, $1.address) })
    let standingPhones = zip(phoneSections, phones).enumerated().map { index, pair in
      SimulatedPhone(
        pair.0.name, index: UInt16(index), pair.1, in: world, on: medium.attach(pair.0.name, .phone),
        transcriber: pair.0.arguments[GivenPhone.transcriber].transcriber)
    }
    let devices = zip(deviceSections, recorders).enumerated().map { index, pair in
      let subversion = UInt16(truncatingIfNeeded: pair.1.firmware.build.softDeviceIdentifier)
      return SimulatedDevice(
        pair.0.name, index: UInt16(index), pair.1, in: world,
        on: medium.attach(pair.0.name, .recorder, subversion: subversion), running: settings.program
      ) { [first = standingPhones[0]] in try? first.readClock() }
    }
    for (section, device) in zip(deviceSections, devices) where section.arguments[GivenDevice.power] == .on {
      try device.powerOn()
    }
    return stageSet(standingPhones, devices, medium)
  }

  /// Our phones on real controllers, and real recorders with what their bench can do to them.
  func build(_ target: HardwareTarget) throws -> StageSet {
    let sections = scenario.given.sections(of: GivenPhone.declaration)
    let names = scenario.given.sections(of: GivenDevice.declaration).map(\.name)
    let pipes = try target.open(sections.count, on: world.loop)
    let meant = target.recorders.prefix(names.count).map(\.address)
    world.cast = meant.isEmpty ? .onlyOneInSight : .only(meant)
    let devices: [ActuatedDevice]
    do { devices = try target.devices(named: names, on: world.loop, world.waits) } catch {
      for pipe in pipes { pipe.close() }
      throw error
    }
    introduce(sections.map(\.name), devices.map { ($0.name, $0.address) })
    let phones = try zip(sections, pipes).enumerated().map { index, pair in
      var configuration = try phone(pair.0.arguments, index: index)
      configuration.admittedRecorders = meant.isEmpty ? nil : meant
      // Nobody connects by himself while the bench is made ready.
      configuration.autoSync = false
      return SimulatedPhone(
        pair.0.name, index: UInt16(index), configuration, in: world, on: pair.1, entropy: .operatingSystem,
        transcriber: pair.0.arguments[GivenPhone.transcriber].transcriber)
    }
    var set = stageSet(phones, devices, nil)
    let outlook = BenchOutlook(scenario, on: target)
    if outlook.usesSensors {
      do {
        let scanner = try outlook.needsScanner ? target.openScanner(besides: sections.count, on: world.loop) : nil
        let senses = BenchSenses(devices, at: target.recorders, scanner, on: world.loop)
        senses.tell { [assertions = set.assertions] in assertions.observe($0) }
        set.senses = senses
      } catch {
        set.giveControllersBack()
        for device in devices { device.close() }
        throw error
      }
    }
    let (assertions, senses, loop) = (set.assertions, set.senses, world.loop)
    for (index, device) in devices.enumerated() {
      device.onAction = { deed in
        assertions.keep(since: loop.now)
        senses?.begin(deed, on: index)
        // Monitors must not take it for the recorder's own doing.
        if deed == .forgetBonds { world.state(.bondsForgottenByHand(recorder: UInt16(index))) }
      }
      device.onActed = { senses?.endDeed(on: index) }
    }
    // Devices, senses and world hold each other, and with them the loop and its descriptors.
    world.loop.atEnd { [world] in
      for device in devices { (device.onAction, device.onActed) = (nil, nil) }
      world.onEvent = nil
    }
    let interpreted = world.onEvent
    world.onEvent = { [memory = target.memory] event in
      if case .fileTransfer(.requested(let request)) = event.happening, let peer = event.peer {
        memory.note(request, to: peer)
      }
      interpreted?(event)
    }
    if let senses {
      let before = world.onEvent
      world.onEvent = { event in
        senses.observe(event)
        before?(event)
      }
      let world = world
      set.benchTrouble = { world.controllerTrouble ?? senses.trouble }
    }
    return set
  }

  /// Our recorders on controllers outside this process, and somebody else's phone.
  func build(_ target: ApplicationTarget) throws -> StageSet {
    let section = scenario.given.sections(of: GivenPhone.declaration)[0]
    let deviceSections = scenario.given.sections(of: GivenDevice.declaration)
    let machineClock = { MachineClock.localSecondsSince1970() - CivilTime.secondsTo2000 }
    let phone = ApplicationPhone(
      section.name, by: HookDesk(target.phone, operator: target.attended, on: world.loop, world.waits), in: world,
      machineClock: machineClock)
    let clock = section.arguments[GivenPhone.clock]?.localSeconds ?? machineClock()
    let recorders = try deviceSections.enumerated().map { index, section in
      try recorder(section.arguments, index: index, phoneClock: clock)
    }
    let pipes = try target.open(deviceSections.count, on: world.loop)
    introduce([section.name], zip(deviceSections, recorders).map { ($0.name, $1.address) })
    var devices: [SimulatedDevice] = []
    for (index, (section, pipe)) in zip(deviceSections, pipes).enumerated() {
      devices.append(
        SimulatedDevice(
          section.name, index: UInt16(index), recorders[index], in: world, on: pipe, running: settings.program,
          entropy: .operatingSystem
        ) { phone.readClock() })
      if section.arguments[GivenDevice.power] == .on { try devices[index].powerOn() }
    }
    return stageSet([phone], devices, nil, watching: phone)
  }

  /// Tells the world the names of those who take part, where there are several of a kind.
  private func introduce(_ phones: [String], _ recorders: [(name: String, address: BluetoothAddress)]) {
    guard phones.count > 1 || recorders.count > 1 else { return }
    world.parties = PartyNames(phones: phones, recorders: recorders)
  }

  private func stageSet(
    _ phones: [any PhoneControl], _ devices: [any DeviceControl], _ medium: SimulatedMedium?,
    watching application: ApplicationPhone? = nil
  ) -> StageSet {
    let words = EventWords(
      phones: phones.map(\.name), devices: devices.map { ($0.name, $0.address) },
      seenFrom: application == nil ? .phone : .recorder)
    let assertions = Assertions()
    let world = world
    let future = settings.future
    if let future, future.events == 0 { world.loop.choices.future = future.number }
    var eventCount = 0
    world.onEvent = { [observer, choices = world.loop.choices] event in
      eventCount += 1
      if let future, future.events == eventCount { choices.future = future.number }
      words.learn(event)
      application?.observe(event)
      assertions.observe(event)
      observer?.observed(event)
    }
    var set = StageSet(
      phones: phones, devices: devices, medium: medium, waits: world.waits, sounds: sounds, firmware: firmware,
      assertions: assertions,
      words: words, firstViolation: { world.endingViolation() }, observer: observer,
      trace: world.trace, tolerance: settings.hardware?.tolerance ?? settings.application?.tolerance ?? .zero)
    set.verbs = settings.verbs
    set.onlyMonitorsJudge = settings.onlyMonitorsJudge
    set.beIdle = { world.beIdle(until: $0) }
    set.untoldEvents = ProgramOutlook(scenario, running: settings.program).untoldEvents
    if let catalogue = settings.catalogue { set.party = { catalogue.party(of: $0) } }
    set.conversation = { world.conversation }
    if settings.isOnBench { set.benchTrouble = { world.controllerTrouble } }
    return set
  }

  // MARK: The medium

  private func makeMedium() throws -> SimulatedMedium {
    let arguments = scenario.given.sections(of: GivenAir.declaration)[0].arguments
    let medium = SimulatedMedium(loop: world.loop, phones: arguments[GivenAir.timing])
    world.medium = medium
    if let alteration = settings.generated?.alteration { medium.alterControllers(alteration) }
    if arguments[GivenAir.collisions] { medium.letAdvertisementsCollide() }
    try medium.setDistance(millimetres: arguments[GivenAir.distance].millimetres)
    let loss = arguments[GivenAir.loss].millionths
    if loss > 0 { try medium.lose(partsPerMillion: UInt32(clamping: loss), .both) }
    if let bursts = arguments[GivenAir.bursts] { try medium.loseInBursts(bursts.loss, .both) }
    if let interference = arguments[GivenAir.interference] { try medium.interfere(interference.pattern) }
    for blackout in arguments[GivenAir.blackouts] { try medium.blackOut(after: blackout.after, for: blackout.span) }
    medium.plant(settings.faults.ofAir)
    let world = world
    world.state(.air(isClear: medium.isClear))
    medium.onOverheard = { [weak world] in world?.state(.overheard($0)) }
    if let listener = settings.airListener { medium.listen(listener) }
    medium.onDisturbance = { [weak world] in world?.state(.air(isClear: false)) }
    return medium
  }

  // MARK: Recorders

  private func recorder(
    _ arguments: Arguments, index: Int, phoneClock: LocalSeconds?
  ) throws -> RecorderConfiguration {
    let bootloader = arguments[GivenDevice.bootloader]
    let firmware = try firmware(bootloader, arguments[GivenDevice.bootloaderFaults])
    let profile = arguments[GivenDevice.published].reduce(installedProfile(bootloader, firmware)) { $0.with($1) }
    let address = arguments[GivenDevice.address] ?? staticAddress("recorder-\(index)")
    var configuration = RecorderConfiguration(address: address, profile: profile)
    configuration.firmware = firmware
    let clock = arguments[GivenDevice.clock]?.localSeconds ?? phoneClock ?? Self.defaultClock
    configuration.clock = CivilTime(secondsSince2000: clock)
    configuration.clockErrorPartsPerBillion = Int64(arguments[GivenDevice.drift].partsPerBillion)
    configuration.tickErrorPartsPerBillion = configuration.clockErrorPartsPerBillion
    configuration.batteryMillivolts = arguments.batteryMillivolts
    configuration.staysAwake = arguments[GivenDevice.timeouts] == .never && !settings.sleepsAsInField
    configuration.security.secureConnections = arguments[GivenDevice.security] == .secureConnections
    if let plan = arguments[GivenDevice.records] {
      configuration.records = try records(plan, before: clock, on: index, profile)
    }
    return configuration
  }

  /// Records made before time zero, the last one `apart` before it.
  private func records(
    _ plan: RecordPlan, before clock: Int64, on device: Int, _ profile: RecorderProfile
  ) throws -> [PlacedRecord] {
    let gap = plan.gap.components.seconds
    let sampleCount = Int(plan.length.wholeNanoseconds / 1_000 * Int64(profile.sampleRate) / 1_000_000)
    let begun = (0..<plan.count).map { number in
      CivilTime(secondsSince2000: clock - Int64(plan.count - number) * gap)
    }
    let contents: [[UInt8]]
    if let sound = try plan.sound.map(sounds.samples), !sound.isEmpty {
      let samples = (0..<sampleCount).map { sound[$0 % sound.count] }
      let file = WaveFile(sampleRate: profile.sampleRate, samples: samples)
      contents = Array(repeating: PlacedRecord.content(of: file, profile), count: plan.count)
    } else {
      let first = device * 256
      contents = settings.voices.contents(ofVoices: first..<(first + plan.count), sampleCount: sampleCount, profile)
    }
    return zip(begun, contents).map { PlacedRecord(identifier: RecordIdentifier($0), content: $1) }
  }

  // MARK: Phones

  private func phone(_ arguments: Arguments, index: Int) throws -> PhoneConfiguration {
    let library = try PhoneLibrary(from: settings.libraries)
    var configuration = PhoneConfiguration(ownAddress: staticAddress("phone-\(index)"), library: library)
    if arguments[GivenPhone.address] == .resolvable {
      configuration.resolvingKey = lifelong.stream("resolving.phone-\(index)").bytes(16)
    }
    configuration.maximumTransmissionUnit = UInt16(clamping: arguments[GivenPhone.mtu].bytes)
    let units = UInt16(clamping: arguments[GivenPhone.interval].wholeNanoseconds / 1_250_000)
    configuration.connectionParameters = ConnectionParameters(
      intervalUnits: units, supervisionTimeoutUnits: max(400, units / 2))
    configuration.preferredPHY = arguments[GivenPhone.radio] == .le2M ? .le2M : nil
    configuration.clockBase = arguments[GivenPhone.clock]?.localSeconds ?? Self.defaultClock
    configuration.isForeground = !arguments[GivenPhone.background]
    configuration.parameterUpdatePolicy = arguments[GivenPhone.parameters].policy
    configuration.waitsForSecurityRequest = arguments[GivenPhone.secures] == .whenAsked
    configuration.autoSync = arguments[GivenPhone.automatic]
    configuration.security.secureConnections = true
    configuration.security.bonding = arguments[GivenPhone.keepsKeys]
    configuration.feed = try arguments[GivenPhone.feed].map { name in
      try FirmwareOffer(release: name.text, in: firmware)
    }
    for behaviour in settings.phone.behaviours + arguments[GivenPhone.published] {
      behaviour.apply(to: &configuration.policies)
    }
    configuration.faults = settings.faults.ofPhones
    settings.generated?.change(&configuration)
    return configuration
  }

  /// Gives a phone and a recorder the bond that an earlier pairing would have left.
  private func bond(_ phone: inout PhoneConfiguration, _ recorder: inout RecorderConfiguration) throws {
    let chance = world.loop.choices.stream("given.bond")
    func key() -> LongTermKey {
      let isShared = recorder.security.secureConnections
      return LongTermKey(
        key: chance.bytes(16), encryptedDiversifier: isShared ? 0 : UInt16(truncatingIfNeeded: chance.next()),
        randomNumber: isShared ? 0 : chance.next(), keySize: 16)
    }
    let recorderKey = key()
    let phoneKey = recorder.security.secureConnections ? recorderKey : key()
    let resolvingKey = chance.bytes(16)
    recorder.bonds.append(
      Bond(
        identity: phone.ownAddress, localKey: recorderKey, peerKey: phoneKey,
        peerIdentityResolvingKey: phone.resolvingKey ?? resolvingKey,
        secureConnections: recorder.security.secureConnections))
    let bond = Bond(
      identity: recorder.address, localKey: phoneKey, peerKey: recorderKey,
      peerIdentityResolvingKey: chance.bytes(16), secureConnections: recorder.security.secureConnections)
    try phone.library.pair(bond, at: WallTime(CivilTime(secondsSince2000: phone.clockBase)))
  }

  /// Lets phones pair with a recorder whose program keeps its bonds itself, before the scenario begins.
  private func rehearseBonds(
    of bonded: [Int], _ phones: inout [PhoneConfiguration], _ recorder: inout RecorderConfiguration
  ) throws {
    guard !bonded.isEmpty else { return }
    let rehearsal = Rehearsal(recorder.address, pairedWith: bonded.map { Rehearsal.Phone(phones[$0]) })
    let outcome = try settings.rehearsals.outcome(
      of: rehearsal, settings.program.unwatched, until: settings.interruption)
    recorder.chipFlash = outcome.chipFlash
    for (index, bond) in zip(bonded, outcome.bonds) {
      try phones[index].library.pair(bond, at: WallTime(CivilTime(secondsSince2000: phones[index].clockBase)))
    }
  }

  /// What belongs to the seed of the scenario or, where an earlier life is to serve many scenarios, of the run.
  private var lifelong: ChoiceSource {
    settings.program.isModelled ? world.loop.choices : ChoiceSource(seed: settings.seed)
  }

  private func staticAddress(_ name: String) -> BluetoothAddress {
    let octets = lifelong.stream("address.\(name)").bytes(6)
    return BluetoothAddress(BluetoothAddress(littleEndian: octets, .random).value | 0xC000_0000_0000, .random)
  }
}
