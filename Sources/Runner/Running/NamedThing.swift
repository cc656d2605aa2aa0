import ScenarioLanguage

/// A sound, a release or a package by the name that a scenario gives.
package struct NamedThing: Hashable, Sendable {
  /// What it is.
  let kind: NameKind
  /// How the scenario calls it.
  let name: String

  /// What a run makes of the name: the samples of a sound; the octets of a package, and what the catalogue says of all
  /// releases, which decides how recorders behave that are updated. Empty where there is nothing of that name.
  package func content(_ sounds: any SoundLibrary, _ firmware: any FirmwareLibrary) -> [UInt8] {
    switch kind {
    case .sound:
      ((try? sounds.samples(name)) ?? []).flatMap { sample in
        [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
      }
    case .release, .package:
      ((try? firmware.package(name)) ?? []) + Array("\((try? firmware.catalogue())?.releases ?? [])".utf8)
    default: []
    }
  }
}

extension Scenario {
  /// The sounds, releases and packages that it names, each once, in its own order.
  package var thingsNamed: [NamedThing] {
    let declarations = DictofunVocabulary.given
    let stated = given.sections.map { section in
      section.arguments.things(in: declarations.first { $0.name == section.kind }?.group)
    }
    let calls = Step.flat(steps + always).compactMap(\.call)
    let all = (stated + calls.map { $0.arguments.things(in: $0.declaration.group) }).joined()
    return all.enumerated().filter { index, thing in all.prefix(index).allSatisfy { $0 != thing } }.map(\.element)
  }
}

extension Arguments {
  fileprivate func things(in group: FieldGroup?) -> [NamedThing] {
    entries.flatMap { entry in group?.field(entry.name).map { entry.value.things(of: $0.type) } ?? [] }
  }
}

extension Value {
  fileprivate func things(of type: ValueType) -> [NamedThing] {
    switch (self, type) {
    case (.text(let name), .name(let kind)): [NamedThing(kind: kind, name: name)]
    case (.list(let values), .list(let element)): values.flatMap { $0.things(of: element) }
    case (.group(let arguments), .group(let group)): arguments.things(in: group)
    case (_, .either(let types)): types.flatMap(things)
    default: []
    }
  }
}
