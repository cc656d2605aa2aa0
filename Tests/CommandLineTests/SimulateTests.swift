import Foundation
import Testing

@Suite struct Simulations {
  @Test func aControllerThatCannotBeReachedEndsWithThreeAndOneSentence() throws {
    let outcome = try Tool.run(["simulate", "--controller", "unix:/nowhere/controller"])
    #expect(outcome.status == 3 && outcome.output.isEmpty)
    #expect(outcome.trouble.hasPrefix("dictobench: unix:/nowhere/controller: "), "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1)
  }

  @Test func aDamagedStateIsRefusedAndLeftAlone() throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appending(path: "recorder-0")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    _ = try folder.write("recorder-0/recorder.memory", "nothing of ours")
    let outcome = try Tool.run(["simulate", "--listen", "tcp-server:127.0.0.1:0", "--state", folder.url.path])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.trouble.contains("is damaged and is left as it is"), "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1)
    #expect(try folder.files.map { String(decoding: $0.bytes, as: UTF8.self) } == ["nothing of ours"])
  }
}
