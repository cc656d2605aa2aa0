/// What an image calls its functions and variables, and from which lines it was built.
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
  /// The lines of its source; empty where the image does not have them.
  package let lines: LineTable
  /// Octets behind a function of unknown size that are taken for its own.
  private static let unsizedReach: UInt32 = 4096
  /// Where code and data begin between code, in the order of their addresses.
  private let boundaries: [Boundary]

  /// Where instructions begin or end (ELF for the Arm Architecture, 5.5.5: mapping symbols).
  struct Boundary: Hashable, Sendable {
    var address: UInt32
    var isCode: Bool
  }

  init(_ symbols: [Symbol], boundaries: [Boundary] = [], lines: LineTable = LineTable()) {
    let ordered = symbols.sorted { ($0.address, $0.name) < ($1.address, $1.name) }
    functions = ordered.filter(\.isFunction)
    variables = ordered.filter { !$0.isFunction }
    self.boundaries = boundaries.sorted { ($0.address, $0.isCode ? 0 : 1) < ($1.address, $1.isCode ? 0 : 1) }
    self.lines = lines
  }

  /// This table, with the functions and lines of another program that stands elsewhere in the same flash. Variables stay
  /// those of this one: both programs use the same RAM.
  package func adding(functionsOf other: SymbolTable) -> SymbolTable {
    SymbolTable(
      functions + variables + other.functions, boundaries: boundaries + other.boundaries,
      lines: lines.adding(other.lines))
  }

  /// Whether an address within a function holds an instruction, and not a constant that the compiler put between them.
  package func isCode(_ address: UInt32) -> Bool {
    var (low, high) = (0, boundaries.count)
    while low < high {
      let middle = (low + high) / 2
      if boundaries[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    return low == 0 || boundaries[low - 1].isCode
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
    let reach = candidate.size == 0 ? Self.unsizedReach : candidate.size
    return address - candidate.address < reach ? candidate : nil
  }

  /// An address in words: `function+0x1a (main.c:34)`; with the address in the place of a line that is not known, and the
  /// address alone where no function is known.
  package func place(_ address: UInt32) -> String {
    let number = "0x" + String(address, radix: 16)
    let line = lines.line(at: address).map { "\($0.fileName):\($0.number)" }
    guard let function = function(at: address) else { return line.map { "\(number) (\($0))" } ?? number }
    let offset = address - function.address
    let name = offset == 0 ? function.name : "\(function.name)+0x\(String(offset, radix: 16))"
    return "\(name) (\(line ?? number))"
  }
}
