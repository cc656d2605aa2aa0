import Bench
import Bytes
import Foundation
import Recorder
import Requirements
import Runner
import SecureDFU
import Transports
import World

/// What `simulate` was asked for, read from its options.
struct SimulateRequest: Sendable {
  var plan = RecorderPlan()
  /// The bench whose recorders and instruments are simulated.
  var bench: BenchFile?
  /// Where hosts attach to virtual controllers.
  var listens: [TransportSpecification] = []
  /// The controller outside this process that the recorder stands on.
  var controller: TransportSpecification?
  /// How that controller is opened.
  var opening: OpeningOptions
  var seed: UInt64
  /// The folder that keeps what the recorders keep without power.
  var state: String?
  /// Path of the socket at which the recorders are steered.
  var control: String?
  var capture: CaptureRequest
  let stated: StatedOptions

  init(_ arguments: ParsedArguments) throws {
    stated = StatedOptions(arguments)
    bench = try BenchFiles.read(arguments)
    listens = try arguments.allValues("--listen").map(Self.specification)
    controller = try arguments.value("--controller").map(Self.specification)
    opening = AdapterOptions.opening(arguments)
    if listens.isEmpty, controller == nil, let place = bench?.hostPlace { listens = [place] }
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    state = arguments.value("--state")
    control = try arguments.value("--control").map(Self.socketPath)
    capture = try CaptureRequest(arguments, isJSON: false)
    plan.addresses = try arguments.value("--address").map { [try Self.address($0)] } ?? []
    if plan.addresses.isEmpty { plan.addresses = bench?.recorders.map(\.address) ?? [] }
    plan.count = try arguments.number("--count", in: 1...1_000) ?? max(1, plan.addresses.count)
    try Self.check(arguments, listens, controller, count: plan.count)
    plan.staysAwake = arguments.value("--power") != "real"
    plan.profile = arguments.value("--profile").flatMap(RecorderProfile.named) ?? .reference
    plan.hasInstantFlash = arguments.value("--flash") == "instant"
    plan.fault = try arguments.value("--fault").map(Self.mutant)
    plan.firmware = try Self.firmware(arguments, plan.fault, &plan.profile)
    if let folder = arguments.value("--records") {
      plan.records = try RecordFolder.read(folder, for: plan.profile)
    }
  }

  private static func check(
    _ arguments: ParsedArguments, _ listens: [TransportSpecification], _ controller: TransportSpecification?, count: Int
  ) throws(UsageFailure) {
    guard !listens.isEmpty || controller != nil else {
      throw UsageFailure("--listen or --controller is needed, such as --listen tcp-server:127.0.0.1:9001")
    }
    if arguments.value("--pace") == "virtual" {
      throw UsageFailure("--pace virtual cannot be used with --listen or --controller: others live in real time")
    }
    guard controller != nil else { return }
    if !listens.isEmpty {
      throw UsageFailure("--listen opens controllers on our air and --controller stands on another: give one of them")
    }
    if count > 1 {
      throw UsageFailure(
        "--count \(count) cannot be used with --controller: advertising sets would show several addresses, but one host"
          + " with one table of attributes and one set of bonds would answer behind all of them, so each recorder needs a"
          + " controller of its own")
    }
  }

  /// What is stated about a recorder must not contradict what it keeps. Takes over what is not stated.
  mutating func adopt(_ memory: RecorderMemory, number: Int) throws(UsageFailure) {
    func refuse(_ option: String, _ kept: String) throws(UsageFailure) {
      throw UsageFailure(
        "\(option) cannot be used: the recorder in --state \(kept), so leave it out or take another folder")
    }
    if stated.profile, plan.profile.name != memory.profile { try refuse("--profile", "is a \(memory.profile)") }
    if stated.firmware { try refuse("--firmware", "has version \(memory.firmwareVersion) installed") }
    if stated.board, plan.firmware.build.name != memory.board { try refuse("--board", "is a \(memory.board)") }
    if plan.addresses.indices.contains(number), plan.addresses[number] != memory.address {
      try refuse("the stated address", "has \(memory.address)")
    }
    if let build = BootloaderBuild.all.first(where: { $0.name == memory.board }), build != plan.firmware.build {
      plan.firmware.build = build
      plan.firmware.timing = FlashTiming(of: build)
    }
  }

  private static func specification(_ text: String) throws(UsageFailure) -> TransportSpecification {
    do { return try TransportSpecification(parsing: text) } catch { throw UsageFailure("\(error)") }
  }

  private static func socketPath(_ text: String) throws(UsageFailure) -> String {
    guard let path = try specification(text).socketPath else {
      throw UsageFailure("--control is a socket such as unix:/tmp/recorder, not \"\(text)\"")
    }
    return path
  }

  private static func address(_ text: String) throws(UsageFailure) -> BluetoothAddress {
    guard let address = BluetoothAddress(text) else { throw UsageFailure("--address is an address, not \"\(text)\"") }
    // The two highest bits are what makes a random address static (Vol 6, Part B, 1.3.2.1).
    guard address.value >> 46 == 3 else {
      throw UsageFailure("--address is a static random address, which begins with C0 to FF, not \"\(text)\"")
    }
    return BluetoothAddress(address.value, .random)
  }

  private static func mutant(_ name: String) throws(UsageFailure) -> RecorderMutant {
    if let mutant = RecorderMutant(rawValue: name) { return mutant }
    let names = RecorderMutant.allCases.map(\.rawValue)
    throw UsageFailure("there is no fault \(name)\(ParsedArguments.suggestion(name, names))")
  }

  /// The releases at hand. Without any, recorders that install none are simulated all the same.
  private static func releases(_ files: FirmwareFiles, areNeeded: Bool) throws(UsageFailure) -> [FirmwareRelease] {
    let catalogue: FirmwareCatalogue
    do throws(ControlFailure) { catalogue = try files.catalogue() } catch {
      guard areNeeded else { return [] }
      guard case .impossible(let reason) = error else { throw UsageFailure("\(error)") }
      throw UsageFailure(reason)
    }
    return catalogue.releases
  }

  /// A bootloader, what it finds installed, and the releases at hand: a recorder that is updated to one of them behaves
  /// like it, with the planted fault.
  private static func firmware(
    _ arguments: ParsedArguments, _ mutant: RecorderMutant?, _ profile: inout RecorderProfile
  ) throws -> RecorderFirmware {
    let name = arguments.value("--firmware")
    let files = FirmwareFiles()
    let releases = try releases(files, areNeeded: name != nil)
    let release = try name.map { name in
      if let release = releases.first(where: { $0.name == name }) { return release }
      throw UsageFailure("there is no release \(name)\(ParsedArguments.suggestion(name, releases.map(\.name)))")
    }
    let build =
      arguments.value("--board").flatMap { board in BootloaderBuild.all.first { $0.name == board } }
      ?? release.flatMap { release in BootloaderBuild.all.first { $0.board == release.board } } ?? .s140Debug
    var firmware = RecorderFirmware(build: build)
    firmware.known = releases.compactMap { release in
      RecorderProfile.named(release.profile).map { behaviour in
        KnownFirmware(
          digest: release.imageDigest, name: release.name, profile: mutant.map(behaviour.with) ?? behaviour)
      }
    }
    guard let release else { return firmware }
    guard release.board == build.board else {
      throw UsageFailure("release \(release.name) is for \(release.board), and --board \(build.name) is not")
    }
    if arguments.value("--profile") != nil {
      throw UsageFailure("--profile cannot be used with --firmware: release \(release.name) says how it behaves")
    }
    firmware.image = try FirmwarePackage(decoding: try files.package(release.name)).images.first {
      $0.part == .application
    }?.image
    firmware.version = release.version
    profile = RecorderProfile.named(release.profile) ?? profile
    return firmware
  }
}

/// Whether options were given that say what a recorder is.
struct StatedOptions: Sendable {
  var profile: Bool
  var firmware: Bool
  var board: Bool

  init(_ arguments: ParsedArguments) {
    profile = arguments.value("--profile") != nil
    firmware = arguments.value("--firmware") != nil
    board = arguments.value("--board") != nil
  }
}

/// Reads the records that a simulated recorder begins with.
private enum RecordFolder {
  static func read(_ folder: String, for profile: RecorderProfile) throws -> [RecorderPlan.Record] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder).sorted() else {
      throw UsageFailure("there is no folder \(folder)")
    }
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
