import DictofunProtocol
import HostStack
import Phone
import Timeline

/// Asks for the battery as a recorder may expect of every phone: before anything else, and at least once a minute
/// (APP-1.3.1.1, APP-1.3.1). Without this, single requests would be reported as an application's faults.
struct BatteryRhythm {
  /// How long a connection goes on before the battery is asked for again.
  private static let period = Duration.seconds(50)

  private let conversation: RecorderConversation
  /// The attribute of the level; `nil` where it is not asked for, or not offered.
  private let level: AttributeHandle?
  private let onLow: @Sendable (UInt8) -> Void
  private var askedAt: Instant

  /// Connects, and asks for the first time, unless `isSilent`: then nothing but the user's own request is sent. `onLow`
  /// is told a low level in percent; it is for the user to decide what to do about it.
  static func connect(
    _ conversation: RecorderConversation, isSilent: Bool = false, onLow: @escaping @Sendable (UInt8) -> Void
  ) async throws -> Self {
    _ = try await conversation.perform(.connectPlainly(conversation.choice))
    guard !isSilent else {
      return BatteryRhythm(conversation: conversation, level: nil, onLow: onLow, askedAt: conversation.phone.now)
    }
    let found = try await conversation.attribute(.discoverService(DictofunUUID.batteryService))
    guard case .services(let services) = found else { throw PhoneFailure.abandoned }
    let level = services.first?.characteristics.first { $0.uuid == DictofunUUID.batteryLevel }
    var rhythm = BatteryRhythm(
      conversation: conversation, level: level?.valueHandle, onLow: onLow, askedAt: conversation.phone.now)
    try await rhythm.ask()
    return rhythm
  }

  /// Asks once. A refusal is for the user to judge.
  private mutating func ask() async throws {
    askedAt = conversation.phone.now
    guard let level else { return }
    let result = try await conversation.phone.perform(
      .attribute(.read(level)), within: RecorderConversation.connectionLimit)
    guard case .success(.attribute(.value(let value))) = result, let percent = value.first,
      percent <= LowBatteryRule.lowPercent
    else { return }
    onLow(percent)
  }

  /// Lets time pass until `isDone` holds after an event, and goes on asking.
  mutating func wait(_ span: Duration, until isDone: @escaping @Sendable () -> Bool) async throws {
    let phone = conversation.phone
    let end = phone.now.advanced(by: span)
    while phone.now < end, !isDone(), !conversation.isInterrupted() {
      let due = askedAt.advanced(by: Self.period)
      await phone.wait(phone.now.duration(to: min(end, max(due, phone.now))), until: isDone)
      if phone.now >= due, !isDone(), !conversation.isInterrupted() { try await ask() }
    }
  }
}
