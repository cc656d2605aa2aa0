import Bytes
import CBluetooth
import Glibc
import HCI
import System
import Testing
import Timeline

@testable import Transports

/// The kernel's side of HCI sockets, as far as a test needs it: adapters by index, and calls that fail when told.
final class PretendedKernel: HCISystem {
  var adapters: [KernelAdapter] = []
  var links: [UInt16: [BluetoothAddress]] = [:]
  /// Error numbers by the C name of the call.
  var failures: [String: Int32] = [:]
  /// The adapter that another program has through its user channel.
  var held: UInt16?
  /// What was asked, in order.
  var calls: [String] = []
  private var sockets: Int32 = 100

  private func note(_ call: String) throws(SystemCallFailure) {
    calls.append(call)
    if let number = failures[call] { throw SystemCallFailure(call, number) }
  }

  func socket() throws(SystemCallFailure) -> FileDescriptor {
    try note("socket")
    sockets += 1
    return FileDescriptor(borrowing: sockets)
  }
  func indices(_ socket: FileDescriptor) throws(SystemCallFailure) -> [UInt16] { adapters.map(\.index) }
  func adapter(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) -> KernelAdapter {
    guard let adapter = adapters.first(where: { $0.index == index }) else {
      throw SystemCallFailure("HCIGETDEVINFO", ENODEV)
    }
    return adapter
  }
  func peers(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) -> [BluetoothAddress] {
    links[index] ?? []
  }
  func managedIndices() throws(SystemCallFailure) -> [UInt16] { adapters.map(\.index).filter { $0 != held } }
  func takeDown(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) { try note("HCIDEVDOWN") }
  func bringUp(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) { try note("HCIDEVUP") }
  func bindUserChannel(_ socket: FileDescriptor, _ index: UInt16) throws(SystemCallFailure) { try note("bind") }
  func close(_ socket: FileDescriptor) { calls.append("close \(socket.number)") }
}

@Suite struct UserChannels {
  private static let address = BluetoothAddress(0x00AA_0100_0000, .public)

  private func kernel(_ state: KernelAdapter.State) -> PretendedKernel {
    let kernel = PretendedKernel()
    kernel.adapters = [
      KernelAdapter(index: 1, address: BluetoothAddress(0x00AA_0101_0001, .public), state: .down),
      KernelAdapter(index: 0, address: Self.address, state: state),
    ]
    return kernel
  }

  private func trouble(_ kernel: PretendedKernel, _ index: UInt16 = 0, take: Bool = false) -> String {
    do {
      _ = try UserChannel.take(index, OpeningOptions(takesAdaptersInUse: take), kernel)
      return "taken"
    } catch { return error.description }
  }

  @Test func areBoundAtOnceWhenTheAdapterIsDown() throws {
    let kernel = kernel(.down)
    let channel = try UserChannel.take(0, OpeningOptions(), kernel)
    #expect(kernel.calls == ["socket", "bind"])
    channel.close(kernel)
    #expect(kernel.calls == ["socket", "bind", "close 101"])
  }

  @Test func takeTheAdapterDownAndGiveItBackUp() throws {
    let kernel = kernel(.up)
    let channel = try UserChannel.take(0, OpeningOptions(), kernel)
    #expect(kernel.calls == ["socket", "HCIDEVDOWN", "bind"])
    channel.close(kernel)
    #expect(kernel.calls.suffix(4) == ["close 101", "socket", "HCIDEVUP", "close 102"])
  }

  @Test func leaveAloneAnAdapterWithLinksUnlessTold() {
    let kernel = kernel(.up)
    kernel.links[0] = [BluetoothAddress(0xC0FF_EE00_0001, .random), BluetoothAddress(2, .public)]
    #expect(
      trouble(kernel)
        == "it has live links to C0:FF:EE:00:00:01, 00:00:00:00:00:02, which would be cut; disconnect them, or say --take"
    )
    #expect(kernel.calls == ["socket", "close 101"])
    #expect(trouble(kernel, take: true) == "taken")
    #expect(kernel.calls.suffix(2) == ["HCIDEVDOWN", "bind"])
  }

  @Test func giveTheAdapterBackUpWhenTheyCannotBeBound() {
    let kernel = kernel(.up)
    kernel.failures["bind"] = EBUSY
    #expect(trouble(kernel).hasPrefix("in use: "))
    #expect(kernel.calls == ["socket", "HCIDEVDOWN", "bind", "HCIDEVUP", "close 101"])
  }

  static let failures: [(String, Int32, String)] = [
    ("socket", EAFNOSUPPORT, "this machine's kernel has no Bluetooth (no AF_BLUETOOTH sockets)"),
    ("socket", EPROTONOSUPPORT, "this machine's kernel has no Bluetooth"),
    ("socket", EPERM, "permission denied: taking an adapter from the kernel needs CAP_NET_ADMIN"),
    ("HCIDEVDOWN", EPERM, "permission denied: "),
    ("HCIDEVDOWN", EBUSY, "in use: another program holds hci0 through its user channel"),
    ("bind", EPERM, "`sudo setcap cap_net_admin+ep`"),
    ("bind", EBUSY, "in use: bluetoothd or another program drives hci0"),
    ("bind", EALREADY, "`sudo systemctl stop bluetooth`"),
    ("bind", ERFKILL, "its radio is switched off: `rfkill unblock bluetooth`"),
    ("bind", ENODEV, "there is no hci0"),
    ("bind", EINVAL, "bind: Invalid argument"),
  ]

  @Test(arguments: failures) func sayWhatAFailureMeansAndWhatToDo(_ call: String, _ number: Int32, _ words: String) {
    let kernel = kernel(.up)
    kernel.failures[call] = number
    let sentence = trouble(kernel)
    #expect(sentence.contains(words), "\(sentence)")
    // Nothing stays open.
    #expect(kernel.calls.last == (call == "socket" ? "socket" : "close 101"))
  }

  @Test func listWhatIsThereWhenTheIndexIsNot() {
    let sentence = trouble(kernel(.starting), 7)
    #expect(
      sentence
        == "there is no hci7; there are: hci0 (00:AA:01:00:00:00, starting), hci1 (00:AA:01:01:00:01, down); "
        + "plug it in, or name one of those")
    #expect(trouble(PretendedKernel()) == "there is no hci0: plug it in, or name another controller")
  }

  @Test func haveTheAddressThatTheKernelExpects() {
    var address = LinuxHCISystem.address(of: 0x0102, channel: UInt16(HCI_CHANNEL_USER))
    let octets = withUnsafeBytes(of: &address) { Array($0) }
    // Family 31, index, channel 1, each of sixteen bits in the machine's order.
    #expect(octets == [31, 0, 0x02, 0x01, 1, 0])
    #expect(MemoryLayout<hci_dev_info>.size == 92)
    #expect(MemoryLayout<hci_conn_info>.stride == 16)
    #expect(
      [cbluetooth_device_up, cbluetooth_device_down, cbluetooth_device_info] == [0x4004_48C9, 0x4004_48CA, 0x8004_48D3])
    #expect(LinuxHCISystem.address(bdaddr_t(b: (1, 2, 3, 4, 5, 6))).description == "06:05:04:03:02:01")
  }

  @Test func readTheKernelsFlags() {
    func state(_ flags: UInt32) -> KernelAdapter.State {
      KernelAdapter(index: 0, address: Self.address, flags: flags).state
    }
    #expect([0b000, 0b001, 0b010, 0b101].map(state) == [.down, .up, .starting, .up])
  }

  @Test func adaptersAreListedInOrderWithTheirPeers() throws {
    let kernel = kernel(.up)
    kernel.links[1] = [Self.address]
    #expect(try KernelAdapters.list(kernel).map(\.name) == ["hci0", "hci1"])
    #expect(try KernelAdapters.peers(of: 1, kernel) == [Self.address])
    kernel.failures["socket"] = EAFNOSUPPORT
    #expect(throws: AdapterTrouble.self) { try KernelAdapters.list(kernel) }
  }

  /// Where this machine's kernel has Bluetooth, there is no adapter of the last number either.
  @Test func openingSaysThatThereIsNoAdapter() throws {
    let loop = EventLoop.wall()
    let error = try #require(throws: TransportFailure.self) {
      _ = try TransportOpening.open(.hciSocket(65534), on: loop)
    }
    let words = error.description
    #expect(words.hasPrefix("hci-socket:65534: "))
    #expect(words.contains("kernel has no Bluetooth") || words.contains("there is no hci65534"), "\(words)")
  }
}

@Suite struct UserChannelPipes {
  private static let reset = HCIPacket(.command, [0x03, 0x0C, 0x00])
  private static let resetDone = HCIPacket(.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])

  /// A pipe on a socket that keeps packets apart, as the kernel's does, and its far end.
  private final class Desk {
    let loop = EventLoop.wall()
    let collector = Collector()
    let pipe: UserChannelPipe
    private var far: Int32

    init() throws {
      var pair: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
      _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
      _ = fcntl(pair[1], F_SETFL, O_NONBLOCK)
      far = pair[1]
      let channel = UserChannel(descriptor: FileDescriptor(adopting: pair[0], isSocket: true), index: 3, wasUp: false)
      pipe = UserChannelPipe(channel, of: LinuxHCISystem(), on: loop)
      pipe.receiver = collector
    }

    deinit { hangUp() }

    func hangUp() {
      if far >= 0 { Glibc.close(far) }
      far = -1
    }
    func write(_ octets: [UInt8]) { precondition(send(far, octets, octets.count, 0) == octets.count) }
    func read() -> [UInt8]? {
      var buffer = [UInt8](repeating: 0, count: 70_000)
      let count = recv(far, &buffer, buffer.count, 0)
      return count > 0 ? Array(buffer.prefix(count)) : nil
    }
    func run(until isDone: () -> Bool) { loop.runWall { isDone() || collector.closure != nil } }
  }

  @Test func carryOnePacketAReadAndAWrite() throws {
    let desk = try Desk()
    let data = HCIPacket(.acl, [0x01, 0x20, 0x02, 0x00, 0xAA, 0xBB])
    desk.pipe.send(Self.reset)
    desk.pipe.send(data)
    #expect(desk.read() == Self.reset.framed)
    #expect(desk.read() == data.framed)
    desk.write(Self.resetDone.framed)
    // No such kind: passed over, and the next one still comes.
    desk.write([0xF0, 1, 2, 3])
    desk.write(data.framed)
    desk.run { desk.collector.packets.count == 2 }
    #expect(desk.collector.packets == [Self.resetDone, data])
    #expect(desk.collector.closure == nil)
  }

  @Test func resetAControllerThatTheyUsed() throws {
    let desk = try Desk()
    desk.pipe.send(HCIPacket(.command, [0x09, 0x10, 0x00]))
    _ = desk.read()
    desk.write(Self.resetDone.framed)
    desk.pipe.close()
    #expect(desk.read() == Self.reset.framed)
    let unused = try Desk()
    unused.pipe.close()
    #expect(unused.read() == nil)
  }

  @Test func loseNothingWhenTheKernelTakesItSlowly() throws {
    let desk = try Desk()
    let packet = HCIPacket(.acl, [0x01, 0x20, 0xFB, 0x00] + [UInt8](repeating: 0x55, count: 251))
    for _ in 0..<1000 { desk.pipe.send(packet) }
    var read = 0
    func drain() {
      while let next = desk.read() { if next == packet.framed { read += 1 } }
      if read < 1000 { desk.loop.schedule(after: .microseconds(10)) { drain() } }
    }
    drain()
    desk.run { read == 1000 }
    #expect(read == 1000)
    #expect(desk.collector.closure == nil)
  }

  @Test func giveUpAKernelThatTakesNothing() throws {
    let desk = try Desk()
    let packet = HCIPacket(.acl, [0x01, 0x20, 0xFB, 0x00] + [UInt8](repeating: 0x55, count: 251))
    for _ in 0..<8192 { desk.pipe.send(packet) }
    #expect(desk.collector.closure == nil)
    desk.run { false }
    #expect(desk.collector.closure == .failed("hci3 takes nothing: over 262144 octets wait"))
  }

  @Test func closeWhenTheAdapterIsUnplugged() throws {
    let desk = try Desk()
    desk.hangUp()
    desk.run { false }
    #expect(desk.collector.closure == .failed("hci3 is gone: unplugged, or taken down"))
    let other = try Desk()
    other.hangUp()
    other.pipe.send(Self.reset)
    #expect(other.collector.closure == nil)
    other.run { false }
    #expect(other.collector.closure == .failed("hci3 is gone: unplugged, or taken down"))
  }
}
