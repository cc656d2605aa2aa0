/// What an image calls its functions and variables.
package struct SymbolTable: Hashable, Sendable {
  /// A function or a variable.
  package struct Symbol: Hashable, Sendable {
    /// Where it stands.
    package var address: UInt32
    /// Octets it takes; 0 where the image does not say.
    package var size: UInt32
    /// Whether it is code.
    package var isFunction: Bool
    /// Its name, as the compiler left it.
    package var name: String
  }

  /// Functions, in the order of their addresses.
  package let functions: [Symbol]
  /// Variables, in the order of their addresses.
  package let variables: [Symbol]

  init(_ symbols: [Symbol]) {
    let ordered = symbols.sorted { ($0.address, $0.name) < ($1.address, $1.name) }
    functions = ordered.filter(\.isFunction)
    variables = ordered.filter { !$0.isFunction }
  }

  /// The function that holds an address; `nil` where none is known.
  package func function(at address: UInt32) -> Symbol? {
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let candidate = functions[low - 1]
    return candidate.size == 0 || address - candidate.address < candidate.size ? candidate : nil
  }

  /// An address in words: `function+0x1a`, or the address alone.
  package func place(_ address: UInt32) -> String {
    let number = "0x" + String(address, radix: 16)
    guard let function = function(at: address) else { return number }
    let offset = address - function.address
    return offset == 0 ? "\(function.name) (\(number))" : "\(function.name)+0x\(String(offset, radix: 16)) (\(number))"
  }
}
