import Foundation
import Testing

/// A process that serves simulated recorders and a virtual controller; ends with its last user.
final class Simulation {
  let port: Int
  /// The controller's specification.
  var controller: String { "tcp-client:127.0.0.1:\(port)" }
  private let process = Process()

  /// The recorders' addresses.
  let recorders: [String]

  init(records folder: String? = nil, _ more: [String] = []) throws {
    let output = Pipe()
    process.executableURL = Tool.executable
    process.arguments =
      ["simulate", "--listen", "tcp-server:127.0.0.1:0"] + (folder.map { ["--records", $0] } ?? []) + more
    process.standardInput = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var said = ""
    while !said.contains("ready\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += String(decoding: more, as: UTF8.self)
    }
    recorders = said.matches(of: /recorder ([0-9A-Fa-f:]+)/).map { String($0.1) }
    port = try #require(said.firstMatch(of: /tcp-server:127.0.0.1:(\d+)/).flatMap { Int($0.1) }, "\(said)")
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
