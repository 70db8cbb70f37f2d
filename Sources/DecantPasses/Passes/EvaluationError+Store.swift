package import DecantSQLite
package import PredicateFormat

extension EvaluationError {
  /// The SQLite error about the store's file that made an evaluation fail; `nil` if the expression itself failed.
  package var storeError: SQLiteError? {
    guard case .failed(let cause) = reason, let error = cause as? SQLiteError, !error.isFunctionError else {
      return nil
    }
    return error
  }
}
