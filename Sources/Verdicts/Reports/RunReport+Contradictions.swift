extension RunReport {
  /// What its scenarios say of how they ended although it does not follow from what else they say, a sentence each. No run
  /// ends so; somebody changed the report. The sentences may hold text of a file.
  package var contradictions: [String] {
    let declared = knownDefects.map(\.defect)
    return scenarios.compactMap { scenario in
      scenario.contradiction(among: declared).map { "\(scenario.name): \($0)" }
    }
  }
}

extension ScenarioReport {
  /// What cannot be in a run that declares these defects; `nil` where everything can.
  fileprivate func contradiction(among declared: [KnownDefect]) -> String? {
    let follows = Verdict.of(attempts: attempts)
    guard verdict == follows || verdict.isTrouble(after: follows) else {
      let kinds = attempts.map(\.kind.rawValue).joined(separator: ", ")
      return "is recorded as \(verdict.kind.rawValue), but its attempts (\(kinds)) come to \(follows.kind.rawValue)"
        + (verdict.kind == follows.kind ? " for another reason" : "")
    }
    if let stranger = attempts.compactMap(\.defect).first(where: { !declared.contains($0) }) {
      return "is judged by \(stranger.place), which the run does not declare"
    }
    if verdict == .passed, let violation = findings.lazy.compactMap(\.violations.first).first {
      return "is recorded as passed, but violated \(violation.requirement): \(violation.reason)"
    }
    return nil
  }
}

extension Verdict {
  /// Whether it says that the results of a scenario could not be written, which is trouble of the bench whatever the
  /// attempts come to. A device that failed did so nevertheless.
  fileprivate func isTrouble(after follows: Verdict) -> Bool {
    kind == .benchError && follows.kind != .failed && follows.kind != .mended
  }
}
