import System

/// The folders and files in which the system tells about itself and its devices, `/proc` and `/sys` among them.
package struct SystemTree: Sendable {
  /// This machine's.
  package static let machine = SystemTree(root: "")

  /// Where the devices on USB are described, each in a folder named like its place.
  static let usbDevices = "/sys/bus/usb/devices"

  /// What stands before every path.
  private let root: String

  /// The same folders below another one, where a test has made them.
  package init(root: String) { self.root = root }

  /// The names in a folder in order, without those that begin with a dot; none where there is no such folder.
  package func names(_ path: String) -> [String] {
    ((try? FileSystem.names(in: root + path)) ?? []).filter { !$0.hasPrefix(".") }
  }

  /// The first line of a short file, without its end; `nil` where there is none.
  package func line(_ path: String) -> String? { lines(path, limit: 256).first }

  /// The lines of the first `limit` octets of a file that are not empty, without their ends.
  package func lines(_ path: String, limit: Int = 65_536) -> [String] {
    (octets(path, limit: limit) ?? []).prefix { $0 != 0 }.split(separator: 0x0A).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The first `limit` octets of a file; `nil` where there is none that can be read.
  package func octets(_ path: String, limit: Int) -> [UInt8]? {
    guard let file = try? FileDescriptor.open(root + path, .reading, .nonBlocking) else { return nil }
    return try? file.readAll(limit: limit)
  }

  /// Writes a word into a file that exists; whether that could be done.
  func set(_ path: String, to word: String) -> Bool {
    guard let file = try? FileDescriptor.open(root + path, .writing) else { return false }
    do { try file.writeAll(Array("\(word)\n".utf8)) } catch { return false }
    return true
  }

  /// The last name of what a link leads to; `nil` where there is no link.
  package func linkedName(_ path: String) -> String? {
    FileSystem.target(ofLink: root + path)?.split(separator: "/").last.map(String.init)
  }

  /// Whether something is at the path.
  package func exists(_ path: String) -> Bool { FileSystem.may([], root + path) }

  /// Whether a folder, or a link to one, is at the path.
  package func isFolder(_ path: String) -> Bool { FileSystem.may([], root + path + "/.") }

  /// Whether this program may read and write what is at the path.
  package func mayUse(_ path: String) -> Bool { FileSystem.may([.read, .write], root + path) }

  /// Whether this program may run what is at the path.
  package func mayRun(_ path: String) -> Bool { FileSystem.may(.run, root + path) }
}
