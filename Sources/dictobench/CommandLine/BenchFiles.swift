import Bench
import Foundation
import Reports
import ScenarioLanguage
import Session
import System
import Text
import Transports
import YAML

/// Finds and reads bench files, and makes targets of what they state.
enum BenchFiles {
  static let declaration = OptionDeclaration(
    "--bench", "The bench file: adapters, recorders, actuators.", value: "FILE")

  /// The bench that `--bench` names; `nil` when it names none.
  ///
  /// - Throws: ``UsageFailure`` with every mistake at its place.
  static func read(_ arguments: ParsedArguments) throws(UsageFailure) -> BenchFile? {
    try arguments.value("--bench").map { path throws(UsageFailure) in try read(path) }
  }

  /// Every bench that `--bench` names, in order.
  ///
  /// - Throws: ``UsageFailure`` with every mistake at its place.
  static func readAll(_ arguments: ParsedArguments) throws(UsageFailure) -> [BenchFile] {
    try arguments.allValues("--bench").map { path throws(UsageFailure) in try read(path) }
  }

  /// The bench that `--bench` names, or the remembered one where neither that nor a controller is named.
  static func meant(_ arguments: ParsedArguments) throws(UsageFailure) -> BenchFile? {
    if let bench = try read(arguments) { return bench }
    if arguments.value("--controller") != nil { return nil }
    return try remembered()
  }

  /// The bench to use when none is named; `nil` for none.
  static func remembered() throws(UsageFailure) -> BenchFile? {
    try rememberedPath.map { path throws(UsageFailure) in try read(path) }
  }

  /// The bench file to use when none is named: `DICTOBENCH_BENCH`, else the one that `dictobench setup` wrote; `nil` for
  /// none.
  static var rememberedPath: String? {
    if let path = Environment.value("DICTOBENCH_BENCH"), !path.isEmpty { return path }
    guard let path = try? UserFolders.bench, FileManager.default.fileExists(atPath: path) else { return nil }
    return path
  }

  private static func read(_ path: String) throws(UsageFailure) -> BenchFile {
    let file: SourceFile
    do { file = try SourceFile.read(at: path) } catch { throw UsageFailure("\(error)") }
    // A message may be about a file that the bench file names.
    var files = [file]
    let (bench, problems) = BenchFile.read(
      file,
      other: { path throws(SourceFileFailure) in
        let other = try SourceFile.read(at: path)
        files.append(other)
        return other
      }, exists: { FileSystem.may(.read, ProgramData.place($0)) })
    guard let bench else {
      throw UsageFailure("the bench file has errors\n" + DiagnosticReport(problems, files: files).text())
    }
    return bench
  }

  /// The options that name the bench, as they can be typed again.
  static func words(_ arguments: ParsedArguments) -> [String] {
    words(arguments, bench: arguments.value(declaration.name))
  }

  private static func words(_ arguments: ParsedArguments, bench: String?) -> [String] {
    let names = [
      "--target", "--image", ImageFiles.bootloader.name, ImageFiles.packages.name,
      ImageFiles.processorTime.name, "--board", declaration.name, "--controller", AdapterOptions.quirks.name,
      "--device",
    ]
    return names.compactMap { name in
      guard let value = name == declaration.name ? bench : arguments.value(name) else { return nil }
      return "\(name) \(ShellWord.quoted(value))"
    } + (arguments.isSet(AdapterOptions.take.name) ? [AdapterOptions.take.name] : [])
  }

  /// The real recorders that `--bench`, `--controller` and `--device` name.
  static func target(_ arguments: ParsedArguments) throws(UsageFailure) -> HardwareTarget {
    let device = try TransportOptions.device(arguments)
    let controller = arguments.value("--controller")
    do {
      if let bench = try meant(arguments) {
        let specification = try controller.map { try TransportSpecification(parsing: $0) }
        guard var target = HardwareTarget(bench, controller: specification, device: device) else {
          throw UsageFailure("bench \(bench.place) has no recorder with the address of --device")
        }
        target.attended = operatorPlace
        target.opening = try AdapterOptions.opening(arguments, bench)
        return target
      }
      guard let controller else {
        throw UsageFailure(
          "--target hardware needs --bench, or --controller, such as tcp-client:127.0.0.1:9001; "
            + "`dictobench setup` remembers them")
      }
      var target = try HardwareTarget(controller: controller, device: device)
      target.opening = try AdapterOptions.opening(arguments, nil)
      return target
    } catch let failure as UsageFailure {
      throw failure
    } catch {
      throw UsageFailure("\(error)")
    }
  }

  /// The benches that `--bench` names besides the first one, over which the scenarios of a run are spread.
  /// They share the operator of the `first` one.
  static func furtherTargets(
    _ arguments: ParsedArguments, besides first: inout HardwareTarget
  ) throws(UsageFailure) -> [FurtherBench] {
    let benches = try readAll(arguments)
    guard benches.count > 1 else { return [] }
    let shared = first.attended
    first.attended?.bench = first.place
    for name in ["--controller", "--device"] where arguments.value(name) != nil {
      throw UsageFailure("\(name) cannot be used with several benches: it would mean all of them")
    }
    for (index, bench) in benches.enumerated() {
      for other in benches[..<index] {
        if let thing = bench.shared(with: other) {
          throw UsageFailure("benches \(other.place) and \(bench.place) cannot be used at once: both have \(thing)")
        }
      }
    }
    return try zip(benches, arguments.allValues("--bench")).dropFirst().map { bench, path throws(UsageFailure) in
      guard var target = HardwareTarget(bench, controller: nil, device: nil) else {
        throw UsageFailure("bench \(bench.place) has no recorder")
      }
      target.attended = shared
      target.attended?.bench = bench.place
      target.opening = try AdapterOptions.opening(arguments, bench)
      return FurtherBench(target, options: words(arguments, bench: path))
    }
  }

  /// The phone with the application under test, and our recorders' controllers, which `--bench` and `--controller` name.
  static func application(_ arguments: ParsedArguments) throws(UsageFailure) -> ApplicationTarget {
    let bench = try meant(arguments)
    let controller = try TransportOptions.specification(arguments, "--controller")
    guard var target = ApplicationTarget(bench, controller: controller, attended: operatorPlace) else {
      throw UsageFailure(
        "--target app needs --bench, or --controller for our recorder, such as usb:0; `dictobench setup` remembers them"
      )
    }
    target.opening = try AdapterOptions.opening(arguments, bench)
    return target
  }

  /// Where an operator is asked; `nil` without a terminal, and in CI.
  static var operatorPlace: OperatorPlace? {
    let isMachine = !(Environment.value("CI") ?? "").isEmpty
    guard isatty(STDIN_FILENO) == 1, !isMachine else { return nil }
    let console = Console()
    // What is redrawn on the last line must not stand before a prompt.
    let clearing = ProgressLine(console.style).clearing ?? ""
    return OperatorPlace(answers: STDIN_FILENO) { console.note(clearing + $0) }
  }
}
