import Foundation
import PackagePlugin

/// Makes the list of verbs from the folder of verbs, so that adding a verb means adding one file.
@main struct VerbCatalogue: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let verbs = module.sourceFiles(withSuffix: ".swift").map(\.url)
      .filter { $0.pathComponents.contains("Verbs") }.sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "VerbCatalogue.swift")
    return [
      .buildCommand(
        displayName: "Listing the verbs", executable: try context.tool(named: "catalogue-verbs").url,
        arguments: [output.path] + verbs.map(\.path), inputFiles: verbs, outputFiles: [output])
    ]
  }
}
