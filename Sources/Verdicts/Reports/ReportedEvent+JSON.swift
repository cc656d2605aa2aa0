import Bytes

extension ReportedEvent {
  /// The event as an object: its name and source, and what it holds.
  package var json: JSONValue {
    var members: [(String, JSONValue)] = []
    members.reserveCapacity(details.count + 6)
    members += [("name", .string(name)), ("source", .string("\(source)"))]
    if link != 0 { members.append(("link", .integer(Int(link)))) }
    if let peer = peer { members.append(("peer", .string("\(peer)"))) }
    for detail in details {
      let value: JSONValue =
        switch detail.value {
        case .text(let text): .string(text)
        case .number(let number): .integer(Int(number))
        case .flag(let flag): .boolean(flag)
        }
      members.append((detail.name, value))
    }
    if !words.isEmpty { members += [("who", .string(who)), ("words", .string(words))] }
    return .object(members)
  }
}
