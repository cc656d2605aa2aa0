import Bytes
import SecureDFU
import Testing
import Timeline
import Trace

@testable import Requirements

/// What monitors say about what phone and recorder claim of an update.
extension Monitors {
  // MARK: APP-1.4.2, APP-1.4.3

  static let consent: [Case] = [
    Case("APP-1.4.2", "shown", "offered, accepted, begun") {
      $0.state(.update(.offered(phone: 0, version: 2)))
      $0.state(.update(.answered(phone: 0, version: 2, accepted: true)))
      $0.state(.update(.begun(phone: 0, version: 2, isAsked: false)))
    },
    Case("APP-1.4.2", "shown", "refused, and only the next version offered") {
      $0.state(.update(.offered(phone: 0, version: 2)))
      $0.state(.update(.answered(phone: 0, version: 2, accepted: false)))
      $0.state(.update(.offered(phone: 0, version: 3)))
    },
    Case("APP-1.4.2", "notExercised", "the user chose the package") {
      $0.state(.update(.begun(phone: 0, version: 2, isAsked: true)))
    },
    Case("APP-1.4.2", "violated", "begun without an answer") {
      $0.state(.update(.offered(phone: 0, version: 2)))
      $0.state(.update(.begun(phone: 0, version: 2, isAsked: false)))
    },
    Case("APP-1.4.2", "violated", "begun with consent to another version") {
      $0.state(.update(.answered(phone: 0, version: 2, accepted: true)))
      $0.state(.update(.begun(phone: 0, version: 3, isAsked: false)))
    },
    Case("APP-1.4.2", "violated", "begun though refused") {
      $0.state(.update(.answered(phone: 0, version: 2, accepted: true)))
      $0.state(.update(.answered(phone: 0, version: 2, accepted: false)))
      $0.state(.update(.begun(phone: 0, version: 2, isAsked: false)))
    },
    Case("APP-1.4.2", "violated", "offered though refused") {
      $0.state(.update(.answered(phone: 0, version: 2, accepted: false)))
      $0.state(.update(.offered(phone: 0, version: 2)))
    },
    Case("APP-1.4.3", "shown", "the version that runs") {
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
      $0.state(.update(.versionShown(phone: 0, application: 2)))
    },
    Case("APP-1.4.3", "violated", "the version that ran before") {
      $0.state(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
      $0.state(.update(.versionShown(phone: 0, application: 1)))
    },
    Case("APP-1.4.3", "notExercised", "the phone says that it does not know") {
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
      $0.state(.update(.versionShown(phone: 0, application: nil)))
    },
  ]

  // MARK: APP-1.4.2.1

  private static func show(
    _ script: inout PacketScript, _ phase: UpdateState.Phase, _ octets: UInt32 = 0, of total: UInt32 = 8,
    at place: UpdateState.Place = .bootloader
  ) {
    script.state(.update(.shown(phone: 0, UpdateState(place: place, phase: phase, octets: octets, total: total))))
  }

  private static func begin(_ script: inout PacketScript) {
    script.state(.update(.begun(phone: 0, version: 2, isAsked: true)))
  }

  /// Sends the first half of an image of eight octets and shows that.
  private static func half(_ script: inout PacketScript) {
    begin(&script)
    announce(&script)
    create(2, 4, &script)
    script.sendFirmware([1, 2, 3, 4])
    check([1, 2, 3, 4], &script)
    show(&script, .sending, 4)
  }

  static let progress: [Case] = [
    Case("APP-1.4.2.1", "shown", "a transfer without trouble") {
      $0 = transferred { begin(&$0.script) }
      $0.state(.update(.ended(phone: 0, .new)))
    },
    Case("APP-1.4.2.1", "shown", "packets are lost") {
      $0 = transferred {
        begin(&$0.script)
        $0.lostPackets = [42, 60, 90, 130, 131]
      }
      $0.state(.update(.ended(phone: 0, .new)))
    },
    Case("APP-1.4.2.1", "shown", "the link breaks") {
      $0 = transferred {
        begin(&$0.script)
        $0.requestsLeft = 12
      }
      $0.state(.update(.ended(phone: 0, .new)))
    },
    Case("APP-1.4.2.1", "violated", "more than was confirmed") {
      half(&$0)
      $0.sendFirmware([5])
      show(&$0, .sending, 5)
    },
    Case("APP-1.4.2.1", "violated", "more than there is") {
      half(&$0)
      show(&$0, .sending, 4, of: 3)
    },
    Case("APP-1.4.2.1", "violated", "backwards for no reason") {
      half(&$0)
      show(&$0, .sending, 3)
    },
    Case("APP-1.4.2.1", "violated", "the new firmware, and never the whole") {
      half(&$0)
      $0.state(.update(.ended(phone: 0, .new)))
    },
    Case("APP-1.4.2.1", "notExercised", "another end than the new firmware") {
      begin(&$0)
      $0.state(.update(.ended(phone: 0, .old)))
    },
    Case("APP-1.4.2.1", "violated", "the old progress after everything was begun anew") {
      half(&$0)
      $0.disconnect()
      $0.meetBootloader()
      create(1, 4, &$0)
      show(&$0, .announcing, 0)
      show(&$0, .sending, 4)
    },
    Case("APP-1.4.2.1", "shown", "two images, one behind the other") {
      half(&$0)
      execute(&$0)
      completeSecondImage(&$0)
    },
    Case("APP-1.4.2.1", "shown", "two images, and the last answer about the first is lost") {
      half(&$0)
      $0.askBootloader([0x04])
      completeSecondImage(&$0)
    },
    Case("APP-1.4.2.1", "violated", "more than was confirmed of the second image") {
      half(&$0)
      execute(&$0)
      secondImage(&$0)
      show(&$0, .sending, 8)
    },
    Case("APP-1.4.2.1", "violated", "the old progress after an image that was under way was begun anew") {
      half(&$0)
      execute(&$0)
      create(2, 4, &$0)
      secondImage(&$0, shown: 0)
      show(&$0, .sending, 4)
    },
    Case("APP-1.4.2.1", "violated", "the old progress after an image of which all was executed was begun anew") {
      half(&$0)
      execute(&$0)
      secondImage(&$0, shown: 0)
      show(&$0, .sending, 4)
    },
  ]

  /// Announces an image on a new link, shows how much there was before it, and sends four octets of it.
  private static func secondImage(_ script: inout PacketScript, shown: UInt32 = 4) {
    script.disconnect()
    announce(&script)
    show(&script, .sending, shown)
    create(2, 4, &script)
    script.sendFirmware([5, 6, 7, 8])
  }

  private static func completeSecondImage(_ script: inout PacketScript) {
    secondImage(&script)
    check([5, 6, 7, 8], &script)
    show(&script, .sending, 8)
    script.state(.update(.ended(phone: 0, .new)))
  }

  // MARK: APP-1.4.2.2

  /// An update that goes well, but for its end.
  private static func update(_ script: inout PacketScript) {
    script.state(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))
    meet(&script)
    begin(&script)
    show(&script, .entering, at: .application)
    script.disconnect()
    show(&script, .finding, at: .nowhere)
    script.state(.update(.bootloaderStarted(recorder: 0)))
    script.connect(to: PacketScript.bootloaderAddress)
    show(&script, .announcing)
    script.discoverBootloader()
    show(&script, .sending)
    show(&script, .activating)
    script.disconnect()
    show(&script, .activating, at: .nowhere)
    script.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
    script.connect()
    show(&script, .verifying, at: .application)
    show(&script, .ended, at: .application)
  }

  static let states: [Case] = [
    Case("APP-1.4.2.2", "shown", "an update that goes well") {
      update(&$0)
      $0.state(.update(.ended(phone: 0, .new)))
      $0.wait(.seconds(1_000))
    },
    Case("APP-1.4.2.2", "violated", "the old firmware, though the new one runs") {
      update(&$0)
      $0.state(.update(.ended(phone: 0, .old)))
    },
    Case("APP-1.4.2.2", "violated", "the new firmware, though the old one runs") {
      $0.state(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))
      begin(&$0)
      $0.state(.update(.ended(phone: 0, .new)))
    },
    Case("APP-1.4.2.2", "violated", "the old firmware, and then the new one starts") {
      $0.state(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))
      begin(&$0)
      $0.state(.update(.ended(phone: 0, .old)))
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
    },
    Case("APP-1.4.2.2", "violated", "the old firmware, though the bootloader knew another") {
      begin(&$0)
      $0.state(.update(.bootloaderStarted(recorder: 0)))
      $0.state(.update(.firmwareInstalled(recorder: 0, version: 1)))
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
      $0.state(.update(.ended(phone: 0, .old)))
    },
    Case("APP-1.4.2.2", "shown", "no firmware, and the bootloader waits") {
      begin(&$0)
      $0.state(.update(.bootloaderStarted(recorder: 0)))
      $0.state(.update(.ended(phone: 0, InstalledAfterUpdate.none)))
    },
    Case("APP-1.4.2.2", "violated", "no firmware, though one runs") {
      $0.state(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))
      begin(&$0)
      $0.state(.update(.ended(phone: 0, InstalledAfterUpdate.none)))
    },
    Case("APP-1.4.2.2", "violated", "the bootloader, without a link") {
      begin(&$0)
      show(&$0, .sending)
    },
    Case("APP-1.4.2.2", "violated", "the bootloader, connected with the application") {
      meet(&$0)
      begin(&$0)
      show(&$0, .entering, at: .bootloader)
    },
    Case("APP-1.4.2.2", "violated", "the application, where a bootloader is found then") {
      begin(&$0)
      $0.connect(to: PacketScript.bootloaderAddress)
      show(&$0, .entering, at: .application)
      $0.discoverBootloader()
    },
    Case("APP-1.4.2.2", "violated", "the bootloader, long after the link broke") {
      begin(&$0)
      $0.meetBootloader()
      show(&$0, .sending)
      $0.disconnect()
      $0.wait(.seconds(2))
    },
    Case("APP-1.4.2.2", "violated", "back to the beginning") {
      begin(&$0)
      show(&$0, .finding, at: .nowhere)
      show(&$0, .checking, at: .nowhere)
    },
    Case("APP-1.4.2.2", "violated", "no end") {
      begin(&$0)
      show(&$0, .finding, at: .nowhere)
      $0.wait(.seconds(301))
    },
  ]

  // MARK: DEV-11

  private static func own(_ records: Int, digest: UInt64 = 1, bonds: Int = 1, _ script: inout PacketScript) {
    script.state(.update(.possessions(recorder: 0, records: records, digest: digest, bonds: bonds)))
  }

  private static func visit(_ script: inout PacketScript) {
    script.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
    own(7, &script)
    script.wait(.seconds(10))
    script.state(.update(.bootloaderStarted(recorder: 0)))
    // Whether it can be found is the matter of another monitor.
    script.state(.update(.bootloaderHindered(recorder: 0)))
    own(8, &script)
    script.wait(.seconds(10))
  }

  static let recorderUpdates: [Case] = [
    Case("DEV-11", "shown", "a newer version, and everything is there") {
      visit(&$0)
      $0.state(.update(.firmwareStarted(recorder: 0, version: 3, isWhole: true)))
      own(8, &$0)
    },
    Case("DEV-11", "shown", "the same version, possessions told first, after a second start of the bootloader") {
      visit(&$0)
      own(8, &$0)
      $0.state(.update(.bootloaderStarted(recorder: 0)))
      $0.wait(.seconds(10))
      own(8, &$0)
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
    },
    Case("DEV-11", "notExercised", "no bootloader") {
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
      own(7, &$0)
      $0.wait(.seconds(1_000))
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
      own(6, &$0)
    },
    Case("DEV-11", "violated", "half an image") {
      visit(&$0)
      $0.state(.update(.firmwareStarted(recorder: 0, version: 3, isWhole: false)))
    },
    Case("DEV-11", "violated", "an older version") {
      visit(&$0)
      $0.state(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))
    },
    Case("DEV-11", "violated", "an older version than the bootloader knew") {
      $0.state(.update(.bootloaderStarted(recorder: 0)))
      $0.state(.update(.firmwareInstalled(recorder: 0, version: 2)))
      $0.state(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))
    },
    Case("DEV-11", "violated", "a record is gone") {
      visit(&$0)
      $0.state(.update(.firmwareStarted(recorder: 0, version: 3, isWhole: true)))
      own(7, &$0)
    },
    Case("DEV-11", "violated", "a record is another one") {
      visit(&$0)
      $0.state(.update(.firmwareStarted(recorder: 0, version: 3, isWhole: true)))
      own(8, digest: 2, &$0)
    },
    Case("DEV-11", "violated", "a bond is gone") {
      visit(&$0)
      $0.state(.update(.bootloaderStarted(recorder: 0)))
      own(8, bonds: 0, &$0)
    },
    Case("DEV-11", "violated", "the bootloader falls silent") {
      visit(&$0)
      $0.meetBootloader()
      $0.wait(.seconds(200))
    },
    Case("DEV-11", "notExercised", "the power was cut") {
      visit(&$0)
      $0.state(.recorderPowered(recorder: 0, isOn: false))
      $0.wait(.seconds(1_000))
    },
    Case("DEV-11", "notExercised", "a long update") {
      visit(&$0)
      $0.meetBootloader()
      for _ in 0..<10 {
        $0.askBootloader([0x03])
        $0.wait(.seconds(50))
      }
    },
  ]
}
