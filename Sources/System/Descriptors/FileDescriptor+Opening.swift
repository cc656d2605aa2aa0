import Glibc

extension FileDescriptor {
  /// What a file is opened for.
  package enum Access: Sendable {
    /// To be read.
    case reading
    /// To be written.
    case writing
    /// To be read and written.
    case readingAndWriting

    var flags: Int32 {
      switch self {
      case .reading: O_RDONLY
      case .writing: O_WRONLY
      case .readingAndWriting: O_RDWR
      }
    }
  }

  /// How a file is opened.
  package struct Options: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }
    /// Reading and writing never wait (O_NONBLOCK).
    package static let nonBlocking = Options(rawValue: O_NONBLOCK)
    /// A file that does not exist is made (O_CREAT).
    package static let create = Options(rawValue: O_CREAT)
    /// The file must not exist (O_EXCL).
    package static let exclusive = Options(rawValue: O_EXCL)
    /// What the file holds is dropped (O_TRUNC).
    package static let truncate = Options(rawValue: O_TRUNC)
    /// What is written goes behind what the file holds (O_APPEND).
    package static let append = Options(rawValue: O_APPEND)
    /// A link is not followed (O_NOFOLLOW).
    package static let noFollow = Options(rawValue: O_NOFOLLOW)
    /// The path must be a folder (O_DIRECTORY).
    package static let directory = Options(rawValue: O_DIRECTORY)
    /// A terminal does not become ours (O_NOCTTY).
    package static let noControllingTerminal = Options(rawValue: O_NOCTTY)
  }

  /// Opens a file, closed in programs that are started; `mode` is what a new one gets.
  package static func open(
    _ path: String, _ access: Access, _ options: Options = [], mode: UInt32 = 0o600
  ) throws(SystemCallFailure) -> FileDescriptor {
    let flags = access.flags | options.rawValue | O_CLOEXEC
    return FileDescriptor(adopting: try SystemCall.checked("open") { Glibc.open(path, flags, mode) })
  }

  /// Opens a file in this folder, as ``open(_:_:_:mode:)`` does.
  func openFile(
    _ name: String, _ access: Access, _ options: Options = [], mode: UInt32 = 0o600
  ) throws(SystemCallFailure) -> FileDescriptor {
    let flags = access.flags | options.rawValue | O_CLOEXEC
    return FileDescriptor(adopting: try SystemCall.checked("openat") { openat(number, name, flags, mode) })
  }
}

/// The three descriptors with which every program begins.
package enum StandardDescriptors {
  /// Opens `/dev/null` on descriptors 0 to 2 where they are closed. Otherwise the next file that is opened would get one
  /// of these numbers, and what is meant for standard output or standard error would be written into it.
  package static func open() throws(SystemCallFailure) {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      // The system hands out the lowest free number, and all below this one are open.
      try SystemCall.checked("open") { Glibc.open("/dev/null", O_RDWR) }
    }
  }
}
