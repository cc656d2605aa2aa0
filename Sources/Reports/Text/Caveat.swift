import Requirements

extension RunReport {
  /// What this run does not prove, for every report; `nil` where a real recorder ran.
  var caveat: String? {
    target == TargetKind.hardware.rawValue
      ? nil : "A simulated recorder proves nothing about a firmware binary: none of the firmware's code ran."
  }
}
