internal import Foundation

extension SQLiteDatabase {
  /// Reads an answer from a file that an interrupted run may have left incomplete.
  ///
  /// - Returns: `nil` if the file is missing or damaged, or doesn't have the answer; the file then has to be
  ///   made again.
  /// - Throws: `SQLiteError` if another try may succeed, because the file may be sound.
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
