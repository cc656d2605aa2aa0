import Recorder
import Runner
import Verdicts

/// The options that say which recorder and phone a simulated run has, and what is planted in them.
enum ModelOptions {
  /// The firmware of the modelled recorder.
  static let profile = OptionDeclaration(
    "--profile", "Which recorder firmware is simulated.", choices: RecorderProfile.all.map(\.name))

  /// Single behaviours of the published firmware.
  static let published = OptionDeclaration(
    "--published", "A behaviour of the published firmware that the recorder has, such as link-loss; may be repeated.",
    value: "BEHAVIOUR", repeats: true)

  /// The faults that are planted. `whose` and `purpose` go on with the sentence of the help, each from its blank or comma on.
  static func fault(_ purpose: String = "", of whose: String = "") -> OptionDeclaration {
    OptionDeclaration(
      "--fault", "Plant a fault\(whose), WHO:NAME\(purpose); may be repeated.", value: "FAULT", repeats: true)
  }

  /// The profile that was asked for, or the reference.
  static func profile(_ arguments: ParsedArguments) -> RecorderProfile {
    arguments.value(profile.name).flatMap(RecorderProfile.named) ?? .reference
  }

  /// The names of the behaviours that were asked for.
  static func published(_ arguments: ParsedArguments) throws(UsageFailure) -> [String] {
    let known = PublishedBehaviour.allCases.map(\.rawValue)
    let names = arguments.allValues(published.name)
    for name in names where !known.contains(name) {
      throw UsageFailure(
        "unknown behaviour \(name); expected \(known.joined(separator: ", "))"
          + ParsedArguments.suggestion(name, known))
    }
    return names
  }

  /// Settings of runs with the recorder, the phone and the faults that were asked for. Behaviours of the published firmware
  /// are stated by scenarios.
  static func settings(_ arguments: ParsedArguments) throws(UsageFailure) -> RunSettings {
    var settings = RunSettings()
    settings.catalogue = try Vocabularies.catalogue()
    settings.profile = profile(arguments)
    settings.phone = PhoneProfileOption.phone(arguments)
    settings.faults = try RunRequest.faults(arguments)
    return settings
  }
}
