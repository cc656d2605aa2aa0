import Bench
import DictofunProtocol
import HostStack
import Phone
import Timeline

/// Asks for the battery as a recorder may expect of every phone: before anything else, and at least once a minute
/// (APP-1.3.1.1, APP-1.3.1). Without it, single requests would be reported as an application's faults.
struct BatteryRhythm {
  /// How long a connection goes on before the battery is asked for again.
  private static let period = Duration.seconds(50)

  private let command: PhoneCommand
  private let desk: PhoneDesk
  /// Where the level stands; `nil` where it is not asked for, or not shown.
  private let level: AttributeHandle?
  private var askedAt: Instant

  /// Connects, and asks for the first time, unless nothing but the user's own request is to be sent.
  static func connect(_ command: PhoneCommand, _ desk: PhoneDesk, isSilent: Bool = false) async throws -> Self {
    try await command.connectPlainly(desk)
    guard !isSilent else { return BatteryRhythm(command: command, desk: desk, level: nil, askedAt: desk.loop.now) }
    let found = try await command.run(.discoverService(DictofunUUID.batteryService), desk)
    guard case .services(let services) = found else { throw PhoneFailure.abandoned }
    let level = services.first?.characteristics.first { $0.uuid == DictofunUUID.batteryLevel }
    var rhythm = BatteryRhythm(command: command, desk: desk, level: level?.valueHandle, askedAt: desk.loop.now)
    try await rhythm.ask()
    return rhythm
  }

  /// Asks once. What is done at a low level is for the user to decide, and so is what to think of a refusal.
  private mutating func ask() async throws {
    askedAt = desk.loop.now
    guard let level else { return }
    let result = try await desk.perform(.attribute(.read(level)), within: PhoneCommand.connecting)
    guard case .success(.attribute(.value(let value))) = result, let percent = value.first,
      percent <= LowBatteryRule.lowPercent
    else { return }
    command.console.note("the recorder's battery is at \(percent) %: an application would ask for nothing else")
  }

  /// Lets time pass, until `isDone` holds after something happened, and goes on asking.
  mutating func wait(_ span: Duration, until isDone: @escaping @Sendable () -> Bool) async throws {
    let end = desk.loop.now.advanced(by: span)
    while desk.loop.now < end, !isDone(), !Interruption.isRequested {
      let due = askedAt.advanced(by: Self.period)
      await desk.wait(desk.loop.now.duration(to: min(end, max(due, desk.loop.now))), until: isDone)
      if desk.loop.now >= due, !isDone(), !Interruption.isRequested { try await ask() }
    }
  }
}
