import HCI
import Timeline
import Transports
import World

/// Asks a controller what it is, one command at a time, and notes how it answers. It is reset before and after that, and
/// nothing is sent on the air.
package final class AdapterExaminer: PacketReceiver {
  /// How long a command may stay unanswered.
  private static let patience = Duration.seconds(1)
  /// How many times a reset is tried.
  private static let resetLimit = 5
  /// How many times a controller is opened that is lost before it answered anything, and how far apart. A server lets in
  /// one host at a time, and may not have noticed yet that the one before has left: that one is often this program.
  private static let openings = 5
  private static let betweenOpenings = Duration.milliseconds(200)
  /// How long advertisements are listened for each time.
  private static let listening = Duration.seconds(1)

  private let loop = EventLoop(driver: .wall)
  private let pipe: any PacketPipe
  private var findings: AdapterFindings
  private var awaited: Opcode?
  private var advertisements = 0
  private var closure: PipeClosure?

  /// Examines a controller.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where it cannot be opened, or is lost.
  package static func examine(_ controller: TransportSpecification) throws(ControlFailure) -> AdapterFindings {
    var examiner = try AdapterExaminer(controller)
    defer { examiner.pipe.close() }
    examiner.perform()
    for _ in 1..<openings where examiner.wasTurnedAway {
      examiner.rest()
      examiner = try AdapterExaminer(controller)
      examiner.perform()
    }
    if let closure = examiner.closure {
      throw .bench("\(controller) was lost: \(closure.reason)", advice: "plug it in again, or use another one")
    }
    return examiner.findings
  }

  private init(_ controller: TransportSpecification) throws(ControlFailure) {
    var identity = AdapterIdentity(adapter: controller.description)
    do throws(TransportFailure) {
      pipe = try TransportOpening.open(controller, on: loop, whenOpened: { identity = $0.identity })
    } catch { throw .bench("cannot open \(controller): \(error.problem)", advice: error.advice) }
    findings = AdapterFindings(identity: identity)
    pipe.receiver = self
  }

  /// Whether the controller was lost before it answered anything.
  private var wasTurnedAway: Bool { closure != nil && findings.answers.allSatisfy { $0.microseconds == nil } }

  /// Lets go of the controller, and some time pass.
  private func rest() {
    pipe.close()
    var isOver = false
    loop.schedule(after: Self.betweenOpenings, .deadline) { isOver = true }
    loop.runEvents { isOver }
  }

  private func perform() {
    ask(.reset, attempts: Self.resetLimit)
    guard findings.answers[0].microseconds != nil else { return }
    for command in [
      Command.readLocalSupportedCommands, .readLocalVersionInformation, .readDeviceAddress,
      .leReadLocalSupportedFeatures, .leReadBufferSize, .readBufferSize,
    ] { ask(command) }
    if case .localVersion(let version)? = findings.values(.readLocalVersionInformation) {
      findings.identity.version = version
    }
    if case .leFeatures(let features)? = findings.values(.leReadLocalSupportedFeatures),
      features.contains(.dataPacketLengthExtension)
    {
      ask(.leReadMaximumDataLength)
      ask(.leWriteSuggestedDefaultDataLength(.shortest))
    }
    ask(.setEventMask(.initial.union(.leMeta)))
    ask(.leSetEventMask([LEEventMask(.advertisingReport)]))
    ask(
      .leSetScanParameters(
        LEScanParameters(isActive: false, intervalUnits: 0x10, windowUnits: 0x10, ownAddressType: .public)))
    findings.advertisements.first = listen()
    findings.advertisements.second = listen()
    ask(.reset)
  }

  private func ask(_ command: Command, attempts: Int = 1) {
    var answer = CommandAnswer(opcode: command.opcode)
    findings.answers.append(answer)
    for attempt in 1...attempts where closure == nil && answer.microseconds == nil {
      answer.attempts = attempt
      findings.answers[findings.answers.count - 1] = answer
      awaited = command.opcode
      let sent = loop.now
      pipe.send(command.packet)
      pass(Self.patience) { self.awaited == nil }
      if awaited == nil {
        answer = findings.answers[findings.answers.count - 1]
        answer.microseconds = Int((loop.now.nanoseconds - sent.nanoseconds) / 1_000)
        findings.answers[findings.answers.count - 1] = answer
      }
    }
    awaited = nil
  }

  private func listen() -> Int {
    advertisements = 0
    ask(.leSetScanEnable(true, filterDuplicates: false))
    pass(Self.listening) { false }
    ask(.leSetScanEnable(false, filterDuplicates: false))
    return advertisements
  }

  private func pass(_ time: Duration, until isDone: @escaping () -> Bool) {
    var isLate = false
    let deadline = loop.schedule(after: time, .deadline) { isLate = true }
    loop.runEvents { isDone() || self.closure != nil || isLate }
    loop.cancel(deadline)
  }

  package func receive(_ packet: HCIPacket) {
    guard packet.kind == .event else { return }
    let last = findings.answers.count - 1
    switch try? Event(decoding: packet.bytes) {
    case .commandComplete(let opcode, let credits, let values) where opcode == awaited:
      findings.answers[last].credits = Int(credits)
      findings.answers[last].values = values
      awaited = nil
    case .commandStatus(let opcode, let credits, let status) where opcode == awaited:
      findings.answers[last].credits = Int(credits)
      findings.answers[last].values = status == .success ? .success : .failure(status)
      awaited = nil
    case .leAdvertisingReport(let reports): advertisements += reports.count
    default: break
    }
  }

  package func pipeClosed(_ reason: PipeClosure) { closure = closure ?? reason }
}
