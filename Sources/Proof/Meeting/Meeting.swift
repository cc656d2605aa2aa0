import Bytes
import DictofunProtocol
import HCI
import HostStack
import Phone
import Recorder
import Timeline

/// A phone and a recorder that meet, as a value: the two applications as they are, and between them instead of radio
/// and host stacks the shortest lists that can stand for these.
///
///     PhoneApplication ──calls──▶ ModelledRecorder
///            ▲  ◀──answers──────────   │  ▲
///            └──────notifications──────┘  │
///                      └─acknowledgements─┘
///
/// Each list keeps its order; between lists there is none. So every order in which packets of the four kinds can arrive
/// is some order of ``Move``. Time passes only when a timer fires.
package struct Meeting {
  /// An ATT request of the phone, or its answer.
  struct Call {
    let token: ClientToken
    let procedure: ClientProcedure
    var result = Result<ClientResult, ClientFailure>.success(.written)
  }

  /// What it is about.
  let plan: MeetingPlan
  var phone: PhoneApplication
  var recorder: ModelledRecorder
  /// What is in the phone's library.
  var library = LibraryContent()
  var now = Instant.zero

  // The link and what is on its way.

  var link: ConnectionHandle?
  var links: UInt16 = 0x40
  var calls: [Call] = []
  var answers: [Call] = []
  var notifications: [(ticket: NotificationTicket, handle: AttributeHandle, value: [UInt8])] = []
  var acknowledgements: [NotificationTicket] = []

  /// Whether each of the requests that the recorder serves or keeps came from another application, in their order.
  var requestsOfOthers: [Bool] = []

  /// Whether the phone's next request may come while the recorder still serves the one before.
  var hasOvertaken = false

  // What host stacks keep.

  var isAdvertising = false
  var isScanning = false
  var attempt: BluetoothAddress?
  var batteryLevel: [UInt8] = []
  var phoneTimers: [(token: TimerToken, due: Instant)] = []
  var recorderTimers: [RecorderTimer] = []
  var forPhone: [HostEvent] = []
  var forRecorder: [HostEvent] = []

  // What the user and the judges know.

  var operation: OperationToken?
  /// The phone's request that is under way, for those who tell of it.
  package internal(set) var asked: ControlPointRequest?
  var lastToken: UInt32 = 0
  /// Whether the last sync that ended was a success.
  var isSynced = false
  var disturbancesLeft: Int?
  /// What must never happen and did, as one sentence.
  package internal(set) var violation: String?

  static let engineTimer: UInt8 = 1
  /// Two ticks of the recorder, which are a whole number of nanoseconds.
  private static let beat: UInt64 = 1_953_125
  /// How many timers a recorder needs at most until it offers Bluetooth.
  private static let bootLimit = 64

  /// A recorder that offers Bluetooth and a phone that is switched on, which have never met.
  package init(_ plan: MeetingPlan, _ shelf: LibraryShelf) throws(LibraryFailure) {
    self.plan = plan
    disturbancesLeft = plan.disturbances
    recorder = ModelledRecorder(plan.recorder)
    let library = try shelf.take(LibraryContent())
    phone = PhoneApplication(plan.phone(library))
    bootRecorder()
    tell(.request(.start))
    settle()
    endBeat()
    self.library = try shelf.put(library)
  }

  /// Lets time pass until the next beat. What happens between two moves depends on the recorder's ticks, so every move
  /// begins at the same place between two of them.
  mutating func endBeat() { now = Instant(nanoseconds: (now.nanoseconds + Self.beat - 1) / Self.beat * Self.beat) }

  /// Notes which requests the recorder has ended, and the one that came; it serves them in their order.
  mutating func noteRequests(areOfOthers isOfOthers: Bool) {
    let count = recorder.requestCount
    if count < requestsOfOthers.count {
      requestsOfOthers.removeFirst(requestsOfOthers.count - count)
      hasOvertaken = false
    }
    while requestsOfOthers.count < count { requestsOfOthers.append(isOfOthers) }
  }

  /// The recorder gets power and starts, until it offers Bluetooth.
  mutating func bootRecorder() {
    recorder.take(.holdRail, at: now)
    drainRecorder()
    settle()
    var left = Self.bootLimit
    while !isAdvertising, left > 0, let next = recorderTimers.compactMap(\.due).min() {
      left -= 1
      now = max(now, next)
      for timer in recorderTimers where timer.due == next {
        recorderTimers.removeAll { $0.kind == timer.kind }
        recorder.timerFired(timer.kind, at: now)
        drainRecorder()
      }
      settle()
    }
  }

  /// The state in words, without instants, handles and tokens: what differs in these only has the same future.
  package var outline: String {
    let rows = library.entries.map {
      "\($0.identifier) \($0.size)\($0.isListed ? "" : " gone")\($0.content.map { " \(Self.sum($0))" } ?? " missing")"
    }
    let asked = calls.map { "\($0.procedure)\(phone.awaits($0.token) ? "" : " dropped")" }
    let answered = answers.map { "\($0.procedure)\(phone.awaits($0.token) ? "" : " dropped")" }
    let notified = notifications.map { "\($0.handle.rawValue) \($0.value.count) \(Self.sum($0.value))" }
    return "phone: \(phone.outline(at: now))\(operation == nil ? "" : " busy")\(isSynced ? " synced" : "")\n"
      + "library: \(rows)\nrecorder: \(recorder.outline(at: now))\n"
      + "link: \(link == nil ? "none" : "up") calls \(asked) answers \(answered) notifications \(notified) "
      + "acknowledgements \(acknowledgements.count) others \(requestsOfOthers)\(hasOvertaken ? " overtaken" : "")\(attempt == nil ? "" : " attempt")\n"
      + (disturbancesLeft.map { "disturbances left: \($0)\n" } ?? "")
  }

  private static func sum(_ octets: [UInt8]) -> UInt64 { octets.reduce(0) { $0 &* 31 &+ UInt64($1) } }

  /// Whether everything is as it should be at the end: all records are on the phone, its last sync was a success, the link
  /// is gone and nothing is on its way.
  package var isFinished: Bool {
    isSynced && operation == nil && phone.isIdle && link == nil && calls.isEmpty && answers.isEmpty
      && notifications.isEmpty && acknowledgements.isEmpty && !recorder.awaitsPass
      && plan.records.allSatisfy { library.content(of: $0.identifier) == $0.content }
  }
}
