import Foundation
import PackagePlugin

/// Makes the list of a room's verbs, monitors or reports from the folder that holds them, so that adding one means adding
/// one file.
@main struct FolderCatalogue: BuildToolPlugin {
  /// For each room, the folder that is listed and the protocol to which its types conform.
  private static let listed = [
    "Runner": (folder: "Verbs", conformance: "Verb"),
    "Requirements": (folder: "Monitors", conformance: "Monitor"),
    "Reports": (folder: "Formats", conformance: "RunReportWriter"),
  ]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule, let (folder, conformance) = Self.listed[target.name] else { return [] }
    let files = module.sourceFiles(withSuffix: ".swift").map(\.url)
      .filter { $0.pathComponents.contains(folder) }.sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "\(conformance)Catalogue.swift")
    return [
      .buildCommand(
        displayName: "Listing the folder \(folder)", executable: try context.tool(named: "catalogue-folder").url,
        arguments: [output.path, conformance] + files.map(\.path), inputFiles: files, outputFiles: [output])
    ]
  }
}
