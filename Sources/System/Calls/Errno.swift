import Glibc

/// An error number of the system (`errno`); the names are those of `errno(3)`, spelt out.
package struct Errno: RawRepresentable, Error, Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// EPERM
  package static let notPermitted = Errno(rawValue: EPERM)
  /// ENOENT
  package static let noSuchFile = Errno(rawValue: ENOENT)
  /// EINTR
  package static let interrupted = Errno(rawValue: EINTR)
  /// EIO
  package static let inputOutput = Errno(rawValue: EIO)
  /// ENXIO
  package static let noSuchDeviceOrAddress = Errno(rawValue: ENXIO)
  /// EBADF
  package static let badDescriptor = Errno(rawValue: EBADF)
  /// EAGAIN, which is EWOULDBLOCK on Linux
  package static let wouldBlock = Errno(rawValue: EAGAIN)
  /// EACCES
  package static let permissionDenied = Errno(rawValue: EACCES)
  /// EBUSY
  package static let busy = Errno(rawValue: EBUSY)
  /// EEXIST
  package static let fileExists = Errno(rawValue: EEXIST)
  /// ENODEV
  package static let noSuchDevice = Errno(rawValue: ENODEV)
  /// EFBIG
  package static let fileTooLarge = Errno(rawValue: EFBIG)
  /// EISDIR
  package static let isDirectory = Errno(rawValue: EISDIR)
  /// EINVAL
  package static let invalidArgument = Errno(rawValue: EINVAL)
  /// ENOTTY
  package static let notATerminal = Errno(rawValue: ENOTTY)
  /// EPIPE
  package static let brokenPipe = Errno(rawValue: EPIPE)
  /// ENAMETOOLONG
  package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  /// EPROTO
  package static let protocolError = Errno(rawValue: EPROTO)
  /// EPROTONOSUPPORT
  package static let protocolNotSupported = Errno(rawValue: EPROTONOSUPPORT)
  /// EAFNOSUPPORT
  package static let addressFamilyNotSupported = Errno(rawValue: EAFNOSUPPORT)
  /// ENETDOWN
  package static let networkDown = Errno(rawValue: ENETDOWN)
  /// ECONNABORTED
  package static let connectionAborted = Errno(rawValue: ECONNABORTED)
  /// ETIMEDOUT
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  /// ECONNREFUSED
  package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  /// EALREADY
  package static let alreadyInProgress = Errno(rawValue: EALREADY)
  /// EINPROGRESS
  package static let inProgress = Errno(rawValue: EINPROGRESS)
  /// ERFKILL
  package static let radioSwitchedOff = Errno(rawValue: ERFKILL)
}

extension Errno: CustomStringConvertible {
  /// The system's text for the number, such as `No such file or directory`.
  package var description: String {
    var words = [CChar](repeating: 0, count: 128)
    let length = strerror_r(rawValue, &words, words.count) == 0 ? strnlen(words, words.count) : 0
    let text = String(decoding: words[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.isEmpty ? "error \(rawValue)" : text
  }
}
