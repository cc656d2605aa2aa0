import Bytes
import DictofunProtocol
import Recorder
import Timeline
import World

/// Simulators of the instruments that a bench file states for one recorder, around a simulated one: what a bench does
/// can be tried, and is tested, without a bench. Programs, probes and operators are not simulated.
package final class SimulatedInstruments {
  /// The console, where the bench file states one.
  let console: SimulatedConsole?
  /// The supply, where the bench file states one.
  let supply: SimulatedSupply?
  /// The Pico, where the bench file states one.
  let pico: SimulatedPico?

  /// Offers the instruments where the bench file says that they are.
  package init(
    _ place: RecorderPlace, around device: SimulatedDevice, on loop: EventLoop
  ) throws(ControlFailure) {
    console = try (place.plan() as ConsolePlan?).flatMap { plan in plan.line.map { (plan, $0) } }.map {
      plan, line throws(ControlFailure) in
      SimulatedConsole(around: device, image: plan.image ?? "simulated", at: try LineServer(at: line, on: loop), loop)
    }
    supply = try place.supply.flatMap { plan in plan.line.map { (plan, $0) } }.map {
      plan, line throws(ControlFailure) in
      SimulatedSupply(plan, around: device, at: try LineServer(at: line, on: loop), loop)
    }
    pico = try (place.plan() as PicoPlan?).flatMap { plan in plan.line.map { (plan, $0) } }.map {
      plan, line throws(ControlFailure) in
      SimulatedPico(serial: plan.serial ?? "simulated", around: device, at: try LineServer(at: line, on: loop), loop)
    }
  }
}

/// A simulated supply that feeds a simulated recorder.
final class SimulatedSupply {
  /// What is wrong with it; tests set it.
  var misbehaviour: SupplyServer.Misbehaviour? {
    get { server.misbehaviour }
    set { server.misbehaviour = newValue }
  }
  /// Millivolts between the voltages that it can be set to; tests set it.
  var step: Int {
    get { server.step }
    set { server.step = newValue }
  }

  /// What it is set to at first, in millivolts.
  private static let (rail, battery) = (3_300, 3_700)

  private let plan: SupplyPlan
  private let device: SimulatedDevice
  private let line: LineServer
  private let loop: EventLoop
  private var server: SupplyServer
  private var cutter = LineCutter()

  init(_ plan: SupplyPlan, around device: SimulatedDevice, at line: LineServer, _ loop: EventLoop) {
    self.plan = plan
    self.device = device
    self.line = line
    self.loop = loop
    server = SupplyServer(
      identity: plan.identity + ",SIMULATED,0,1.0", millivolts: plan.feeds == .rail ? Self.rail : Self.battery)
    line.onOctets = { [weak self] octets in self?.take(octets) }
  }

  private func take(_ octets: [UInt8]) {
    for octet in octets {
      guard let text = cutter.take(octet) else { continue }
      for effect in server.handle(String(decoding: text, as: UTF8.self), at: loop.now, microamperes: drawn) {
        switch effect {
        case .answer(let answer): line.send(Array((answer + "\n").utf8))
        case .output(let millivolts): feed(plan.calibration.reported(actual: millivolts), isOn: millivolts > 0)
        case .hangUp: line.hangUp()
        }
      }
    }
  }

  /// What the recorder draws now, in microamperes: it sleeps, and is awake for a fifth of every half second. One that is off
  /// leaks a little.
  private var drawn: Int {
    guard (try? device.inspect())?.isOn ?? false else { return Self.leak }
    return loop.now.nanoseconds % Self.rhythm < Self.rhythm / 5 ? Self.awake : Self.asleep
  }

  private static let rhythm: UInt64 = 500_000_000
  private static let (leak, asleep, awake) = (2, 60, 8_000)

  private func feed(_ millivolts: Int, isOn: Bool) {
    switch (plan.feeds, isOn) {
    case (_, false): try? device.cutPower()
    case (.battery, true): try? device.setBattery(millivolts: millivolts)
    case (.rail, true): try? device.powerOn()
    }
  }
}

/// A simulated Pico whose nails touch a simulated recorder.
final class SimulatedPico {
  /// Whether the latch does not follow its nails; tests set it.
  var isStuck = false
  /// Its line, on which tests hang up or hold back what it is asked.
  let line: LineServer

  private let device: SimulatedDevice
  private let loop: EventLoop
  private var server: PicoServer
  private var cutter = LineCutter()
  private var edges = ButtonEdges()

  /// The rail of a recorder that is on, in millivolts.
  private static let rail = 3_300

  init(serial: String, around device: SimulatedDevice, at line: LineServer, _ loop: EventLoop) {
    self.device = device
    self.line = line
    self.loop = loop
    server = PicoServer(serial: serial)
    line.onOctets = { [weak self] octets in self?.take(octets) }
  }

  private func take(_ octets: [UInt8]) {
    for effect in server.heard() { perform(effect) }
    for octet in octets {
      guard let text = cutter.take(octet) else { continue }
      let isOn = (try? device.inspect())?.isOn ?? false
      let (answer, effects) = server.answer(
        String(decoding: text, as: UTF8.self), latch: isOn, millivolts: isOn ? Self.rail : 0)
      for effect in effects { perform(effect) }
      line.send(Array((answer + "\n").utf8))
    }
  }

  /// Moves the button at once, or later where real time has passed that the recorder's world has not counted.
  private func move(_ isDown: Bool) {
    let due = edges.take(at: loop.now, slipped: loop.slipped)
    guard due > loop.now else { return Self.move(device, isDown) }
    loop.schedule(at: due) { [device] in Self.move(device, isDown) }
  }

  private static func move(_ device: SimulatedDevice, _ isDown: Bool) {
    if isDown { try? device.pressButton() } else { try? device.releaseButton() }
  }

  private func perform(_ effect: PicoServer.Effect) {
    switch effect {
    case .button(let isDown): move(isDown)
    case .latch where isStuck: break
    case .latch(true): try? device.powerOn()
    case .latch(false): try? device.cutPower()
    case .reset:
      try? device.cutPower()
      try? device.powerOn()
    case .releaseAfter(let milliseconds, let press):
      loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
        guard let self else { return }
        for effect in server.holdEnded(press: press) {
          // It was timed in the recorder's world.
          if case .button = effect { edges.follow(at: loop.now, slipped: loop.slipped) }
          perform(effect)
        }
      }
    case .releaseWithoutWord(let patience, let word):
      loop.schedule(after: patience) { [weak self] in
        guard let self else { return }
        for effect in server.patienceEnded(word: word) { perform(effect) }
      }
    }
  }
}

/// When a button moves in a world that lags behind reality now and then.
///
/// Between two movements as much time passes in the world as in reality, at least. Without that, a recorder that was held up
/// could find its button released and pressed again within a moment that no finger is as fast as.
struct ButtonEdges {
  private var last: (inReality: Instant, inWorld: Instant)?

  /// Takes a movement that is ordered now; returns when it happens in the world.
  mutating func take(at now: Instant, slipped: Duration) -> Instant {
    let real = now.advanced(by: slipped)
    let due = last.map { max(now, $0.inWorld.advanced(by: $0.inReality.duration(to: real))) } ?? now
    last = (real, due)
    return due
  }

  /// The next movement is timed in the world, and happens now.
  mutating func follow(at now: Instant, slipped: Duration) {
    if let before = last, before.inWorld <= now { last = (now.advanced(by: slipped), now) }
  }
}
