import Foundation
import System

/// The folder of the project that is tested, from which continuous integration looks for files.
enum ProjectFolder {
  /// Where GitLab, GitHub and Jenkins tell it.
  private static let variables = ["CI_PROJECT_DIR", "GITHUB_WORKSPACE", "WORKSPACE"]

  /// A path as it is found from the project's folder; absolute for one that is elsewhere. Outside of continuous
  /// integration the project is the working directory.
  static func path(_ path: String) -> String {
    let stated = variables.lazy.compactMap(Environment.value).first { $0.hasPrefix("/") }
    let top = absolute(stated ?? FileManager.default.currentDirectoryPath)
    let place = absolute(path)
    if place == top { return "." }
    return place.hasPrefix(top + "/") ? String(place.dropFirst(top.count + 1)) : place
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}
