import Testing
import Timeline

@testable import Bench

/// Which version of the application a recorder runs, by its boot banner and by the image that was written.
@Suite struct FirmwareSenses {
  private static let digest = String(repeating: "0a", count: 32)
  private static let known = [
    KnownApplication(version: 1, banner: "f934e997"), KnownApplication(version: 2, banner: "0badc0de", digest: digest),
  ]
  private static let banner = "Dictofun FW. 0badc0de 2025-02-28. branch: main. Built at: ci"

  /// Takes a banner that was printed a moment before a time.
  private static func boot(_ sense: inout FirmwareSense, _ banner: String, at milliseconds: Int64) -> UInt32? {
    let now = Instant.zero.advanced(by: .milliseconds(milliseconds))
    return sense.take(banner, from: now.before(.milliseconds(200)), to: now)
  }

  private static func isUnknown(_ sense: FirmwareSense) -> Bool {
    if case .unknown = sense.answer { true } else { false }
  }

  @Test func theBannerTellsTheVersion() {
    var sense = FirmwareSense(Self.known)
    #expect(Self.isUnknown(sense))
    #expect(Self.boot(&sense, Self.banner, at: 1_000) == 2)
    #expect(sense.answer == .version(2, by: "the console"))
  }

  @Test func aBannerOfUnknownFirmwareIsNamed() {
    var sense = FirmwareSense(Self.known)
    _ = Self.boot(&sense, Self.banner, at: 1_000)
    #expect(Self.boot(&sense, "Dictofun FW. 12345678 2025-02-28. branch: main. Built at: ci", at: 2_000) == nil)
    guard case .unknown(let reason) = sense.answer else {
      Issue.record("\(sense.answer)")
      return
    }
    #expect(reason.contains("does not list `Dictofun FW. 12345678"), "\(reason)")
  }

  @Test func onlyABannerAfterAnUpdateTells() {
    var sense = FirmwareSense(Self.known)
    _ = Self.boot(&sense, Self.banner, at: 1_000)
    sense.disturb(at: .zero.advanced(by: .seconds(5)))
    #expect(Self.isUnknown(sense))
    // It may have been printed before the update, and have come after it.
    #expect(Self.boot(&sense, Self.banner, at: 5_150) == nil)
    #expect(Self.isUnknown(sense))
    #expect(Self.boot(&sense, Self.banner, at: 5_250) == 2)
  }

  @Test func whatIsSaidOnALinkThatABootEndedChangesNothing() {
    var sense = FirmwareSense(Self.known)
    _ = Self.boot(&sense, Self.banner, at: 3_000)
    sense.disturb(at: .zero.advanced(by: .seconds(4)), onLinkSince: .zero.advanced(by: .milliseconds(2_700)))
    #expect(sense.answer == .version(2, by: "the console"))
    sense.disturb(at: .zero.advanced(by: .seconds(4)), onLinkSince: .zero.advanced(by: .milliseconds(2_900)))
    #expect(Self.isUnknown(sense))
  }

  @Test func aPhoneThatHasNotNoticedACutTalksToNobody() {
    var sense = FirmwareSense(Self.known)
    sense.disturb(at: .zero.advanced(by: .seconds(1)), onLinkSince: .zero)
    sense.powerWasCut(at: .zero.advanced(by: .seconds(2)))
    sense.disturb(at: .zero.advanced(by: .milliseconds(2_600)), onLinkSince: .zero)
    #expect(Self.boot(&sense, Self.banner, at: 2_700) == 2)
    #expect(sense.answer == .version(2, by: "the console"))
  }

  @Test func aBannerShowsThatTheApplicationHasStarted() {
    var sense = FirmwareSense([])
    #expect(!sense.hasStarted)
    _ = Self.boot(&sense, Self.banner, at: 1_000)
    #expect(sense.hasStarted)
    sense.switchPower()
    #expect(!sense.hasStarted)
    _ = Self.boot(&sense, Self.banner, at: 3_000)
    sense.disturb(at: .zero.advanced(by: .seconds(4)))
    #expect(!sense.hasStarted)
  }

  @Test func theImageThatWasWrittenTellsUntilTheNextUpdate() {
    var sense = FirmwareSense(Self.known)
    sense.take(written: Self.digest)
    #expect(sense.answer == .version(2, by: "the digest of the image that was written"))
    sense.disturb(at: .zero.advanced(by: .seconds(5)))
    #expect(Self.isUnknown(sense))
    sense.take(written: String(repeating: "0b", count: 32))
    #expect(Self.isUnknown(sense))
  }

  @Test func withoutAListNothingTells() {
    var sense = FirmwareSense([KnownApplication(version: 2, digest: Self.digest)])
    sense.take(written: Self.digest)
    #expect(Self.boot(&sense, Self.banner, at: 1_000) == nil)
    #expect(sense.answer == .version(2, by: "the digest of the image that was written"))
  }

  @Test func theSimulatedConsoleNamesItsImage() throws {
    let rig = try BenchRig("console: {RawSerialPort: $folder/console, image: f934e997}")
    let link = try ConsoleLink(ConsolePlan(line: rig.place.console?.line, image: nil), on: rig.loop, rig.waits)
    var banners: [String] = []
    link.onSaid = { if $0.text.hasPrefix(FirmwareSense.banner) { banners.append($0.text) } }
    try rig.run {
      // What was printed before anybody listened is still in the terminal.
      _ = await rig.waits.pass(.milliseconds(300), on: rig.loop)
      banners.removeAll()
      try rig.recorder.cutPower()
      try rig.recorder.powerOn()
      _ = await rig.waits.pass(.milliseconds(300), on: rig.loop)
    }
    #expect(banners.count == 1, "\(banners)")
    #expect(banners.first?.contains("f934e997") == true, "\(banners)")
    link.close()
  }
}
