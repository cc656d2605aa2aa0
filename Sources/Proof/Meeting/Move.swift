/// One thing that can happen next in a ``Meeting``. Its raw value is its name in certificates.
package enum Move: String, Hashable, Sendable, CaseIterable {
  // What happens when nobody disturbs the two.

  /// The user asks for a sync, as the phone does nothing and not everything is there.
  case sync
  /// The phone's next ATT request arrives at the recorder, whose stack answers it.
  case call
  /// The answer to an ATT request arrives at the phone.
  case answer
  /// The recorder's engine makes the pass that is due.
  case pass
  /// A notification arrives at the phone.
  case notification
  /// The recorder learns that a notification arrived.
  case acknowledgement
  /// The phone's pause before its next request is over.
  case settled
  /// The phone has waited too long; only where nothing else can happen.
  case patience

  // What disturbs them.

  /// The link is lost, and everything on its way.
  case linkLoss = "link-loss"
  /// The recorder loses power, and has it again at once.
  case powerCut = "power-cut"
  /// The application is killed and started again. Its library stays.
  case applicationKill = "application-kill"
  /// The phone's pause is over while the recorder still serves the request before, because the last acknowledgement is
  /// late or another application was answered first.
  case overtaking
  /// Another application of the same phone asks for the list, whether a request is under way or not. It has one request
  /// at a time, because the recorder keeps one beside the one that it serves.
  case secondList = "second-list"
  /// Another application of the same phone asks for the state of the file system.
  case secondStatus = "second-status"

  /// What disturbs phone and recorder, as opposed to what they do by themselves.
  package static let disturbances: [Move] = [
    .linkLoss, .powerCut, .applicationKill, .overtaking, .secondList, .secondStatus,
  ]

  /// Whether it disturbs phone and recorder.
  package var isDisturbance: Bool { Self.disturbances.contains(self) }
}
