extension SourceStore {
  /// Sentences of `warnings` that are no alarm: a store that the application had closed comes without a `-wal`.
  package var notes: [String] { warnings.filter { $0 == StoreReader.closedWithoutLog } }
  /// The other sentences of `warnings`.
  package var alarms: [String] { warnings.filter { $0 != StoreReader.closedWithoutLog } }
}
