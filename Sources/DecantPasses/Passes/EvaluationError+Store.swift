package import DecantSQLite
package import PredicateFormat

extension EvaluationError {
  /// SQLite's error about its file, which isn't an error of the expression.
  package var storeError: SQLiteError? {
    guard case .failed(let cause) = reason, let error = cause as? SQLiteError, !error.isFunctionError else {
      return nil
    }
    return error
  }
}
