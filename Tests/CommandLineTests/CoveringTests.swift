import Bytes
import TestThreads
import Testing

/// Keys and recordings must not be found in what a run writes, unless it was asked for.
@Suite(.waits) struct Covering {
  private static let steps = """
    scenario: pairs, and downloads what was recorded
    id: covering
    verifies: [DEV-6]
    given:
      device: {records: {count: 2, seconds: 500 ms}, security: SECURITY}
    steps:
      - phone: connect
      - phone: pair
      - phone: sync
        expect: {downloaded: 2}
      - eventually: paired
        within: 1 s
    """

  @Test(arguments: ["legacy", "secure-connections"])
  func onlyFullCapturesHoldKeysAndRecordings(security: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("covering.yaml", Self.steps.replacing("SECURITY", with: security))
    // The last step fails on purpose: a run that fails writes most.
    let full = try outputs(of: file, "full")
    let secrets = Secrets(captures: full.filter { $0.name.hasSuffix(".btsnoop") }.map(\.bytes))
    #expect(secrets.keys.count >= (security == "legacy" ? 4 : 2))
    #expect(secrets.windows.count > 4_000)
    #expect(full.contains { secrets.firstFound(in: $0.bytes) != nil }, "the search has to find what is there")
    for file in full where file.name.hasSuffix(".btsnoop") || secrets.firstFound(in: file.bytes) != nil {
      #expect(file.mode == 0o600, "\(file.name) can be read by others")
    }
    let covered = try outputs(of: file, "covered")
    #expect(covered.map(\.name) == full.map(\.name))
    #expect(covered.count >= 4)
    for file in covered { #expect(secrets.firstFound(in: file.bytes) == nil, "\(file.name)") }
  }

  private func outputs(of file: String, _ capture: String) throws -> [(name: String, mode: Int, bytes: [UInt8])] {
    let out = try TemporaryFolder()
    let outcome = try Tool.run(["run", file, "--out", out.url.path, "--captures", "all", "--capture", capture])
    #expect(outcome.status == 1, "\(outcome.trouble)")
    #expect(outcome.trouble.contains("WARNING") == (capture == "full"))
    return try out.files
  }
}

/// What a capture in which nothing is covered gives away.
private struct Secrets {
  /// Keys that were distributed, sixteen octets each (Core Specification Vol 3, Part H, 3.6).
  private(set) var keys: [[UInt8]] = []
  /// Every sixteen octets in a row of what was notified as file data, but for runs of one octet.
  private(set) var windows: Set<Window> = []

  init(captures: [[UInt8]]) {
    for capture in captures {
      for packet in Self.packets(of: capture) where packet.count > 11 {
        let content = Array(packet[8...])
        switch (packet[6], content[0]) {
        case (6, 0x06), (6, 0x08):
          let key = Array(content[1...])
          if key.count == 16, !keys.contains(key) { keys.append(key) }
        case (4, 0x1B) where content.count > 100: Window.forEach(in: content[3...]) { windows.insert($0) }
        default: break
        }
      }
    }
    for key in keys {
      Window.forEach(in: key[...]) { windows.insert($0) }
      Window.forEach(in: key.reversed()[...]) { windows.insert($0) }
    }
  }

  /// Where a secret begins in the octets, as they are or in hexadecimal text.
  func firstFound(in octets: [UInt8]) -> String? {
    var found: String?
    Window.forEach(in: octets[...]) { window in
      if found == nil, windows.contains(window) { found = "a secret in octets" }
    }
    let text = String(decoding: octets, as: UTF8.self).lowercased()
    for key in keys {
      for spelt in [Hexadecimal.string(key), Hexadecimal.string(key.reversed())] where text.contains(spelt) {
        found = "a key in hexadecimal"
      }
    }
    return found
  }

  /// The ACL packets of a capture of the monitor's kind: 16 octets of header, then records of 24 octets and their data.
  private static func packets(of capture: [UInt8]) -> [ArraySlice<UInt8>] {
    func number(_ position: Int) -> Int { capture[position..<position + 4].reduce(0) { $0 << 8 | Int($1) } }
    var packets: [ArraySlice<UInt8>] = []
    var position = 16
    while position + 24 <= capture.count {
      let length = number(position + 4)
      let operation = number(position + 8) & 0xFFFF
      if operation == 4 || operation == 5 {
        packets.append(Array(capture[position + 24..<position + 24 + length])[...])
      }
      position += 24 + length
    }
    return packets
  }
}

/// Sixteen octets in a row.
private struct Window: Hashable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  static func forEach(in octets: ArraySlice<UInt8>, _ body: (Window) -> Void) {
    var window = Window()
    var run = 0
    var last: UInt8?
    for (count, octet) in octets.enumerated() {
      window.high = window.high << 8 | window.low >> 56
      window.low = window.low << 8 | UInt64(octet)
      run = octet == last ? run + 1 : 1
      last = octet
      if count >= 15, run < 16 { body(window) }
    }
  }
}
