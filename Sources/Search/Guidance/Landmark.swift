/// Something that a run can reach, and by which one run differs from all before it.
package enum Landmark: Hashable, Sendable {
  /// A transition of a state chart, by its number there.
  case transition(chart: String, number: Int)
  /// An event in a state of the recorder, its link and its request.
  case pair(state: String, event: String)
}
