import Runner
import Verdicts

/// The options of `run` that not every target uses. One that is ignored would let a run pass for another than was meant, such
/// as a simulated one for one before a real recorder.
enum TargetOptions {
  private static let users: [(option: String, targets: [TargetKind])] = [
    (BenchFiles.declaration.name, [.hardware, .app]), ("--controller", [.hardware, .app]),
    (AdapterOptions.take.name, [.hardware, .app]), (AdapterOptions.quirks.name, [.hardware, .app]),
    ("--device", [.hardware]), (BenchLocks.waiting.name, [.hardware, .app]),
    (BoardFiles.declaration.name, [.image]), (ImageFiles.packages.name, [.image, .hardware]),
    ("--profile", [.simulated, .image, .app]),
  ]

  /// Refuses an option that the target does not use.
  static func check(_ arguments: ParsedArguments, for target: TargetKind) throws(UsageFailure) {
    for (option, targets) in users where arguments.isSet(option) && !targets.contains(target) {
      let needed = targets.map { "--target \($0.rawValue)" }.joined(separator: " or ")
      let advice =
        option == BenchFiles.declaration.name ? "; `list --bench` shows what would run on that bench" : ""
      throw UsageFailure("\(option) needs \(needed)\(advice)")
    }
    for fault in try RunRequest.faults(arguments) where !fault.isPossible(with: target) {
      throw UsageFailure("--fault \(fault.text) cannot be used with --target \(target.rawValue): \(reason(target))")
    }
  }

  private static func reason(_ target: TargetKind) -> String {
    target == .app ? "only our recorder is simulated" : "only our phone is simulated"
  }
}

extension PlantedFault {
  /// Whether what it is planted into is simulated.
  fileprivate func isPossible(with target: TargetKind) -> Bool {
    switch (self, target) {
    case (.recorder, .hardware), (.air, .hardware), (.phone, .app), (.air, .app): false
    default: true
    }
  }
}
