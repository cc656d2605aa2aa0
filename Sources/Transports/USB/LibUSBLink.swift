import CUSB
import Glibc
import System
import Timeline

/// A claimed Bluetooth interface, driven by libusb on the event loop: libusb's descriptors are watched there, and its
/// events are handled there without waiting, so that no thread of ours is needed.
final class LibUSBLink: USBLink {
  var onRound: (([TransferReport]) -> Void)?

  private let bus: USBBus
  private let handle: OpaquePointer
  private let interface: BluetoothInterface
  private let loop: EventLoop
  /// What libusb fills while it handles its events; told when it is done, so that nothing calls it from within itself.
  private var ended: [TransferReport] = []
  private var pending: [Transfer] = []
  private var watched: [Int32] = []
  private var isClosed = false

  /// Time that a device may take for what is on its way to it when a link is closed, in steps of ten milliseconds.
  private static let sendingSteps = 10
  /// Time that the system may take to give transfers back then, in the same steps.
  private static let closingSteps = 50

  /// A transfer that libusb has; keeps its buffer until it ends.
  private final class Transfer {
    let way: USBWay
    let raw: UnsafeMutablePointer<libusb_transfer>
    let buffer: UnsafeMutableBufferPointer<UInt8>
    unowned let link: LibUSBLink

    init?(_ way: USBWay, capacity: Int, of link: LibUSBLink) {
      guard let raw = libusb_alloc_transfer(0) else { return nil }
      self.way = way
      self.raw = raw
      self.link = link
      buffer = .allocate(capacity: capacity)
      buffer.initialize(repeating: 0)
    }

    deinit {
      libusb_free_transfer(raw)
      buffer.deallocate()
    }
  }

  /// Takes the device that was chosen.
  init(_ bus: USBBus, _ choice: USBChoice, on loop: EventLoop) throws(AdapterTrouble) {
    handle = try bus.open(choice)
    self.bus = bus
    interface = choice.interface
    self.loop = loop
    watchDescriptors()
  }

  deinit { close() }

  // MARK: Transfers

  func submit(_ way: USBWay, _ octets: [UInt8]) throws(AdapterTrouble) {
    guard !isClosed else { return }
    let capacity =
      switch way {
      case .commands: Self.setupLength + octets.count
      case .outgoing: octets.count
      case .events: interface.events.maximumPacket
      case .incoming: interface.incoming.maximumPacket
      }
    guard let transfer = Transfer(way, capacity: capacity, of: self) else {
      throw USBTrouble.using(LIBUSB_ERROR_NO_MEM.rawValue)
    }
    fill(transfer, octets)
    let status = libusb_submit_transfer(transfer.raw)
    guard status == 0 else { throw USBTrouble.using(status) }
    pending.append(transfer)
  }

  /// Octets of the setup packet before the data of a control transfer.
  private static let setupLength = 8

  private func fill(_ transfer: Transfer, _ octets: [UInt8]) {
    let (raw, buffer) = (transfer.raw, transfer.buffer)
    let owner = Unmanaged.passUnretained(transfer).toOpaque()
    switch transfer.way {
    case .commands:
      // Class request 0 to the device (Core Specification Vol 4, Part B, 2.2.2).
      libusb_fill_control_setup(buffer.baseAddress, 0x20, 0, 0, 0, UInt16(truncatingIfNeeded: octets.count))
      copy(octets, to: buffer[Self.setupLength...])
      libusb_fill_control_transfer(raw, handle, buffer.baseAddress, Self.ended, owner, 0)
    case .outgoing:
      copy(octets, to: buffer[...])
      libusb_fill_bulk_transfer(
        raw, handle, interface.outgoing.address, buffer.baseAddress, Int32(buffer.count), Self.ended, owner, 0)
    case .incoming:
      libusb_fill_bulk_transfer(
        raw, handle, interface.incoming.address, buffer.baseAddress, Int32(buffer.count), Self.ended, owner, 0)
    case .events:
      libusb_fill_interrupt_transfer(
        raw, handle, interface.events.address, buffer.baseAddress, Int32(buffer.count), Self.ended, owner, 0)
    }
  }

  private func copy(_ octets: [UInt8], to buffer: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    for (position, octet) in zip(buffer.indices, octets) { buffer.base[position] = octet }
  }

  /// libusb tells that a transfer ended, within its handling of events.
  private static let ended: libusb_transfer_cb_fn = { raw in
    guard let raw, let owner = raw.pointee.user_data else { return }
    let transfer = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
    transfer.link.take(transfer)
  }

  private func take(_ transfer: Transfer) {
    let raw = transfer.raw.pointee
    let received = transfer.buffer.prefix(Int(max(0, raw.actual_length)))
    let octets: [UInt8] =
      switch transfer.way {
      case .events, .incoming: Array(received)
      case .commands: Array(transfer.buffer.dropFirst(Self.setupLength))
      case .outgoing: Array(transfer.buffer)
      }
    ended.append(TransferReport(way: transfer.way, outcome: USBTrouble.outcome(raw.status), octets: octets))
    pending.removeAll { $0 === transfer }
  }

  func clearHalt(_ way: USBWay) throws(AdapterTrouble) {
    let endpoint: UInt8 =
      switch way {
      case .commands: 0
      case .events: interface.events.address
      case .incoming: interface.incoming.address
      case .outgoing: interface.outgoing.address
      }
    // A request that a device answers within a few milliseconds, or is gone.
    let status = libusb_clear_halt(handle, endpoint)
    guard status == 0 else { throw USBTrouble.using(status) }
  }

  // MARK: Events

  private func watchDescriptors() {
    if let list = libusb_get_pollfds(bus.context) {
      var position = 0
      while let entry = list[position]?.pointee {
        watch(entry.fd, entry.events)
        position += 1
      }
      libusb_free_pollfds(list)
    }
    libusb_set_pollfd_notifiers(
      bus.context,
      { descriptor, events, owner in
        owner.map { Unmanaged<LibUSBLink>.fromOpaque($0).takeUnretainedValue().watch(descriptor, events) }
      },
      { descriptor, owner in
        owner.map { Unmanaged<LibUSBLink>.fromOpaque($0).takeUnretainedValue().unwatch(descriptor) }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func watch(_ descriptor: Int32, _ events: Int16) {
    var interest: DescriptorInterest = []
    if Int32(events) & POLLIN != 0 { interest.insert(.readable) }
    if Int32(events) & POLLOUT != 0 { interest.insert(.writable) }
    watched.append(descriptor)
    loop.watch(descriptor, for: interest) { [weak self] _ in self?.handleEvents() }
  }

  private func unwatch(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    watched.removeAll { $0 == descriptor }
  }

  private func handleEvents() {
    guard !isClosed else { return }
    var none = timeval()
    let status = libusb_handle_events_timeout_completed(bus.context, &none, nil)
    if status < 0, libusb_error(status) != LIBUSB_ERROR_INTERRUPTED {
      ended.append(TransferReport(way: .events, outcome: .gone, octets: []))
    }
    let round = ended
    ended.removeAll(keepingCapacity: true)
    if !round.isEmpty { onRound?(round) }
  }

  // MARK: Closing

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if isSending {
      ended.removeAll()
      // An answer that nobody takes would be found by the next host.
      wait(Self.sendingSteps) { isSending || !ended.contains { $0.octets.first == Self.commandComplete } }
    }
    for transfer in pending { libusb_cancel_transfer(transfer.raw) }
    wait(Self.closingSteps) { !pending.isEmpty }
    libusb_set_pollfd_notifiers(bus.context, nil, nil, nil)
    for descriptor in watched { loop.unwatch(descriptor) }
    // Gives the kernel's driver its device back.
    libusb_release_interface(handle, Int32(interface.number))
    libusb_close(handle)
  }

  private var isSending: Bool { pending.contains { !$0.way.isIncoming } }

  /// With this octet begins an event that answers a command (Core Specification Vol 4, Part E, 7.7.14).
  private static let commandComplete: UInt8 = 0x0E

  /// Handles libusb's events while something has to come, in steps of ten milliseconds.
  private func wait(_ steps: Int, while isAwaited: () -> Bool) {
    var step = timeval(tv_sec: 0, tv_usec: 10_000)
    for _ in 0..<steps where isAwaited() { libusb_handle_events_timeout_completed(bus.context, &step, nil) }
  }
}
