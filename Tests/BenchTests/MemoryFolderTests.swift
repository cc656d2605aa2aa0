import DictofunProtocol
import Foundation
import Recorder
import System
import Testing
import Timeline
import Transports
import World

@testable import Bench

/// A folder in memory; the program is ended at one of its operations, in the middle of writing where that writes.
private final class MortalFiles: MemoryFiles {
  struct Death: Error {}
  var files: [(name: String, octets: [UInt8])] = []
  var operations = 0
  var lastOperation = Int.max

  private func live() throws(SystemCallFailure) {
    operations += 1
    if operations > lastOperation { throw SystemCallFailure("kill", EINTR) }
  }

  private func put(_ name: String, _ octets: [UInt8]) {
    files.removeAll { $0.name == name }
    files.append((name, octets))
  }

  func read(_ name: String) throws(SystemCallFailure) -> [UInt8]? { files.first { $0.name == name }?.octets }
  func names() throws(SystemCallFailure) -> [String] { files.map(\.name).sorted() }

  func write(_ name: String, _ octets: [UInt8]) throws(SystemCallFailure) {
    put(name, Array(octets.prefix(octets.count / 2)))
    try live()
    put(name, octets)
  }

  func rename(_ name: String, to other: String) throws(SystemCallFailure) {
    try live()
    guard let octets = try read(name) else { return }
    files.removeAll { $0.name == name }
    put(other, octets)
  }

  func remove(_ name: String) throws(SystemCallFailure) {
    try live()
    files.removeAll { $0.name == name }
  }
}

/// Everything that a recorder keeps while it makes two records.
private func history() throws -> [RecorderMemory] {
  let loop = EventLoop(driver: .virtual, seed: 1)
  var memories: [RecorderMemory] = []
  let bench = RecorderBench(RecorderPlan(), on: loop) { recorder in recorder.onMemoryChange = { memories.append($0) } }
  for _ in 0..<2 {
    try bench.recorders[0].pressButton()
    loop.runEvents(until: loop.now.advanced(by: .seconds(2)))
    try bench.recorders[0].releaseButton()
    loop.runEvents(until: loop.now.advanced(by: .seconds(2)))
  }
  bench.close()
  return memories
}

/// What counts of a memory, as octets.
private func table(_ memory: RecorderMemory?) -> [UInt8] {
  var encoder = MemoryEncoder()
  return memory.map { encoder.encode($0, at: .zero, wall: 0).table } ?? []
}

@Suite struct MemoryFolders {
  @Test func whoeverIsEndedAtAnyOperationFindsTheLastMemoryOrTheNext() throws {
    let memories = try history()
    #expect(memories.count >= 5 && memories.last?.records.count == 2)
    let whole = MortalFiles()
    let folder = MemoryFolder("state", whole)
    #expect(try folder.load(wall: 0) == nil)
    for memory in memories { try folder.save(memory, at: .zero, wall: 0) }
    #expect(whole.files.count == 4, "a table, two records and a page, and nothing else")
    for last in 0..<whole.operations {
      let files = MortalFiles()
      files.lastOperation = last
      let folder = MemoryFolder("state", files)
      _ = try folder.load(wall: 0)
      let saved = memories.firstIndex { memory in (try? folder.save(memory, at: .zero, wall: 0)) == nil }
      let next = try #require(saved)
      files.lastOperation = .max
      let again = MemoryFolder("state", files)
      let found = table(try again.load(wall: 0))
      let before = next > 0 ? table(memories[next - 1]) : []
      #expect(found == before || found == table(memories[next]), "ended at operation \(last)")
      // It goes on from there, and what was left behind is gone.
      try again.save(memories[memories.count - 1], at: .zero, wall: 0)
      #expect(files.files.count == 4, "\(files.files.map(\.name))")
    }
  }

  @Test func damagedNewerAndIncompleteOnesAreLeftAlone() throws {
    let files = MortalFiles()
    let folder = MemoryFolder("state", files)
    _ = try folder.load(wall: 0)
    let memory = try #require(try history().last)
    try folder.save(memory, at: .zero, wall: 0)
    let intact = files.files
    func refusal() -> String {
      do {
        _ = try MemoryFolder("state", files).load()
        return "taken"
      } catch { return "\(error)" }
    }
    let place = try #require(intact.firstIndex { $0.name == MemoryFolder.tableName })
    files.files[place].octets[20] ^= 1
    #expect(refusal().contains("is damaged and is left as it is"))
    files.files = intact
    files.files[place].octets[8] = 9
    #expect(refusal().contains("has version 9"))
    files.files = intact
    files.files[place == 0 ? 1 : 0].octets[0] ^= 1
    #expect(refusal().contains("is damaged"))
    files.files = intact
    files.files.remove(at: place)
    #expect(refusal().contains("is missing beside what it names"))
    files.files = intact
    #expect(refusal() == "taken")
  }

  @Test func filesAreTheOwnersAlone() throws {
    let place = try Folder()
    let path = place.path + "/a/b"
    let memory = try #require(try history().last)
    do {
      let folder = try MemoryFolder(path)
      #expect(try folder.load() == nil)
      try folder.save(memory, at: .zero)
      #expect(throws: MemoryTrouble.self) { try MemoryFolder(path) }
    }
    #expect(try MemoryFolder(path).load()?.records == memory.records)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let mode = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
  }
}
