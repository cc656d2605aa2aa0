import Glibc

/// The folders and files in which the system tells about itself and its devices, `/proc` and `/sys` among them.
public struct SystemTree: Sendable {
  /// This machine's.
  public static let machine = SystemTree(root: "")

  /// Where the devices on USB are described, each in a folder named like its place.
  static let usbDevices = "/sys/bus/usb/devices"

  /// What stands before every path.
  private let root: String

  /// The same folders below another one, where a test has made them.
  public init(root: String) { self.root = root }

  /// The names in a folder in order, without those that begin with a dot; none where there is no such folder.
  public func names(_ path: String) -> [String] {
    guard let folder = opendir(root + path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { octets in
        String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The first line of a short file, without its end; `nil` where there is none.
  public func line(_ path: String) -> String? { lines(path, limit: 256).first }

  /// The lines of the first `limit` octets of a file that are not empty, without their ends.
  public func lines(_ path: String, limit: Int = 65_536) -> [String] {
    (octets(path, limit: limit) ?? []).prefix { $0 != 0 }.split(separator: 0x0A).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The first `limit` octets of a file; `nil` where there is none that can be read.
  public func octets(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(limit, 65_536))
    while octets.count < limit {
      let count = read(descriptor, &block, min(block.count, limit - octets.count))
      guard count > 0 else { break }
      octets += block.prefix(count)
    }
    return octets
  }

  /// The last name of what a link leads to; `nil` where there is no link.
  public func linkedName(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(root + path, &target, target.count)
    let octets = target.prefix(max(0, count)).map(UInt8.init(bitPattern:))
    return octets.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether something is at the path.
  public func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// Whether this program may read and write what is at the path.
  public func mayUse(_ path: String) -> Bool { access(root + path, R_OK | W_OK) == 0 }

  /// Whether this program may read what is at the path.
  public func mayRead(_ path: String) -> Bool { access(root + path, R_OK) == 0 }

  /// Whether this program may run what is at the path.
  public func mayRun(_ path: String) -> Bool { access(root + path, X_OK) == 0 }
}
