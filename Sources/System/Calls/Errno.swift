import Glibc

/// An error number of the system (`errno`); the names are those of `errno(3)`, spelt out.
public struct Errno: RawRepresentable, Error, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// EPERM
  public static let notPermitted = Errno(rawValue: EPERM)
  /// ENOENT
  public static let noSuchFile = Errno(rawValue: ENOENT)
  /// EINTR
  public static let interrupted = Errno(rawValue: EINTR)
  /// EIO
  public static let inputOutput = Errno(rawValue: EIO)
  /// ENXIO
  public static let noSuchDeviceOrAddress = Errno(rawValue: ENXIO)
  /// EBADF
  public static let badDescriptor = Errno(rawValue: EBADF)
  /// EAGAIN, which is EWOULDBLOCK on Linux
  public static let wouldBlock = Errno(rawValue: EAGAIN)
  /// EACCES
  public static let permissionDenied = Errno(rawValue: EACCES)
  /// EBUSY
  public static let busy = Errno(rawValue: EBUSY)
  /// EEXIST
  public static let fileExists = Errno(rawValue: EEXIST)
  /// ENODEV
  public static let noSuchDevice = Errno(rawValue: ENODEV)
  /// EFBIG
  public static let fileTooLarge = Errno(rawValue: EFBIG)
  /// EISDIR
  public static let isDirectory = Errno(rawValue: EISDIR)
  /// EINVAL
  public static let invalidArgument = Errno(rawValue: EINVAL)
  /// ENOTTY
  public static let notATerminal = Errno(rawValue: ENOTTY)
  /// EPIPE
  public static let brokenPipe = Errno(rawValue: EPIPE)
  /// ENAMETOOLONG
  public static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  /// EPROTONOSUPPORT
  public static let protocolNotSupported = Errno(rawValue: EPROTONOSUPPORT)
  /// EAFNOSUPPORT
  public static let addressFamilyNotSupported = Errno(rawValue: EAFNOSUPPORT)
  /// ENETDOWN
  public static let networkDown = Errno(rawValue: ENETDOWN)
  /// ECONNABORTED
  public static let connectionAborted = Errno(rawValue: ECONNABORTED)
  /// ETIMEDOUT
  public static let timedOut = Errno(rawValue: ETIMEDOUT)
  /// ECONNREFUSED
  public static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  /// EALREADY
  public static let alreadyInProgress = Errno(rawValue: EALREADY)
  /// EINPROGRESS
  public static let inProgress = Errno(rawValue: EINPROGRESS)
  /// ERFKILL
  public static let radioSwitchedOff = Errno(rawValue: ERFKILL)
}

extension Errno: CustomStringConvertible {
  /// The system's text for the number, such as `No such file or directory`.
  public var description: String {
    var words = [CChar](repeating: 0, count: 128)
    let length = strerror_r(rawValue, &words, words.count) == 0 ? strnlen(words, words.count) : 0
    let text = String(decoding: words[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.isEmpty ? "error \(rawValue)" : text
  }
}
