import Bytes
import Verdicts
import Session

/// `dictobench pair`
enum PairCommand: Command {
  static let declaration = CommandDeclaration(
    "pair", "Connects to a recorder, pairs with it, and remembers it.", options: PhoneOptions.declarations,
    example: "dictobench pair --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand("pair", arguments, console)
    return try command.run({ try await $0.pair() }) { result in
      let name = result.recorder?.description
      command.output.show(
        .object([
          ("paired", .optional(name)), ("isNew", .boolean(result.isNew)),
          ("keySize", result.keySize.map { .integer(Int($0)) } ?? .null),
        ]),
        ["\(name ?? "the recorder") is paired" + (result.isNew ? "" : ", as before")] + shortness(of: result))
      return .passed
    }
  }

  /// What there is to say of a key that is shorter than it could be.
  private static func shortness(of result: PairingResult) -> [String] {
    guard let size = result.keySize, result.isKeyShort else { return [] }
    return ["its key has only \(size) octets: it can be found by trying"]
  }
}

/// `dictobench unpair`
enum UnpairCommand: Command {
  static let declaration = CommandDeclaration(
    "unpair", "Makes the paired recorder forget its bonds, and forgets its keys here.",
    options: PhoneOptions.declarations + [
      OptionDeclaration("--forget", "Only forget the keys here, for a recorder that is lost or lost its own keys.")
    ], example: "dictobench unpair --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand("unpair", arguments, console)
    let tells = !arguments.isSet("--forget")
    return try command.run({ try await $0.unpair(tellsRecorder: tells) }) { recorder in
      command.output.show(
        .object([("unpaired", .string(recorder.description)), ("wasTold", .boolean(tells))]),
        ["\(recorder) is unpaired" + (tells ? ": it forgot its bonds, and its keys are deleted here" : ", only here")])
      return .passed
    }
  }
}
