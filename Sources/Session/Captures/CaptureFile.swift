import HCI
import System

/// A capture in a file, of which only a piece is in memory at a time.
private struct CaptureFile: CaptureSource {
  let path: String

  func octets(at offset: Int, upTo count: Int) throws(CaptureFailure) -> [UInt8] {
    do throws(SystemCallFailure) {
      let file = try FileDescriptor.open(path, .reading)
      defer { file.close() }
      return try file.read(at: offset, upTo: count)
    } catch { throw .unreadable("\(error.code)") }
  }
}

/// Opens what a command was given as a capture.
enum CaptureOpening {
  /// Octets of a capture that comes from a pipe. What is in a file may be as large as it likes.
  private static let pipeLimit = 256 << 20

  /// Opens a file, or reads a pipe to its end. Throws when it cannot be read.
  static func open(_ path: String) throws(CaptureFailure) -> any CaptureSource {
    let file = CaptureFile(path: path)
    do throws(SystemCallFailure) {
      let descriptor = try FileDescriptor.open(path, .reading)
      defer { descriptor.close() }
      // A pipe cannot be read at a place, and only once.
      if (try? descriptor.read(at: 0, upTo: 1)) != nil { return file }
      let octets = try descriptor.readAll(limit: pipeLimit + 1)
      guard octets.count <= pipeLimit else { throw SystemCallFailure("read", .fileTooLarge) }
      return octets
    } catch { throw .unreadable("\(error.code)") }
  }
}
