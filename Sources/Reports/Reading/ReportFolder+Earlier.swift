extension ReportFolder {
  /// Removes the reports that an earlier run left: they would be taken for those of a run that is killed before it writes its
  /// own. What somebody else wrote under their names stays, as does what cannot be read or removed.
  package func removeReports() {
    removeFile(JUnitReport.fileName, beginningWith: Array(JUnitDocument.beginning.utf8))
    removeFile(SummaryReport.fileName, beginningWith: Array(SummaryReport.beginning.utf8))
    removeFile(EventReport.fileName, beginningWith: Array(EventLines.beginning.utf8))
  }
}
