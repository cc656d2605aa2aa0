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

  /// The number of a part, from 1, by its place among the sources; `nil` where it is the only one.
  package func number(ofPart place: Int) -> Int? { sources.count > 1 ? place + 1 : nil }

  /// The merged run. Throws where the parts are not parts of one run, overlap or leave something out, where one
  /// contradicts itself, and where an attestation is about something that is not to be attested, or about another version
  /// of the program. Attestations that a part holds already stay.
  package func merged(
    with attestations: [(file: String, attestation: Attestation)], requiringAll: Bool
  ) throws(MergeFailure) -> RunReport {
    guard let first = sources.first else { throw MergeFailure("there is no run to merge") }
    for other in sources { try checkAlike(first, other) }
    try checkShards()
    for (folder, run) in sources {
      if let sentence = run.contradictions.first { throw MergeFailure("\(folder): \(sentence)") }
    }
    guard let target = TargetKind(rawValue: first.run.target) else {
      throw MergeFailure("\(first.folder) has the unknown target \(first.run.target)")
    }
    var merged = first.run
    merged.scenarios = try scenarios()
    merged.attestations = try all(attestations, of: first.run)
    merged.requiresAll = requiringAll
    merged.isInterrupted = sources.contains { $0.run.isInterrupted }
    merged.unrun = sources.flatMap(\.run.unrun)
    merged.startedAt = sources.map(\.run.startedAt).min() ?? 0
    merged.wallDuration = sources.reduce(.zero) { $0 + $1.run.wallDuration }
    var hosts: [String] = []
    for host in sources.map(\.run.host) where !hosts.contains(host) { hosts.append(host) }
    merged.host = hosts.joined(separator: ", ")
    merged.part = RunReport.Part(total: merged.scenarios.count)
    merged.bench = bench(\.bench)
    merged.furtherBenches = first.run.furtherBenches.indices.compactMap { index in
      bench { $0.furtherBenches.dropFirst(index).first }
    }
    merged.knownDefects = sources.dropFirst().reduce(first.run.knownDefects) { tallies, other in
      zip(tallies, other.run.knownDefects).map { $0.adding($1) }
    }
    for chart in sources.flatMap(\.run.charts) where !merged.charts.contains(where: { $0.name == chart.name }) {
      merged.charts.append(chart)
    }
    merged.requirements = RequirementResult.of(
      merged.scenarios, in: catalogue, target: target, attestations: merged.attestations)
    return merged
  }

  /// What all parts say of one bench; `nil` where none has it. A bench that had trouble in one part had trouble, whichever
  /// part comes first.
  private func bench(_ record: (RunReport) -> BenchRecord?) -> BenchRecord? {
    let records = sources.enumerated().compactMap { place, source in
      record(source.run).map { $0.named(ofPart: number(ofPart: place)) }
    }
    guard var bench = records.first else { return nil }
    bench.health = records.flatMap(\.health)
    bench.trouble = records.compactMap(\.trouble).min()
    return bench
  }

  /// The attestations of the parts and those of files, each once.
  private func all(
    _ added: [(file: String, attestation: Attestation)], of run: RunReport
  ) throws(MergeFailure) -> [Attestation] {
    let kept = sources.flatMap { source in source.run.attestations.map { (source.folder, $0) } }
    var all: [Attestation] = []
    for (place, attestation) in kept + added.map({ ($0.file, $0.attestation) }) where !all.contains(attestation) {
      if let sentence = attestation.objection(in: catalogue, tool: run.tool, at: place) { throw MergeFailure(sentence) }
      all.append(attestation)
    }
    return all
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
    try check("number of further benches") { String($0.furtherBenches.count) }
    try check("bench") { run in
      // A run may have none and name further ones, if somebody changed its report. Before an application, only a part in
      // which the bench failed has one.
      let first = run.bench?.place ?? "none"
      return ([first] + run.furtherBenches.map { $0.place ?? "without a name" }).joined(separator: ", ")
    }
    try check("known defects") { $0.knownDefects.map(\.defect.description).joined(separator: "; ") }
    guard one.run.knownDefects.map(\.defect) == other.run.knownDefects.map(\.defect) else {
      throw MergeFailure(
        "the runs are not parts of one run: \(one.folder) and \(other.folder) declare different known defects")
    }
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
}

extension BenchRecord {
  /// The record with the names that its captures have in a merged run.
  fileprivate func named(ofPart number: Int?) -> BenchRecord {
    var record = self
    for index in record.health.indices {
      record.health[index].capture = record.health[index].capture.map { HealthReport.captureName($0, ofPart: number) }
    }
    return record
  }
}

extension KnownDefectTally {
  /// What two parts of a run say about the same defect.
  fileprivate func adding(_ other: KnownDefectTally) -> KnownDefectTally {
    KnownDefectTally(
      defect, shown: shown + other.shown, mended: mended + other.mended, held: held + other.held)
  }
}
