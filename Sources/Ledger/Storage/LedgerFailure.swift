/// The reason why a ledger cannot be used. Each is one sentence that names the ledger.
package enum LedgerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not the address of a ledger.
  case address(String)
  /// The ledger cannot be opened: its address and the reason.
  case unopened(ledger: String, reason: String)
  /// The database belongs to something else.
  case foreign(ledger: String)
  /// There is nothing in the file or database yet, where runs were to be read.
  case empty(ledger: String)
  /// A later version of this program wrote the ledger.
  case newer(ledger: String, found: Int64, known: Int64)
  /// The disk below the ledger is full; what was being written is not in the ledger.
  case full(ledger: String)
  /// Another writer kept the ledger locked for too long.
  case busy(ledger: String)
  /// The connection to the ledger's server broke; what was being written is not reported.
  case lost(ledger: String, reason: String)
  /// A statement failed for another reason.
  case statement(ledger: String, reason: String)
  /// The ledger holds something that this program does not write.
  case damaged(ledger: String, what: String)
  /// The ledger already holds another result under the same key.
  case contradiction(run: String, scenario: String)
  /// What was asked of a bench session cannot be done.
  case session(SessionRefusal)

  package var description: String {
    switch self {
    case .address(let text):
      "--ledger needs the path of a file or a URL such as postgresql://host/database, not \"\(text)\""
    case .unopened(let ledger, let reason): "cannot open the ledger \(ledger): \(reason)"
    case .foreign(let ledger): "\(ledger) is a database of something else, not a ledger"
    case .empty(let ledger): "\(ledger) is empty, not a ledger; expected one that a run with --ledger has written"
    case .newer(let ledger, let found, let known):
      "the ledger \(ledger) has version \(found), but this program knows versions up to \(known); install a newer program"
    case .full(let ledger): "cannot write the ledger \(ledger): the disk is full"
    case .busy(let ledger): "cannot write the ledger \(ledger): another program has kept it locked for 30 s"
    case .lost(let ledger, let reason): "the connection to the ledger \(ledger) was lost: \(reason)"
    case .statement(let ledger, let reason): "the ledger \(ledger) refused a statement: \(reason)"
    case .damaged(let ledger, let what): "the ledger \(ledger) is damaged: \(what)"
    case .contradiction(let run, let scenario):
      "the ledger already holds another result of \(scenario) in run \(run); give this run another --run-id"
    case .session(let refusal): "\(refusal)"
    }
  }
}
