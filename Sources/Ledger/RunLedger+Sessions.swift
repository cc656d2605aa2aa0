/// Bench sessions. Each operation decides and writes in one transaction, so two operators cannot contradict each other.
extension RunLedger {
  /// What an operator does to a session that is open.
  package enum SessionDeed: String, Hashable, Sendable {
    /// Leaves the bench for a while.
    case pause
    /// Comes back.
    case resume
    /// Ends the session.
    case end
  }

  /// Who does something, and to which session.
  package struct SessionOrder: Sendable {
    /// The session's name; `nil` where the bench decides, or the ledger chooses a name.
    package var session: String?
    /// The bench's name; `nil` without one.
    package var bench: String?
    /// Who does it.
    package var operatorName: String
    /// What tells this order from every other one, so that it is carried out once.
    package var key: String

    package init(session: String?, bench: String?, operatorName: String, key: String) {
      self.session = session
      self.bench = bench
      self.operatorName = operatorName
      self.key = key
    }
  }

  /// Begins a session. Without a name it gets that of the bench and a number.
  ///
  /// - Throws: `session` where the name is taken, or the bench has an open session.
  package func startSession(_ order: SessionOrder) throws(LedgerFailure) -> BenchSession {
    let written = sessionTime
    return try transaction { store throws(LedgerFailure) in
      let table = SessionTable(store: store)
      if let known = try table.session(with: order.key) { return try table.known(known) }
      let names = try table.names(onlyOpen: false)
      let name = order.session ?? Self.freeName(on: order.bench, among: names)
      guard Self.isName(name) else { throw .session(.name(name)) }
      guard !names.contains(name) else { throw .session(.taken(name)) }
      if let bench = order.bench, let open = try table.open().last(where: { $0.bench == bench }) {
        throw .session(.open(open))
      }
      let entry = SessionEntry(.start, of: name, by: order.operatorName, on: order.bench, at: written)
      try table.insert(entry, as: order.key)
      return try table.known(name)
    }
  }

  /// Pauses, resumes or ends a session: the one that is named, else the open one on the bench, else the only open one.
  ///
  /// - Throws: `session` where there is none, and where it stands otherwise.
  package func mark(_ deed: SessionDeed, _ order: SessionOrder) throws(LedgerFailure) -> BenchSession {
    let written = sessionTime
    return try transaction { store throws(LedgerFailure) in
      let table = SessionTable(store: store)
      if let known = try table.session(with: order.key) { return try table.known(known) }
      let session = try table.meant(order.session, on: order.bench)
      let allowed: [BenchSession.State] =
        switch deed {
        case .pause: [.running]
        case .resume: [.paused]
        case .end: [.running, .paused]
        }
      guard allowed.contains(session.state) else { throw .session(.standing(session, deed: deed.rawValue)) }
      let entry = SessionEntry(deed.entry, of: session.id, by: order.operatorName, at: written)
      try table.insert(entry, as: order.key)
      return try table.known(session.id)
    }
  }

  /// A session as it stands now: the one that is named, else the open one on the bench, else the only open one.
  package func session(_ name: String?, on bench: String?) throws(LedgerFailure) -> BenchSession {
    try transaction { store throws(LedgerFailure) in try SessionTable(store: store).meant(name, on: bench) }
      .seen(at: sessionTime)
  }

  /// All sessions as they stand now, in the order in which they were begun.
  package func sessions() throws(LedgerFailure) -> [BenchSession] {
    let now = sessionTime
    return try transaction { store throws(LedgerFailure) in
      let table = SessionTable(store: store)
      return try table.names(onlyOpen: false).map { name throws(LedgerFailure) in try table.known(name).seen(at: now) }
    }
  }

  /// Adds a run before its first scenario, in a session: the one that is named, else the open one on the run's bench.
  /// Returns the session and the stream of the run's beats; `nil` where no session is named and none is open on the bench.
  /// A session that is paused is returned without a stream unless it was named. A run that is there already goes on.
  ///
  /// - Throws: `contradiction` where a run of that name tested something else, and `session` where the named session is
  ///   unknown, not running or on another bench; then nothing is added.
  package func begin(
    _ run: LedgerRun, session name: String?, on bench: String?
  ) throws(LedgerFailure) -> (session: BenchSession, stream: String?)? {
    let written = sessionTime
    return try transaction { store throws(LedgerFailure) in
      try RunTable(store: store).insert(run)
      let table = SessionTable(store: store)
      let session: BenchSession
      if let name {
        session = try table.meant(name, on: nil)
        guard session.state == .running else { throw .session(.standing(session, deed: "take a run")) }
        guard session.bench == nil || session.bench == bench else {
          throw .session(.otherBench(session, run: bench))
        }
      } else {
        guard let bench, let open = try table.open().last(where: { $0.bench == bench }) else { return nil }
        guard open.state == .running else { return (open, nil) }
        session = open
      }
      let stream = "\(run.id)#\(try table.nextStream(of: run.id))"
      let beat = SessionBeat(stream: stream, number: 0, elapsed: 0, scenarios: 0, recordings: 0)
      try table.insert(
        SessionEntry(.runBegins, of: session.id, by: run.operatorName, at: written, beat), as: stream + "/0")
      return (session, stream)
    }
  }

  /// Writes how far a run is, or how far it was when it ended.
  package func beat(
    _ beat: SessionBeat, isLast: Bool, in session: String, by operatorName: String
  ) throws(LedgerFailure) {
    let entry = SessionEntry(isLast ? .runEnds : .beat, of: session, by: operatorName, at: sessionTime, beat)
    try transaction { store throws(LedgerFailure) in
      try SessionTable(store: store).insert(entry, as: "\(beat.stream)/\(beat.number)")
    }
  }

  /// The machine's clock as entries state it.
  private var sessionTime: Int64 { min(max(0, now()), SessionEntry.limit) }

  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0))
      }
  }

  /// The bench's name, as far as a session's name can hold it, and the first number that makes it unique.
  private static func freeName(on bench: String?, among names: [String]) -> String {
    let base = String((bench ?? "session").prefix(48).map { isName(String($0)) ? $0 : "-" })
    let number = (1...).first { !names.contains("\(base)-\($0)") } ?? 1
    return "\(base)-\(number)"
  }
}

extension RunLedger.SessionDeed {
  fileprivate var entry: SessionEntry.Deed {
    switch self {
    case .pause: .pause
    case .resume: .resume
    case .end: .end
    }
  }
}

extension SessionTable {
  /// A session of which the name is known to exist.
  fileprivate func known(_ name: String) throws(LedgerFailure) -> BenchSession {
    guard let session = try session(name) else {
      throw .damaged(ledger: store.name, what: "the session \(name) does not begin")
    }
    return session
  }

  /// The sessions that have not ended, in the order in which they were begun.
  fileprivate func open() throws(LedgerFailure) -> [BenchSession] {
    try names(onlyOpen: true).map { name throws(LedgerFailure) in try known(name) }
  }

  /// The session that is named, else the open one on the bench, else the only open one.
  fileprivate func meant(_ name: String?, on bench: String?) throws(LedgerFailure) -> BenchSession {
    if let name {
      guard let session = try session(name) else {
        throw .session(.unknown(name, known: try names(onlyOpen: false)))
      }
      return session
    }
    let open = try open().filter { bench == nil || $0.bench == bench }
    guard let first = open.first else { throw .session(.noneOpen(bench: bench)) }
    guard open.count == 1 else { throw .session(.severalOpen(open.map(\.id))) }
    return first
  }
}
