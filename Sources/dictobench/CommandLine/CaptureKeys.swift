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
    do throws(CaptureTrial.Failure) {
      let trial = try CaptureTrial(path, keys: arguments.allValues(declaration.name))
      return try trial.judge(records: records, observer: observer)
    } catch { throw UsageFailure("\(error)") }
  }
}
