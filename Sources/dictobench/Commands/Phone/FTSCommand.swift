import Bench
import Bytes
import DictofunProtocol
import HostStack
import Phone
import ScenarioLanguage
import Synchronization
import Text
import Timeline
import Verdicts

/// `dictobench fts`
enum FTSCommand: Command {
  static let declaration = CommandDeclaration(
    "fts", "Writes one request to the File Transfer Service, and shows every notification that follows.",
    operands: "list | info ID | data ID | status | complete | raw HEX", operandLimit: 2,
    options: PhoneCommand.options + [
      OptionDeclaration(
        "--for",
        "How long nothing may come before the answer counts as ended; 2 s unless stated.", value: "DURATION")
    ], example: "dictobench fts status --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let request = try request(arguments.operands)
    let isRaw = arguments.operands.first == "raw"
    let quiet = try arguments.duration("--for", in: .milliseconds(100)...(.seconds(600))) ?? .seconds(2)
    let command = try PhoneCommand(arguments, console)
    return try command.run { desk in
      var battery = try await BatteryRhythm.connect(command, desk, isSilent: isRaw)
      let found = try await command.run(.discoverService(DictofunUUID.fileTransferService), desk)
      guard case .services(let services) = found, let service = services.first else {
        throw PhoneFailure.serviceMissing(DictofunUUID.fileTransferService)
      }
      guard let point = service.characteristics.first(where: { $0.uuid == DictofunUUID.controlPoint }) else {
        throw PhoneFailure.serviceMissing(DictofunUUID.controlPoint)
      }
      let dialogue = FTSDialogue(request, service)
      let listener = ValueListener { [loop = desk.loop] attribute, value, _ in
        dialogue.hear(attribute, value, at: loop.now).map { show($0, command) }
      }
      await desk.onEvent { listener.take($0) }
      for characteristic in service.characteristics where characteristic.valueHandle != point.valueHandle {
        guard characteristic.properties.contains(.read), let place = characteristic.configurationHandle else {
          continue
        }
        _ = try await command.run(.subscribe(place, .notifications), desk)
      }
      dialogue.begin(at: desk.loop.now)
      command.show(
        .object([("request", .string(Hexadecimal.string(request.encoded))), ("means", .string(words(request)))]),
        ["request  \(Hexadecimal.string(request.encoded))  \(words(request))"])
      _ = try await command.run(.write(point.valueHandle, request.encoded), desk)
      try await wait(for: dialogue, listener, quiet, &battery)
      let end = dialogue.end(hasDisconnected: listener.hasEnded, quiet)
      command.show(
        .object([
          ("end", .string(end.words)), ("seconds", .seconds(dialogue.elapsed(at: desk.loop.now))),
          ("notifications", .integer(dialogue.count)), ("octets", .integer(dialogue.octets)),
          ("isAnswered", .boolean(end.isGood)),
        ]),
        [
          "end after \(DecimalSeconds.text(dialogue.elapsed(at: desk.loop.now))) s: \(end.words); "
            + "\(dialogue.count) notifications, \(dialogue.octets) octets"
        ])
      return end.isGood ? .passed : .deviceFailed
    }
  }

  /// Waits until the answer is whole, the link ends, or nothing came for `quiet`.
  private static func wait(
    for dialogue: FTSDialogue, _ listener: ValueListener, _ quiet: Duration, _ battery: inout BatteryRhythm
  ) async throws {
    var heard = -1
    while !Interruption.isRequested, !dialogue.isComplete, !listener.hasEnded, dialogue.count != heard {
      heard = dialogue.count
      try await battery.wait(quiet) { dialogue.isComplete || listener.hasEnded }
    }
  }

  private static func request(_ operands: [String]) throws -> ControlPointRequest {
    let words = ["list", "info", "data", "status", "complete", "raw"]
    guard let word = operands.first else { throw UsageFailure("fts needs \(words.joined(separator: ", ")) first") }
    let takesOperand = ["info", "data", "raw"].contains(word)
    if words.contains(word), operands.count != (takesOperand ? 2 : 1) {
      throw UsageFailure(takesOperand ? "fts \(word) needs what to ask for" : "fts \(word) takes nothing more")
    }
    switch word {
    case "list": return .listFiles
    case "status": return .fileSystemStatus
    case "complete": return .receiveComplete
    case "info", "data":
      guard let identifier = RecordIdentifier(operands[1]) else {
        throw UsageFailure("\"\(operands[1])\" is no identifier of sixteen digits")
      }
      return word == "info" ? .fileInformation(identifier) : .fileData(identifier)
    case "raw":
      guard let octets = Hexadecimal.bytes(operands[1]), octets.count <= 512 else {
        throw UsageFailure("\"\(operands[1])\" is no hexadecimal text of at most 512 octets, such as 01")
      }
      return ControlPointRequest(decoding: octets)
    default: throw UsageFailure("fts does not know \(word)\(ParsedArguments.suggestion(word, words))")
    }
  }

  private static func words(_ request: ControlPointRequest) -> String {
    switch request {
    case .listFiles: "list files"
    case .fileInformation(let identifier): "file info of \(identifier)"
    case .fileData(let identifier): "file data of \(identifier)"
    case .fileSystemStatus: "FS status"
    case .receiveComplete: "receive complete"
    case .unaccepted: "nothing that the firmware accepts"
    }
  }

  private static func show(_ notification: FTSDialogue.Notification, _ command: PhoneCommand) {
    command.show(
      .object([
        ("seconds", .seconds(notification.time)), ("characteristic", .string(notification.name)),
        ("value", .string(Hexadecimal.string(notification.value))), ("means", .string(notification.meaning)),
      ]),
      [
        "\(DecimalSeconds.text(notification.time)) s  \(notification.name)  "
          + "\(GATTText.value(notification.value))  \(PlainText.escaped(notification.meaning))"
      ])
  }
}

/// One request and what follows it.
private final class FTSDialogue: Sendable {
  struct Notification {
    /// Since the request was written.
    var time: Duration
    var name: String
    var value: [UInt8]
    var meaning: String
  }

  private struct State {
    var began: Instant?
    var count = 0
    var octets = 0
    var list = FilesListAssembler()
    var isComplete = false
    var status: GeneralStatus?
    var isMalformed = false
  }

  private let request: ControlPointRequest
  private let service: DiscoveredService
  private let state = Mutex(State())

  init(_ request: ControlPointRequest, _ service: DiscoveredService) {
    self.request = request
    self.service = service
  }

  var isComplete: Bool { state.withLock { $0.isComplete } }
  var count: Int { state.withLock { $0.count } }
  var octets: Int { state.withLock { $0.octets } }

  func begin(at instant: Instant) { state.withLock { $0.began = instant } }

  func elapsed(at instant: Instant) -> Duration { state.withLock { $0.began?.duration(to: instant) ?? .zero } }

  /// Takes a notification; `nil` before the request and for what is not of the service.
  func hear(_ attribute: AttributeHandle, _ value: [UInt8], at instant: Instant) -> Notification? {
    guard let characteristic = service.characteristics.first(where: { $0.valueHandle == attribute }) else { return nil }
    return state.withLock { state in
      guard let began = state.began else { return nil }
      state.count += 1
      state.octets += value.count
      let meaning: String
      do throws(DecodingFailure) { meaning = try Self.take(value, of: characteristic.uuid, request, &state) } catch {
        state.isMalformed = true
        meaning = "cannot be understood: \(error)"
      }
      return Notification(
        time: began.duration(to: instant), name: GATTText.name(characteristic.uuid) ?? "\(characteristic.uuid)",
        value: value, meaning: meaning)
    }
  }

  private static func take(
    _ value: [UInt8], of uuid: BluetoothUUID, _ request: ControlPointRequest, _ state: inout State
  ) throws(DecodingFailure) -> String {
    switch uuid {
    case DictofunUUID.filesList, DictofunUUID.filesListContinuation:
      switch try state.list.append(value) {
      case .incomplete: return "part of the list"
      case .complete(let identifiers):
        if case .listFiles = request { state.isComplete = true }
        return "\(identifiers.count) records: " + identifiers.map(\.description).joined(separator: " ")
      }
    case DictofunUUID.fileInformation:
      let size = try FileInformation(decoding: value).size
      if case .fileInformation = request { state.isComplete = true }
      return "\(size) octets"
    case DictofunUUID.fileData: return "\(value.count) octets, \(state.octets) so far"
    case DictofunUUID.fileSystemStatus:
      let status = try FileSystemStatus(decoding: value)
      if case .fileSystemStatus = request { state.isComplete = true }
      return "\(status.freeBytes) octets free, \(status.occupiedBytes) occupied, \(status.fileCount) files"
    case DictofunUUID.generalStatus:
      let status = try GeneralStatus(decoding: value)
      state.status = status
      if status != .ok { state.isComplete = true }
      return words(status)
    default: return "of the service, and not expected here"
    }
  }

  private static func words(_ status: GeneralStatus) -> String {
    switch status {
    case .ok: "OK"
    case .fileNotFound(let identifier): "file \(identifier) not found"
    case .fileSystemCorrupt: "file system corrupt"
    case .aborted(let reason): "aborted, reason 0x" + Hexadecimal.digits(reason)
    case .genericFailure: "generic failure"
    }
  }

  /// How the dialogue ended, and whether the request was answered as it should be.
  func end(hasDisconnected: Bool, _ quiet: Duration) -> (words: String, isGood: Bool) {
    let silence = "nothing more came for \(DecimalSeconds.text(quiet)) s"
    return state.withLock { state in
      if let status = state.status, status != .ok { return (Self.words(status), false) }
      if state.isComplete { return ("the answer is whole", !state.isMalformed) }
      if hasDisconnected { return ("the recorder ended the connection", request == .receiveComplete) }
      if case .fileData = request {
        // There is no end marker; only file info tells how many octets there should be.
        return (silence, state.count > 0 && !state.isMalformed)
      }
      return (silence, !request.isAccepted)
    }
  }
}
