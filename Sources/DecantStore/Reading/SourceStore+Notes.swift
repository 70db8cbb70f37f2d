extension SourceStore {
  /// Sentences of `warnings` that are no alarm: a store that the application had closed comes without a `-wal`, and one
  /// that it had open comes with one.
  package var notes: [String] { warnings.filter(Self.isNote) }
  /// The notes that belong in a plan and a report: that a closed store has no `-wal` says nothing of a migration.
  package var reportNotes: [String] { notes.filter { $0 != StoreReader.closedWithoutLog } }
  /// The other sentences of `warnings`.
  package var alarms: [String] { warnings.filter { !Self.isNote($0) } }

  private static func isNote(_ sentence: String) -> Bool {
    sentence == StoreReader.closedWithoutLog || sentence.contains("-wal was applied: ")
  }
}
