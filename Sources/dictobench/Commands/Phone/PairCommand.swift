import Bench
import Bytes
import Phone
import Verdicts

/// `dictobench pair`
enum PairCommand: Command {
  static let declaration = CommandDeclaration(
    "pair", "Connects with a recorder, pairs with it, and remembers it.", options: PhoneCommand.options,
    example: "dictobench pair --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    return try command.run { desk in
      if let paired = try await desk.pairedRecorder(), !command.isMeant(paired) {
        throw PhoneFailure.alreadyPaired(paired)
      }
      try await command.connect(desk)
      let isNew = try await command.pairWhereNeeded(desk)
      // The answer to a read comes behind our last keys: without it the recorder might have lost them with the link.
      _ = try await desk.perform(.readBattery, within: PhoneCommand.connecting).get()
      let recorder = try await desk.pairedRecorder()
      command.show(
        .object([("paired", .optional(recorder?.description)), ("isNew", .boolean(isNew))]),
        ["\(recorder?.description ?? "the recorder") is paired" + (isNew ? "" : ", and was before")])
      return .passed
    }
  }
}

/// `dictobench unpair`
enum UnpairCommand: Command {
  static let declaration = CommandDeclaration(
    "unpair", "Tells the paired recorder to forget its bonds, and forgets its keys here.",
    options: PhoneCommand.options + [
      OptionDeclaration("--forget", "Only forget the keys here, for a recorder that is lost or lost its own.")
    ], example: "dictobench unpair --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let command = try PhoneCommand(arguments, console)
    let tells = !arguments.isSet("--forget")
    return try command.run { desk in
      guard let paired = try await desk.pairedRecorder() else { throw PhoneFailure.notPaired }
      guard command.isMeant(paired) else { throw PhoneFailure.alreadyPaired(paired) }
      if tells { try await command.connect(desk) }
      _ = try await desk.perform(.unpair, within: PhoneCommand.connecting).get()
      command.show(
        .object([("unpaired", .string(paired.description)), ("wasTold", .boolean(tells))]),
        ["\(paired) is unpaired" + (tells ? ": it forgot its bonds, and its keys are gone here" : " here only")])
      return .passed
    }
  }
}

extension PhoneCommand {
  /// Whether this identity is the one that `--device` names, where it names one.
  func isMeant(_ identity: BluetoothAddress) -> Bool {
    guard case .address(let address) = choice else { return true }
    return identity == address
  }

  /// Pairs with the connected recorder; false where it is paired already.
  func pairWhereNeeded(_ desk: PhoneDesk) async throws -> Bool {
    switch try await desk.perform(.pair, within: Self.connecting) {
    case .success: return true
    case .failure(.alreadyPaired): return false
    case .failure(let failure): throw failure
    }
  }
}
