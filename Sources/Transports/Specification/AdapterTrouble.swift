import System

/// Why an adapter cannot be used, in words for the person who owns it.
public enum AdapterTrouble: Error, Hashable, Sendable {
  /// Nothing matches; the first text says what was looked for, the list what is there instead.
  case absent(String, present: [String])
  /// Several match, so that it would be chance which one is taken; the list names them.
  case severalMatch([String])
  /// Somebody else holds it; the text says who, as far as that is known, and how to get it.
  case busy(String)
  /// The system refuses it to this user; the text says what would help.
  case permissionDenied(String)
  /// Its radio is switched off (rfkill); the text says how to switch it on.
  case radioOff(String)
  /// This system cannot have such adapters at all; the text says what it lacks.
  case unsupportedHere(String)
  /// Somebody's connections run over it; the list names their peers.
  case hasLinks([String])
  /// It is there, but it is not what the specification takes it for; the text says what would help.
  case unsuitable(String)
  /// A call of the system failed in a way that says nothing more.
  case system(SystemCallFailure)
}

extension AdapterTrouble: CustomStringConvertible {
  /// One sentence that says what is wrong and, behind its last colon or semicolon, what to do.
  public var description: String {
    switch self {
    case .absent(let wanted, let present) where present.isEmpty:
      "\(wanted): plug it in, or name another controller"
    case .absent(let wanted, let present):
      "\(wanted); there are: \(present.joined(separator: ", ")); plug it in, or name one of those"
    case .severalMatch(let matches):
      "several match: \(matches.joined(separator: ", ")); name one of them by --controller, or as the bench file's adapter"
    case .busy(let remedy): "in use: \(remedy)"
    case .permissionDenied(let remedy): "permission denied: \(remedy)"
    case .radioOff(let remedy): "its radio is switched off: \(remedy)"
    case .unsupportedHere(let lack): lack
    case .hasLinks(let peers):
      "it has live links to \(peers.joined(separator: ", ")), which would be cut; disconnect them, or say --take"
    case .unsuitable(let reason): reason
    case .system(let failure): "\(failure): unplug it and plug it in again, or take another one"
    }
  }
}
