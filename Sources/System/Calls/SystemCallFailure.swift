import Glibc

/// A system call that failed: the name of the call and its error number.
package struct SystemCallFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The C name of the call.
  package let call: String
  /// The error number that it left in `errno`.
  package let code: Errno

  /// The failure of `call` with an error number.
  package init(_ call: String, _ code: Errno) {
    self.call = call
    self.code = code
  }

  /// The failure of `call` with an error number as C has it.
  package init(_ call: String, _ number: Int32) { self.init(call, Errno(rawValue: number)) }

  /// The failure of the call that was made last on this thread.
  package static func last(_ call: String) -> SystemCallFailure { SystemCallFailure(call, errno) }

  /// The call and the system's text for the error: `connect: Connection refused`.
  package var description: String { "\(call): \(code)" }

  /// Whether the call failed only because it would have had to wait.
  package var isTransient: Bool { code == .wouldBlock || code == .interrupted }
}

/// Checks what system calls return.
package enum SystemCall {
  /// Makes a call that returns a negative number when it fails. A call that a signal interrupted is made again.
  @discardableResult
  package static func checked<Value: SignedInteger>(
    _ name: String, _ call: () -> Value
  ) throws(SystemCallFailure) -> Value {
    while true {
      let value = call()
      if value >= 0 { return value }
      let failure = SystemCallFailure.last(name)
      guard failure.code == .interrupted else { throw failure }
    }
  }

  /// Makes a call that returns an error number itself, and 0 when it succeeds, as those of threads and `posix_spawn` do.
  static func status(_ name: String, _ call: () -> Int32) throws(SystemCallFailure) {
    let status = call()
    guard status == 0 else { throw SystemCallFailure(name, status) }
  }
}
