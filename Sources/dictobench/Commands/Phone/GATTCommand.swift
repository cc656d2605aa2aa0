import Bench
import Bytes
import DictofunProtocol
import Foundation
import HostStack
import Phone
import Recorder
import ScenarioLanguage
import Synchronization
import Timeline
import Verdicts

/// `dictobench gatt`
enum GATTCommand: Command {
  static let declaration = CommandDeclaration(
    "gatt", "Shows a recorder's attributes, reads and writes them, and listens to them.",
    operands: "[read HANDLE | write HANDLE HEX | subscribe HANDLE]", operandLimit: 3,
    options: PhoneCommand.options + [
      OptionDeclaration(
        "--compare", "Hold the table against that of a simulated recorder; what differs is named and fails.",
        choices: RecorderProfile.all.map(\.name)),
      OptionDeclaration("--without-response", "Makes write a command that is not answered."),
      OptionDeclaration("--for", "How long subscribe listens; 10 s unless stated.", value: "DURATION"),
    ], example: "dictobench gatt --controller tcp-client:127.0.0.1:9001 --compare reference")

  /// What is to be done.
  private enum Action {
    case table(RecorderProfile?)
    case read(AttributeHandle)
    case write(AttributeHandle, [UInt8], withoutResponse: Bool)
    case subscribe(AttributeHandle, Duration)
  }

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let action = try action(arguments)
    let command = try PhoneCommand(arguments, console)
    return try command.run { desk in
      var battery = try await BatteryRhythm.connect(command, desk)
      switch action {
      case .table(let profile): return try await table(profile, command, desk)
      case .read(let handle):
        guard case .value(let value) = try await command.run(.read(handle), desk) else { return .internalError }
        command.show(
          .object([("handle", .integer(Int(handle.rawValue))), ("value", .string(Hexadecimal.string(value)))]),
          [GATTText.value(value)])
      case .write(let handle, let value, let withoutResponse):
        _ = try await command.run(
          withoutResponse ? .writeWithoutResponse(handle, value) : .write(handle, value), desk)
        command.show(
          .object([
            ("handle", .integer(Int(handle.rawValue))), ("written", .string(Hexadecimal.string(value))),
            ("wasAnswered", .boolean(!withoutResponse)),
          ]),
          [
            "\(value.count) octet\(value.count == 1 ? "" : "s") written"
              + (withoutResponse ? ", without an answer" : " and acknowledged")
          ])
      case .subscribe(let handle, let span): try await listen(handle, span, command, desk, &battery)
      }
      return .passed
    }
  }

  // MARK: Words

  private static func action(_ arguments: ParsedArguments) throws -> Action {
    let operands = arguments.operands
    let counts = ["read": 2, "write": 3, "subscribe": 2]
    guard let word = operands.first else {
      return .table(arguments.value("--compare").flatMap { RecorderProfile.named($0) })
    }
    guard let count = counts[word] else {
      throw UsageFailure(
        "gatt does not know \(word)\(ParsedArguments.suggestion(word, ["read", "write", "subscribe"]))")
    }
    guard operands.count == count else {
      throw UsageFailure("gatt \(word) needs " + (count == 3 ? "a handle and octets" : "a handle"))
    }
    let handle = try handle(operands[1])
    switch word {
    case "read": return .read(handle)
    case "write":
      guard let octets = Hexadecimal.bytes(operands[2]), octets.count <= 512 else {
        throw UsageFailure("\"\(operands[2])\" is no hexadecimal text of at most 512 octets, such as 01ff")
      }
      return .write(handle, octets, withoutResponse: arguments.isSet("--without-response"))
    default:
      let span = try arguments.duration("--for", in: .milliseconds(100)...(.seconds(3_600))) ?? .seconds(10)
      return .subscribe(handle, span)
    }
  }

  /// A handle as the table writes it: hexadecimal behind `0x`, else decimal.
  private static func handle(_ text: String) throws -> AttributeHandle {
    let number = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
    guard let number, number > 0 else {
      throw UsageFailure("a handle is a number from 1 to 65535, such as 0x0010, not \"\(text)\"")
    }
    return AttributeHandle(number)
  }

  // MARK: Listening

  private static func listen(
    _ handle: AttributeHandle, _ span: Duration, _ command: PhoneCommand, _ desk: PhoneDesk,
    _ battery: inout BatteryRhythm
  ) async throws {
    let services = try await command.discover(desk)
    let characteristic = services.flatMap(\.characteristics).first { $0.valueHandle == handle }
    guard let characteristic, let configuration = characteristic.configurationHandle else {
      throw UsageFailure("\(GATTText.handle(handle)) is no value that can be subscribed to")
    }
    let began = desk.loop.now
    let count = Mutex(0)
    let listener = ValueListener { [loop = desk.loop] attribute, value, isIndication in
      guard attribute == handle else { return }
      count.withLock { $0 += 1 }
      let time = began.duration(to: loop.now)
      command.show(
        .object([
          ("seconds", .seconds(time)), ("value", .string(Hexadecimal.string(value))),
          ("isIndication", .boolean(isIndication)),
        ]),
        ["\(DecimalSeconds.text(time)) s  \(GATTText.value(value))"])
    }
    await desk.onEvent { listener.take($0) }
    let kind: Subscription = characteristic.properties.contains(.notify) ? .notifications : .indications
    _ = try await command.run(.subscribe(configuration, kind), desk)
    try await battery.wait(span) { listener.hasEnded }
    if listener.hasEnded { throw PhoneFailure.notConnected }
    if !command.isJSON { command.console.note("\(count.withLock { $0 }) values in \(DecimalSeconds.text(span)) s") }
  }

  // MARK: The table

  private static func table(
    _ profile: RecorderProfile?, _ command: PhoneCommand, _ desk: PhoneDesk
  ) async throws -> ExitCode {
    let services = try await command.discover(desk)
    var values: [(handle: AttributeHandle, text: GATTValue)] = []
    for characteristic in services.flatMap(\.characteristics) where characteristic.properties.contains(.read) {
      switch try await desk.perform(.attribute(.read(characteristic.valueHandle)), within: PhoneCommand.connecting) {
      case .success(.attribute(.value(let value))): values.append((characteristic.valueHandle, .octets(value)))
      case .failure(.refused(let code)): values.append((characteristic.valueHandle, .refused(code)))
      case .failure(let failure): throw failure
      case .success: return .internalError
      }
    }
    let differences = profile.map { GATTComparison.differences(services, from: GATTComparison.services(of: $0)) }
    command.show(
      GATTText.document(services, values, differences),
      GATTText.lines(services, values) + (differences.map { GATTText.verdict($0, profile?.name ?? "") } ?? []))
    return differences?.isEmpty == false ? .deviceFailed : .passed
  }
}

/// Passes on what is notified and indicated, and the end of the connection.
final class ValueListener: Sendable {
  private let heard: @Sendable (AttributeHandle, [UInt8], Bool) -> Void
  private let ended = Mutex(false)

  init(_ heard: @escaping @Sendable (AttributeHandle, [UInt8], Bool) -> Void) { self.heard = heard }

  /// Whether the connection ended.
  var hasEnded: Bool { ended.withLock { $0 } }

  func take(_ event: PhoneEvent) {
    switch event {
    case .valueReceived(let attribute, let value, let isIndication): heard(attribute, value, isIndication)
    case .connectionStatus(.disconnected): ended.withLock { $0 = true }
    default: break
    }
  }
}

extension PhoneCommand {
  /// Connects with the recorder that is meant, and asks nothing of it.
  func connectPlainly(_ desk: PhoneDesk) async throws {
    _ = try await desk.perform(.connectPlainly(choice), within: Self.connecting).get()
  }

  /// Runs one procedure of the GATT client.
  func run(_ procedure: ClientProcedure, _ desk: PhoneDesk) async throws -> ClientResult {
    guard case .attribute(let result) = try await desk.perform(.attribute(procedure), within: Self.connecting).get()
    else { throw PhoneFailure.abandoned }
    return result
  }

  /// All services of the recorder.
  func discover(_ desk: PhoneDesk) async throws -> [DiscoveredService] {
    guard case .services(let services) = try await run(.discoverAll, desk) else { throw PhoneFailure.abandoned }
    return services
  }
}
