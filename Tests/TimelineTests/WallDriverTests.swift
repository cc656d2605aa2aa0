import System
import Testing

@testable import Timeline

@Suite struct WatchedDescriptors {
  private let loop = EventLoop(driver: .wall)

  /// Runs until `isDone`; the bound only ends a test that would otherwise hang.
  private func run(until isDone: () -> Bool) {
    loop.runEvents(until: loop.now.advanced(by: .seconds(10)), isDone)
  }

  /// Two descriptors are ready in the same round. Whoever is handled first closes the other one, and opens and watches
  /// another file, which gets its number. The event of the closed one must not reach it.
  @Test(arguments: [true, false]) func anEventOfAClosedDescriptorNeverReachesTheNextOwnerOfItsNumber(
    _ unwatchesFirst: Bool
  ) throws {
    let pairs = [try StreamSocket.pair(), try StreamSocket.pair()]
    var next: (StreamSocket, StreamSocket)?
    var firstNumber: Int32?
    var strayEvents = 0
    for index in 0...1 {
      loop.watch(pairs[index].0.descriptor.number, for: .readable) { [loop] _ in
        guard firstNumber == nil else { return }
        firstNumber = pairs[index].0.descriptor.number
        let other = pairs[1 - index].0
        let number = other.descriptor.number
        if unwatchesFirst { loop.unwatch(number) }
        other.close()
        // Another test of this process may take the number first; then there is nothing to be mistaken for.
        next = try? StreamSocket.pair()
        let owner = next?.0.descriptor.number ?? number
        loop.watch(owner, for: .readable) { _ in strayEvents += 1 }
        loop.unwatch(pairs[index].0.descriptor.number)
      }
    }
    for pair in pairs { #expect(try pair.1.descriptor.write([1]) == 1) }
    // Both are ready before the loop looks for the first time.
    run { firstNumber != nil }
    loop.runEvents(until: loop.now.advanced(by: .milliseconds(20)))
    #expect(firstNumber != nil)
    #expect(strayEvents == 0)
    // What is for the new owner still reaches it.
    _ = try next?.1.descriptor.write([1])
    run { strayEvents > 0 }
    #expect(strayEvents > 0)
  }

  @Test func aSecondWatchReplacesTheFirst() throws {
    let (near, far) = try StreamSocket.pair()
    var heard: [String] = []
    loop.watch(near.descriptor.number, for: .readable) { _ in heard.append("first") }
    loop.watch(near.descriptor.number, for: .readable) { _ in heard.append("second") }
    _ = try far.descriptor.write([1])
    run { !heard.isEmpty }
    #expect(heard == ["second"])
  }

  /// The system refuses to wait for a regular file, because it is always ready: so it is read at once.
  @Test func aRegularFileIsAlwaysReady() throws {
    let file = try FileDescriptor.open(#filePath, .reading)
    var octets: [UInt8] = []
    var isAtEnd = false
    loop.watch(file.number, for: .readable) { [loop] ready in
      #expect(ready == .readable)
      let piece = (try? file.read(upTo: 1_000)) ?? []
      octets += piece
      guard piece.isEmpty else { return }
      isAtEnd = true
      loop.unwatch(file.number)
    }
    run { isAtEnd }
    #expect(isAtEnd)
    #expect(octets.starts(with: Array("import System".utf8)))
  }

  @Test func unwatchingTwiceOrAfterClosingDoesNothing() throws {
    let (near, far) = try StreamSocket.pair()
    loop.watch(near.descriptor.number, for: .readable) { _ in Issue.record("nobody watches any more") }
    let number = near.descriptor.number
    near.close()
    loop.unwatch(number)
    loop.unwatch(number)
    far.close()
    loop.runEvents(until: loop.now.advanced(by: .milliseconds(5)))
  }

  #if compiler(>=6.2)
    @Test func aDescriptorThatIsNotOpenCannotBeWatched() async {
      await #expect(processExitsWith: .failure) {
        EventLoop(driver: .wall).watch(987_654, for: .readable) { _ in }
      }
    }
  #endif
}
