import Bytes
import DictofunProtocol
import Recorder
import Timeline
import World

/// A simulated recorder's console, in the mode of the field. What only development mode has, and a dump of a flash that
/// has no addresses, is answered with a warning.
final class SimulatedConsole {
  /// Time from an accepted command to its execution by the state task (firmware: 10 ticks of 1/1024 s).
  private static let queueDelay = Duration.microseconds(9_766)
  /// Time from an executed `reset` to the reset (firmware: 100 ticks).
  private static let resetDelay = Duration.microseconds(97_656)
  /// Time from one log of the battery to the next (firmware: 10000 ticks).
  private static let batteryPeriod = Duration.microseconds(9_765_625)

  private let device: SimulatedDevice
  /// What the banner names as its build, as long as the chip has the application with which it began.
  private let image: String
  private let firstDigest: [UInt8]?
  private let line: any ServedLine
  private let loop: EventLoop
  private var server = ConsoleServer()
  /// The command that waits for the state task, whose queue holds one.
  private var queued: ConsoleCommand?
  private var batteryLog: ScheduledEvent?
  private var mountLog: ScheduledEvent?
  private var bootedAt: Instant?

  init(around device: SimulatedDevice, image: String, at line: any ServedLine, _ loop: EventLoop) {
    self.device = device
    self.image = image
    firstDigest = device.applicationDigest
    self.line = line
    self.loop = loop
    line.onOctets = { [weak self] octets in
      // Without power nothing listens.
      guard let self, isOn else { return }
      feed(.octets(octets))
    }
    device.onEvent = { [weak self] event in self?.tell(event) }
    if isOn { boot() }
  }

  deinit { for log in [batteryLog, mountLog].compactMap({ $0 }) { loop.cancel(log) } }

  /// Whether its application runs: a bootloader has no console.
  private var isOn: Bool { (try? device.inspect()).map { $0.isOn && !$0.isBootloaderRunning } ?? false }

  /// Every build names itself. Where the firmware names the commit, this names the image, which updates replace.
  private var banner: String {
    let digest = device.applicationDigest
    let build = digest == firstDigest ? image : Hexadecimal.string(Array((digest ?? []).prefix(Self.buildLength)))
    return "\(FirmwareSense.banner) \(build) 2024-01-01. branch: simulated. Built at: simulated"
  }

  /// Octets of a digest that name an image, half as many as Git shows digits of a commit.
  private static let buildLength = 4

  private func boot() {
    bootedAt = loop.now
    queued = nil
    feed(.booted(banner))
    logMountLater()
    logBatteryLater()
  }

  private func logMountLater() {
    if let mountLog { loop.cancel(mountLog) }
    let mount = Duration.nanoseconds(device.timing.mount * 1_000_000_000 / Int64(ConsoleServer.ticksPerSecond))
    mountLog = loop.schedule(after: mount, .background) { [weak self] in
      if let self, isOn { feed(.message(level: .info, ConsoleLog.mounted)) }
    }
  }

  private func logBatteryLater() {
    if let batteryLog { loop.cancel(batteryLog) }
    batteryLog = loop.schedule(after: Self.batteryPeriod, .background) { [weak self] in
      guard let self, isOn else { return }
      feed(.message(level: .info, "state::batt:\(volts)V"))
      logBatteryLater()
    }
  }

  /// What the recorder measures, with the one decimal place that the firmware prints.
  private var volts: String {
    let millivolts = device.batteryMillivolts ?? 0
    return "\(millivolts / 1_000).\(millivolts / 100 % 10)"
  }

  private func feed(_ input: ConsoleServer.Input) {
    var effects: [ConsoleServer.Effect] = []
    server.handle(input, at: loop.now, &effects)
    for effect in effects {
      switch effect {
      case .send(let octets): line.send(octets)
      case .startTurn(let delay): loop.schedule(after: delay) { [weak self] in self?.feed(.turn) }
      case .perform(let command): queue(command)
      }
    }
  }

  // MARK: Commands

  private func queue(_ command: ConsoleCommand) {
    if command == .version { return }
    guard queued == nil else { return feed(.message(level: .warning, "cli: failed to queue `\(command.text)`")) }
    queued = command
    loop.schedule(after: Self.queueDelay) { [weak self] in
      // A boot meanwhile has emptied the queue.
      guard let self, let command = queued else { return }
      queued = nil
      if isOn { perform(command) }
    }
  }

  private func perform(_ command: ConsoleCommand) {
    switch command {
    case .version: break
    case .reset:
      loop.schedule(after: Self.resetDelay) { [device] in
        try? device.cutPower()
        try? device.powerOn()
      }
    case .memoryTest(1, _, _):
      device.eraseRecords()
      feed(.message(level: .debug, "erasing 65536@0, 0 left"))
    case .memoryTest(2, _, _): break  // a page that holds no record
    case .memoryTest(3, _, _):
      device.eraseRecords()
      for record in Self.testRecords { _ = device.place(record) }
    case .bluetooth(3): try? device.forgetBonds()
    case .system: try? device.cutPower()
    case .light(let colour, let mode): feed(.message(level: .debug, "led: received command [\(colour)-\(mode)]"))
    case .record: feed(.message(level: .error, "state: record is launched in development mode only"))
    case .memoryTest, .bluetooth, .operationMode:
      feed(
        .message(level: .warning, "cli: failed to launch `\(command.text)`: the simulated recorder does not have it"))
    }
  }

  /// What memory test 3 leaves in the flash (firmware/src/targets/dictofun/tasks/memory/memtest.cpp).
  private static let testRecords: [PlacedRecord] = {
    let ramp = Array(UInt8(0)..<32)
    return [("0000231101213012", 14), ("0100231101213012", 1)].compactMap { name, count in
      RecordIdentifier(name).map {
        PlacedRecord(identifier: $0, content: [UInt8](repeatElement(ramp, count: count).joined()))
      }
    }
  }()

  // MARK: Logs

  private func tell(_ event: RecorderEvent) {
    switch event {
    case .poweredOn: if isOn { boot() }
    // What the bootloader has held back, or updated; a boot that has been told already is not told twice.
    case .applicationStarted: if bootedAt != loop.now { boot() }
    case .stateChanged(let from, let to):
      feed(.message(level: .info, "state: transition \(from.rawValue)->\(to.rawValue)"))
    case .recordBegan(let identifier): feed(.message(level: .debug, "created record [\(identifier)]"))
    case .recordFinished(_, let size):
      feed(.message(level: .debug, "closed record. written size = \(size) bytes"))
    case .batteryLow: feed(.message(level: .error, "Battery is low (\(volts)v). No operations permitted."))
    case .connected: feed(.message(level: .info, "Connected"))
    case .disconnected(let reason):
      feed(.message(level: .info, "Disconnected, reason \(String(reason.rawValue, radix: 16, uppercase: true))"))
    default: break
    }
  }
}
