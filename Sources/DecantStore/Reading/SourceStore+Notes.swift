extension SourceStore {
  /// The sentences of `warnings` that need no action.
  ///
  /// They are about the `-wal`: a store that the application has closed has none, and a store that was open has one.
  package var notes: [String] { warnings.filter(Self.isNote) }
  /// The notes for a plan; the note about the missing `-wal` of a closed store isn't among them.
  package var planNotes: [String] { notes.filter { $0 != StoreReader.closedWithoutLog } }
  /// The other sentences of `warnings`.
  package var alarms: [String] { warnings.filter { !Self.isNote($0) } }

  private static func isNote(_ sentence: String) -> Bool {
    sentence == StoreReader.closedWithoutLog || sentence.contains("-wal was applied: ")
  }
}
