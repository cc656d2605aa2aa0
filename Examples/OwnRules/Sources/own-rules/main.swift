import Glibc
import OwnRules

do {
  let reports = try OwnRun.reports(of: Array(CommandLine.arguments.dropFirst()))
  for report in reports {
    print("\(report.verdict.kind.rawValue)  \(report.name)" + (report.verdict.reason.map { ": \($0)" } ?? ""))
  }
  exit(reports.allSatisfy { $0.verdict == .passed } ? 0 : 1)
} catch {
  print(error)
  exit(2)
}
