import System

/// Why an adapter cannot be used, and what its owner can do about it.
package enum AdapterTrouble: Error, Hashable, Sendable {
  /// Nothing matches; the first text says what was looked for, the list what is there instead.
  case absent(String, present: [String])
  /// Several match, so that it would be chance which one is taken; the list names them.
  case severalMatch([String])
  /// Somebody else holds it; who, as far as that is known.
  case busy(String, advice: String)
  /// The system refuses it to this user; why.
  case permissionDenied(String, advice: String)
  /// Its radio is switched off (rfkill).
  case radioOff(advice: String)
  /// This system cannot have such adapters at all; what it lacks.
  case unsupportedHere(String, advice: String)
  /// Somebody's connections run over it; the list names their peers.
  case hasLinks([String])
  /// It is there, but cannot be used as the specification wants; why.
  case unsuitable(String, advice: String)
  /// A system call failed in a way that says nothing more.
  case system(SystemCallFailure)
}

extension AdapterTrouble: CustomStringConvertible {
  /// One sentence that says what is wrong, and after its last colon, or a semicolon after a list, what to do.
  package var description: String { problem + (problem.contains(": ") ? "; " : ": ") + advice }

  /// What is wrong.
  package var problem: String {
    switch self {
    case .absent(let wanted, let present) where present.isEmpty: wanted
    case .absent(let wanted, let present): "\(wanted); there are: \(present.joined(separator: ", "))"
    case .severalMatch(let matches): "several match: \(matches.joined(separator: ", "))"
    case .busy(let problem, _): "in use: \(problem)"
    case .permissionDenied(let problem, _): "permission denied: \(problem)"
    case .radioOff: "its radio is switched off"
    case .unsupportedHere(let lack, _): lack
    case .hasLinks(let peers): "it has live links to \(peers.joined(separator: ", ")), which would be cut"
    case .unsuitable(let problem, _): problem
    case .system(let failure): failure.description
    }
  }

  /// What to do about it.
  package var advice: String {
    switch self {
    case .absent(_, let present): "plug it in, or name \(present.isEmpty ? "another controller" : "one of those")"
    case .severalMatch: "choose one with --controller, or in the bench file"
    case .busy(_, let advice), .permissionDenied(_, let advice), .radioOff(let advice), .unsupportedHere(_, let advice),
      .unsuitable(_, let advice):
      advice
    case .hasLinks: "disconnect them, or use --take"
    case .system: "unplug it and plug it in again, or use another one"
    }
  }
}
