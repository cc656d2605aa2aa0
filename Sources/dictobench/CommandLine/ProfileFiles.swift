import Probe
import Recorder
import YAML

/// Reads the profile that an option names: one of the program's own, or the file of a measured one.
enum ProfileFiles {
  static let option = OptionDeclaration(
    "--profile",
    "Which recorder is simulated: \(RecorderProfile.all.map(\.name).joined(separator: " or ")), or a file that probe "
      + "wrote.",
    value: "NAME|FILE")

  /// The profile of `--profile`; `nil` where it is not given. A name with a dot or a slash is a file.
  static func read(_ arguments: ParsedArguments) throws(UsageFailure) -> RecorderProfile? {
    guard let name = arguments.value(option.name) else { return nil }
    guard name.contains("/") || name.contains(".y") else {
      if let profile = RecorderProfile.named(name) { return profile }
      let names = RecorderProfile.all.map(\.name)
      throw UsageFailure("unknown profile \(name)\(ParsedArguments.suggestion(name, names))")
    }
    do {
      let recorder = try MeasuredRecorder(try SourceFile.read(name))
      guard let twin = RecorderProfile.named(recorder.twin) else {
        throw UsageFailure("unknown profile \(recorder.twin)")
      }
      return recorder.profile(from: twin)
    } catch let failure as UsageFailure {
      throw failure
    } catch { throw UsageFailure("\(error)") }
  }
}
