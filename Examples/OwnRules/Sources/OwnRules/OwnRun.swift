import Runner
import ScenarioLanguage
import Verdicts
import YAML

/// Runs scenario files with the monitor and the verb of this package.
public enum OwnRun {
  /// What is wrong with a scenario file, as text for people.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  /// The verbs of DictoBench and ours.
  public static let vocabulary = DictofunVocabulary.vocabulary(requirements: ["OWN-1"], additionalVerbs: [Visit.self])

  /// Runs every scenario of the files at `paths`. Throws ``Problem`` for a file that cannot be read or has errors.
  public static func reports(of paths: [String], seed: UInt64 = 1) throws -> [ScenarioReport] {
    let files = try paths.map { path in
      do { return try SourceFile.read(path) } catch { throw Problem(description: "\(path): \(error)") }
    }
    let library = ScenarioLibrary(files: files, vocabulary: vocabulary)
    guard !library.hasErrors else { throw Problem(description: library.report.text()) }
    var settings = RunSettings()
    settings.seed = seed
    settings.additionalVerbs = [Visit.self]
    settings.additionalMonitors = [LinksStayShort.self]
    return library.scenarios.map { scenario in
      ScenarioRun(scenario, settings, sounds: NoSounds(), firmware: NoFirmware()).run()
    }
  }
}
