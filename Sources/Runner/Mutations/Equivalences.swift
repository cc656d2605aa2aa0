/// Generated faults that no scenario can notice, and why.
enum Equivalences {
  /// The reason for a fault of this name; `nil` where a scenario should notice it.
  static func reason(for name: String) -> String? { reasons.first { $0.names.contains(name) }?.reason }

  /// The names of all of them.
  static var names: [String] { reasons.flatMap { $0.names.sorted() } }

  private struct Reason {
    let reason: String
    let names: Set<String>

    init(_ reason: String, _ names: Set<String>) {
      self.reason = reason
      self.names = names
    }
  }

  private static let reasons: [Reason] = [
    Reason(
      "the stack is ready long before Bluetooth is offered", ["halved bootToSoftDevice", "doubled bootToSoftDevice"]),
    Reason(
      "the model never enters that state",
      ["halved memoryCorrupt", "doubled memoryCorrupt", "ten times memoryCorrupt"]),
    Reason(
      "a phone waits 20 ms and an interval of 7.5 ms or more, and then for an event, before its next request, and the "
        + "recorder closes a file in 15 ms: neither a closing of 29.3 ms nor a wait of 17.5 ms makes it come too early",
      ["halved closeFile", "doubled closeFile", "half of the phone's settle"]),
    Reason(
      "that value can never be read",
      ["Service Changed begins with another value", "buttonless DFU begins with another value"]),
    Reason(
      "the recorder replaces that value before anybody can connect", ["Battery Level begins with another value"]),
    Reason(
      "the stack gives a procedure without an answer up after 30 s, before the phone's 35 s are over",
      ["twice the phone's attribute", "ten times the phone's attribute"]),
    Reason(
      "pairing without an answer ends after 30 s, and a phone that waits to be asked for encryption has not asked for the "
        + "battery level after 5 s, which violates APP-1.3.1.1 before",
      ["twice the phone's security", "ten times the phone's security"]),
    Reason(
      "the longest supervision time-out of a scenario's links is 16 s, after which their end is told",
      ["half of the phone's disconnect", "twice the phone's disconnect", "ten times the phone's disconnect"]),
    Reason(
      "a recorder that is there ends the link; where it is gone the link ends after 4.8 s at most, because discovery does "
        + "not end in time on a link with a longer supervision time-out",
      ["twice the phone's finish", "ten times the phone's finish"]),
    Reason(
      "the recorder's answer comes in the connection event that answers the request itself, so nobody waits for it alone",
      [
        "half of the phone's information", "half of the phone's fileSystem", "half of the phone's firstData",
        "half of the phone's finish", "a tenth of the phone's finish",
      ]),
    Reason(
      "a recorder that answers nothing does not tell a record's size either, which the phone asks for first; a dead link "
        + "ends within 4.8 s",
      ["twice the phone's firstData", "ten times the phone's firstData"]),
    Reason(
      "a recorder that agreed to leave resets, so that its link dies within 4.8 s, whether or not the phone began to end it",
      [
        "a tenth of the phone's updateLinkEnd", "half of the phone's updateLinkEnd",
        "twice the phone's updateLinkEnd", "ten times the phone's updateLinkEnd",
      ]),
    Reason(
      "a list is answered after half a second of the recorder and 4.8 s of the link, or the link ends",
      ["half of the phone's list"]),
    Reason(
      "a simulated phone discovers the attributes on every link: that is an answer, and shows the program, before "
        + "anything else is used",
      [
        "BatteryOncePerConnection is not told of encryption", "UpdateStateIsTrue is not told of the battery",
        "UpdateStateIsTrue is not told of requests and answers",
      ]),
    Reason(
      "the world states a clock only when it has read the time, which replaces what was read before",
      ["ClockWithinFiveSeconds is not told the time"]),
    Reason(
      "the phone forgets its keys as soon as it has told the recorder to unpair, and refuses to pair before that",
      ["OneRecorderAtATime is not told of services"]),
    Reason(
      "what the end of a link proves, the end of the run proves as well", ["RemovedStaysRemoved is not told of links"]),
    Reason(
      "a simulated recorder that sends octets of a record in clear has accepted their request before that, and it tells "
        + "every battery level in one octet",
      ["NothingServedInClear is not told of file data", "AnswersAsDocumented is not told of the battery"]),
    Reason("every phone offers keys of 16 octets", ["it demands keys of 16 octets"]),
    Reason("every phone lists Current Time first", ["the time is read where it is"]),
  ]
}
