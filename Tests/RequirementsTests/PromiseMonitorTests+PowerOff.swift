import DictofunProtocol
import HCI
import Requirements

extension PromiseMonitorTests {
  /// Whether the recorder switches itself off when it should.
  static let powerOff: [Case] = [
    Case(
      "DEV-9", "shown", "off when it is quiet",
      seen: on + [(25_000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN")))]),
    Case(
      "DEV-9", "violated", "off right after the phone left",
      seen: meeting + [(1000, down), (2000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN")))]),
    Case(
      "DEV-9", "shown", "off soon after a phone left that had said nothing for long, without a record",
      seen: meeting + [(15_000, down), (2000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN")))]),
    Case(
      "DEV-9", "violated", "off soon after a phone left, with a record",
      seen: meeting + [
        (1000, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))), (15_000, down),
        (2000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "violated", "off while it serves",
      seen: meeting + [
        (500, .fileTransfer(.requestTaken(.listFiles))), (6000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "violated", "off soon after it was switched on",
      seen: on + [(14_000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN")))]),
    Case(
      "DEV-9", "violated", "off soon after a record, before a phone came",
      [
        (0, .recorderPowered(recorder: 0, isOn: true)), (30, .recordFinished(recorder: 0, identifier(1), octets: 64)),
        (20, .recorderState(recorder: 0, name: "SHUTDOWN")),
      ]),
    Case(
      "DEV-9", "shown", "off although a phone asks for the battery",
      seen: meeting + [
        (1000, .fileTransfer(.requestTaken(.listFiles))), (50, .fileTransfer(.listed([]))),
        (18_000, .serviceUsed(.battery)), (500, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "shown", "off soon after a record in which a phone was there",
      seen: meetingInRecord + [
        (100, down), (60_000, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
        (4_900, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "shown", "off soon after a record for which a phone was dropped",
      seen: meeting + [
        (9_000, .oracle(.buttonPressed(recorder: 0))), (15, down),
        (9_000, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
        (4_900, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "shown", "off soon after a record for which a phone was dropped, and in which the button bounced",
      seen: meeting + [
        (9_000, .oracle(.buttonPressed(recorder: 0))), (15, down),
        (20, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
        (8_900, .oracle(.buttonPressed(recorder: 0))),
        (20, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
        (4_900, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "shown", "off soon after the second of two records, with no time between to hear that a phone left",
      seen: leftInRecord + [
        (60, .oracle(.buttonPressed(recorder: 0))),
        (20, .oracle(.recordFinished(recorder: 0, identifier(2), octets: 64))),
        (4_900, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "violated", "off soon after the second of two records, with time between to hear it",
      seen: leftInRecord + [
        (90, .oracle(.buttonPressed(recorder: 0))),
        (20, .oracle(.recordFinished(recorder: 0, identifier(2), octets: 64))),
        (4_900, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "violated", "off soon after a record, before the phone came again",
      seen: meeting + [
        (9_000, down), (2000, .oracle(.buttonPressed(recorder: 0))),
        (9_000, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
        (4_900, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "shown", "off soon after a record and a phone that came, though its button was touched",
      seen: on + [
        (100, .oracle(.buttonPressed(recorder: 0))),
        (9_000, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
        (100, up), (2_000, .oracle(.buttonPressed(recorder: 0))),
        (14_600, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "shown", "off in a discovery that takes longer than it waits for a request",
      seen: meeting + [
        (17_500, .attributesKnown(remembered: false)), (2_000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "violated", "off soon after a phone encrypted its link, at last",
      seen: on + [(1_000, up), (17_000, .encrypted), (2_000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN")))]),
    Case(
      "DEV-9", "violated", "off soon after a phone came that is still there",
      seen: on + [(10_000, up), (14_300, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN")))]),
    Case(
      "DEV-9", "shown", "off long after a phone came that is still there",
      seen: on + [(10_000, up), (14_500, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN")))]),
    Case(
      "DEV-9", "shown", "off although a phone tried to write what it may not",
      seen: meeting + [
        (15_000, .nameWritten(isAccepted: false)), (10, .fileTransfer(.requested(.listFiles))),
        (10, .fileTransfer(.requestRefused(.listFiles, attributeError: 5))), (10, down),
        (4_000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "shown", "off when the phone left in the middle of a request",
      seen: meeting + [
        (14_500, .fileTransfer(.requestTaken(.listFiles))), (10, down),
        (5_000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "violated", "off soon after a bootloader started it, though it recorded before",
      seen: on + [
        (9_000, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
        (9_000, .oracle(.update(.bootloaderStarted(recorder: 0)))),
        (60_000, .oracle(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))),
        (14_000, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case(
      "DEV-9", "not exercised", "off soon after a bootloader started it on a flat battery",
      seen: on + [
        (9_000, .oracle(.update(.bootloaderStarted(recorder: 0)))),
        (9_000, .oracle(.batteryVoltage(recorder: 0, millivolts: 3_000))),
        (9_000, .oracle(.recorderCannotServe(recorder: 0, reason: "flat battery"))),
        (0, .oracle(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))),
        (4_900, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
      ]),
    Case("DEV-9", "shown", "an image that goes off in time", image + [(15, .execution(.switchedOff(recorder: 0)))]),
    Case("DEV-9", "violated", "an image that goes off early", image + [(13, .execution(.switchedOff(recorder: 0)))]),
    Case(
      "DEV-9", "not exercised", "an image whose battery is low",
      image + [
        (1, .batteryVoltage(recorder: 0, millivolts: 3_090)), (8, .batteryVoltage(recorder: 0, millivolts: 3_600)),
        (1, .execution(.switchedOff(recorder: 0))),
      ]),
    Case(
      "DEV-9", "violated", "an image whose battery is nearly low",
      image + [
        (1, .batteryVoltage(recorder: 0, millivolts: 3_100)), (9, .execution(.switchedOff(recorder: 0))),
      ]),
    Case(
      "DEV-9", "not exercised", "a bootloader that waited for nothing",
      image + [(1, .update(.bootloaderStarted(recorder: 0))), (10, .execution(.switchedOff(recorder: 0)))]),
    Case(
      "DEV-9", "violated", "an image that goes off early again, where its supply is held",
      image + [(15, .execution(.switchedOff(recorder: 0))), (6, .execution(.switchedOff(recorder: 0)))]),
  ]
}
