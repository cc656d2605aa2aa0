import Foundation
import Session
import System
import Timeline

/// Where the lines of a shell come from: a terminal, a file, or whatever standard input is.
final class ShellInput {
  /// Whether a person types the lines.
  let isInteractive: Bool
  private let descriptor: FileDescriptor
  /// Where a person types; `nil` where nobody does, and where a line has to be read as the terminal gives it.
  private var terminal: LineTerminal?
  private var lines: [String] = []
  private var rest: [UInt8] = []
  private var isAtEnd = false
  /// Whether what comes until the next line feed belongs to a line that was too long.
  private var isTooLong = false
  /// Why there are no more lines, where nobody types them and they cannot be read; `nil` where they ended.
  private(set) var trouble: String?
  /// What messages call the place of the lines.
  private let name: String

  /// Octets that are kept of one line: enough to see that it has more than the session takes.
  private static let lineLimit = ShellSession.lineLimit + 1
  /// Milliseconds between two looks whether somebody wants the end.
  private static let patience: Int32 = 100

  /// The lines of a file, of standard input for `-`, or of standard input, which may be a terminal, for `nil`.
  init(_ script: String?) throws(UsageFailure) {
    name = script.flatMap { $0 == "-" ? nil : $0 } ?? "standard input"
    if let script, script != "-" {
      do { descriptor = try FileDescriptor.open(script, .reading) } catch {
        throw UsageFailure("cannot read \(script): \(error.code)")
      }
    } else {
      descriptor = .standardInput
    }
    isInteractive = script == nil && descriptor.isTerminal && FileDescriptor.standardOutput.isTerminal
  }

  /// Lets a person edit lines at a terminal.
  func edit(at terminal: LineTerminal) { if isInteractive { self.terminal = terminal } }

  /// The next line without its end; `nil` at the end, or when the user wants the end. The events of a loop in real time are
  /// run meanwhile.
  func line(while loop: EventLoop?) -> String? {
    if let terminal, lines.isEmpty {
      if !terminal.begin() { self.terminal = nil }
      edit()
    }
    let reading = loop.flatMap { $0.driver == .wall ? $0 : nil }
    while lines.isEmpty, !isAtEnd, !isUnwanted { read(while: reading) }
    return lines.isEmpty ? nil : lines.removeFirst()
  }

  /// Closes a file that was opened.
  func close() { descriptor.close() }

  /// Whether the user wants the end; one who types a line only wants to begin it anew.
  private var isUnwanted: Bool {
    guard Interruption.isRequested else { return false }
    guard isInteractive else { return true }
    Interruption.forget()
    terminal?.cancel()
    return false
  }

  private func read(while loop: EventLoop?) {
    if let loop { loop.runEvents(until: loop.now.advanced(by: .milliseconds(Int64(Self.patience)))) }
    guard descriptor.isReady(for: .readable, within: loop == nil ? Self.patience : 1) else { return }
    var octets: [UInt8] = []
    do throws(SystemCallFailure) {
      guard let read = try descriptor.read(upTo: Self.lineLimit) else { return }
      octets = read
    } catch {
      // A terminal that fails has gone away.
      if !isInteractive { trouble = "cannot read \(name): \(error.code)" }
    }
    isAtEnd = octets.isEmpty
    rest += octets
    guard terminal == nil else { return edit() }
    while let end = rest.firstIndex(of: 0x0A) {
      keep(rest[..<end])
      rest.removeFirst(end + 1)
      isTooLong = false
    }
    guard isAtEnd || isTooLong || rest.count >= Self.lineLimit else { return }
    if !rest.isEmpty { keep(rest[...]) }
    rest = []
    isTooLong = !isAtEnd
  }

  /// Keeps a line, or the beginning of one that is too long; nothing of the rest of such a line.
  private func keep(_ octets: ArraySlice<UInt8>) {
    if !isTooLong { lines.append(String(decoding: octets.prefix(Self.lineLimit), as: UTF8.self)) }
  }

  /// Gives what was typed to the terminal until it has a line; what was typed beyond it waits.
  private func edit() {
    guard let terminal, !rest.isEmpty else { return }
    let (count, line) = terminal.take(rest)
    rest.removeFirst(count)
    guard let line else { return }
    if let line { lines.append(line) } else { isAtEnd = true }
  }
}
