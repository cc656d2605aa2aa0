/// A place in a file, of some length on one line.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The file as the caller named it.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int
  /// How many scalars of the line are meant, at least 1.
  public let length: Int

  public init(file: String, line: Int, column: Int, length: Int = 1) {
    self.file = file
    self.line = line
    self.column = column
    self.length = max(1, length)
  }

  /// `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }

  /// Order by file, line and column.
  public static func precedes(_ left: Self, _ right: Self) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}
