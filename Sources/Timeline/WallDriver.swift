import CLinux
import Glibc
import Synchronization

/// What a descriptor is watched for.
public struct DescriptorInterest: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Bytes can be read, or the other end is gone.
  public static let readable = DescriptorInterest(rawValue: 1)
  /// Bytes can be written.
  public static let writable = DescriptorInterest(rawValue: 2)
}

/// Real time for an event loop: the monotonic clock, epoll over descriptors, and a bell for other threads.
final class WallDriver {
  private let poller: Int32
  private let bell: Int32
  private var base: UInt64
  private var handlers: [Int32: (DescriptorInterest) -> Void] = [:]
  private let inbox = Mutex<[@Sendable () -> Void]>([])
  private var keepsListening = false

  /// The clock base moves when the loop is later than this, so that it does not race to catch up.
  static let slipThresholdNanoseconds: UInt64 = 50_000_000

  init() {
    poller = epoll_create1(Int32(EPOLL_CLOEXEC))
    bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    base = Self.monotonicNanoseconds()
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.fd = bell
    epoll_ctl(poller, EPOLL_CTL_ADD, bell, &event)
  }

  deinit {
    close(poller)
    close(bell)
  }

  static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Nanoseconds since the loop began, less what it slipped.
  var elapsed: UInt64 { Self.monotonicNanoseconds() - base }

  /// Whether something outside may still wake the loop.
  var isListening: Bool { keepsListening || !handlers.isEmpty }

  /// Keeps the loop alive while only other threads may wake it.
  func keepListening(_ keep: Bool) { keepsListening = keep }

  /// Moves the clock base when the loop is too late; says by how much.
  func slip(lateness: UInt64) -> Duration? {
    guard lateness > Self.slipThresholdNanoseconds else { return nil }
    base += lateness
    return .nanoseconds(Int64(lateness))
  }

  func post(_ body: @escaping @Sendable () -> Void) {
    inbox.withLock { $0.append(body) }
    wake()
  }

  func wake() {
    var one: UInt64 = 1
    write(bell, &one, 8)
  }

  func watch(_ descriptor: Int32, _ interest: DescriptorInterest, _ handler: @escaping (DescriptorInterest) -> Void) {
    let operation = handlers.updateValue(handler, forKey: descriptor) == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    var event = epoll_event()
    event.events =
      (interest.contains(.readable) ? EPOLLIN.rawValue : 0) | (interest.contains(.writable) ? EPOLLOUT.rawValue : 0)
    event.data.fd = descriptor
    epoll_ctl(poller, operation, descriptor, &event)
  }

  func unwatch(_ descriptor: Int32) {
    guard handlers.removeValue(forKey: descriptor) != nil else { return }
    epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Listens for at most `nanoseconds`; `advance` gets the time of what came, before it is handled.
  func poll(for nanoseconds: UInt64, advance: (UInt64) -> Void) {
    let bounded = min(nanoseconds, 3_600_000_000_000)
    var timeout = timespec(tv_sec: Int(bounded / 1_000_000_000), tv_nsec: Int(bounded % 1_000_000_000))
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    let count = epoll_pwait2(poller, &events, 64, &timeout, nil)
    guard count > 0 else { return }
    advance(elapsed)
    for event in events.prefix(Int(count)) {
      if event.data.fd == bell {
        var value: UInt64 = 0
        read(bell, &value, 8)
        for body in inbox.withLock({ bodies in
          defer { bodies = [] }; return bodies
        }) { body() }
      } else if let handler = handlers[event.data.fd] {
        var interest: DescriptorInterest = []
        if event.events & ~EPOLLOUT.rawValue != 0 { interest.insert(.readable) }
        if event.events & EPOLLOUT.rawValue != 0 { interest.insert(.writable) }
        handler(interest)
      }
    }
  }
}

extension EventLoop {
  /// Calls `handler` on the loop's thread whenever `descriptor` is ready for one of `interest`; a second call for
  /// the same descriptor replaces the first. Wall driver only.
  public func watch(
    _ descriptor: Int32, for interest: DescriptorInterest, _ handler: @escaping (DescriptorInterest) -> Void
  ) {
    guard let wall else { preconditionFailure("only a wall-driven loop can watch descriptors") }
    wall.watch(descriptor, interest, handler)
  }

  /// Stops watching `descriptor`; call it before closing the descriptor.
  public func unwatch(_ descriptor: Int32) { wall?.unwatch(descriptor) }

  /// Keeps a wall-driven loop running while it has nothing scheduled, because another thread may post to it.
  public func keepListening(_ keep: Bool) { wall?.keepListening(keep) }
}
