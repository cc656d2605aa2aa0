import CLinux
import Glibc

/// An open file, socket, terminal or device. The object owns the descriptor and closes it at the end of its life, unless
/// it was borrowed.
package final class FileDescriptor {
  /// The descriptor's number; -1 once it is closed.
  package private(set) var number: Int32
  private let isOwned: Bool
  /// Whether it is a socket, to which nothing is written by `write(2)`: that would raise SIGPIPE.
  private let isSocket: Bool
  private var isLocked = false

  /// Takes ownership of an open descriptor.
  package init(adopting number: Int32, isSocket: Bool = false) {
    self.number = number
    self.isSocket = isSocket
    isOwned = true
  }

  /// Uses a descriptor that somebody else owns and closes.
  package init(borrowing number: Int32) {
    self.number = number
    isSocket = false
    isOwned = false
  }

  deinit { close() }

  /// Standard input, which stays open.
  package static var standardInput: FileDescriptor { FileDescriptor(borrowing: STDIN_FILENO) }
  /// Standard output, which stays open.
  package static var standardOutput: FileDescriptor { FileDescriptor(borrowing: STDOUT_FILENO) }
  /// Standard error, which stays open.
  package static var standardError: FileDescriptor { FileDescriptor(borrowing: STDERR_FILENO) }

  /// Whether the descriptor is open.
  package var isOpen: Bool { number >= 0 }

  /// Closes the descriptor; closing it again does nothing.
  package func close() { try? finish() }

  /// Closes the descriptor and reports what the system still had to say, such as a disk that is full.
  package func finish() throws(SystemCallFailure) {
    guard number >= 0 else { return }
    let closing = number
    number = -1
    guard isOwned else { return }
    // A process that is just being started has a copy of the descriptor, and a lock ends only with its last one.
    if isLocked { flock(closing, LOCK_UN) }
    // Linux frees the number even when the call fails, so it is never made again.
    guard Glibc.close(closing) == 0 else { throw .last("close") }
  }

  // MARK: Octets

  /// Reads what is there, up to the size of `buffer`: the number of octets, 0 at the end, `nil` when nothing is there yet.
  package func read(into buffer: inout [UInt8]) throws(SystemCallFailure) -> Int? {
    try readable(into: &buffer, upTo: buffer.count)
  }

  /// Reads up to `limit` octets; empty at the end, `nil` when nothing is there yet.
  package func read(upTo limit: Int) throws(SystemCallFailure) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    return try readable(into: &buffer, upTo: limit).map { Array(buffer.prefix($0)) }
  }

  private func readable(into buffer: inout [UInt8], upTo limit: Int) throws(SystemCallFailure) -> Int? {
    do {
      return try SystemCall.checked(isSocket ? "recv" : "read") {
        buffer.withUnsafeMutableBytes {
          isSocket ? recv(number, $0.baseAddress, limit, 0) : Glibc.read(number, $0.baseAddress, limit)
        }
      }
    } catch {
      if error.isTransient { return nil }
      throw error
    }
  }

  /// Reads to the end, at most `limit` octets.
  package func readAll(limit: Int = .max) throws(SystemCallFailure) -> [UInt8] {
    var octets: [UInt8] = []
    while octets.count < limit {
      guard let block = try read(upTo: min(Self.blockLength, limit - octets.count)), !block.isEmpty else { break }
      octets += block
    }
    return octets
  }

  /// Reads `count` octets of a file from `offset` on, and fewer only at its end. The place for other reads stays. Throws for
  /// what is not a file, such as a pipe.
  package func read(at offset: Int, upTo count: Int) throws(SystemCallFailure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let length = try SystemCall.checked("pread") {
        buffer.withUnsafeMutableBytes { pread(number, $0.baseAddress! + filled, count - filled, offset + filled) }
      }
      if length == 0 { break }
      filled += length
    }
    return Array(buffer.prefix(filled))
  }

  private static let blockLength = 65_536

  /// Writes as much of `octets` as the system takes now: their number, 0 when it takes none. No signal is raised when
  /// the other end of a socket is gone.
  package func write(_ octets: ArraySlice<UInt8>) throws(SystemCallFailure) -> Int {
    do {
      return try SystemCall.checked(isSocket ? "send" : "write") {
        octets.withUnsafeBytes {
          isSocket
            ? send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            : Glibc.write(number, $0.baseAddress, $0.count)
        }
      }
    } catch {
      if error.isTransient { return 0 }
      throw error
    }
  }

  /// Writes all octets to a descriptor that blocks, such as a file.
  package func writeAll(_ octets: [UInt8]) throws(SystemCallFailure) {
    var rest = octets[...]
    while !rest.isEmpty {
      let count = try write(rest)
      guard count > 0 else { throw SystemCallFailure("write", .wouldBlock) }
      rest = rest.dropFirst(count)
    }
  }

  // MARK: Waiting

  /// Waits until the descriptor is ready for `interest` or its other end is gone, at most `milliseconds`; whether it is.
  package func isReady(for interest: DescriptorInterest, within milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: number, events: 0, revents: 0)
    if interest.contains(.readable) { asked.events |= Int16(POLLIN) }
    if interest.contains(.writable) { asked.events |= Int16(POLLOUT) }
    return poll(&asked, 1, milliseconds) > 0
  }

  // MARK: Properties

  /// Makes reading and writing return at once where they would have to wait.
  package func setNonBlocking() throws(SystemCallFailure) {
    let flags = try SystemCall.checked("fcntl") { fcntl(number, F_GETFL) }
    try SystemCall.checked("fcntl") { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
  }

  /// Locks the file for this descriptor alone (`flock(2)`). Fails with ``Errno/wouldBlock`` while another one has it.
  package func lock() throws(SystemCallFailure) {
    try SystemCall.checked("flock") { flock(number, LOCK_EX | LOCK_NB) }
    isLocked = true
  }

  /// Whether the path leads to this file: it may have been removed, and another one made in its place.
  package func isFile(at path: String) throws(SystemCallFailure) -> Bool {
    var (own, other) = (stat(), stat())
    try SystemCall.checked("fstat") { fstat(number, &own) }
    do { try SystemCall.checked("stat") { stat(path, &other) } } catch {
      if error.code == .noSuchFile { return false }
      throw error
    }
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  /// Cuts the file to nothing.
  package func empty() throws(SystemCallFailure) { try SystemCall.checked("ftruncate") { ftruncate(number, 0) } }

  /// Sets the rights of the file.
  package func setMode(_ mode: UInt32) throws(SystemCallFailure) {
    try SystemCall.checked("fchmod") { fchmod(number, mode) }
  }

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// Makes a control call with a value that the system reads or fills (`ioctl(2)`); `name` is the request's C name.
  package func control<Value>(_ name: String, _ request: UInt, _ value: inout Value) throws(SystemCallFailure) {
    try SystemCall.checked(name) { withUnsafeMutablePointer(to: &value) { ioctl(number, request, $0) } }
  }

  /// Makes a control call with a number (`ioctl(2)`); `name` is the request's C name.
  package func control(_ name: String, _ request: UInt, number argument: Int32 = 0) throws(SystemCallFailure) {
    try SystemCall.checked(name) { ioctl(number, request, argument) }
  }

  // MARK: Pairs

  /// A pipe, closed in programs that are started.
  package static func pipe() throws(SystemCallFailure) -> (reading: FileDescriptor, writing: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.checked("pipe2") { pipe2(&ends, O_CLOEXEC) }
    return (FileDescriptor(adopting: ends[0]), FileDescriptor(adopting: ends[1]))
  }
}
