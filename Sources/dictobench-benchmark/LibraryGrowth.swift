import Bytes
import DictofunProtocol
import Phone

/// A phone's library as it grows over years, for `ci/growth`: records are listed, fetched and stored a hundred at a time,
/// gone from the recorder at the next list, and in the end all are shown.
enum LibraryGrowth {
  private static let recordsOfAMeeting = 100
  /// A tenth of a second of sound.
  private static let content = [UInt8](repeating: 0x5A, count: 800)

  /// Fills a library in memory with this many records. Throws where it does not hold them in the end.
  static func fill(_ count: Int) throws {
    let library = try PhoneLibrary()
    let recorder = BluetoothAddress(0xC0FF_EE00_0001, .random)
    for first in stride(from: 0, to: count, by: recordsOfAMeeting) {
      let names = (first..<min(first + recordsOfAMeeting, count)).map(name)
      for name in try library.take(completeList: names, from: recorder).unfinished {
        guard case .download(let number) = try library.take(size: UInt32(content.count), of: name, from: recorder)
        else {
          throw Measurement.Spoilt(description: "\(name) is not fetched")
        }
        try library.store(content, in: number, at: WallTime(CivilTime(secondsSince2000: Int64(first))))
      }
    }
    let shown = try library.records().count
    guard shown == count else {
      throw Measurement.Spoilt(description: "the library shows \(shown) of \(count) records")
    }
  }

  /// The name of the record with this number: a date and a time, one a second.
  private static func name(_ number: Int) -> RecordIdentifier {
    RecordIdentifier(CivilTime(secondsSince2000: Int64(number)))
  }
}
