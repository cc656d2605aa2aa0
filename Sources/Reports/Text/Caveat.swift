import Verdicts

extension RunReport {
  /// Whether all of it ran in virtual time; on a bench there is none.
  var isSimulated: Bool { target == TargetKind.simulated.rawValue }

  /// What this run does not prove, for every report; `nil` where a real recorder ran.
  var caveat: String? {
    switch TargetKind(rawValue: target) {
    case .hardware?: nil
    case .app?:
      "Judged is the application; our recorder is an instrument, whose failures are trouble of the harness."
    case .simulated?, nil:
      "A simulated recorder proves nothing about a firmware binary: none of the firmware's code ran."
    }
  }
}
