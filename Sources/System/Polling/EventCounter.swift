import CLinux
import Glibc

/// A counter by which one thread wakes another that waits for its descriptor (`eventfd(2)`).
package final class EventCounter {
  private let descriptor: FileDescriptor

  /// A counter at 0, which does not wake anybody.
  package init() throws(SystemCallFailure) {
    descriptor = FileDescriptor(
      adopting: try SystemCall.checked("eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) })
  }

  /// The number to wait for.
  package var number: Int32 { descriptor.number }

  /// Makes the descriptor readable. May be called from any thread, and by a handler of signals.
  package func signal() throws(SystemCallFailure) {
    var one: UInt64 = 1
    do {
      try SystemCall.checked("write") { Glibc.write(descriptor.number, &one, MemoryLayout<UInt64>.size) }
    } catch {
      // A counter at its limit is readable, which is all that is wanted.
      guard error.code == .wouldBlock else { throw error }
    }
  }

  /// Sets the counter to 0.
  package func clear() throws(SystemCallFailure) {
    var value: UInt64 = 0
    do {
      try SystemCall.checked("read") { Glibc.read(descriptor.number, &value, MemoryLayout<UInt64>.size) }
    } catch {
      guard error.code == .wouldBlock else { throw error }
    }
  }
}
