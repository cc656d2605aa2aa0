import Text
import Verdicts

/// What was measured, drawn as SVG inside the page; it needs no script.
///
/// A plot has one line for each release and target: from the smallest to the greatest number of all scenarios that
/// measured it, with a mark at the middle one. What the number is compared with is dashed: one line across, or a line below each.
struct QualificationPlots {
  private let releases: [Qualification]
  private let killScore: KillScore?

  /// Plots of these releases, the newest last.
  init(_ releases: [Qualification]) {
    self.releases = releases
    killScore = releases.last?.killScore
  }

  /// A figure that is drawn, and what it is compared with.
  private struct Subject {
    enum Bound {
      /// The same number everywhere.
      case constant(Int64, words: String)
      /// Another figure of the same scenarios.
      case figure(String, words: String)
    }

    let name: String
    let title: String
    var bound: Bound?
  }

  private static let subjects = [
    Subject(name: "battery", title: "Battery: the lowest level told to a phone in each scenario, in %"),
    Subject(
      name: "clock-error", title: "Clock: the greatest error right after a meeting in each scenario, in ms",
      bound: .constant(5_000, words: "allowed: 5 s")),
    Subject(
      name: "radio-time",
      title: "Radio: how long the longest meeting of each scenario kept the recorder's radio, in ms"),
    Subject(
      name: "throughput", title: "Throughput: the fastest download of each scenario, in octets a second",
      bound: .figure("link-capacity", words: "what its link could carry")),
  ]

  /// The section of the page; empty where nothing was measured.
  var section: String {
    let plots = Self.subjects.map(plot).filter { !$0.isEmpty }
    let kills = killScore.map(Self.kills) ?? ""
    guard !plots.isEmpty || !kills.isEmpty else { return "" }
    return """
      <section aria-label="Measured"><h2>Measured</h2>
      \((plots + [kills]).joined(separator: "\n"))
      <p class="soft">\(Self.text(legend))</p></section>
      """
  }

  private var legend: String {
    let known = Set(releases.flatMap { $0.figures ?? [] }.map(\.name))
    let missing = Self.subjects.map(\.name).filter { !known.contains($0) } + ["charge per meeting"]
    return "A line reaches from the smallest to the greatest number of all scenarios; the mark is the middle one. "
      + "Not measured here: \(missing.joined(separator: ", ")). Nothing tells what a meeting draws from the battery; "
      + "the time of the radio is a part of it."
  }

  // MARK: Drawing

  private static let width = 720.0
  private static let labelEnd = 250.0
  private static let scaleEnd = 556.0
  private static let rowHeight = 24.0

  private struct Row {
    let label: String
    let spread: (smallest: Int64, middle: Int64, greatest: Int64)
    let count: Int
    var isBound = false
  }

  /// A row for each release and target that measured it, each with the bound that was measured there.
  private func rows(_ subject: Subject) -> [Row] {
    releases.flatMap { release -> [Row] in
      let figures = release.figures ?? []
      return figures.filter { $0.name == subject.name }.flatMap { figure -> [Row] in
        guard let spread = figure.spread else { return [] }
        let row = Row(label: "\(figure.target) · \(release.firmware)", spread: spread, count: figure.values.count)
        guard case .figure(let name, let words)? = subject.bound,
          let bound = figures.first(where: { $0.name == name && $0.target == figure.target }),
          let limits = bound.spread
        else { return [row] }
        return [row, Row(label: words, spread: limits, count: bound.values.count, isBound: true)]
      }
    }
  }

  private func plot(_ subject: Subject) -> String {
    let rows = rows(subject)
    guard !rows.isEmpty else { return "" }
    var bound: (value: Int64, words: String)?
    if case .constant(let value, let words)? = subject.bound { bound = (value, words) }
    let greatest = max(rows.map(\.spread.greatest).max() ?? 1, bound?.value ?? 1, 1)
    func place(_ value: Int64) -> String {
      let share = min(1, max(0, Double(value) / Double(greatest)))
      return Self.number(Self.labelEnd + share * (Self.scaleEnd - Self.labelEnd))
    }
    let height = Double(rows.count) * Self.rowHeight + (bound == nil ? 4 : 22)
    var shapes = rows.enumerated().map { index, row in
      let middle = Self.number((Double(index) + 0.5) * Self.rowHeight)
      let base = Self.number((Double(index) + 0.5) * Self.rowHeight + 4)
      let (low, mean, high) = row.spread
      return """
        <text x="\(row.isBound ? 20 : 4)" y="\(base)">\(Self.text(Self.shortened(row.label)))\
        <title>\(Self.text(row.label))</title></text>\
        <line class="\(row.isBound ? "bound" : "range")" x1="\(place(low))" x2="\(place(high))" y1="\(middle)" \
        y2="\(middle)"/>\
        <circle\(row.isBound ? " class=\"bound\"" : "") cx="\(place(mean))" cy="\(middle)" r="5"/>\
        <text x="\(Self.number(Self.scaleEnd + 10))" y="\(base)">\(low) · \(mean) · \(high)\
        <title>\(row.count) scenarios</title></text>
        """
    }
    if let bound {
      let top = Self.number(Double(rows.count) * Self.rowHeight)
      shapes.append(
        """
        <line class="bound" x1="\(place(bound.value))" x2="\(place(bound.value))" y1="0" y2="\(top)"/>\
        <text x="\(place(bound.value))" y="\(Self.number(height - 5))" text-anchor="end">\(Self.text(bound.words))</text>
        """)
    }
    return Self.figure(subject.title, height: height, shapes)
  }

  /// Noticed faults of each subject as bars.
  private static func kills(_ score: KillScore) -> String {
    let subjects = score.subjects.filter { $0.total > 0 }
    let shapes = subjects.enumerated().map { index, subject in
      let top = Double(index) * rowHeight
      let wide = (scaleEnd - labelEnd) * min(1, Double(subject.noticed) / Double(subject.total))
      return """
        <text x="4" y="\(number(top + 16))">\(text(String(subject.name.prefix(38))))</text>\
        <rect class="whole" x="\(number(labelEnd))" y="\(number(top + 5))" width="\(number(scaleEnd - labelEnd))" \
        height="14"/>\
        <rect class="noticed" x="\(number(labelEnd))" y="\(number(top + 5))" width="\(number(wide))" height="14"/>\
        <text x="\(number(scaleEnd + 10))" y="\(number(top + 16))">\(subject.noticed) of \(subject.total)</text>
        """
    }
    return figure(
      "The suite itself: \(score.sentence)", height: max(1, Double(subjects.count)) * rowHeight + 4, shapes)
  }

  private static func figure(_ title: String, height: Double, _ shapes: [String]) -> String {
    """
    <figure class="plot"><figcaption>\(text(title))</figcaption>
    <svg viewBox="0 0 \(number(width)) \(number(height))" role="img" aria-label="\(XMLText.attribute(title))">
    \(shapes.joined(separator: "\n"))
    </svg></figure>
    """
  }

  private static func text(_ text: String) -> String { XMLText.content(PlainText.escaped(text)) }

  /// A label of 38 characters at most: releases often differ at the end of their names.
  private static func shortened(_ label: String) -> String {
    label.count <= 38 ? label : "\(label.prefix(14))…\(label.suffix(23))"
  }

  /// A coordinate with one digit after the point.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
