/// From which lines of its source an image was built, as the compiler told debuggers.
package struct LineTable: Hashable, Sendable {
  /// Instructions of one line that stand together.
  package struct Range: Hashable, Sendable {
    /// The address of the first.
    package var start: UInt32
    /// The address behind the last.
    package var end: UInt32
    /// Index of the file in ``LineTable/files``.
    package var file: Int
    /// The line, from 1.
    package var line: Int
  }

  /// A line of the source.
  package struct Line: Hashable, Sendable {
    /// The file, as the compiler was given it or found it.
    package var file: String
    /// The line, from 1.
    package var number: Int

    /// The file without its folders.
    package var fileName: String { file.split(separator: "/").last.map(String.init) ?? file }
  }

  /// Paths of the source.
  package let files: [String]
  /// What stands where, in the order of addresses.
  package let ranges: [Range]
  /// Why there are no lines, or not all of them; `nil` where all were read.
  package let lack: String?

  /// A table without lines, for the reason that `lack` gives.
  init(lack: String? = nil) { self.init(files: [], ranges: [], lack: lack) }

  init(files: [String], ranges: [Range], lack: String?) {
    self.files = files
    self.ranges = ranges.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    self.lack = lack
  }

  /// The lines of both tables; `lack` is that of this one.
  func adding(_ other: LineTable) -> LineTable {
    LineTable(
      files: files + other.files,
      ranges: ranges
        + other.ranges.map { Range(start: $0.start, end: $0.end, file: $0.file + files.count, line: $0.line) },
      lack: lack)
  }

  /// The line from which the instruction at an address was made; `nil` where none is known.
  package func line(at address: UInt32) -> Line? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < ranges[low - 1].end else { return nil }
    let range = ranges[low - 1]
    return Line(file: files[range.file], number: range.line)
  }
}
