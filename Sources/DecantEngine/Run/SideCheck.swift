internal import DecantSQLite
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The check of a finished working file over a separate connection, while the step still reads the file.
///
/// The connection takes no lock: nothing may write to the file until `findings` or `cancel` has returned.
final class SideCheck: Sendable {
  /// The smallest file for which a second connection is useful, in bytes.
  private static let smallest = 8 << 20

  private let database: SQLiteDatabase
  private let group = DispatchGroup()
  private let isOver = Atomic(false)
  private let outcome = Mutex<Result<[String], SQLiteError>>(.success([]))

  /// Begins the check.
  ///
  /// - Returns: `nil` for a small file, which is checked faster without a second connection.
  init?(of path: String, _ check: ResultCheck) throws(SQLiteError) {
    guard Self.pays(for: path) else { return nil }
    database = try SQLiteDatabase(path, mode: .immutable)
    database.observe { [weak self] in !(self?.isOver.load(ordering: .relaxed) ?? true) }
    DispatchQueue(label: "decant.check").async(group: group) { [self] in
      let found = Result { () throws(SQLiteError) in
        try check.findings(in: database)
      }
      outcome.withLock { $0 = found }
    }
  }

  static func pays(for path: String) -> Bool {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    return size.map { $0 >= smallest } ?? false
  }

  /// Waits for the findings.
  ///
  /// - Parameter goesOn: Asked about once a second; false ends the check with an interrupted `SQLiteError`.
  func findings(while goesOn: () -> Bool) throws(SQLiteError) -> [String] {
    if !group.wait(while: goesOn) { cancel() }
    return try outcome.withLock { $0 }.get()
  }

  /// Ends the check without an answer, and waits until the file is no longer read.
  func cancel() {
    isOver.store(true, ordering: .relaxed)
    database.interrupt()
    group.wait()
  }
}
