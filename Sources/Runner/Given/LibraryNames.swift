import ScenarioLanguage
import SecureDFU
import Text
import World

/// Looks up the sounds, releases and packages that scenarios name, so that lint finds what a run would not.
///
/// Without a library at hand only the shape of a name is looked at.
struct LibraryNames: NameBook {
  let sounds: (any SoundLibrary)?
  let firmware: (any FirmwareLibrary)?

  func problem(with name: String, of kind: NameKind) -> NameProblem? {
    switch kind {
    case .sound: path(name) ?? found { _ = try sounds?.samples(name) }
    case .release: release(name)
    case .package: catalogue?.release(named: name) == nil ? path(name) ?? package(name) : nil
    default: nil
    }
  }

  private var catalogue: FirmwareCatalogue? { try? firmware?.catalogue() }

  private func release(_ name: String) -> NameProblem? {
    guard firmware != nil else { return nil }
    // A catalogue that cannot be read is what is wrong, and not the name.
    if let problem = found({ _ = try firmware?.catalogue() }) { return problem }
    guard let catalogue, catalogue.release(named: name) == nil else { return nil }
    let names = catalogue.releases.map(\.name)
    return NameProblem(
      "release `\(Wording.shortened(name))` is not in the catalogue", expected: Wording.choices(names),
      suggestion: Spelling.nearest(to: name, among: names))
  }

  private func package(_ name: String) -> NameProblem? {
    guard let problem = found({ _ = try firmware?.package(name) }) else { return nil }
    let names = catalogue?.releases.map(\.name) ?? []
    return NameProblem(problem.message, suggestion: Spelling.nearest(to: name, among: names))
  }

  /// What is wrong with a path that must stay below a folder.
  private func path(_ name: String) -> NameProblem? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isBelow = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0") }
    return isBelow ? nil : NameProblem("`\(Wording.shortened(name))` is not a path below its folder")
  }

  private func found(_ look: () throws -> Void) -> NameProblem? {
    do { try look() } catch ControlFailure.impossible(let reason) { return NameProblem(reason) } catch {
      return NameProblem("\(error)")
    }
    return nil
  }
}

/// Finds what single fields cannot know: a release that does not fit the chip it is said to be installed on.
struct InstalledFirmwareCheck: Sendable {
  let firmware: any FirmwareLibrary

  func problems(of scenario: Scenario) -> [Diagnostic] {
    scenario.given.sections(of: GivenDevice.declaration).flatMap { section -> [Diagnostic] in
      guard let place = section.arguments.location(of: GivenDevice.bootloader),
        let plan = section.arguments[GivenDevice.bootloader], let name = plan.release
      else { return [] }
      do {
        let package = try FirmwarePackage(decoding: try firmware.package(name))
        let image = package.images.first { $0.part == .application }?.image
        if let image, image.count <= Int(plan.build.regionSize) { return [] }
        return [
          Diagnostic(
            at: place, "release \(name) does not fit a chip with \(plan.build.name)",
            expected: "a release with an application of at most \(plan.build.regionSize) octets")
        ]
      } catch {
        return [Diagnostic(at: place, "release \(name) cannot be installed: \(error)", expected: "an intact package")]
      }
    }
  }
}
