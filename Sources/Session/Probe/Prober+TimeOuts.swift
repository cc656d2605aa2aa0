import Bytes
import DictofunProtocol
import HostStack
import Phone
import Probe
import Text
import Timeline

extension Prober {
  /// How many links wait for the Security Request.
  private static let securityLinks = 6
  /// The longest that a Security Request is waited for.
  private static let securityLimit = Duration.seconds(3)
  /// The longest that a stranger's link is watched.
  private static let strangerLimit = Duration.seconds(75)
  /// The longest that a silent link is watched.
  private static let silenceLimit = Duration.seconds(40)
  /// So long after a boot nothing of it matters.
  private static let bootTime = Duration.seconds(36)
  /// After its first bond a recorder may stay open to strangers for a while.
  private static let pairingWindow = Duration.seconds(75)
  /// Between two signs of life on a link that is to stay.
  static let lifeSign = Duration.seconds(4)

  /// One connection interval for a packet to leave, one for the packet after which the host is told, and the way between
  /// air and host at both ends.
  private var delay: Duration { (log.connection?.interval ?? .milliseconds(30)) * 2 + Self.transit * 2 }

  /// Connects as a phone with a bond, but does not encrypt.
  mutating func awaitSecurityRequests() async throws {
    var measurement = Measurement(.time, "from a connection to the Security Request")
    for _ in 0..<Self.securityLinks {
      try await connectUnsecured()
      guard let connection = log.connection else { continue }
      await phone.wait(Self.securityLimit) { [log] in log.securityRequest(since: connection.instant) != nil }
      if let asked = log.securityRequest(since: connection.instant) {
        let elapsed = connection.instant.duration(to: asked)
        measurement.add(.init(elapsed - connection.interval - Self.transit, elapsed + Self.transit * 2))
      }
      try await disconnect()
    }
    recorder.keep(
      .securityRequest, measurement,
      otherwise: "it asked for no encryption within \(DurationText.text(Self.securityLimit))")
  }

  /// Stays connected without encryption, and shows signs of life.
  mutating func stayStranger() async throws {
    try await awaitPairingWindow()
    try await connectUnsecured()
    guard let connection = log.connection else { return }
    let signs = try lifeSigns()
    while connection.instant.duration(to: phone.now) < Self.strangerLimit,
      try await stay(Self.lifeSign, since: connection.instant)
    {
      _ = try await phone.perform(.attribute(signs), within: RecorderConversation.connectionLimit)
    }
    var measurement = Measurement(.time, "from a connection without encryption to its end")
    if let end = log.disconnection(since: connection.instant) {
      let elapsed = connection.instant.duration(to: end.instant)
      measurement.add(.init(elapsed - delay, elapsed + Self.transit * 2))
      note("stay without encryption", end)
    }
    recorder.keep(
      .strangersLink, measurement,
      otherwise: "a link without encryption lasted \(DurationText.text(Self.strangerLimit))")
    try await disconnect()
  }

  /// Stays connected and encrypted without any traffic until the recorder ends the link.
  mutating func beSilent() async throws {
    try await wake()
    try await connect()
    let signs = try lifeSigns()
    guard let connection = log.connection else { return }
    // Before a while has passed since it booted, another time-out keeps it awake.
    while connection.instant.duration(to: phone.now) < Self.bootTime,
      try await stay(Self.lifeSign, since: connection.instant)
    {
      _ = try await perform(.attribute(signs))
    }
    let before = phone.now
    _ = try await perform(.attribute(signs))
    let after = phone.now
    _ = try await stay(Self.silenceLimit, since: before)
    var measurement = Measurement(.time, "from the last write on a link to its end")
    if let end = log.disconnection(since: after) {
      measurement.add(
        .init(after.duration(to: end.instant) - delay, before.duration(to: end.instant) + Self.transit * 2))
      note("stay silent on a link", end)
    }
    recorder.keep(.keepAlive, measurement, otherwise: "a silent link lasted \(DurationText.text(Self.silenceLimit))")
    try await disconnect()
  }

  /// Keeps the raw reason for which a link ended.
  private mutating func note(_ attempt: String, _ end: ProbeLog.Disconnection) {
    recorder.accesses.append(.init(attempt, "disconnected with 0x" + Hexadecimal.digits(end.reason.rawValue)))
  }

  /// Waits on a link until the first bond is so long ago that strangers are strangers.
  private func awaitPairingWindow() async throws {
    guard let pairedAt else { return }
    try await connect()
    guard let connection = log.connection else { return }
    let signs = try lifeSigns()
    while pairedAt.duration(to: phone.now) < Self.pairingWindow,
      try await stay(Self.lifeSign, since: connection.instant)
    {
      _ = try await perform(.attribute(signs))
    }
    try await disconnect()
  }

  /// Something that a recorder takes for traffic and that changes nothing: the subscription to its battery level.
  func lifeSigns() throws -> ClientProcedure {
    let level = recorder.services.flatMap(\.characteristics).first { $0.uuid == DictofunUUID.batteryLevel }
    guard let configuration = level?.configurationHandle else {
      throw PhoneFailure.serviceMissing(DictofunUUID.batteryService)
    }
    return .subscribe(configuration, .notifications)
  }
}
