import Foundation
import TestThreads
import Testing

/// A controller of one machine that is used from another.
@Suite(.waits) struct ServedControllers {
  /// Simulated recorders, a process that serves their air, and the key of both ends.
  private final class Rig {
    let folder: TemporaryFolder
    let key: String
    private var simulator: Process
    private let service: Process
    private let output = Pipe()
    private var said = ""
    var port = 0

    init(_ place: String) throws {
      folder = try TemporaryFolder()
      key = try folder.write("key", String(repeating: "c0de", count: 16))
      simulator = try Self.simulate(folder)
      service = Process()
      service.executableURL = Tool.executable
      service.arguments = [
        "serve-controller", "unix:\(folder.url.path)/air", "--listen", place.replacing("KEY", with: key),
      ]
      service.currentDirectoryURL = Tool.repository
      service.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
      service.standardInput = FileHandle.nullDevice
      (service.standardOutput, service.standardError) = (output, output)
      try service.run()
      waitUntil(said: "ready\n")
      port = try #require(said.firstMatch(of: /127.0.0.1:(\d+)/).flatMap { Int($0.1) }, "\(said)")
    }

    private static func simulate(_ folder: TemporaryFolder) throws -> Process {
      try Tool.start(
        ["simulate", "--listen", "unix-server:\(folder.url.path)/air", "--seed", "3"], until: "ready")
    }

    /// Waits until the service has said this once more.
    func waitUntil(said words: String) {
      while !said.contains(words) {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { return }
        said += String(decoding: more, as: UTF8.self)
      }
    }

    func forget() { said = "" }

    func unplug() {
      simulator.terminate()
      simulator.waitUntilExit()
    }

    func plugIn() throws { simulator = try Self.simulate(folder) }

    deinit {
      service.terminate()
      service.waitUntilExit()
      unplug()
    }
  }

  @Test func aPhoneElsewhereUsesItAndTheNextOneFindsItReset() throws {
    let rig = try Rig("tls-server:127.0.0.1:0,KEY")
    for _ in 0..<2 {
      let home = try TemporaryFolder()
      let controller = "tls-client:127.0.0.1:\(rig.port),\(rig.key)"
      let outcome = try Tool.run(["battery", "--controller", controller], home: home)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    }
  }

  @Test func nobodyUsesItWithoutTheKey() throws {
    let rig = try Rig("tls-server:127.0.0.1:0,KEY")
    let wrong = try rig.folder.write("wrong", String(repeating: "bad0", count: 16))
    let outcome = try Tool.run(["scan", "--controller", "tls-client:127.0.0.1:\(rig.port),\(wrong)"])
    #expect(outcome.status == 3)
    #expect(
      outcome.trouble.contains("the other end does not have this key, or does not speak TLS"), "\(outcome.trouble)")
    rig.waitUntil(said: "somebody came who does not have the key")
    #expect(try Tool.run(["scan", "--controller", "tcp-client:127.0.0.1:\(rig.port)"]).status == 3)
    let right = try Tool.run(["scan", "--controller", "tls-client:127.0.0.1:\(rig.port),\(rig.key)", "--for", "1s"])
    #expect(right.status == 0, "\(right.trouble)")
  }

  @Test func itsServiceGoesOnWhenItIsPluggedInAgain() throws {
    let rig = try Rig("tcp-server:127.0.0.1:0")
    let controller = "tcp-client:127.0.0.1:\(rig.port)"
    for _ in 0..<3 {
      rig.forget()
      rig.unplug()
      rig.waitUntil(said: "is opened again when it is back")
      let absent = try Tool.run(["scan", "--controller", controller, "--for", "1s"])
      #expect(absent.status == 3, "\(absent.output)\(absent.trouble)")
      rig.forget()
      try rig.plugIn()
      rig.waitUntil(said: "ready\n")
      let outcome = try Tool.run(["scan", "--controller", controller, "--for", "1s"])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    }
  }

  @Test func itIsNotOpenToTheNetworkWithoutAKey() throws {
    let folder = try TemporaryFolder()
    let outcome = try Tool.run([
      "serve-controller", "unix:\(folder.url.path)/air", "--listen", "tcp-server:_:0",
    ])
    #expect(outcome.status == 2, "\(outcome.trouble)")
    #expect(outcome.trouble.contains("would let in whoever reaches this machine: use tls-server with a key"))
    let client = try Tool.run(["serve-controller", "usb:0", "--listen", "tcp-client:127.0.0.1:1"])
    #expect(client.status == 2)
  }
}
