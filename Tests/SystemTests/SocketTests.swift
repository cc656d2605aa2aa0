import Foundation
import Testing

@testable import System

@Suite struct Sockets {
  /// Connects, and waits until that is decided.
  private func client(of address: SocketAddress) throws -> StreamSocket {
    let socket = try StreamSocket.open(family: address.family)
    try socket.connect(to: address)
    #expect(socket.descriptor.isReady(for: .writable, within: 5_000))
    try socket.finishConnecting()
    return socket
  }

  private func accepted(by server: ListeningSocket) throws -> StreamSocket {
    #expect(FileDescriptor(borrowing: server.number).isReady(for: .readable, within: 5_000))
    return try #require(try server.accept())
  }

  @Test func talkOverTCP() throws {
    let server = try ListeningSocket(at: .loopback(port: 0))
    let port = try #require(try server.port())
    #expect(try server.accept() == nil)
    let client = try client(of: .resolve(host: "127.0.0.1", port: port))
    let peer = try accepted(by: server)
    #expect(try peer.descriptor.read(upTo: 10) == nil)
    #expect(try client.descriptor.write([1, 2]) == 2)
    #expect(peer.descriptor.isReady(for: .readable, within: 5_000))
    #expect(try peer.descriptor.read(upTo: 10) == [1, 2])
    #expect(fcntl(peer.descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
  }

  /// An option's level, its number and its value: a machine that is gone is noticed within 25 s.
  private static let signsOfLife: [(Int32, Int32, Int32)] = [
    (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5),
    (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3), (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 25_000),
  ]

  @Test(arguments: signsOfLife)
  func noticeAtBothEndsThatTheOtherMachineIsGone(_ level: Int32, _ option: Int32, _ expected: Int32) throws {
    let server = try ListeningSocket(at: .loopback(port: 0))
    let port = try #require(try server.port())
    let ends = [try client(of: .loopback(port: port)), try accepted(by: server)]
    let values = ends.map { end -> Int32? in
      var value: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(end.descriptor.number, level, option, &value, &length) == 0 ? value : nil
    }
    #expect(values == [expected, expected])
  }

  @Test func thatNobodyAnswersSayWhy() throws {
    let server = try ListeningSocket(at: .loopback(port: 0))
    let port = try #require(try server.port())
    server.close()
    #expect(throws: SystemCallFailure("connect", .connectionRefused)) { try client(of: .loopback(port: port)) }
    #expect(throws: ResolutionFailure.self) { try SocketAddress.resolve(host: "no-such-host.invalid", port: 1) }
  }

  @Test func raiseNoSignalWhenTheOtherEndIsGone() throws {
    let (near, far) = try StreamSocket.pair()
    far.close()
    #expect(throws: SystemCallFailure("send", .brokenPipe)) { try near.descriptor.write([1]) }
  }

  @Test func atAPathAreForTheirOwnerAndReplaceOnlyWhatIsStale() throws {
    let folder = try Folder()
    let path = folder.path + "/socket"
    let server = try ListeningSocket(atPath: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(throws: SocketPathFailure.inUse) { try ListeningSocket(atPath: path) }
    _ = try accepted(by: server)
    server.close()
    #expect(try FileSystem.kind(of: path) == nil)
    let stale = try StreamSocket.open(family: AF_UNIX)
    try stale.bind(to: #require(SocketAddress.unix(path: path)))
    stale.close()
    try ListeningSocket(atPath: path).close()
    #expect(throws: SocketPathFailure.notASocket) { try ListeningSocket(atPath: folder.path) }
  }

  @Test func haveABoundOnTheirPath() {
    let longest = String(repeating: "x", count: SocketAddress.maximumPathLength)
    #expect(SocketAddress.maximumPathLength == 107)
    #expect(SocketAddress.unix(path: longest) != nil)
    #expect(SocketAddress.unix(path: longest + "x") == nil)
    #expect(SocketAddress.unix(path: "") == nil)
    #expect(throws: SocketPathFailure.unsuitablePath) { try ListeningSocket(atPath: longest + "x") }
  }

  @Test func knowWhoCanReachThem() throws {
    #expect(SocketAddress.loopback(port: 1).isLoopback)
    #expect(try SocketAddress.resolve(host: "127.9.9.9", port: 1).isLoopback)
    #expect(try SocketAddress.resolve(host: "::1", port: 1).isLoopback)
    #expect(try !SocketAddress.resolve(host: "0.0.0.0", port: 1).isLoopback)
  }
}

@Suite struct Processes {
  private func output(of child: ChildProcess) throws -> String {
    var octets: [UInt8] = []
    while child.output.isReady(for: .readable, within: 5_000), let piece = try child.output.read(upTo: 1_024) {
      if piece.isEmpty { break }
      octets += piece
    }
    return String(decoding: octets, as: UTF8.self)
  }

  /// Waits until the child has ended, which its closed output announces.
  private func exit(of child: ChildProcess) throws -> ChildProcess.Exit? {
    for _ in 0..<500 {
      if let exit = try child.exit() { return exit }
      poll(nil, 0, 10)
    }
    return nil
  }

  @Test func areRunWithoutAShellAndToldHowTheyEnded() throws {
    let child = try ChildProcess(
      ["/bin/sh", "-c", "echo \"$0 $NAME\"; echo oops >&2; exit 7", "$x;"], environment: ["NAME=v"])
    #expect(try output(of: child) == "$x; v\noops\n")
    #expect(try exit(of: child) == .code(7))
  }

  @Test func thatCannotBeStartedFail() {
    #expect(throws: SystemCallFailure("posix_spawn", .noSuchFile)) { try ChildProcess(["/nowhere/program"]) }
  }

  @Test func endWithEverythingThatTheyStarted() throws {
    let child = try ChildProcess(["/bin/sh", "-c", "sleep 600 & echo $!; wait"])
    var text = ""
    while !text.hasSuffix("\n"), child.output.isReady(for: .readable, within: 5_000) {
      text += String(decoding: try child.output.read(upTo: 100) ?? [], as: UTF8.self)
    }
    let grandchild = try #require(Int32(text.dropLast()))
    #expect(kill(grandchild, 0) == 0)
    child.kill()
    // Its new parent takes it off the list when it pleases, so it may linger for a moment as a zombie.
    var state = ""
    for _ in 0..<500 where kill(grandchild, 0) == 0 {
      let file = try? FileDescriptor.open("/proc/\(grandchild)/stat", .reading).readAll()
      state = String(String(decoding: file ?? [], as: UTF8.self).split(separator: ")").last?.prefix(2) ?? "")
      if state == " Z" { break }
      poll(nil, 0, 10)
    }
    #expect(kill(grandchild, 0) != 0 || state == " Z")
  }

  @Test func areEndedBySignals() throws {
    let child = try ChildProcess(["/bin/sh", "-c", "kill -9 $$"])
    #expect(try exit(of: child) == .signal(SIGKILL))
  }
}

@Suite struct Polling {
  @Test func tellsWhichRegistrationIsReady() throws {
    let poller = try Poller()
    let (near, far) = try StreamSocket.pair()
    try poller.register(near.descriptor.number, as: 7, for: .readable)
    #expect(try poller.wait(nanoseconds: 0).isEmpty)
    _ = try far.descriptor.write([1])
    let first = try #require(try poller.wait(nanoseconds: 1_000_000_000).first)
    #expect(first.identifier == 7)
    #expect(first.ready == .readable)
    try poller.register(near.descriptor.number, as: 8, for: [.readable, .writable])
    let second = try #require(try poller.wait(nanoseconds: 0).first)
    #expect(second.identifier == 8)
    #expect(second.ready == [.readable, .writable])
    try poller.remove(near.descriptor.number)
    try poller.remove(near.descriptor.number)
    #expect(try poller.wait(nanoseconds: 0).isEmpty)
  }

  @Test func refusesWhatCannotBeWatched() throws {
    let poller = try Poller()
    #expect(throws: SystemCallFailure("epoll_ctl", .badDescriptor)) { try poller.register(-1, as: 1, for: .readable) }
    let file = try FileDescriptor.open(#filePath, .reading)
    #expect(throws: SystemCallFailure("epoll_ctl", .notPermitted)) {
      try poller.register(file.number, as: 1, for: .readable)
    }
  }

  @Test func isWokenByACounterUntilThatIsCleared() throws {
    let poller = try Poller()
    let counter = try EventCounter()
    try poller.register(counter.number, as: 1, for: .readable)
    #expect(try poller.wait(nanoseconds: 0).isEmpty)
    try counter.signal()
    try counter.signal()
    #expect(try poller.wait(nanoseconds: 0).map(\.identifier) == [1])
    try counter.clear()
    try counter.clear()
    #expect(try poller.wait(nanoseconds: 0).isEmpty)
  }
}
