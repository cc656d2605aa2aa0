/// What can be wrong with the files list.
package struct ListFaults: Hashable, Sendable {
  /// Added to the number of records that the list announces.
  package var countOffset = 0
  /// Whether the newest record is left out.
  package var omitsNewest = false
  /// Whether the newest record comes first.
  package var isReversed = false
  /// Whether parts after the first come on the characteristic of the first.
  package var continuesOnFilesList = false
  /// Whether records that were never finished are listed, and can be read.
  package var includesUnfinished = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofLists = [
    RecorderFault("list-count-off-by-one", "The list announces one record too many.") { $0.list.countOffset = 1 },
    RecorderFault("list-omits-newest", "The newest record is not listed.") { $0.list.omitsNewest = true },
    RecorderFault("list-reversed", "The list is in the wrong order.") { $0.list.isReversed = true },
    RecorderFault("list-continuation-misdirected", "The list continues on the wrong characteristic.") {
      $0.list.continuesOnFilesList = true
    },
    RecorderFault("lists-unfinished-records", "A record that was never finished is offered.") {
      $0.list.includesUnfinished = true
    },
  ]
}
