import Verdicts

/// What only a simulated chip knows about the firmware image that it executes.
public enum ExecutionOracle: Hashable, Sendable {
  /// A recorder's chip began to execute an image; everything it does is watched.
  case began(recorder: UInt16)
  /// The image switched its recorder off, and did not say why.
  case switchedOff(recorder: UInt16)
  /// The image did what no firmware may do: what, and one sentence with the place.
  case defect(recorder: UInt16, ExecutionDefect, String)
  /// The image used something that is not modelled: one sentence. It says nothing against the image.
  case notModelled(recorder: UInt16, String)
  /// The image wrote a line to its console. It judges nothing.
  case console(recorder: UInt16, String)

  /// Whose event it is.
  var party: OracleEvent.Party {
    switch self {
    case .began(let recorder), .switchedOff(let recorder), .defect(let recorder, _, _), .notModelled(let recorder, _),
      .console(let recorder, _):
      .recorder(recorder)
    }
  }

  /// The name by which reports call it.
  var name: String {
    switch self {
    case .began: "execution.began"
    case .switchedOff: "execution.switched-off"
    case .defect: "execution.defect"
    case .notModelled: "execution.not-modelled"
    case .console: "execution.console"
    }
  }

  /// What it holds.
  var details: [EventDetail] {
    switch self {
    case .began(let recorder), .switchedOff(let recorder): [.init("recorder", Int64(recorder))]
    case .defect(let recorder, let defect, let text):
      [.init("recorder", Int64(recorder)), .init("defect", defect.rawValue), .init("text", text)]
    case .notModelled(let recorder, let text), .console(let recorder, let text):
      [.init("recorder", Int64(recorder)), .init("text", text)]
    }
  }
}

/// What no firmware may do, by the requirement that forbids it.
public enum ExecutionDefect: String, Hashable, Sendable, CaseIterable {
  /// IMG-1: an access to what is not there, may not be written, or is not aligned.
  case access = "bad access"
  /// IMG-2: something other than code was executed.
  case wildExecution = "wild execution"
  /// IMG-3: a stack grew beyond its end.
  case stackOverrun = "stack overrun"
  /// IMG-4: a watchdog, a failed assertion or a fault that nobody could handle reset the chip.
  case reset = "reset by a defect"
  /// IMG-5: the program runs in circles for good.
  case stuck = "stuck"
  /// IMG-6: a load of RAM that nobody had written.
  case unwrittenRead = "unwritten RAM"
  /// IMG-7: a wrong call of the SoftDevice.
  case badCall = "bad call"
}
