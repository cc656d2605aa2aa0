import Bytes
import DictofunProtocol

/// Makes a dissector for Wireshark: tables of what the protocol's layouts say, and a program that follows them.
enum LuaDissector {
  /// Every characteristic whose values have a layout of ours.
  static let characteristics = AttributeTable.explained

  /// The whole program.
  static var text: String {
    """
    -- What Dictofun recorders and their phones say, for Wireshark 3.6 and later; made by \(Tool.description).
    --
    --   wireshark -X lua_script:dictofun.lua capture.btsnoop
    --   tshark -X lua_script:dictofun.lua -r capture.btsnoop -Y dictofun -V
    --
    -- Values are known by the types of their characteristics, which Wireshark learns from a discovery. A capture that
    -- begins after it, as that of a phone that knows its recorder, shows handles only: then tell Wireshark to take them
    -- for those of Dictofun's firmware, in the preferences of this protocol or with -o dictofun.by_handle:TRUE. Each
    -- handle can be changed there, and single ones are chosen with "Decode As", table "BT ATT Handle".
    -- Battery Level and Current Time are left to Wireshark where their types are known.
    local characteristics = {
    \(characteristics.map(table).joined(separator: "\n"))
    }

    \(LuaProgram.text)
    """
  }

  /// The name of a characteristic in display filters, after `dictofun.`.
  static func key(of characteristic: DictofunCharacteristic) -> String { key(characteristic.name) }

  /// The handle of its value on every recorder; `nil` where it is the phone's or the bootloader's.
  static func handle(of characteristic: DictofunCharacteristic) -> UInt16? {
    AttributeTable.application.database.valueHandle(of: characteristic.uuid)?.rawValue
  }

  private static func table(_ characteristic: DictofunCharacteristic) -> String {
    let uuid = characteristic.uuid
    let isOfDictofun = uuid.short.map { !isAssigned($0) } ?? true
    let handle = handle(of: characteristic).map { ", handle = 0x" + Hexadecimal.digits($0) } ?? ""
    let name = characteristic.name
    return """
        { key = \(quoted(key(name))), name = \(quoted(name)), uuid = \(quoted(uuid.description.lowercased())),\
       is_ours = \(isOfDictofun)\(handle),
          fields = \(fields(characteristic.layout?.fields ?? [], indent: "      ")) },
      """
  }

  /// Whether the Bluetooth SIG gave a characteristic this number, so that Wireshark knows it (Assigned Numbers, 3.8).
  private static func isAssigned(_ number: UInt16) -> Bool { number >= 0x2A00 && number <= 0x2CFF }

  private static func fields(_ fields: [WireField], indent: String) -> String {
    guard !fields.isEmpty else { return "{}" }
    let inner = indent + "  "
    return "{\n" + fields.map { inner + field($0, indent: inner) + ",\n" }.joined() + indent + "}"
  }

  private static func field(_ field: WireField, indent: String) -> String {
    let head = "key = \(quoted(key(field.name))), name = \(quoted(field.name))"
    switch field.kind {
    case .number(let octets, let unit):
      let limit = field.maximum.map { ", maximum = \($0)" } ?? ""
      return "{ kind = \"number\", \(head), octets = \(octets), unit = \(quoted(unit))\(limit) }"
    case .length(let octets, let countsItself):
      return "{ kind = \"length\", \(head), octets = \(octets), counts_itself = \(countsItself) }"
    case .text(let octets): return "{ kind = \"text\", \(head), octets = \(octets) }"
    case .rest: return "{ kind = \"rest\", \(head) }"
    case .repeated(let parts):
      return "{ kind = \"repeated\", \(head), fields = \(fields(parts, indent: indent)) }"
    case .object(let members):
      let list = members.map {
        "{ member = \(quoted($0.key)), key = \(quoted(key($0.name))), name = \(quoted($0.name)) }"
      }
      return "{ kind = \"object\", \(head), members = { \(list.joined(separator: ", ")) } }"
    case .choice(let choices):
      let inner = indent + "  "
      let rows = choices.map { choice in
        "\(inner)[0x\(Hexadecimal.digits(choice.value))] = { name = \(quoted(choice.name)), fields = "
          + fields(choice.fields, indent: inner) + " },\n"
      }
      return "{ kind = \"choice\", \(head), octets = 1, values = {\n\(rows.joined())\(indent)} }"
    }
  }

  /// A name as a part of a display filter.
  private static func key(_ name: String) -> String {
    String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// Text between quotes; names are ours, and hold nothing that would have to be escaped.
  private static func quoted(_ text: String) -> String {
    precondition(text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }, "a plain name")
    return "\"\(text)\""
  }
}
