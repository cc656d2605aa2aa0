import Bench
import Bytes
import Foundation
import Recorder
import Requirements
import Runner
import SecureDFU
import Timeline
import Transports

/// `dictobench simulate`
enum SimulateCommand: Command {
  static let declaration = CommandDeclaration(
    "simulate",
    "Serves simulated recorders to somebody else's Bluetooth host; standard input takes a device's verbs, one a line.",
    options: [
      OptionDeclaration(
        "--listen", "Where a host may attach to a virtual controller on our air, such as tcp-server:127.0.0.1:9001.",
        value: "SPEC", repeats: true),
      OptionDeclaration("--profile", "Which recorder firmware is simulated.", choices: RecorderProfile.all.map(\.name)),
      OptionDeclaration(
        "--board", "Which bootloader is beneath it; s140-debug, what Dictofun's Makefile builds, unless stated.",
        choices: BootloaderBuild.all.map(\.name)),
      OptionDeclaration("--count", "How many recorders; 1 unless stated.", value: "N"),
      OptionDeclaration(
        "--records", "Folder of records: .wav files are heard by the microphone, .record files are placed as they are.",
        value: "FOLDER"),
      OptionDeclaration("--power", "Whether recorders stay awake; always unless stated.", choices: ["always", "real"]),
      OptionDeclaration("--fault", "Plant a recorder's fault, by its name.", value: "NAME"),
      OptionDeclaration("--seed", "The seed of addresses and chance; 1 unless stated.", value: "N"),
      OptionDeclaration(
        "--pace", "How time passes; only the wall clock's pace suits a foreign host.", choices: ["wall", "virtual"]),
    ],
    example: "dictobench simulate --listen tcp-server:127.0.0.1:9001 --records scenarios/audio")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let texts = arguments.allValues("--listen")
    guard !texts.isEmpty else { throw UsageFailure("--listen is needed, such as tcp-server:127.0.0.1:9001") }
    if arguments.value("--pace") == "virtual" {
      throw UsageFailure("--pace virtual cannot be used with --listen: a foreign host lives in real time")
    }
    var specifications: [TransportSpecification] = []
    for text in texts {
      do { specifications.append(try TransportSpecification(parsing: text)) } catch { throw UsageFailure("\(error)") }
    }
    var plan = RecorderPlan()
    if let name = arguments.value("--profile"), let profile = RecorderProfile.named(name) { plan.profile = profile }
    if let name = arguments.value("--fault") {
      guard let mutant = RecorderMutant(rawValue: name) else {
        let names = RecorderMutant.allCases.map(\.rawValue)
        throw UsageFailure("there is no fault \(name)\(ParsedArguments.suggestion(name, names))")
      }
      plan.profile = plan.profile.with(mutant)
    }
    plan.firmware = firmware(board: arguments.value("--board"))
    plan.count = try arguments.number("--count", in: 1...1_000) ?? 1
    plan.staysAwake = arguments.value("--power") != "real"
    if let folder = arguments.value("--records") {
      plan.records = try RecordFolder.read(folder, for: plan.profile)
    }
    let seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    return try serve(plan, at: specifications, seed: seed, console)
  }

  /// A bootloader, and the releases that are at hand: a recorder that is updated to one of them behaves like it.
  private static func firmware(board: String?) -> RecorderFirmware {
    var firmware = RecorderFirmware(build: BootloaderBuild.all.first { $0.name == board } ?? .s140Debug)
    let releases = (try? FirmwareFiles().catalogue())?.releases ?? []
    firmware.known = releases.compactMap { release in
      RecorderProfile.named(release.profile).map {
        KnownFirmware(digest: release.imageDigest, name: release.name, profile: $0)
      }
    }
    return firmware
  }

  private static func serve(
    _ plan: RecorderPlan, at specifications: [TransportSpecification], seed: UInt64, _ console: Console
  ) throws -> ExitCode {
    let loop = EventLoop(driver: .wall, seed: seed)
    let bench = RecorderBench(plan, on: loop)
    do {
      for specification in specifications {
        let server = try bench.listen(at: specification)
        console.out("listening \(server.specification)")
        if let exposure = server.exposure { console.note("WARNING: \(exposure)") }
      }
    } catch {
      console.note("dictobench: \(error)")
      return .benchFailed
    }
    for address in bench.addresses { console.out("recorder \(address)") }
    console.out("ready")
    Interruption.listen { loop.requestStop() }
    loop.keepListening(true)
    // Recorders, console and loop share this one thread until the command ends.
    nonisolated(unsafe) let (devices, world) = (bench.devices, bench.world)
    let steering = DeviceConsole(devices, in: world)
    let lines = InputLines(on: loop)
    do {
      try loop.run {
        while let line = await lines.next() { console.out(await steering.perform(line)) }
        // Nothing resumes this: the command ends when it is told to.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    } catch LoopFailure.stopped {
      bench.close()
      return .interrupted
    }
    return .internalError
  }
}

/// Reads the records that a simulated recorder begins with.
private enum RecordFolder {
  static func read(_ folder: String, for profile: RecorderProfile) throws -> [RecorderPlan.Record] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try names.compactMap { name in
      guard name.hasSuffix(".wav") || name.hasSuffix(".record") else { return nil }
      guard let data = FileManager.default.contents(atPath: folder + "/" + name) else {
        throw UsageFailure("\(folder)/\(name) cannot be read")
      }
      do { return try RecorderPlan.Record(name: name, octets: Array(data)) } catch {
        throw UsageFailure("\(folder)/\(name): \(error)")
      }
    }
  }
}
