internal import Foundation

extension SQLiteDatabase {
  /// Asks a file that an interrupted run may have left incomplete.
  ///
  /// - Returns: `nil` if there is no such file, or if it is damaged or lacks what is asked for: it has to be made anew.
  /// - Throws: `SQLiteError` if another try may succeed. The file may be good then.
  package static func leftover<Answer>(
    _ path: String, _ question: (SQLiteDatabase) throws(SQLiteError) -> Answer?
  ) throws(SQLiteError) -> Answer? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do throws(SQLiteError) {
      return try question(SQLiteDatabase(path, mode: .readWrite))
    } catch {
      guard !error.mayGetBetter else { throw error }
      return nil
    }
  }
}
