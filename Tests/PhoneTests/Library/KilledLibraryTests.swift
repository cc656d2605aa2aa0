import Bytes
import Foundation
import HostStack
import Phone
import Testing

/// A program that is killed before any statement finds its library as it was before the operation.
struct KilledLibraryTests {
  private struct Step: Sendable {
    var name: String
    var run: @Sendable (PhoneLibrary) throws -> Void
  }

  private static let first = identifier("0000240101120000")
  private static let second = identifier("0000240101120001")

  private static let steps = [
    Step(name: "keep the own address") { try $0.keep(ownAddress: BluetoothAddress(0xC0_0000_0000_77, .random)) },
    Step(name: "pair") { try $0.pair(sampleBond(recorderA), at: .init(nanosecondsSinceEpoch: 1)) },
    Step(name: "update the bond") { try $0.update(sampleBond(recorderA, key: 2)) },
    Step(name: "connect") {
      try $0.note(ConnectionStatusEntry(recorder: recorderA, status: .connected, at: .init(nanosecondsSinceEpoch: 2)))
    },
    Step(name: "list") { _ = try $0.take(completeList: [first, second], from: recorderA) },
    Step(name: "learn a size") { _ = try $0.take(size: 300, of: first, from: recorderA) },
    Step(name: "learn another size") { _ = try $0.take(size: 3, of: second, from: recorderA) },
    Step(name: "store") { library in
      let number = try library.records().last?.number ?? RecordNumber(rawValue: 0)
      try library.store([UInt8](repeating: 0xAB, count: 300), in: number, at: .init(nanosecondsSinceEpoch: 3))
    },
    Step(name: "listen") { library in
      let number = try library.records().last?.number ?? RecordNumber(rawValue: 0)
      try library.keep(position: .milliseconds(1_500), in: number)
    },
    Step(name: "transcribe") { library in
      let number = try library.records().last?.number ?? RecordNumber(rawValue: 0)
      try library.keep(transcript: "buy milk", of: number)
    },
    Step(name: "learn a changed size") { _ = try $0.take(size: 400, of: first, from: recorderA) },
    Step(name: "remove") { library in
      let complete = try library.records().first { $0.isComplete }?.number ?? RecordNumber(rawValue: 0)
      try library.remove(complete, at: .init(nanosecondsSinceEpoch: 4))
    },
    Step(name: "list without all") { _ = try $0.take(completeList: [], from: recorderA) },
    Step(name: "refuse a version") { try $0.refuse(2, on: recorderA, at: .init(nanosecondsSinceEpoch: 6)) },
    Step(name: "begin an update") { try $0.begin(sampleUpdate(recorderA, version: 3)) },
    Step(name: "begin another") { try $0.begin(sampleUpdate(recorderA, version: 2)) },
    Step(name: "complete the update") { try $0.completeUpdate(of: recorderA, at: .init(nanosecondsSinceEpoch: 8)) },
    Step(name: "begin a third") { try $0.begin(sampleUpdate(recorderA, version: 4)) },
    Step(name: "abandon") { try $0.abandonUpdate(of: recorderA) },
    Step(name: "unpair") { try $0.unpair(at: .init(nanosecondsSinceEpoch: 5)) },
  ]

  /// What the file and its journal hold at the moment of the kill.
  private static func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
    let copy = TemporaryFolder()
    for name in try folder.names {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
    }
    return copy
  }

  /// Runs the steps until a statement is refused. Returns how many steps ended, and what was left on disk then.
  private static func run(killedBefore statement: Int, _ folder: TemporaryFolder) throws -> (Int, TemporaryFolder)? {
    var left = statement
    var remains: TemporaryFolder?
    var completed = 0
    do {
      let library = try PhoneLibrary(.file(folder.file("library"))) { (_: String) throws(LibraryFailure) in
        if left == 0 {
          if remains == nil { remains = try? copy(folder) }
          throw .interrupted
        }
        left -= 1
      }
      for step in steps {
        try step.run(library)
        completed += 1
      }
    } catch LibraryFailure.interrupted {
      return (completed, try #require(remains))
    }
    return nil
  }

  @Test func aKilledLibraryReopensAsItWasBeforeTheOperation() throws {
    var states: [LibraryContent] = []
    let whole = try PhoneLibrary()
    states.append(try LibraryContent(whole))
    for step in Self.steps {
      try step.run(whole)
      states.append(try LibraryContent(whole))
    }
    #expect(states.last?.tombstones.count == 1)
    #expect(states.last?.records.count == 2)

    var statement = 0
    while let (completed, remains) = try Self.run(killedBefore: statement, TemporaryFolder()) {
      let reopened = try PhoneLibrary(.file(remains.file("library")))
      #expect(try LibraryContent(reopened) == states[completed], "killed before statement \(statement)")
      for step in Self.steps[completed...] { try step.run(reopened) }
      #expect(try LibraryContent(reopened) == states.last, "killed before statement \(statement)")
      statement += 1
    }
    #expect(statement > 80)
  }
}
