import HCI
import Timeline
import Transports
import World

/// How a controller answered one command.
package struct CommandAnswer: Hashable, Sendable {
  /// The command.
  package let opcode: Opcode
  /// How many times it was sent until it was answered, or given up.
  package internal(set) var attempts = 1
  /// From the last sending to the answer, in microseconds; `nil` without an answer.
  package internal(set) var microseconds: Int?
  /// What it told; `nil` without an answer that can be read.
  package internal(set) var values: ReturnParameters?
  /// How many commands it would take next; `nil` without an answer.
  package internal(set) var credits: Int?

  /// Whether the command was done.
  var isDone: Bool { values?.status == .success }
}

/// A deviation from the specification that was measured.
package struct AdapterDeviation: Hashable, Sendable {
  /// The quirk that lives with it.
  package let quirk: AdapterQuirk
  /// What was seen.
  package let seen: String
}

/// What was found out about one adapter, without its quirks being hidden.
package struct AdapterFindings: Sendable {
  /// By what it is known.
  package internal(set) var identity: AdapterIdentity
  /// How it answered, in the order in which it was asked.
  package internal(set) var answers: [CommandAnswer] = []
  /// Advertisements that were reported after scanning was enabled for the first and the second time.
  package internal(set) var advertisements: (first: Int, second: Int) = (0, 0)

  /// Advertisements in a second that are not there by chance when the second before had none.
  private static let telling = 3

  /// What it told in answer to a command; `nil` where it told nothing.
  package func values(_ opcode: Opcode) -> ReturnParameters? { answers.first { $0.opcode == opcode }?.values }

  /// The quirks that this look could not notice. Buffers are only used on a connection, a reset that was answered may not
  /// have done everything, and without advertisers nearby scanning tells nothing.
  package var notMeasured: [AdapterQuirk] {
    let noticed = deviations.map(\.quirk)
    let heard = advertisements.first + advertisements.second
    return AdapterQuirk.allCases.filter { quirk in
      switch quirk {
      case .tooManyBuffers, .needsSecondReset: !noticed.contains(quirk)
      case .needsSecondScan: heard == 0
      case .slowToOpen, .countsNoCredits, .noDataLength: false
      }
    }
  }

  /// Where it deviates from the specification.
  package var deviations: [AdapterDeviation] {
    [slowOpening, missingCredits, dataLength, lateScan].compactMap { $0 }
  }

  private var slowOpening: AdapterDeviation? {
    guard let reset = answers.first, reset.attempts > 1, reset.microseconds != nil else { return nil }
    let seen = "answered a reset only at attempt \(reset.attempts), one second apart"
    return AdapterDeviation(quirk: reset.attempts == 2 ? .needsSecondReset : .slowToOpen, seen: seen)
  }

  private var missingCredits: AdapterDeviation? {
    let answered = answers.filter { $0.credits != nil }
    let without = answered.filter { $0.credits == 0 }
    guard !without.isEmpty else { return nil }
    return AdapterDeviation(
      quirk: .countsNoCredits,
      seen: "\(without.count) of \(answered.count) answers gave no credit for the next command")
  }

  private var dataLength: AdapterDeviation? {
    guard case .leFeatures(let features)? = values(.leReadLocalSupportedFeatures),
      features.contains(.dataPacketLengthExtension)
    else { return nil }
    for opcode in [Opcode.leReadMaximumDataLength, .leWriteSuggestedDefaultDataLength] {
      guard let answer = answers.first(where: { $0.opcode == opcode }), !answer.isDone else { continue }
      let code = answer.values?.status.map { String($0.rawValue, radix: 16) }
      let way = code.map { "was refused with 0x\($0)" } ?? "was not answered"
      return AdapterDeviation(
        quirk: .noDataLength, seen: "claims the LE Data Packet Length Extension, but command \(opcode) \(way)")
    }
    guard case .maximumDataLength(let lengths)? = values(.leReadMaximumDataLength),
      lengths.transmit.octets <= LEDataLength.shortest.octets
    else { return nil }
    return AdapterDeviation(
      quirk: .noDataLength,
      seen: "claims the LE Data Packet Length Extension, but sends at most \(lengths.transmit.octets) octets")
  }

  private var lateScan: AdapterDeviation? {
    guard advertisements.first == 0, advertisements.second >= Self.telling else { return nil }
    return AdapterDeviation(
      quirk: .needsSecondScan,
      seen: "reported 0 advertisements in the first second of scanning, and \(advertisements.second) after it was "
        + "enabled again")
  }

  /// An entry of a library for what was measured; `nil` where nothing deviates.
  package var entry: QuirkEntry? {
    let deviations = deviations
    guard !deviations.isEmpty else { return nil }
    var entry = QuirkEntry(
      deviations.map(\.quirk), source: "dictobench doctor --report",
      seen: deviations.map(\.seen).joined(separator: "; "))
    entry.usb = identity.usb
    if let version = identity.version {
      entry.company = version.company
      entry.hciVersion = version.hciVersion
      entry.hciSubversion = version.hciSubversion
      entry.linkVersion = version.linkVersion
      entry.linkSubversion = version.linkSubversion
    }
    // Some quirks matter before the version is known, and some adapters do not tell it.
    let isKnownEarly = entry.usb != nil || !deviations.contains { $0.quirk.precedesVersion }
    if !isKnownEarly || entry.usb == nil && !entry.statesVersion { entry.adapter = identity.adapter }
    return entry
  }
}

/// Asks a controller what it is, one command at a time, and notes how it answers. It is reset before and after that, and
/// nothing is sent on the air.
package final class AdapterExaminer: PacketReceiver {
  /// How long a command may stay unanswered.
  private static let patience = Duration.seconds(1)
  /// How many times a reset is tried.
  private static let resetLimit = 5
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
    let examiner = try AdapterExaminer(controller)
    defer { examiner.pipe.close() }
    examiner.perform()
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
