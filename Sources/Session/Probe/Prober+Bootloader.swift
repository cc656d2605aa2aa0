import Bytes
import HostStack
import Phone
import Probe
import SecureDFU
import Text
import Timeline

extension Prober {
  /// How long a bootloader is watched: Nordic's waits for two minutes unless its build says otherwise.
  private static let bootloaderWatch = Duration.seconds(150)
  /// From the answer to the request to the reset, at most: the link's end is on its way, and the radio is stopped.
  private static let reset = Duration.milliseconds(500)
  /// An application that comes back is heard within this time.
  private static let returning = Duration.seconds(10)

  /// Lets the recorder start its bootloader, and leaves that alone until the application is back.
  mutating func visitBootloader() async throws {
    try await wake()
    _ = try await perform(.connect(.address(address)))
    let asked = phone.now
    _ = try await perform(.enterBootloader(name: nil))
    let listening = phone.now
    let watch = Self.bootloaderWatch + Self.returning
    _ = try await phone.perform(.scan(watch), within: watch + .seconds(30)).get()
    guard let begun = log.indication(since: asked) else { throw PhoneFailure.noAnswer }
    let bootloader = BluetoothAddress(
      littleEndian: Bootloader.address(ofApplication: address.littleEndian), address.kind)
    let heard = log.heard(bootloader, since: begun)
    takeVisit(heard, begun: begun, listening: listening)
  }

  private mutating func takeVisit(_ heard: [Instant], begun: Instant, listening: Instant) {
    let reason = "it did not leave its bootloader within \(DurationText.text(Self.bootloaderWatch))"
    guard let gap = lastGap, let first = heard.first, let last = heard.last else {
      return recorder.keep(.bootloaderIdle, missing: "its bootloader was not heard")
    }
    // Whoever listened before it came has heard it come.
    if listening.duration(to: first) > .nanoseconds(gap) {
      var entry = Measurement(.time, "from the answer to the request to the bootloader's first advertisement")
      entry.add(.init(begun.duration(to: first) - .nanoseconds(gap), begun.duration(to: first)))
      recorder.observe("bootloader-entry", entry.figure)
    }
    guard let back = log.heard(address, since: last).first else {
      return recorder.keep(.bootloaderIdle, missing: reason)
    }
    var idle = Measurement(.time, "from its start to its last advertisement, without a phone")
    idle.add(.init(begun.duration(to: last) - Self.reset, begun.duration(to: last) + .nanoseconds(gap)))
    recorder.keep(.bootloaderIdle, idle, otherwise: reason)
    var returned = Measurement(.time, "from the bootloader's last advertisement to the application's first")
    returned.add(.init(last.duration(to: back) - .nanoseconds(gap), last.duration(to: back)))
    recorder.observe("bootloader-return", returned.figure)
  }
}
