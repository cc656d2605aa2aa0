import Bytes
import HCI
import Phone
import Synchronization
import Timeline
import Transports
import World

/// Recorders outside this process, what can be done to them, and the controllers through which our phones reach them.
package struct HardwareTarget: Sendable {
  /// The bench's name; `nil` without a bench file.
  package private(set) var place: String?
  /// The file of the bench's health scenario; `nil` for none.
  package private(set) var health: String?
  /// The phones' controllers, one each, in the order in which scenarios mean the phones; at least one.
  package internal(set) var controllers: [TransportSpecification]
  /// The recorders, in the order in which scenarios mean them; none for the only one in sight.
  package let recorders: [RecorderPlace]
  /// Extra time that steps may take.
  package var tolerance = Duration.zero
  /// How controllers are opened.
  package var opening = OpeningOptions()
  /// Who is told what is to be known of the controllers; `nil` for nobody.
  package var notes: OpeningNotes?
  /// Where an operator is asked; `nil` when nobody attends.
  package var attended: OperatorPlace?
  /// Whether a bench file states what can be done to the recorders; without a bench file they can only be reached by radio.
  package private(set) var isEquipped = false
  /// What is wrong with the bench, found before the first scenario; `nil` for nothing.
  package private(set) var trouble: String?
  /// Whether the recorders' instruments were seen to be theirs, in the order of the recorders.
  private var belongings: [Belonging] = []

  /// What the first controller told of itself whenever it was opened.
  package let controllerIdentity = ControllerIdentity()
  /// What was made on the recorders for scenarios before.
  package let memory = RecordMemory()
  /// How long a controller that was unplugged is waited for.
  private var replugPatience = ReplugPatience(.zero)
  /// How long the bench may take to prepare a scenario, where its file says so.
  private var preparationLimit: Duration?
  /// What the instruments are; known when they were looked at.
  package private(set) var traits: [BenchTrait] = []

  /// The boot banner that a recorder showed when the bench was looked at; `nil` where none was heard.
  package func bootBanner(of recorder: BluetoothAddress) -> String? {
    traits.first { $0.name == BenchTrait.firmwareName(of: recorder) }?.value
  }

  /// A recorder that only its radio reaches. Throws with the nearest valid spelling of the controller.
  package init(controller text: String, device: BluetoothAddress?) throws(TransportSpecificationFailure) {
    controllers = [try TransportSpecification(parsing: text)]
    recorders = device.map { [RecorderPlace(bare: $0)] } ?? []
  }

  /// What a bench file states, with this controller alone, and with this recorder alone, where they are given. `nil`
  /// without any controller, and when the recorder does not stand on the bench.
  package init?(_ bench: BenchFile, controller: TransportSpecification?, device: BluetoothAddress?) {
    controllers = controller.map { [$0] } ?? bench.adapters
    recorders = bench.recorders.filter { device == nil || $0.address == device }
    tolerance = bench.tolerance
    place = bench.place
    health = bench.health
    replugPatience = ReplugPatience(bench.replugLimit)
    preparationLimit = bench.preparationLimit
    isEquipped = true
    if controllers.isEmpty || recorders.isEmpty { return nil }
  }

  /// How long the bench may take for what `given:` states, where that is predicted to take `time`.
  package func preparationBudget(expecting time: Duration) -> Duration {
    let patience = recorders.map(\.patience).reduce(.zero, +)
    return preparationLimit ?? Self.preparationSlack + time * 3 + patience
  }

  /// A full flash takes a minute to erase.
  private static let preparationSlack = Duration.seconds(120)

  /// Opens the controllers of `count` phones.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what to do, when one cannot be opened.
  package func open(_ count: Int, on loop: EventLoop) throws(ControlFailure) -> [any PacketPipe] {
    var pipes = try controllers.prefix(count).open(on: loop, opening, notes)
    if let first = pipes.first { pipes[0] = controllerIdentity.listening(to: first) }
    return pipes
  }

  /// Opens one controller by its place among them.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what to do, when it cannot be opened.
  func open(controller number: Int, on loop: EventLoop) throws(ControlFailure) -> (any PacketPipe)? {
    let pipe = try controllers[number...number].open(on: loop, opening, notes).first
    return number == 0 ? pipe.map { controllerIdentity.listening(to: $0) } : pipe
  }

  /// Whether an adapter is left to listen when a scenario has this many phones.
  package func hasScanner(besides phones: Int) -> Bool { controllers.count > phones }

  /// Opens the adapter that a scenario with this many phones leaves to listen; `nil` where it leaves none.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what to do, when it cannot be opened.
  package func openScanner(besides phones: Int, on loop: EventLoop) throws(ControlFailure) -> AirScanner? {
    guard hasScanner(besides: phones) else { return nil }
    return try controllers[phones...phones].open(on: loop, opening, notes).first.map { AirScanner(on: $0, loop) }
  }

  /// Opens the instruments of the first recorders, one for each name.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where one cannot be opened.
  package func devices(
    named names: [String], on loop: EventLoop, _ waits: Waits
  ) throws(ControlFailure) -> [ActuatedDevice] {
    var devices: [ActuatedDevice] = []
    for (index, (name, place)) in zip(names, recorders).enumerated() {
      var attended = attended
      if recorders.count > 1 { attended?.recorder = place.address }
      let device = try ActuatedDevice(name, place, operator: attended, on: loop, waits)
      device.memory = memory
      if belongings.indices.contains(index) { device.belonging = belongings[index] }
      devices.append(device)
    }
    return devices
  }

  /// Looks at the bench before the first scenario: every instrument, whether it is the recorder's with the address, and
  /// the firmware of every recorder, which is written where a probe is to do so. What is wrong is kept in ``trouble``.
  /// Every scenario opens the controllers for itself.
  package mutating func look(_ interruption: RunInterruption = RunInterruption()) {
    do {
      (traits, belongings) = try check(interruption) { preflight async throws(ControlFailure) in
        try await preflight.perform()
      }
    } catch {
      guard case .bench(let fault) = error else {
        trouble = "cannot prepare the bench: \(error)"
        return
      }
      trouble = fault.description
    }
  }

  /// Opens the first controller once; what is wrong is kept in ``trouble``.
  package mutating func tryController(_ interruption: RunInterruption) {
    do { _ = try ladder(0, interruption).climb(within: .zero) } catch {
      guard case .bench(let fault) = error else { return }
      trouble = fault.description
    }
  }

  /// Brings the bench back after it failed: opens every controller, for which it waits where it was unplugged, and all
  /// instruments again, and switches every recorder off and on that needs no operator for it.
  ///
  /// - Returns: what was done, in words.
  /// - Throws: ``ControlFailure/bench(_:)`` where that cannot be done.
  package func recover(_ interruption: RunInterruption) throws(ControlFailure) -> String {
    let done: [String]
    memory.forgetAll()
    do throws(ControlFailure) {
      done = try climb(within: replugPatience.limit, interruption)
      replugPatience.note(isBack: true)
    } catch {
      replugPatience.note(isBack: false)
      throw error
    }
    let switched = try check(interruption) { preflight async throws(ControlFailure) in try await preflight.recover() }
    return (done + switched.map { "\($0) was power-cycled" })
      .joined(separator: ", ")
  }

  /// Brings every controller back, each of them within `limit`. Returns what was done, in words.
  private func climb(within limit: Duration, _ interruption: RunInterruption) throws(ControlFailure) -> [String] {
    var done: [String] = []
    for number in controllers.indices { done += try ladder(number, interruption).climb(within: limit) }
    return done
  }

  private func ladder(_ number: Int, _ interruption: RunInterruption) -> ControllerLadder {
    ControllerLadder("\(controllers[number])", .live(number, self, interruption))
  }

  private func check<Value: Sendable>(
    _ interruption: RunInterruption,
    _ perform: @escaping @Sendable (isolated Preflight) async throws(ControlFailure) -> Value
  ) throws(ControlFailure) -> Value {
    let loop = EventLoop(driver: .wall)
    let preflight = try Preflight(self, on: loop)
    do {
      return try interruption.heard(by: { loop.post { preflight.assumeIsolated { $0.interrupt() } } }) {
        try loop.run { try await perform(preflight) }
      }
    } catch let failure as ControlFailure {
      throw failure
    } catch {
      throw .bench("the check of the bench did not finish: \(error)")
    }
  }
}

/// How long a controller that was unplugged is waited for. After once in vain it is only looked for, so that a run on a
/// bench that is gone ends.
private final class ReplugPatience: Sendable {
  private let stated: Duration
  private let isExhausted = Mutex(false)

  init(_ limit: Duration) { stated = limit }

  /// How long it is waited for now.
  var limit: Duration { isExhausted.withLock { $0 } ? .zero : stated }

  func note(isBack: Bool) { isExhausted.withLock { $0 = !isBack } }
}

/// The look at a bench before anything is touched, on a loop of its own.
private actor Preflight {
  nonisolated let loop: EventLoop
  private let devices: [ActuatedDevice]
  /// Who looks at the air; `nil` where there is nothing to see.
  private let phone: PhoneDesk?
  private let waits = Waits()

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ target: HardwareTarget, on loop: EventLoop) throws(ControlFailure) {
    self.loop = loop
    devices = try target.devices(named: target.recorders.map(\.address.description), on: loop, waits)
    do throws(ControlFailure) {
      phone = devices.contains(where: \.canBeSeen) ? try PhoneDesk(seeing: target, on: loop) : nil
    } catch {
      for device in devices { device.close() }
      throw error
    }
  }

  func interrupt() {
    waits.interrupt()
    phone?.assumeIsolated { $0.interrupt() }
  }

  /// Which recorders were switched off and on.
  func recover() async throws(ControlFailure) -> [String] {
    await phone?.close()
    return try await restoring { () async throws(ControlFailure) in
      var switched: [String] = []
      for device in devices where try await device.restart() { switched.append(device.name) }
      return switched
    }
  }

  func perform() async throws(ControlFailure) -> (traits: [BenchTrait], belongings: [Belonging]) {
    try await restoring { () async throws(ControlFailure) in
      var traits: [BenchTrait] = []
      do throws(ControlFailure) {
        for device in devices { traits += try await device.prepare(seenBy: phone) }
      } catch {
        await phone?.close()
        throw error
      }
      await phone?.close()
      return (traits, devices.map(\.belonging))
    }
  }

  /// Does something. Where that fails or is interrupted, the recorders are left as they were found: with their power, and
  /// with a good battery. What follows a check that succeeded takes over what it did.
  private func restoring<Value>(
    _ body: () async throws(ControlFailure) -> Value
  ) async throws(ControlFailure) -> Value {
    defer { for device in devices { device.close() } }
    do throws(ControlFailure) { return try await body() } catch {
      // What an instrument was doing when it was interrupted says nothing about it.
      let failure =
        waits.isInterrupted ? ControlFailure.bench("the check of the bench was interrupted") : error
      guard let left = await restore() else { throw failure }
      guard case .bench(let fault) = failure else { throw .bench(BenchFault(left)) }
      throw .bench(BenchFault("\(fault.problem); \(left)", advice: fault.advice, cause: fault.cause))
    }
  }

  /// Undoes what was done to the recorders; what could not be undone.
  private func restore() async -> String? {
    _ = waits.beginCleanUp()
    let limit = loop.schedule(after: Self.restoreLimit, .deadline) { [waits] in waits.close() }
    defer { loop.cancel(limit) }
    var troubles: [String] = []
    for device in devices { troubles += await device.restore(batteryMillivolts: ActuatedDevice.goodBattery) }
    return troubles.isEmpty ? nil : "the bench could not be restored: " + troubles.joined(separator: "; ")
  }

  /// How long that may take.
  private static let restoreLimit = Duration.seconds(10)
}

extension PhoneDesk {
  /// A phone on the first controller of a bench, which keeps nothing.
  fileprivate init(seeing target: HardwareTarget, on loop: EventLoop) throws(ControlFailure) {
    let pipe = try target.open(1, on: loop)[0]
    do { try self.init(on: pipe, loop: loop, library: .memory) } catch { throw .bench(BenchFault("\(error)")) }
  }
}
