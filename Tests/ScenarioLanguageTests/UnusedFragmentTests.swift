import Testing
import YAML

@testable import ScenarioLanguage

/// A fragment that nothing uses is read all the same, apart from what depends on its use.
@Suite struct UnusedFragmentTests {
  private func problems(_ fragment: String, _ others: [String] = []) -> [String] {
    let texts = ["scenario: x\nid: x\nverifies: DEV-1\nsteps: [{wait: 1 s}]\n", fragment] + others
    let files = texts.enumerated().map { SourceFile(path: "\($0.offset).yaml", text: $0.element + "\n") }
    return ScenarioLibrary(files: files, vocabulary: TestVocabulary.vocabulary).diagnostics
      .map { "\($0.location) \($0.message)" }
  }

  @Test func `its mistakes are told in a file of its own`() {
    let found = problems("fragment: bad\nparameters: {m: 3}\nsteps:\n  - phone: lst\n  - foo: bar\n  - wait: 5")
    #expect(
      found == [
        "1.yaml:4:12 `phone` has no verb `lst`", "1.yaml:5:5 unknown step `foo`", "1.yaml:6:11 `5` has no unit",
      ])
  }

  @Test func `its mistakes are told in a scenario`() {
    let text = "scenario: s\nid: s\nverifies: DEV-1\nfragments:\n  nap: {steps: [{wait: 5}]}\nsteps: [{wait: 1 s}]"
    #expect(
      problems(text) == ["1.yaml:5:3 nothing uses the fragment `nap`", "1.yaml:5:24 `5` has no unit"])
  }

  @Test func `its world is read too`() {
    #expect(problems("fragment: bad\ngiven: {phone: {bondet: true}}").count == 1)
  }

  @Test(arguments: [
    "- wait: $x", "- device: {press: $x}", "- phone: $x", "- repeat: $x\n  steps: [{wait: 1 s}]", "- use: $x",
    "- phone: sync\n  as: hers", "- eventually: {link: $x}\n  within: $x\n  as: his", "- never: link\n  for: $x",
    "- never: link\n  while: [{wait: $x}, {phone: sync, when: $x > 1}]", "- phone: sync\n  expect: $x",
    "- phone: sync\n  fails: $x",
    "- {phone: {sync: {only: $x}}, keep: {m: downloaded}}\n"
      + "- {phone: sync, expect: {downloaded: {at-least: $m, at-most: $x}}}",
    "- {phone: sync, keep: {m: downloaded}, when: $x == 1}\n- {phone: sync, keep: {m: downloaded}, when: $x == 2}\n"
      + "- {phone: sync, expect: {downloaded: $m}}",
    "- use: other\n  with: {z: $x}", "- phone: sync\n  shows: OWN-1/clause",
  ])
  func `what depends on its use is not judged`(steps: String) {
    let fragment = "fragment: good\nparameters: [x]\nsteps:\n\(steps)"
    let other = "fragment: other\nparameters: [z]\nsteps: [{wait: $z}]"
    #expect(problems(fragment, [other]) == [])
  }

  @Test func `steps of an unknown condition, and in an unknown number, are read`() {
    let steps = "- {wait: 5, when: $x > 1}\n- {repeat: $x, steps: [{phone: lst}]}"
    #expect(problems("fragment: bad\nparameters: [x]\nsteps:\n" + steps).count == 2)
  }

  @Test func `one that is used is read with what it is given`() {
    let user = "scenario: s\nid: s\nverifies: DEV-1\nsteps: [{use: nap, with: {x: 5}}]"
    #expect(problems("fragment: nap\nparameters: [x]\nsteps: [{wait: $x}]", [user]) == ["1.yaml:3:16 `5` has no unit"])
  }
}
