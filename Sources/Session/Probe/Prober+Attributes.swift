import Bytes
import HostStack
import Phone
import Probe
import Timeline

extension Prober {
  /// Discovers everything and reads what can be read, on a link without encryption.
  mutating func readInTheClear() async throws {
    try await connectUnsecured()
    recorder.services = try await conversation.discoverServices()
    takeMaximumTransmissionUnit()
    try await read("without encryption")
    try await disconnect()
  }

  /// Pairs where needed, and reads the same again.
  mutating func readEncrypted() async throws {
    try await connect()
    if try await conversation.pairWhereNeeded() { pairedAt = phone.now }
    try await read("with encryption")
    try await disconnect()
  }

  private mutating func takeMaximumTransmissionUnit() {
    var measurement = Measurement(.octets, "its answer to the exchange of the ATT_MTU")
    if let octets = log.maximumTransmissionUnit { measurement.add(.init(Int64(octets), Int64(octets))) }
    recorder.keep(.maximumTransmissionUnit, measurement, otherwise: "it did not answer the exchange of the ATT_MTU")
  }

  /// Reads every value that can be read, and keeps what came, or the raw error code.
  private mutating func read(_ circumstance: String) async throws {
    for characteristic in recorder.services.flatMap(\.characteristics) where characteristic.properties.contains(.read) {
      let handle = characteristic.valueHandle
      try await attempt("read \(AttributeWords.handle(handle)) \(circumstance)", .read(handle))
    }
  }

  /// Runs a procedure whose refusal is a result.
  mutating func attempt(_ words: String, _ procedure: ClientProcedure) async throws {
    let result = try await phone.perform(.attribute(procedure), within: RecorderConversation.connectionLimit)
    switch result {
    case .success(.attribute(.value(let value))):
      recorder.accesses.append(.init(words, value.isEmpty ? "empty" : Hexadecimal.string(value)))
    case .success: recorder.accesses.append(.init(words, "accepted"))
    case .failure(.refused(let code)):
      recorder.accesses.append(.init(words, "error 0x" + Hexadecimal.digits(code.rawValue)))
    case .failure(let failure): throw failure
    }
  }
}
