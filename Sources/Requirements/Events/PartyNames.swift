import Bytes
import SecureDFU

/// How reports call the phones and recorders of a run, wherever they speak of them: by the kind where there is one of it, else
/// by the name that the scenario gives each.
///
/// Hashes do not depend on it: a trace holds numbers.
package final class PartyNames: Sendable {
  private let phones: [String]
  private let recorders: [(name: String, address: BluetoothAddress)]

  /// The names by which `given` calls phones and recorders, in the order of their numbers.
  package init(phones: [String], recorders: [(name: String, address: BluetoothAddress)]) {
    self.phones = phones
    self.recorders = recorders
  }

  /// The name of a phone by its number.
  func phone(_ number: UInt16) -> String { Self.name("phone", number, phones) }

  /// The name of a recorder by its number.
  func recorder(_ number: UInt16) -> String { Self.name("recorder", number, recorders.map(\.name)) }

  /// The name of the recorder behind an address; the address where it is nobody's.
  func recorder(at address: BluetoothAddress) -> String {
    guard recorders.count > 1 else { return "recorder" }
    return number(ofRecorderAt: address).map { recorders[$0].name } ?? "\(address)"
  }

  /// The number of the recorder whose application, or else whose bootloader, has an address.
  package func number(ofRecorderAt address: BluetoothAddress) -> Int? {
    recorders.firstIndex { $0.address == address }
      ?? recorders.firstIndex { recorder in
        Bootloader.address(ofApplication: recorder.address.littleEndian) == address.littleEndian
          && recorder.address.kind == address.kind
      }
  }

  /// A name without anybody's names at hand: `phone`, `phone 1`.
  static func name(_ kind: String, _ number: UInt16, _ names: [String] = []) -> String {
    if names.count > 1, names.indices.contains(Int(number)) { return names[Int(number)] }
    return number == 0 ? kind : "\(kind) \(number)"
  }

  /// The sentence of a monitor, which knows numbers only, with names for them where there are several of a kind.
  func told(_ sentence: String) -> String {
    sentence.replacing(/\b(phone|recorder) ([0-9]+)\b/) { match in
      let names = match.1 == "phone" ? phones : recorders.map(\.name)
      guard names.count > 1, let number = Int(match.2), names.indices.contains(number) else { return match.0 }
      return names[number][...]
    }
  }
}
