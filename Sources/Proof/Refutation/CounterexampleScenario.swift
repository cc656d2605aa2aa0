import DictofunProtocol
import Phone

/// A counterexample as a scenario: the same disturbances, each during the same request.
///
/// A scenario cannot hold a single packet back, so the requests are made long: the records and their number are larger
/// than in the proof. A second request is written by hand, because the phone has no second application. Where the phone's own
/// comes first, that is written by hand too: its answer would be waited for.
package struct CounterexampleScenario {
  /// A disturbance, and the opcode of the request of the phone during which it comes; `nil` between requests.
  private struct Incident {
    let move: Move
    let request: ControlPointRequest?
  }

  private let incidents: [Incident]
  private let sentence: String
  private let published: [String]
  /// Whether it was run, and passed although the proof fails: then its file says so.
  package var passes = false

  /// The scenario of a counterexample that was found in a plan. `published` names the behaviours of the published
  /// firmware that the recorder has in the plan, to be stated in the scenario.
  package init(_ counterexample: Counterexample, of plan: MeetingPlan, published: [String]) throws {
    let shelf = LibraryShelf()
    var meeting = try Meeting(plan, shelf)
    var incidents: [Incident] = []
    for move in counterexample.moves {
      if move.isDisturbance { incidents.append(Incident(move: move, request: meeting.asked)) }
      meeting = try meeting.after(move, shelf)
    }
    self.incidents = incidents
    sentence = counterexample.sentence
    self.published = published
  }

  /// Whether its phone writes its requests by hand.
  private var isByHand: Bool { incidents.contains { $0.move == .secondList || $0.move == .secondStatus } }
  /// Whether a record itself is what is being sent at an incident; else the table is made long, which every other request
  /// looks through.
  private var isAboutData: Bool {
    incidents.contains { if case .fileData = $0.request { !isByHand } else { false } }
  }
  private var count: Int { isByHand ? 250 : isAboutData ? 2 : 100 }

  /// The file.
  package var text: String {
    let device =
      ["records: {count: \(count), seconds: \(isAboutData ? "4 s" : "24 ms")}"]
      + (published.isEmpty ? [] : ["published: [\(published.joined(separator: ", "))]"])
    let addition = passes ? " This scenario passes all the same: it cannot hold one packet back." : ""
    var lines = [
      "scenario: whatever happens, every record arrives", "id: refuted",
      "description: \"The proof says: \(sentence).\(addition)\"", "verifies: [APP-1.2]", "tags: [explored]", "given:",
    ]
    if !isByHand { lines.append("  use: automatic-phone") }
    lines.append("  device: {\(device.joined(separator: ", "))}")
    if isByHand { lines.append("  phone: {bonded: true}") }
    lines.append("steps:")
    if isByHand { lines.append("  - phone: connect") }
    lines += incidents.flatMap(steps)
    if isByHand {
      lines += ["  - wait: 10 s", "  - phone: sync", "    within: 10 min", "    shows: APP-1.2/every"]
    } else {
      lines.append("  - wait: 5 min")
    }
    lines += ["  - phone: library", "    expect: {count: \(count), identical: \(count)}", "    shows: APP-1.2/every"]
    return lines.joined(separator: "\n") + "\n"
  }

  private func steps(_ incident: Incident) -> [String] {
    let moment = isByHand ? first(incident.request) : awaited(incident.request)
    switch incident.move {
    case .linkLoss: return moment + ["  - use: lose-link"] + (isByHand ? ["  - phone: connect"] : [])
    case .powerCut: return moment + ["  - device: cut-power", "  - wait: 10 s", "  - device: power-on"]
    case .applicationKill: return moment + ["  - phone: restart"]
    case .secondList: return both(incident.request, second: "01")
    case .secondStatus: return both(incident.request, second: "04")
    // Of the air's doing alone, a lost acknowledgement is the only cause.
    case .overtaking: return ["  - air: {lose: 50 %, direction: to-phone}"]
    default: return []
    }
  }

  /// The phone's request and that of its other application, in the order of the proof. Where the other comes first, the
  /// phone asks as always and has to be answered.
  private func both(_ request: ControlPointRequest?, second octets: String) -> [String] {
    if request != nil { return first(request) + [Self.written(octets)] }
    return [Self.written(octets), "  - phone: list", "    expect: {count: \(count)}"]
  }

  /// The request that is under way at an incident, written by hand; the list where the phone has none.
  private func first(_ request: ControlPointRequest?) -> [String] {
    if case .fileSystemStatus = request { return [Self.written("04")] }
    return [Self.written("01")]
  }

  private func awaited(_ request: ControlPointRequest?) -> [String] {
    let name: String? =
      switch request {
      case .listFiles: "files-list"
      case .fileInformation: "file-info"
      case .fileData: "file-data"
      case .fileSystemStatus: "fs-status"
      case .receiveComplete: "receive-complete"
      case .unaccepted, nil: nil
      }
    // By then the request has arrived, and is not answered yet.
    return name.map { ["  - eventually: {fts.request: {opcode: \($0)}}", "    within: 1 min", "  - wait: 50 ms"] } ?? []
  }

  private static func written(_ octets: String) -> String { "  - phone: {write-control-point: \"\(octets)\"}" }
}
