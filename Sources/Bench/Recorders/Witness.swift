import Bytes
import Phone
import Text
import Timeline
import World

/// Sees on the air whether instruments belong to the recorder with the address of the bench file: it must go with its
/// power and come back with it, and its console must tell of a link to it.
struct Witness {
  /// From the last taste of power to the last advertisement.
  private static let fading = Duration.milliseconds(300)
  /// Five advertisements.
  private static let look = Duration.milliseconds(700)
  /// From power to the first advertisement at the latest (requirement DEV-2), and some more.
  private static let bootTime = Duration.milliseconds(2_500)
  private static let connecting = Duration.seconds(20)
  /// A phone says that it has disconnected when the controller does; the console's log has a turn of its own.
  private static let logging = Duration.milliseconds(300)
  /// The console loses logs, the air loses connections, and a recorder that advertises late is still the bench's.
  private static let attempts = 3

  private let phone: PhoneDesk
  private let device: ActuatedDevice
  private var seenWhileOff: [BluetoothAddress]?

  init(_ phone: PhoneDesk, of device: ActuatedDevice) {
    self.phone = phone
    self.device = device
  }

  /// Looks at the air while the instruments have taken the power away.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where the recorder is there all the same.
  mutating func lookWhileOff() async throws(ControlFailure) {
    guard case .success = await device.waits.pass(Self.fading, on: device.loop) else { throw .ended(.interrupted) }
    let seen = try await recorders(in: Self.look)
    guard !seen.contains(device.address) else {
      throw .bench(
        "\(device.address) stays on the air while its power is taken away, so the instruments are another recorder's",
        advice: "correct `address`, or their ports, in the bench file; nothing was erased")
    }
    seenWhileOff = seen
  }

  /// Looks at the air while the recorder should be awake, and connects to it.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where another recorder is in the hands of the instruments.
  func lookWhileOn() async throws(ControlFailure) -> Belonging {
    var failure: PhoneFailure?
    if seenWhileOff == nil { device.console?.forgetTidings() }
    for _ in 0..<Self.attempts {
      switch try await perform(.connectPlainly(.address(device.address)), within: Self.connecting) {
      case .failure(let reason):
        failure = reason
      case .success:
        failure = nil
        _ = try await perform(.disconnect, within: Self.connecting)
        guard case .success = await device.waits.pass(Self.logging, on: device.loop) else { throw .ended(.interrupted) }
        guard let console = device.console else { return .seen }
        if console.hasTold(ofBoots: seenWhileOff != nil) { return .seen }
      }
    }
    if failure?.isAbsence == true { return try await notSeen() }
    if let failure { return .unknown("\(device.address) cannot be connected to (\(failure))") }
    throw .bench(
      "the \(device.console?.name ?? "console") does not report the phone's link to \(device.address), so it is "
        + "another recorder's", advice: "correct `address`, or its port, in the bench file; nothing was erased")
  }

  private func notSeen() async throws(ControlFailure) -> Belonging {
    if let before = seenWhileOff {
      let others = try await recorders(in: Self.bootTime).filter { !before.contains($0) }
      if let other = others.first, !others.contains(device.address) {
        throw .bench(
          "\(other) comes on the air when the instruments give power, and \(device.address) does not",
          advice: "correct "
            + "`address`, or their ports, in the bench file; nothing was erased")
      }
    }
    return .unknown("\(device.address) was not heard on the air: wake it, and bring it into range")
  }

  private func recorders(in time: Duration) async throws(ControlFailure) -> [BluetoothAddress] {
    guard case .success(.recorders(let sightings)) = try await perform(.scan(time), within: time + Self.connecting)
    else { return [] }
    return sightings.map(\.address)
  }

  /// Runs an operation; a controller that fails is the bench's trouble.
  private func perform(
    _ operation: PhoneOperation, within limit: Duration
  ) async throws(ControlFailure) -> Result<PhoneResult, PhoneFailure> {
    let outcome: Result<PhoneResult, PhoneFailure>?
    var isInterrupted = false
    do { outcome = try await phone.perform(operation, within: limit) } catch {
      outcome = nil
      isInterrupted = error == .ended(.interrupted)
    }
    if let trouble = await phone.controllerTrouble { throw .bench(BenchFault(trouble)) }
    if isInterrupted { throw .ended(.interrupted) }
    guard let outcome else {
      throw .bench("the phone's controller did not carry out its order within \(DurationText.exact(limit))")
    }
    return outcome
  }
}
