import Reports

/// The options of `run`.
enum RunOptions {
  static let all: [OptionDeclaration] =
    target + SelectionOptions.declarations + [lastFailed] + repetition + reports + LedgerOptions.writing

  private static let target: [OptionDeclaration] = [
    OptionDeclaration(
      "--target", "What is under test (default: simulated).", choices: ["simulated", "image", "hardware", "app"]),
    OptionDeclaration(
      "--image", "With --target image: the application to execute, an ELF or Intel HEX file.", value: "FILE"),
    ImageFiles.bootloader, ImageFiles.packages, ImageFiles.processorTime, BoardFiles.declaration,
    FirmwareCoverage.declaration, PowerCuts.declaration,
    ModelOptions.profile, PhoneProfileOption.declaration,
    OptionDeclaration(
      "--bench",
      "The bench file: adapters, recorders, actuators. With --target hardware it may be repeated: the scenarios are spread "
        + "over all of these benches.", value: "FILE", repeats: true),
    OptionDeclaration(
      "--controller", "The controller of our phone or, with --target app, of our recorder.", value: "SPEC"),
    AdapterOptions.take, AdapterOptions.quirks,
    OptionDeclaration("--device", "Address of the real recorder.", value: "ADDRESS"), BenchLocks.waiting,
  ]

  private static let lastFailed = OptionDeclaration(
    "--last-failed",
    "Only scenarios that did not pass in the run whose reports are in this folder, with its seed, profile and phone, and in "
      + "the repetitions in which they did not pass.", value: "FOLDER")

  private static let repetition: [OptionDeclaration] = [
    OptionDeclaration("--jobs", "How many scenarios run at a time (default: one per processor).", value: "N"),
    OptionDeclaration("--seed", "The seed of all random choices (default: 1).", value: "N"),
    OptionDeclaration("--repeat", "Run everything N times, each time with another seed.", value: "N"),
    OptionDeclaration(
      "--for",
      "Repeat everything until this much time has passed, such as 8h. A repetition that has begun is completed. Time "
        + "decides only the number of repetitions: each is the same as with --repeat.",
      value: "DURATION"),
    OptionDeclaration(
      "--until-fail",
      "Start nothing more after the first device failure, also with --repeat and --for. Bench errors do not count."),
    OptionDeclaration(
      "--budget",
      "With --target hardware: only what is predicted to fit into this time, such as 2h; first what shows requirements that "
        + "nothing else shows.", value: "DURATION"),
    OptionDeclaration("--retries", "Try a scenario that does not pass again, up to N times.", value: "N"),
    OptionDeclaration(
      "--fault", "Plant a fault, WHO:NAME, to see whether the suite notices it; may be repeated.", value: "FAULT",
      repeats: true),
  ]

  private static let reports: [OptionDeclaration] = [
    OptionDeclaration("--quiet", "Print only the result and the requirements (-q)."),
    OptionDeclaration("--verbose", "Print every scenario as it ends (-v)."),
    OptionDeclaration(
      "--baseline",
      "Folder of an earlier run: scenarios that pass but run differently than there are listed, and failures are compared "
        + "with it.", value: "FOLDER"),
    OptionDeclaration(
      "--out", "Folder for junit.xml, events.ndjson, summary.json, captures and trace pages.", value: "FOLDER"),
    OptionDeclaration(
      "--captures", "Which captures are kept (default: failures).", choices: ["failures", "all", "none"]),
    OptionDeclaration(
      "--capture", "Whether keys and recordings are covered in captures and hashes (default: covered).",
      choices: ["covered", "full"]),
    AirOption.declaration,
    OptionDeclaration(
      "--trace", "Which scenarios get a trace page, an HTML file in pages/ (default with --out: failed).",
      choices: ReportPlace.Pages.allCases.map(\.rawValue)),
    OptionDeclaration(
      "--report",
      "Which reports to write; may be repeated (default: console, the files of --out, and github where GITHUB_ACTIONS is "
        + "true).", choices: ReportSet.names, repeats: true),
    KnownDefectFiles.declaration,
    OptionDeclaration("--require-all", "Exit with 5 when a requirement is not shown."),
    OptionDeclaration(
      "--junit-errors-as-failures", "Report bench and harness errors as failures in junit.xml."),
  ]
}
