import Text
import Bytes
import Phone
import Verdicts
import SecureDFU
import Session

/// `dictobench dfu update` and `dictobench dfu versions`
enum DFUUpdating {
  static func update(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard arguments.operands.count == 2 else { throw UsageFailure("dfu update needs a package") }
    let order = try order(arguments)
    let command = try PhoneCommand("dfu-update", arguments, console)
    let screen = UpdateScreen(command.output)
    return try command.run(
      { conversation in
        defer { screen.finish() }
        return try await conversation.update(order) { screen.show($0) }
      }, failed: { UpdateText.show($0, command.output) }
    ) { summary in
      UpdateText.show(summary, command.output)
      return .passed
    }
  }

  static func versions(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard arguments.operands.count == 1 else { throw UsageFailure("dfu versions takes no operand") }
    let command = try PhoneCommand("dfu-versions", arguments, console)
    return try command.run({ try await $0.versions() }) { report in
      UpdateText.show(report, command.output)
      return .passed
    }
  }

  /// The package that is named, and how it is sent.
  private static func order(_ arguments: ParsedArguments) throws(UsageFailure) -> FirmwareOrder {
    let path = arguments.operands[1]
    let archive = try DFUPacking.bytes(path)
    let package: FirmwarePackage
    do throws(PackageRefusal) { package = try FirmwarePackage(decoding: archive) } catch {
      throw UsageFailure("\(path): \(error)")
    }
    var order = FirmwareOrder(package, name: PlainText.escaped(DFUPacking.name(of: path)))
    order.isChecked = !arguments.isSet("--unchecked")
    order.publicKey = try arguments.value("--public-key").map(KeyFiles.publicKey)
    return order
  }
}
