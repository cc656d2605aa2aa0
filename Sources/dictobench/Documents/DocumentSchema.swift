import Bytes
import Evidence
import Reports
import Session
import Verdicts

/// A JSON document that the tool writes: its name, its version and its shape.
struct DocumentSchema {
  /// Its name, after `dictobench schema`, and its member `schema` where it has one.
  let name: String
  /// The value of its member `schemaVersion`; it changes when a member is taken away or changes its meaning.
  let version: Int
  /// What writes it.
  let origin: String
  /// The members besides `schemaVersion` and `schema`, in the notation of ``DocumentShape``.
  let notation: String
  /// Whether the document names its schema.
  let namesItself: Bool
  /// Whether the document has the member `schemaVersion`; one whose form others define has its version elsewhere.
  let hasVersion: Bool

  init(
    _ name: String, _ origin: String, version: Int = 1, namesItself: Bool = true, hasVersion: Bool = true,
    _ notation: String
  ) {
    self.name = name
    self.origin = origin
    self.version = version
    self.namesItself = namesItself
    self.hasVersion = hasVersion
    self.notation = notation
  }

  /// The schema of this name; traps for another, which is a bug of the program.
  static func named(_ name: String) -> DocumentSchema {
    guard let schema = all.first(where: { $0.name == name }) else {
      preconditionFailure("no document has the schema \(name)")
    }
    return schema
  }

  /// A document with version and name before its own members.
  func stamped(_ document: JSONValue) -> JSONValue {
    guard case .object(let members) = document else { preconditionFailure("\(name) is not an object") }
    return .object([("schemaVersion", .integer(version)), ("schema", .string(name))] + members)
  }

  /// The JSON Schema (draft 2020-12).
  var jsonSchema: String {
    let stamp =
      (hasVersion ? [DocumentShape.Member(name: "schemaVersion", shape: .whole, isOptional: false)] : [])
      + (namesItself ? [DocumentShape.Member(name: "schema", shape: .word(name), isOptional: false)] : [])
    guard case .object(let members) = DocumentShape(notation).adding(stamp).schema else {
      preconditionFailure("a schema is an object")
    }
    return JSONValue.object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("$id", .string("urn:dictobench:\(name):\(version)")), ("title", .string(origin)),
      ] + members
    ).indentedText
  }
}

extension DocumentSchema {
  private static let sessionTimes = "sessionSeconds: number, scenarioSeconds: number, recordingSeconds: number"
  private static let benchSession =
    "{session: text, operator: text, bench: text?, started: int, state: text, runs: int, \(sessionTimes)}"
  private static let failure = " | {failure: text, installed?: text}"
  private static let finding =
    "{requirement: text, outcome: text, reason: text?, preconditions: int, met: int, "
    + "firstMet_us: int?}"
  private static let prediction =
    "predictedReply: text?, predictedSelectReply: text?, predictedFinalReply: text?, reason: text?"
  private static let answer =
    "board: text, installedVersion: int, installedBootloaderVersion: int, \(prediction), "
    + "parts: [{part: text, \(prediction)}]"
  private static let change = "{requirement: text, target: text, before: text, now: text, reason?: text}"
  private static let quarantine = "{scenario: text, grantedBy: text, until: text, reason: text}"
  private static let quirkEntry =
    "{adapter?: text, usb?: text, release?: text, company?: int, hci?: int, hciSubversion?: int, lmp?: int, "
    + "lmpSubversion?: int, quirks: [text], source: text, seen: text}"
  private static let resource = "{name: text, digest: {sha256: text}, annotations?: {*: text}}"
  private static let file = "{file: text, size: int, crc32: text, sha256: text}"

  /// Every document, in the order of the alphabet.
  static let all: [DocumentSchema] =
    ([
      DocumentSchema(
        "adapter-report", "`doctor --report`",
        "{tool: text, adapters: [{controller: text, failure?: text, usb?: {vendor: int, product: int, release: int?}, "
          + "address?: text, version?: {hci: int, hciSubversion: int, lmp: int, lmpSubversion: int, company: int}, "
          + "supportedCommands?: text, features?: text, buffers?: {octets: int, count: int}, "
          + "sharedBuffers?: {octets: int, count: int}, maximumDataLength?: {transmitOctets: int, receiveOctets: int}, "
          + "advertisements?: {first: int, second: int}, answers: [{command: text, attempts: int, microseconds: int?, "
          + "status: int?, credits: int?}], known: [\(quirkEntry)], deviations: [{quirk: text, seen: text}], "
          + "notMeasured: [text], entry?: \(quirkEntry), yaml?: text}]}"),
      DocumentSchema(
        "attestation", "what a check writes with `ci/attest`", version: Attestation.schemaVersion, namesItself: false,
        "{requirement: text, clause: text?, check: text, measured: text, tool: text}"),
      DocumentSchema("battery", "`battery`", "{percent: int?, octet: int, isLow: flag?}" + failure),
      DocumentSchema(
        "check", "`check`", version: CaptureVerdict.schemaVersion, namesItself: false,
        "{file: text, violated: flag, verdict: text, packets: int, events: int, seconds: number, broken: text?, "
          + "adapters: [{index: int, host: text}], requirements: [{requirement: text, sentence: text, "
          + "clauses: [text], judges: text, outcome: text, reason: text?, preconditions: int, met: int, "
          + "violations: [{virtualSeconds: number, reason: text}]}], open: [text], "
          + "notJudged: [text]}"),
      DocumentSchema(
        "compare", "`compare`",
        "{here: text, there: text, same: int, different: [{name: text, verdicts: text?, until: text?, here: text?, "
          + "there: text?, untold: text?}], lone: [text], notCompared: [text]}"),
      DocumentSchema(
        "dfu-inspect", "`dfu inspect`",
        "{file: text, publicKey: text, publicKeySource: text, "
          + "findings: [text], images: [{part: text, image?: \(file), initPacket: \(file), type?: text?, …}], "
          + "predictions: [{\(answer)}], …}"),
      DocumentSchema(
        "dfu-releases", "`dfu releases`",
        "{releases: [{name: text, file: text, version: int, board: text, profile: text, offered: flag, notes: text, "
          + "sha256: text}]}"),
      DocumentSchema(
        "dfu-update", "`dfu update`",
        "{installed: text, version: int?, firmwareRevision: text?, octets: int, seconds: number, "
          + "transferSeconds: number, octetsPerSecond: int, links: int, drops: int}" + failure),
      DocumentSchema(
        "dfu-versions", "`dfu versions`",
        "{application: {version: text, source: text}?, board: {version: text, source: text}?, "
          + "softDevice: {version: text, source: text}?, bootloader: any, bootloaderReason: text}" + failure),
      DocumentSchema(
        "doctor", "`doctor`",
        "{outcome: text, bench: text?, controller: text?, adapters: [{specification: text, way: text, title: text, "
          + "state: text?, driver: text?, isPermitted: flag, isRadioOff: flag, isHeld: flag, links: [text], "
          + "trouble: text?, notes: [text]}], limits: [text], checks: [{name: text, outcome: text, found: text, "
          + "advice: text?}], lastGoodRun: int?, changes: [{name: text, before: text, now: text}], "
          + "quirks: [{controller: text, entry: \(quirkEntry)}]}"),
      DocumentSchema(
        "event", "each line of `events.ndjson`", version: EventFormat.schemaVersion, namesItself: false,
        "{seq: int, t_virtual_us: int, t_wall_us: int, runStarted: {schemaVersion: int, tool: text, target: text, "
          + "profile: text?, seed: int}}"
          + " | {seq: int, t_virtual_us: int, t_wall_us: int, runFinished: {exitCode: int, interrupted: flag, "
          + "traceHash: text}}"
          + " | {seq: int, t_virtual_us: int, t_wall_us: int, scenario: text, repetition?: int, "
          + "stepStarted?: {sentence: text, file: text, line: int}, "
          + "stepFinished?: {sentence: text, file: text, line: int, outcome: text, reason: text?, seconds: number, "
          + "shows?: [text], decided?: flag, observed?: text, seenBy?: [text], "
          + "answer?: {question: text, answer: text, isYes: flag, answeredAt: text}}, "
          + "event?: {name: text, source: text, link?: int, peer?: text, who?: text, words?: text, …}, "
          + "requirementViolated?: {requirement: text, judges: text, reason: text}, eventsDropped?: {count: int}, "
          + "scenarioFinished?: {verdict: text, reason: text?, judges: text?, violated: [text]?, defect?: any, at?: text, "
          + "traceHash: text?, monitors: [\(finding)], notes?: [text], replay: text}}"),
      DocumentSchema(
        "fault-list", "`list --faults`", "{faults: [{fault: text, subject: text, summary: text?}]}"),
      DocumentSchema(
        "fts", "each line of `fts`",
        "{request: text, means: text} | {seconds: number, characteristic: text, value: text, means: text}"
          + " | {end: text, seconds: number, notifications: int, octets: int, isAnswered: flag}" + failure),
      DocumentSchema(
        "gatt", "`gatt`, and each line of `gatt subscribe`",
        "{services: [{uuid: text, name: text?, handle: int, endHandle: int, characteristics: [{uuid: text, name: text?, "
          + "handle: int, configurationHandle: int?, properties: [text], value: text?, refusedWith: int?}]}], "
          + "differences: [text]?} | {handle: int, value: text} | {handle: int, written: text, wasAnswered: flag}"
          + " | {seconds: number, value: text, isIndication: flag}" + failure),
      DocumentSchema(
        "history", "`history`",
        "{points: [{sequence: int, run: text, started: int, program: text, target: text, firmware: text, operator: text, "
          + "bench: text?, instruments: text, host: text, words: text, total: int, bad: int, values: [int]}], "
          + "shares: [{name: text, bad: int, total: int, low: number, high: number, flaky: flag}], "
          + "operators: [{operator: text, runs: int, bad: int, total: int}], notes: [text]}"),
      DocumentSchema(
        "lint", "`lint`",
        "{problems: [{file: text, line: int, column: int, length: int, severity: text, message: text, expected?: text, "
          + "suggestion?: text, notes?: [{file: text, line: int, column: int, length: int, message: text}]}], "
          + "errors: int, warnings: int}"),
      DocumentSchema(
        "list", "`list`",
        "{scenarios: [{id: text, cell: text, title: text, file: text, line: int, tags: [text], requirements: [text], "
          + "needs: [text], runnable?: flag, blockedBy?: text, wallSeconds?: int, prompts?: int}]}"),
      DocumentSchema(
        "mutate", "`mutate`",
        "{noticed: int, total: int, subjects: {*: {noticed: int, total: int}}, "
          + "requirements: {*: {noticed: int, total: int}}, untried: [text], "
          + "equivalent: [{fault: text, subject: text, reason: text}], "
          + "trials: [{fault: text, subject: text, scenario: text, requirement: text?, noticed: flag}]}"),
      DocumentSchema("pair", "`pair`", "{paired: text?, isNew: flag, keySize: int?}" + failure),
      DocumentSchema(
        "probe", "`probe`",
        "{recorder: text, twin: text, file: text, "
          + "figures: [{name: text, value: text, spread: text, samples: int, how: text}], "
          + "missing: [{name: text, reason: text}], accesses: [{attempt: text, result: text}], "
          + "differences: [{name: text, measured: text, twin: text}], otherDifferences: [text]}" + failure),
      DocumentSchema(
        "pull", "`pull`",
        "{listed: int, downloaded: int, octets: int, battery: int?, written: [text], transcribed: [text]?, attempts: int, "
          + "transferSeconds: number, octetsPerSecond: int?}" + failure),
      DocumentSchema(
        "qualification", "`qualification.json` of `qualify`", version: Qualification.currentSchemaVersion,
        namesItself: false,
        "{tool: text, firmware: text, plan: text, seed: int, day: text, "
          + "targets: [{name: text, scenarios: int, judged: int, waiting?: text, "
          + "blocked?: [{scenario: text, reason: text, requirements: [text]}], unidentified?: text}], "
          + "rows: [{requirement: {id: text, sentence: text, judges: text, clauses: [{id: text, sentence: text}], line: int, "
          + "observed: [text?]}, cells: [{target: text, finding: text, reason?: text, evidence: [text], "
          + "shownBy: [{clause: text, evidence: [text]}], waiver?: {requirement: text, grantedBy: text, until: text, "
          + "reason: text, place: text}}]}], "
          + "failures: [{scenario: text, target: text, verdict: text, reason: text, record?: {story: [{label: text, text: text}], "
          + "page?: text, capture?: text, missing?: text}, violated?: [text], quarantine?: \(quarantine)}], "
          + "repeats: [{scenario: text, target: text, question: {bound: int, aim: int, risk: int, benchBound: int, limit: int}, "
          + "decision: text, judged: int, failed: int, benchErrors: int, quarantine?: \(quarantine)}], "
          + "changes?: {against: text, newlyBroken: [\(change)], newlyMended: [\(change)], unchanged: [\(change)], "
          + "evidenceLost: [\(change)], incomparable?: [{requirement: text, target: text}], newlyFailing: [text], "
          + "noLongerFailing: [text]}, figures?: [{name: text, unit: text, target: text, values: [int]}], "
          + "killScore?: {subjects: [{name: text, noticed: int, total: int}], noticed: int, total: int}, "
          + "notModelled?: [text], environment?: [{name: text, value: text}]}"),
      DocumentSchema(
        "records", "`records`",
        "{records: [{identifier: text, date: text?, octets: int?, seconds: number?, state: text, transcript: text?, "
          + "trouble: text?}]}" + failure),
      DocumentSchema(
        "scan", "`scan`",
        "{recorders: [{address: text, name: text, signalStrength: int?, ageSeconds: number, isPaired: flag, "
          + "isBootloader: flag}]}" + failure),
      DocumentSchema("session", "`session start`, `pause`, `resume`, `end` and `show`", benchSession),
      DocumentSchema(
        "session-list", "`session list`",
        "{sessions: [\(benchSession)], operators: [{operator: text, sessions: int, \(sessionTimes)}]}"),
      DocumentSchema(
        "statement", "the payload of the envelope of `bundle`, an in-toto Statement v1",
        version: EvidenceStatement.schemaVersion, namesItself: false, hasVersion: false,
        "{_type: text, subject: [\(resource)], predicateType: text, predicate: {result: text, "
          + "configuration: [\(resource)], passedTests: [text], warnedTests: [text], failedTests: [text], "
          + "dictobench_schemaVersion: int, dictobench_tool: text, dictobench_seed: int, dictobench_traceHash: text, "
          + "dictobench_evidence: [\(resource)]}}"),
      DocumentSchema(
        "summary", "`summary.json` of a run", version: RunReport.schemaVersion, namesItself: false,
        "{tool: text, target: text, seed: int, profile: text?, phone?: text, fault: text?, image?: text, capture: text, host: text, "
          + "startedAt: int, exitCode: int, interrupted: flag, requireAll: flag, caveat: text?, part: any, "
          + "attestations?: [any], unrun?: [{name: text, file: text}], totals: {*: int}, wallNanoseconds: int, "
          + "wallSeconds: number, virtualSeconds: number?, "
          + "traceHash: text, bench: any, furtherBenches?: [any], repetitions: any, knownDefects?: [any], baseline?: any, "
          + "charts?: [{name: text, summary: text, initial: text, states: [text], events: [text], transitions: [{from: text, event: text, "
          + "to: text, scenarios: int}]}], "
          + "requirements: [{id: text, sentence: text, judges: text, outcome: text, reason: text?, …}], "
          + "scenarios: [{id: text, bench?: text, figures?: [{name: text, value: int, unit: text}], "
          + "charge?: {poweredNanoseconds: int, parts: [{name: text, leastNanoampereHours: int, mostNanoampereHours: int}], "
          + "notCounted: [text]}, charts?: [{chart: text, taken: [int]}], …}]}"
      ),
      DocumentSchema(
        "time", "`time`",
        "{served: text?, refused: flag, records: int, withoutDate: int, newestIdentifier: text?, newestDate: text?, "
          + "newestAgeSeconds: int?, isAhead: flag, caveat: text}" + failure),
      DocumentSchema(
        "turning-point", "`turning-point`",
        "{scenario: text, reason: text, draws: int, before: {virtualSeconds: number, words: text, failures: int}, "
          + "lost: {virtualSeconds: number, words: text, failures: int}, isTurningPoint: flag, "
          + "measurements: [{virtualSeconds: number, words: text, failures: int}]}"),
      DocumentSchema("unpair", "`unpair`", "{unpaired: text, wasTold: flag}" + failure),
      DocumentSchema(
        SteeringLine.schema, "each line that the control socket of `simulate` sends",
        version: SteeringLine.schemaVersion,
        "{ok: flag, error?: text, …} | {event: {name: text, source: text, words?: text, …}, virtualSeconds: number}"
          + " | {violation: {requirement: text, judges: text, reason: text}, virtualSeconds: number}"),
    ]).sorted { $0.name < $1.name }
}
