import Foundation

/// The inputs that a target starts from.
enum Corpus {
  /// The files of a folder that can be read, in order of their names.
  static func read(_ folder: String) -> [[UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
      FileManager.default.contents(atPath: folder + "/" + name).map { [UInt8]($0) }
    }
  }
}

/// A file that holds the input being tried, written through shared memory so that it survives a trap.
struct LastInput {
  struct Unusable: Error {
    let path: String
  }

  /// Octets of an input that are kept.
  private static let size = 1 << 16
  private let memory: UnsafeMutableRawPointer

  init(path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0, ftruncate(descriptor, off_t(Self.size)) == 0,
      let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
    else { throw Unusable(path: path) }
    close(descriptor)
    self.memory = memory
  }

  /// Keeps the length in four octets, then the input.
  func keep(_ input: [UInt8]) {
    memory.storeBytes(of: UInt32(input.count).littleEndian, as: UInt32.self)
    input.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memcpy(memory + 4, start, min(bytes.count, Self.size - 4)) }
    }
  }
}
