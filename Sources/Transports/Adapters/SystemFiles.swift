import Glibc

/// The folders and files in which the system describes its devices.
enum SystemFiles {
  /// Where the devices on USB are described, each in a folder named like its place.
  static let usbDevices = "/sys/bus/usb/devices"

  /// The names in a folder in order, without those that begin with a dot; none where there is no such folder.
  static func names(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
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
  static func line(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &octets, octets.count)
    let line = octets.prefix(max(0, count)).prefix { $0 != 0x0A && $0 != 0 }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
