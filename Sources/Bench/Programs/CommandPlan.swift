import ScenarioLanguage
import Timeline
import World

/// `{for: press, run: [/usr/local/bin/relay, "1", "on"]}`: a program that may be run, and what for.
package struct CommandPlan: FieldGroupValue {
  /// What a program does.
  package typealias Purpose = Bench.Purpose

  static let purposeField = Field<Purpose>("for", "What it does.")
  static let runField = Field<[String]>("run", "The program by its full path, and its arguments; no shell sees them.")
  static let limitField = Field<Duration>("within", "How long it may take.", default: .seconds(10))
    .limited(to: Duration.milliseconds(100)...Duration.seconds(600))
  package static var group: FieldGroup { FieldGroup([purposeField, runField, limitField]) }

  /// What the program does.
  package let purpose: Purpose
  let words: [String]
  let limit: Duration

  package init(_ arguments: Arguments) {
    purpose = arguments[Self.purposeField]
    words = arguments[Self.runField]
    limit = arguments[Self.limitField]
  }
}

extension CommandPlan {
  /// The program with values in place of their names; an argument stays one argument whatever the value is.
  func program(_ values: [(name: String, text: String)]) -> ExternalProgram {
    let words = words.map { word in
      guard let value = values.first(where: { word.contains($0.name) }) else { return word }
      return word.split(separator: value.name, omittingEmptySubsequences: false).joined(separator: value.text)
    }
    return ExternalProgram(words, within: limit)
  }
}

/// `commands: [{for: press, run: …}]`: all programs that may be run.
struct CommandsPlan: ActuatorPlan {
  static let field = Field<[CommandPlan]>("commands", "Programs that may be run, and nothing else.", default: [])
  static var key: any FieldKey { field }

  let commands: [CommandPlan]

  static func stated(in arguments: Arguments) -> CommandsPlan? {
    let commands = arguments[field]
    return commands.isEmpty ? nil : CommandsPlan(commands: commands)
  }

  var purposes: [Purpose] { commands.map(\.purpose) }
  var patience: Duration { commands.map(\.limit).reduce(.zero, +) }
  var programs: [[String]] { commands.map(\.words) }

  func open(at site: ActuatorSite) throws(ControlFailure) -> (any Actuator)? { CommandActuator(commands, at: site) }
}

/// The programs of the bench file.
final class CommandActuator: Actuator {
  private let commands: [CommandPlan]
  private let site: ActuatorSite

  init(_ commands: [CommandPlan], at site: ActuatorSite) {
    self.commands = commands
    self.site = site
  }

  func perform(_ deed: Deed, isRestoring: Bool) async throws(ControlFailure) -> Bool {
    guard let command = commands.first(where: { $0.purpose == deed.purpose }) else { return false }
    let output = try await command.program(values(of: deed)).perform(on: site.loop, site.waits)
    if deed == .installFirmware {
      let words = output.split { $0.isWhitespace || $0.isNewline }
      if let digest = words.last(where: KnownApplication.isDigest) { site.onWritten?(digest.lowercased()) }
    }
    return true
  }

  private func values(of deed: Deed) -> [(name: String, text: String)] {
    switch deed {
    case .setBattery(let millivolts):
      [
        ("%millivolts", String(site.terminalMillivolts(reported: millivolts))), ("%reported", String(millivolts)),
      ]
    case .setClock(let seconds): [("%seconds", String(Wish.secondsSince1970(seconds)))]
    default: []
    }
  }

  /// A program does not tell how it found the power.
  var forgetsPower: Bool { true }
}
