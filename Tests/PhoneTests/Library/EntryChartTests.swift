import Charts
import DictofunProtocol
import Testing

@testable import Phone

/// The entries of a library move on their chart, and nowhere else.
@Suite struct EntryChartTests {
  private static let name = identifier("2611231200000001")

  /// A record that is told, downloaded, replaced by another under its name, removed and forgotten.
  private static func fill(_ library: PhoneLibrary) throws {
    for octets in [[UInt8](repeating: 1, count: 64), [UInt8](repeating: 2, count: 65)] {
      for _ in 0..<2 { _ = try library.take(size: UInt32(octets.count), of: name, from: recorderA) }
      let record = try #require(try library.recordTable.listed(name, by: recorderA))
      try library.store(octets, in: record.number, at: second(1))
      _ = try library.take(size: UInt32(octets.count), of: name, from: recorderA)
    }
    let record = try #require(try library.recordTable.listed(name, by: recorderA))
    try library.remove(record.number, at: second(2))
    _ = try library.take(size: 65, of: name, from: recorderA)
    _ = try library.take(completeList: [], from: recorderA)
  }

  @Test func everyTransitionOfAnEntryIsMissed() throws {
    let whole = try PhoneLibrary()
    try Self.fill(whole)
    let taken = whole.chartLog.log.taken.numbers
    #expect(taken.count > 6)
    #expect(whole.chartLog.log.refusal == nil)
    for number in taken {
      let library = try PhoneLibrary()
      library.entryChart = RecordEntry.chart.without(number)
      let missing = RecordEntry.chart.transitions[number]
      #expect(throws: LibraryFailure.impossible("\(missing.event.words) of a record that is \(missing.source.words)")) {
        try Self.fill(library)
      }
      #expect(library.chartLog.log.refusal?.event == missing.event.words)
    }
  }
}
