import Foundation

/// Why a file cannot be read, in words for people.
public struct SourceFileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Path and cause.
  public let description: String

  package init(description: String) { self.description = description }
}

extension SourceFile {
  /// Reads a file from the disk, which may be a pipe, and never more of it than `limit` bytes.
  ///
  /// Throws where it does not exist, is a folder, may not be read, or is longer.
  public static func read(_ path: String, limit: Int = YAMLRules().bytes) throws(SourceFileFailure) -> SourceFile {
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? handle.close() }
      data = try handle.read(upToCount: limit + 1) ?? Data()
    } catch {
      throw SourceFileFailure(description: "cannot read \(path): \(cause(of: error))")
    }
    guard data.count <= limit else {
      throw SourceFileFailure(description: "cannot read \(path): it is longer than \(limit) bytes")
    }
    return SourceFile(path: path, bytes: Array(data))
  }

  private static func cause(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: "no such file"
    case .fileReadNoPermission?: "permission denied"
    default: "it is not a readable file"
    }
  }
}
