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
    server = SupplyServer(identity: plan.identity + ",SIMULATED,0,1.0")
    line.onOctets = { [weak self] octets in self?.take(octets) }
  }

  private func take(_ octets: [UInt8]) {
    for octet in octets {
      guard let text = cutter.take(octet) else { continue }
      for effect in server.handle(String(decoding: text, as: UTF8.self), at: loop.now) {
        switch effect {
        case .answer(let answer): line.send(Array((answer + "\n").utf8))
        case .output(let millivolts): feed(plan.calibration.reported(actual: millivolts), isOn: millivolts > 0)
        case .hangUp: line.hangUp()
        }
      }
    }
  }

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

  private let device: SimulatedDevice
  private let line: LineServer
  private let loop: EventLoop
  private var server: PicoServer
  private var cutter = LineCutter()

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

  private func perform(_ effect: PicoServer.Effect) {
    switch effect {
    case .button(true): try? device.pressButton()
    case .button(false): try? device.releaseButton()
    case .latch where isStuck: break
    case .latch(true): try? device.powerOn()
    case .latch(false): try? device.cutPower()
    case .reset:
      try? device.cutPower()
      try? device.powerOn()
    case .releaseAfter(let milliseconds, let press):
      loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
        guard let self else { return }
        for effect in server.holdEnded(press: press) { perform(effect) }
      }
    case .releaseWithoutWord(let patience, let word):
      loop.schedule(after: patience) { [weak self] in
        guard let self else { return }
        for effect in server.patienceEnded(word: word) { perform(effect) }
      }
    }
  }
}
