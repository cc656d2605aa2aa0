/// What explains a failure: its story, its trace page and its capture.
package struct FailureRecord: Hashable, Sendable, Codable {
  /// One line of the story.
  package struct Line: Hashable, Sendable, Codable {
    /// What it is about, in one or two words.
    package var label: String
    /// What there is to say.
    package var text: String

    package init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }
  }

  /// Who failed, what was expected and what was found, in the order of every report.
  package var story: [Line]
  /// The trace page, relative to the folder of the qualification; `nil` where it is not there.
  package var page: String?
  /// The capture, relative to the folder of the qualification; `nil` where it is not there.
  package var capture: String?
  /// Why there is nothing, in one sentence; `nil` where there is something.
  package var missing: String?

  package init(story: [Line], page: String?, capture: String?) {
    self.story = story
    self.page = page
    self.capture = capture
  }

  /// A record whose files are missing, and why.
  package init(missing: String) {
    story = []
    self.missing = missing
  }
}
