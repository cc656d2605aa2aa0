import Bench
import Bytes
import Foundation
import Recorder
import Runner
import SecureDFU
import Session
import System
import Transports
import World

/// What `simulate` was asked for, read from its options.
struct SimulateRequest: Sendable {
  /// What is simulated.
  var plan = SimulationPlan()
  let capture: CaptureRequest

  /// The note at the beginning of the capture.
  var note: String {
    let recorder = image.map { "image \($0)" } ?? "profile \(plan.recorders.profile.name)"
    return "\(Tool.description), simulate, seed \(plan.seed), \(recorder)"
  }
  /// The image that is executed: file, digest and board; `nil` for the model.
  private var image: String?

  init(_ arguments: ParsedArguments) throws {
    capture = try CaptureRequest(arguments, isJSON: false)
    plan.isUncovered = capture.isUncovered
    plan.stated.profile = arguments.value("--profile") != nil
    plan.stated.firmware = arguments.value("--firmware") != nil
    plan.stated.board = arguments.value("--board") != nil
    try readPlaces(arguments)
    try readRecorders(arguments)
    try Self.check(arguments, plan)
    try readImage(arguments)
    plan.recorders.firmware = try Self.firmware(arguments, plan.recorders.faults, &plan.recorders.profile)
    if arguments.value("--pairing") != "real" {
      plan.recorders.profile = plan.recorders.profile.withOpenPairing
      plan.recorders.firmware.known = plan.recorders.firmware.known.map { known in
        KnownFirmware(digest: known.digest, name: known.name, profile: known.profile.withOpenPairing)
      }
    }
    if let folder = arguments.value("--records") { plan.recorders.records = try RecordFolder.read(folder) }
  }

  private mutating func readPlaces(_ arguments: ParsedArguments) throws(UsageFailure) {
    plan.bench = try BenchFiles.read(arguments)
    for text in arguments.allValues("--listen") { plan.listens.append(try Self.listeningPlace(text)) }
    plan.controller = try TransportOptions.specification(arguments, "--controller")
    if plan.controller != nil { plan.opening = try AdapterOptions.opening(arguments, plan.bench) }
    if plan.listens.isEmpty, plan.controller == nil { plan.listens = plan.bench?.hostPlaces ?? [] }
    plan.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    plan.state = arguments.value("--state")
    plan.control = try arguments.value("--control").map(Self.socketPath)
  }

  private mutating func readRecorders(_ arguments: ParsedArguments) throws(UsageFailure) {
    if let text = arguments.value("--address") {
      plan.recorders.addresses = [try Self.address(text)]
    } else {
      plan.recorders.addresses = plan.bench?.recorders.map(\.address) ?? []
    }
    plan.recorders.count = try arguments.number("--count", in: 1...1_000) ?? max(1, plan.recorders.addresses.count)
    if let timing = arguments.value("--link-timing").flatMap(CentralTiming.init) { plan.recorders.timing = timing }
    plan.recorders.staysAwake = arguments.value("--power") != "real"
    plan.recorders.profile = try ProfileFiles.read(arguments) ?? .reference
    plan.recorders.hasInstantFlash = arguments.value("--flash") == "instant"
    plan.recorders.faults = try arguments.allValues("--fault").map(Self.fault)
  }

  /// What an image decides by itself cannot be asked for.
  private mutating func readImage(_ arguments: ParsedArguments) throws(UsageFailure) {
    let loader = arguments.value(ImageFiles.bootloader.name)
    guard let file = arguments.value("--image") else {
      if loader != nil { throw UsageFailure("--bootloader needs --image FILE, the application that it starts") }
      return
    }
    for option in ["--profile", "--board", "--firmware", "--state", "--pairing", "--power", "--flash", "--fault"]
    where !arguments.allValues(option).isEmpty {
      throw UsageFailure("\(option) cannot be used with --image: the image decides how the recorder behaves")
    }
    let image = try ImageFiles.read(file, board: nil, bootloader: loader)
    self.image = image.description
    plan.recorders.program = image.program.recorderProgram(named: image.name)
  }

  private static func check(_ arguments: ParsedArguments, _ plan: SimulationPlan) throws(UsageFailure) {
    guard !plan.listens.isEmpty || plan.controller != nil else {
      throw UsageFailure("--listen or --controller is needed, such as --listen tcp-server:127.0.0.1:9001")
    }
    if arguments.value("--pace") == "virtual" {
      throw UsageFailure("--pace virtual cannot be used with --listen or --controller: other hosts live in real time")
    }
    guard plan.controller != nil else { return }
    if !plan.listens.isEmpty {
      throw UsageFailure(
        "--listen cannot be used with --controller: recorders use either virtual controllers or this one")
    }
    if plan.recorders.count > 1 {
      throw UsageFailure(
        "--count \(plan.recorders.count) cannot be used with --controller: one controller has one host, with one "
          + "attribute table and one set of bonds, so each recorder needs its own controller")
    }
  }

  private static func listeningPlace(_ text: String) throws(UsageFailure) -> TransportSpecification {
    let place = try TransportOptions.specification(text)
    guard place.isServer else {
      throw UsageFailure("--listen needs a place where hosts come, such as tcp-server:127.0.0.1:9001, not \(text)")
    }
    return place
  }

  private static func socketPath(_ text: String) throws(UsageFailure) -> String {
    guard let path = try TransportOptions.specification(text).socketPath else {
      throw UsageFailure("--control needs a socket such as unix:/tmp/recorder, not \"\(text)\"")
    }
    if let kind = try? FileSystem.kind(of: path), kind != .socket {
      throw UsageFailure("--control \(text): the path exists and is not a socket; use another one")
    }
    return path
  }

  private static func address(_ text: String) throws(UsageFailure) -> BluetoothAddress {
    guard let address = BluetoothAddress(text) else {
      throw UsageFailure("--address needs an address such as C6:05:04:03:02:01, not \"\(text)\"")
    }
    // The two highest bits are what makes a random address static (Vol 6, Part B, 1.3.2.1).
    guard address.value >> 46 == 3 else {
      throw UsageFailure("--address needs a static random address, which begins with C0 to FF, not \"\(text)\"")
    }
    return BluetoothAddress(address.value, .random)
  }

  private static func fault(_ name: String) throws(UsageFailure) -> RecorderFault {
    if let fault = RecorderFault(name) { return fault }
    let names = RecorderFault.all.map(\.name)
    throw UsageFailure("unknown fault \(name)\(ParsedArguments.suggestion(name, names))")
  }

  /// The known releases. A missing catalogue matters only where a release is asked for.
  private static func releases(_ files: FirmwareFiles, areNeeded: Bool) throws(UsageFailure) -> [FirmwareRelease] {
    let catalogue: FirmwareCatalogue
    do throws(ControlFailure) { catalogue = try files.catalogue() } catch {
      guard areNeeded else { return [] }
      guard case .impossible(let reason) = error else { throw UsageFailure("\(error)") }
      throw UsageFailure(reason)
    }
    return catalogue.releases
  }

  /// A bootloader, the installed release, and the known releases: a recorder that is updated to one of them behaves like
  /// it, with the planted faults.
  private static func firmware(
    _ arguments: ParsedArguments, _ faults: [RecorderFault], _ profile: inout RecorderProfile
  ) throws -> RecorderFirmware {
    let name = arguments.value("--firmware")
    let files = FirmwareFiles()
    let releases = try releases(files, areNeeded: name != nil)
    let release = try name.map { name in
      if let release = releases.first(where: { $0.name == name }) { return release }
      throw UsageFailure("unknown release \(name)\(ParsedArguments.suggestion(name, releases.map(\.name)))")
    }
    let build =
      arguments.value("--board").flatMap { board in BootloaderBuild.all.first { $0.name == board } }
      ?? release.flatMap { release in BootloaderBuild.all.first { $0.board == release.board } } ?? .s140Debug
    var firmware = RecorderFirmware(build: build)
    firmware.known = releases.compactMap { release in
      RecorderProfile.named(release.profile).map { behaviour in
        KnownFirmware(digest: release.imageDigest, name: release.name, profile: behaviour.with(faults))
      }
    }
    guard let release else { return firmware }
    guard release.board == build.board else {
      throw UsageFailure("release \(release.name) is for \(release.board), but --board is \(build.name)")
    }
    if arguments.value("--profile") != nil {
      throw UsageFailure("--profile cannot be used with --firmware: release \(release.name) determines the profile")
    }
    firmware.image = try FirmwarePackage(decoding: try files.package(release.name)).images.first {
      $0.part == .application
    }?.image
    firmware.version = release.version
    profile = RecorderProfile.named(release.profile) ?? profile
    return firmware
  }
}

/// Reads the records that a simulated recorder begins with.
private enum RecordFolder {
  static func read(_ folder: String) throws -> [RecorderPlan.Record] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder).sorted() else {
      throw UsageFailure("cannot read \(folder): no such folder")
    }
    return try names.compactMap { name in
      guard name.hasSuffix(".wav") || name.hasSuffix(".record") else { return nil }
      guard let data = FileManager.default.contents(atPath: folder + "/" + name) else {
        throw UsageFailure("cannot read \(folder)/\(name)")
      }
      do { return try RecorderPlan.Record(name: name, octets: Array(data)) } catch {
        throw UsageFailure("\(folder)/\(name): \(error)")
      }
    }
  }
}
