import Phone
import ScenarioLanguage
import World

/// `- phone: history`
enum History: Verb {
  enum Status: String, FieldChoice {
    case connected
    case secured
    case disconnected
    case failed
    case paired
    case unpaired

    init(_ status: ConnectionStatusEntry.Status) {
      switch status {
      case .connected: self = .connected
      case .secured: self = .secured
      case .disconnected: self = .disconnected
      case .failed: self = .failed
      case .paired: self = .paired
      case .unpaired: self = .unpaired
      }
    }

    var meaning: String {
      switch self {
      case .connected: "A connection was made."
      case .secured: "The link was encrypted."
      case .disconnected: "The connection ended."
      case .failed: "A connection attempt failed."
      case .paired: "The recorder was paired."
      case .unpaired: "The recorder was unpaired."
      }
    }
  }

  static let connections = Field<Int>("connections", "Number of connections made.").limited(to: 0...)
  static let last = Field<Status>("last", "What happened last.")
  static let statuses = Field<[Status]>("statuses", "Everything that happened, oldest first.")

  static let declaration = VerbDeclaration(
    "history", of: .phone, "Reads the phone's connection history.",
    results: [connections, last, statuses], example: "- phone: history\n  expect: {connections: 3, last: disconnected}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let history = try stage.phone(call).connectionHistory().map { Status($0.status) }
    var findings = Findings()
    findings.set(Self.connections, history.count { $0 == .connected })
    if let last = history.last { findings.set(Self.last, last) }
    findings.set(Self.statuses, history)
    return findings
  }
}
