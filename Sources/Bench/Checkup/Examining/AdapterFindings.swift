import HCI
import Transports

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
