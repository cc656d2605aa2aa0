import ScenarioLanguage
import Timeline
import World
import YAML

/// Lets a person steer simulated recorders by verbs, one a line: `press: 2 s`, `battery: 3.05 V`.
package actor DeviceConsole {
  private nonisolated let loop: EventLoop
  private let stage: Stage
  private let names: [String]

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// The names of the verbs that a line may hold, in the order of the reference.
  package static let verbs = VerbCatalogue.all.map { $0.declaration }.filter { $0.actor == .device }.map(\.name)

  /// A console over the recorders of a world; the first is meant where a line names none.
  package init(_ devices: sending [any DeviceControl], in world: sending BluetoothWorld) {
    loop = world.loop
    names = devices.map(\.name)
    let words = EventWords(phones: [], devices: devices.map { ($0.name, $0.address) })
    stage = Stage(
      loop: world.loop,
      StageSet(
        phones: [], devices: devices, medium: nil, waits: world.waits, sounds: NoSounds(), firmware: NoFirmware(),
        assertions: Assertions(),
        words: words, firstViolation: { nil }, observer: nil, trace: world.trace))
  }

  /// Performs the verb of one line on the recorder of that name, or the first, and says how it ended: `passed`, or what is
  /// wrong.
  package func perform(_ line: String, as recorder: String? = nil) async -> String {
    let sections = names.map { "    - {name: \($0)}" }.joined(separator: "\n")
    let text =
      "scenario: console\nid: console\ngiven:\n  devices:\n\(sections)\nsteps:\n  - device: {\(line)}\n"
      + (recorder.map { "    as: \($0)\n" } ?? "")
    let library = ScenarioLibrary(
      files: [SourceFile(path: "console", text: text)],
      vocabulary: DictofunVocabulary.vocabulary(requirements: [], sounds: NoSounds()))
    guard let scenario = library.scenarios.first, !library.hasErrors else { return library.report.text(limit: 1) }
    switch await stage.perform(scenario).verdict {
    case .passed: return "passed"
    case let verdict: return verdict.reason ?? verdict.kind.rawValue
    }
  }
}
