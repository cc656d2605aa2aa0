import Bytes

extension ReportedEvent {
  /// The event as an object: its name and source, and what it holds.
  package var json: JSONValue {
    var members: [(String, JSONValue)] = [("name", .string(name)), ("source", .string("\(source)"))]
    if link != 0 { members.append(("link", .integer(Int(link)))) }
    if let peer = peer { members.append(("peer", .string("\(peer)"))) }
    members += details.map { detail in
      switch detail.value {
      case .text(let text): (detail.name, .string(text))
      case .number(let number): (detail.name, .integer(Int(number)))
      case .flag(let flag): (detail.name, .boolean(flag))
      }
    }
    if !words.isEmpty { members += [("who", .string(who)), ("words", .string(words))] }
    return .object(members)
  }
}
