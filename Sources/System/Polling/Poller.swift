import CLinux
import Glibc

/// Waits for several descriptors at once (`epoll(7)`).
///
/// Each registration has an identifier, which comes back with its events. A descriptor's number is not enough: the system
/// hands out the number of a closed descriptor again, and an event of the old one would be taken for the new one's.
package final class Poller {
  /// One descriptor that is ready.
  package struct Event: Sendable {
    /// The identifier given when it was registered.
    package let identifier: UInt64
    /// What it is ready for.
    package let ready: DescriptorInterest
  }

  /// Events taken in one go; the others come with the next.
  private static let capacity = 64

  private let descriptor: FileDescriptor
  private var buffer = [epoll_event](repeating: epoll_event(), count: Poller.capacity)

  /// Makes one without descriptors.
  package init() throws(SystemCallFailure) {
    descriptor = FileDescriptor(
      adopting: try SystemCall.checked("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
  }

  /// Registers a descriptor, or registers it anew with another identifier and interest.
  ///
  /// Fails with ``Errno/notPermitted`` for what cannot be waited for because it is always ready, such as a regular file.
  package func register(
    _ number: Int32, as identifier: UInt64, for interest: DescriptorInterest
  ) throws(SystemCallFailure) {
    var event = epoll_event()
    if interest.contains(.readable) { event.events |= EPOLLIN.rawValue }
    if interest.contains(.writable) { event.events |= EPOLLOUT.rawValue }
    event.data.u64 = identifier
    do {
      try SystemCall.checked("epoll_ctl") { epoll_ctl(descriptor.number, EPOLL_CTL_ADD, number, &event) }
    } catch {
      guard error.code == .fileExists else { throw error }
      try SystemCall.checked("epoll_ctl") { epoll_ctl(descriptor.number, EPOLL_CTL_MOD, number, &event) }
    }
  }

  /// Removes a descriptor. The system has already removed one that was closed.
  package func remove(_ number: Int32) throws(SystemCallFailure) {
    do {
      try SystemCall.checked("epoll_ctl") { epoll_ctl(descriptor.number, EPOLL_CTL_DEL, number, nil) }
    } catch {
      guard error.code == .noSuchFile || error.code == .badDescriptor else { throw error }
    }
  }

  /// Waits until a descriptor is ready, at most `nanoseconds`; empty when none was, or a signal came.
  package func wait(nanoseconds: UInt64) throws(SystemCallFailure) -> [Event] {
    var timeout = timespec(
      tv_sec: Int(nanoseconds / Self.nanosecondsPerSecond), tv_nsec: Int(nanoseconds % Self.nanosecondsPerSecond))
    let count = epoll_pwait2(descriptor.number, &buffer, Int32(buffer.count), &timeout, nil)
    guard count >= 0 else {
      let failure = SystemCallFailure.last("epoll_pwait2")
      if failure.code == .interrupted { return [] }
      throw failure
    }
    return buffer.prefix(Int(count)).map { event in
      var ready: DescriptorInterest = []
      // Errors and the end of the other side are found by reading.
      if event.events & ~EPOLLOUT.rawValue != 0 { ready.insert(.readable) }
      if event.events & EPOLLOUT.rawValue != 0 { ready.insert(.writable) }
      return Event(identifier: event.data.u64, ready: ready)
    }
  }

  private static let nanosecondsPerSecond: UInt64 = 1_000_000_000
}
