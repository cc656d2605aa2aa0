import Timeline

/// Why runs cannot be merged, in one sentence. It may hold text of a file.
package struct MergeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What does not fit, and in which runs.
  package let description: String

  init(_ text: String) { description = text }
}

/// Puts the parts of a run together, with what checks attest, to the run that it would have been.
package struct RunMerging: Sendable {
  /// A run and the folder of its reports, as messages name it.
  package typealias Source = (folder: String, run: RunReport)

  private let sources: [Source]
  private let catalogue: RequirementCatalogue

  /// Takes the parts, in any order.
  package init(_ sources: [Source], in catalogue: RequirementCatalogue) {
    self.sources = sources
    self.catalogue = catalogue
  }

  /// The merged run. Throws where the parts are not parts of one run, overlap or leave something out, and where an
  /// attestation is about something that is not to be attested, or about another version of the program.
  package func merged(
    with attestations: [(file: String, attestation: Attestation)], requiringAll: Bool
  ) throws(MergeFailure) -> RunReport {
    guard let first = sources.first else { throw MergeFailure("there is no run to merge") }
    for other in sources { try checkAlike(first, other) }
    try checkShards()
    for (file, attestation) in attestations { try check(attestation, file, of: first.run) }
    guard let target = TargetKind(rawValue: first.run.target) else {
      throw MergeFailure("\(first.folder) has the unknown target \(first.run.target)")
    }
    var merged = first.run
    merged.scenarios = try scenarios()
    merged.attestations = attestations.map(\.attestation)
    merged.requiresAll = requiringAll
    merged.isInterrupted = sources.contains { $0.run.isInterrupted }
    merged.startedAt = sources.map(\.run.startedAt).min() ?? 0
    merged.wallDuration = sources.reduce(.zero) { $0 + $1.run.wallDuration }
    var hosts: [String] = []
    for host in sources.map(\.run.host) where !hosts.contains(host) { hosts.append(host) }
    merged.host = hosts.joined(separator: ", ")
    merged.part = RunReport.Part(total: merged.scenarios.count)
    merged.bench?.health = sources.flatMap { $0.run.bench?.health ?? [] }
    for index in merged.furtherBenches.indices {
      merged.furtherBenches[index].health = sources.flatMap { $0.run.furtherBenches[index].health }
      merged.furtherBenches[index].trouble = sources.lazy.compactMap { $0.run.furtherBenches[index].trouble }.first
    }
    merged.knownDefects = first.run.knownDefects.indices.map { index in
      sources.dropFirst().reduce(first.run.knownDefects[index]) { $0.adding($1.run.knownDefects[index]) }
    }
    for chart in sources.flatMap(\.run.charts) where !merged.charts.contains(where: { $0.name == chart.name }) {
      merged.charts.append(chart)
    }
    merged.requirements = RequirementResult.of(
      merged.scenarios, in: catalogue, target: target, attestations: merged.attestations)
    return merged
  }

  /// All scenarios in the order of the whole run.
  private func scenarios() throws(MergeFailure) -> [ScenarioReport] {
    var owners: [String: String] = [:]
    for (folder, run) in sources {
      for scenario in run.scenarios {
        if let other = owners.updateValue(folder, forKey: scenario.name) {
          throw MergeFailure("the runs overlap: \(scenario.name) is in \(other) and in \(folder)")
        }
      }
    }
    let isSharded = sources.contains { $0.run.part?.shard != nil }
    let scenarios = sources.flatMap(\.run.scenarios)
    return isSharded ? scenarios.sorted { $0.place < $1.place } : scenarios
  }

  /// Throws unless two runs differ in nothing but their scenarios.
  private func checkAlike(_ one: Source, _ other: Source) throws(MergeFailure) {
    func check(_ name: String, _ value: (RunReport) -> String?) throws(MergeFailure) {
      let (left, right) = (value(one.run) ?? "none", value(other.run) ?? "none")
      guard left != right else { return }
      throw MergeFailure(
        "the runs are not parts of one run: \(one.folder) has the \(name) \(left), \(other.folder) has \(right)")
    }
    try check("program") { $0.tool }
    try check("target") { $0.target }
    try check("seed") { String($0.seed) }
    try check("profile") { $0.profile }
    try check("phone") { $0.phone }
    try check("fault") { $0.fault }
    try check("image") { $0.image }
    try check("kind of captures") { $0.isUncovered ? "full" : "covered" }
    try check("bench") { run in run.bench.map { _ in run.benches.map { $0.place ?? "none" }.joined(separator: ", ") } }
    try check("known defects") { $0.knownDefects.map(\.defect.description).joined(separator: "; ") }
    guard other.run.repetitions == nil else {
      throw MergeFailure("\(other.folder) repeats its scenarios (--repeat, --for), and such runs cannot be merged")
    }
    guard other.run.requirements.map(\.requirement) == catalogue.requirements else {
      throw MergeFailure("\(other.folder) was judged by another scenarios/requirements.yaml")
    }
  }

  /// Throws unless every shard is there once, and no scenario is missing.
  private func checkShards() throws(MergeFailure) {
    guard
      let (folder, part) = sources.lazy.compactMap({ source in source.run.part.map { (source.folder, $0) } })
        .first(where: { $0.1.shards != nil }), let count = part.shards
    else { return }
    var owners: [Int: String] = [:]
    for (other, run) in sources {
      guard let its = run.part, let shard = its.shard, its.shards == count, its.total == part.total else {
        throw MergeFailure("\(folder) is one of \(count) shards of \(part.total) scenarios, \(other) is not")
      }
      if let twin = owners.updateValue(other, forKey: shard) {
        throw MergeFailure("shard \(shard)/\(count) is there twice: \(twin) and \(other)")
      }
    }
    if let missing = (1...max(1, count)).first(where: { owners[$0] == nil }) {
      throw MergeFailure("shard \(missing)/\(count) is missing")
    }
    let found = sources.reduce(0) { $0 + $1.run.scenarios.count }
    guard found == part.total || sources.contains(where: { $0.run.isInterrupted }) else {
      throw MergeFailure("the shards hold \(found) scenarios, expected \(part.total)")
    }
  }

  private func check(_ attestation: Attestation, _ file: String, of run: RunReport) throws(MergeFailure) {
    guard let requirement = catalogue[attestation.requirement] else {
      throw MergeFailure("\(file) attests the unknown requirement \(attestation.requirement)")
    }
    guard requirement.judges == .harness else {
      throw MergeFailure(
        "\(file) attests \(requirement.id), which only a run can show: it judges the \(requirement.judges.rawValue)")
    }
    let clauses = requirement.clauses.map(\.id)
    guard clauses.contains(attestation.clause ?? "") else {
      throw MergeFailure(
        "\(file) attests \(attestation.clause.map { "the clause \($0)" } ?? "no clause") of \(requirement.id), expected "
          + (clauses == [""] ? "none" : clauses.joined(separator: ", ")))
    }
    guard attestation.tool == run.tool else {
      throw MergeFailure("\(file) is about \(attestation.tool), the runs are of \(run.tool)")
    }
  }
}

extension KnownDefectTally {
  /// What two parts of a run say about the same defect.
  fileprivate func adding(_ other: KnownDefectTally) -> KnownDefectTally {
    KnownDefectTally(
      defect, shown: shown + other.shown, mended: mended + other.mended, held: held + other.held)
  }
}
