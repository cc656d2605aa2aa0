import Bench
import Bytes
import Recorder
import Requirements
import ScenarioLanguage
import Timeline
import Trace

/// What sees the recorders of a scenario on a bench.
final class BenchSenses {
  private let recorders: [(name: String, place: RecorderPlace, senses: RecorderSenses)]
  private let scanner: AirScanner?
  /// Since when a recorder may have switched itself off; `nil` while none was seen to.
  private(set) var offSince: Instant?
  /// Recorders whose power the bench has just taken away.
  private var cut: [Int] = []
  /// When links of phones came up.
  private var links: [LinkName: Instant] = [:]

  /// A link, by the host that counts it and its number there.
  private struct LinkName: Hashable {
    let host: TraceSource
    let number: UInt32
  }

  /// Begins to look at recorders; the first of `places` is where the first of `devices` stands.
  init(_ devices: [ActuatedDevice], at places: [RecorderPlace], _ scanner: AirScanner?, on loop: EventLoop) {
    self.scanner = scanner
    recorders = zip(devices, places).map { device, place in
      (device.name, place, RecorderSenses(device, scanner: scanner, on: loop))
    }
    scanner?.onHeard = { [weak self] address in
      for recorder in self?.recorders ?? [] { recorder.senses.hear(address) }
    }
  }

  /// Tells of everything that is seen from now on.
  func tell(_ listener: @escaping (SensedEvent) -> Void) {
    for (index, recorder) in recorders.enumerated() {
      recorder.senses.onSighting = { [weak self] sighting in
        self?.note(sighting, of: index)
        listener(SensedEvent(sighting, of: UInt16(index)))
      }
    }
  }

  private func note(_ sighting: Sighting, of index: Int) {
    switch sighting.fact {
    case .power(isOn: false):
      if !cut.contains(index) { offSince = offSince ?? sighting.earliest }
    case .power(isOn: true): cut.removeAll { $0 == index }
    // Where the bench holds the rail, a recorder that switches itself off boots again at once.
    case .state(SystemState.shutdown.firmwareName): offSince = offSince ?? sighting.earliest
    default: break
    }
  }

  /// The bench begins to do something to a recorder. That it goes off when its power is cut is not its own doing.
  func begin(_ deed: Deed, on index: Int) {
    if deed == .cutPower, !cut.contains(index) { cut.append(index) }
    if recorders.indices.contains(index) { recorders[index].senses.begin(deed) }
  }

  /// The bench has done it.
  func endDeed(on index: Int) { if recorders.indices.contains(index) { recorders[index].senses.endDeed() } }

  /// Takes an event at a phone: a recorder that is connected does not advertise, and one that is updated may run another
  /// application afterwards.
  func observe(_ event: ProductEvent) {
    if case .firmwareUpdate(let happening) = event.happening, happening.mayChangeFirmware {
      // A bootloader may have another address than its recorder, so only what is said to another recorder is left out.
      let meant = recorders.filter { $0.place.address == event.peer }
      let linkUp = links[LinkName(host: event.source, number: event.link)]
      for recorder in meant.isEmpty ? recorders : meant { recorder.senses.firmwareMayChange(onLinkSince: linkUp) }
    }
    guard case .linkUp = event.happening, event.source.part == .phone, let peer = event.peer else { return }
    links[LinkName(host: event.source, number: event.link)] = event.instant
    for recorder in recorders where recorder.place.address == peer { recorder.senses.linkUp() }
  }

  /// Forgets what a recorder did before the first step.
  func beginScenario() { offSince = nil }

  /// Whether a recorder is on, as far as the last look showed; `nil` where nothing looks.
  func isOn(_ index: Int) -> Bool? { recorders.indices.contains(index) ? recorders[index].senses.isOn : nil }

  /// The version of the application that a recorder runs, and who told; or why that cannot be told.
  func runningVersion(_ index: Int) -> (version: UInt32?, source: String) {
    recorders.indices.contains(index)
      ? recorders[index].senses.runningVersion : (nil, "nothing looks at its firmware")
  }

  /// Whether a recorder's application has started since its power or its firmware was last touched.
  func hasApplicationStarted(_ index: Int) -> Bool {
    recorders.indices.contains(index) && recorders[index].senses.hasApplicationStarted
  }

  /// Whether a recorder's firmware may have been changed since an instant.
  func mayHaveChangedFirmware(_ index: Int, since instant: Instant) -> Bool {
    let changed = recorders.indices.contains(index) ? recorders[index].senses.firmwareDisturbedAt : nil
    return changed.map { $0 >= instant } ?? false
  }

  /// When the look was asked for that ``isOn(_:)`` shows; `nil` where nothing looks.
  func lookedAt(_ index: Int) -> Instant? {
    recorders.indices.contains(index) ? recorders[index].senses.lookedAt : nil
  }

  /// Why a sensor tells nothing any more; `nil` while all work.
  var trouble: String? { recorders.lazy.compactMap(\.senses.trouble).first }

  /// Whether the scanner listens, where there is one.
  var isListening: Bool { scanner?.isListening ?? true }

  /// Whether everything that is looked at was asked at or after an instant, and has answered.
  func haveLooked(since instant: Instant) -> Bool { recorders.allSatisfy { $0.senses.hasLooked(since: instant) } }

  /// The time after which an event that a pattern means must have been seen; `nil` where it may be missed.
  func patience(for pattern: EventPattern) -> Duration? {
    guard let kind = pattern.declaration.sensedKind else { return .zero }
    let times = meant(by: pattern).map { $0.senses.patience(for: kind) }
    return times.contains { $0 == nil } ? nil : times.compactMap { $0 }.max()
  }

  /// Who sees the events that a pattern means.
  func sensors(for pattern: EventPattern) -> [Sensor] {
    guard let kind = pattern.declaration.sensedKind else { return [] }
    var sensors: [Sensor] = []
    for recorder in meant(by: pattern) {
      guard let sensor = recorder.place.sensor(for: kind, hasScanner: scanner != nil), !sensors.contains(sensor) else {
        continue
      }
      sensors.append(sensor)
    }
    return sensors
  }

  private func meant(by pattern: EventPattern) -> [(name: String, place: RecorderPlace, senses: RecorderSenses)] {
    recorders.filter { pattern.subject == nil || pattern.subject == $0.name }
  }

  /// Stops looking, and gives the scanner's controller back.
  func close() {
    for recorder in recorders { recorder.senses.close() }
    scanner?.close()
  }
}

extension FirmwareUpdateHappening {
  /// Whether the recorder may run another application because of it.
  fileprivate var mayChangeFirmware: Bool {
    switch self {
    case .buttonlessRequested(.startBootloader), .requested, .packet: true
    default: false
    }
  }
}
