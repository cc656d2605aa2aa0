import Foundation
import Reports
import System

/// The folder of the project that is tested, from which continuous integration looks for files.
enum ProjectFolder {
  /// Where GitLab, GitHub and Jenkins tell it.
  private static let variables = ["CI_PROJECT_DIR", "GITHUB_WORKSPACE", "WORKSPACE"]

  /// A path as it is found from the project's folder; absolute for one that is elsewhere. Outside of continuous
  /// integration the project is the working directory.
  static func path(_ path: String) -> String {
    let top = top
    let place = absolute(path)
    if place == top { return "." }
    return place.hasPrefix(top + "/") ? String(place.dropFirst(top.count + 1)) : place
  }

  /// The absolute path of the folder, without symbolic links.
  fileprivate static var top: String {
    let stated = variables.lazy.compactMap(Environment.value).first { $0.hasPrefix("/") }
    return absolute(stated ?? FileManager.default.currentDirectoryPath)
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}

extension ReportPlace {
  /// Tells where the project lies, and where in it the files are that scenarios name.
  mutating func findFiles() {
    projectFolder = ProjectFolder.top
    pathInProject = { ProjectFolder.path(ProgramData.place($0)) }
  }
}
