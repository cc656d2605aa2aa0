import Requirements
import Session
import Verdicts

/// The option that decrypts what a sniffer heard.
enum CaptureKeys {
  static let declaration = OptionDeclaration(
    "--key", "A long-term key that decrypts links which a sniffer captured, 32 hexadecimal digits; may be repeated.",
    value: "KEY", repeats: true)

  /// Judges the capture at a path with the keys of the command line.
  static func trial(
    _ path: String, _ arguments: ParsedArguments, records: ((CapturedRecord) -> Void)? = nil,
    observer: (ProductEvent) -> Void
  ) throws(UsageFailure) -> CaptureReport {
    try judge(try open(path, arguments), records: records, observer: observer)
  }

  /// Opens the capture at a path, with the keys of the command line.
  static func open(_ path: String, _ arguments: ParsedArguments) throws(UsageFailure) -> CaptureTrial {
    do throws(CaptureTrial.Failure) {
      return try CaptureTrial(path, keys: arguments.allValues(declaration.name))
    } catch { throw UsageFailure("\(error)") }
  }

  /// Judges a capture that was opened, which can be done again.
  static func judge(
    _ trial: CaptureTrial, records: ((CapturedRecord) -> Void)? = nil, observer: (ProductEvent) -> Void
  ) throws(UsageFailure) -> CaptureReport {
    do throws(CaptureTrial.Failure) { return try trial.judge(records: records, observer: observer) } catch {
      throw UsageFailure("\(error)")
    }
  }
}
