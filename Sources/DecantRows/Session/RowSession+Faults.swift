internal import DecantMapping
internal import DecantPasses
internal import DecantPolicies
internal import DecantSQLite
internal import PredicateFormat

/// Errors of expressions that fail on a row.
extension RowSession {
  /// Runs work that needs an expression, and names the expression if the work fails.
  ///
  /// - Parameters:
  ///   - object: The source object, in the form `Note/p3`.
  ///   - work: The work. SQLite's errors about its file are passed on unchanged.
  func faulting<Result>(
    _ place: @autoclosure () -> ExpressionPlace,
    _ expression: @autoclosure () -> any CustomStringConvertible,
    _ mapping: PassPlan.Mapping, _ object: @autoclosure () throws -> String, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let fault as ExpressionFault {
      throw fault
    } catch let error as SQLiteError where !error.isFunctionError {
      throw error
    } catch let error as EvaluationError where error.storeError != nil {
      throw error.storeError ?? error
    } catch {
      throw ExpressionFault(
        place(), expression(), of: mapping, in: plan, object: try object(),
        reason: PolicyProblem.words(of: error))
    }
  }

  /// The error that ends the migration after a failed call of a policy.
  func failure(
    _ error: any Error, of policy: EntityMigrationPolicy, _ action: RowAction, _ object: ManagedObject?
  ) throws -> StepFailure {
    let mapping = manager.currentEntityMapping
    let name: String? =
      switch mapping.mapping.policy {
      case .className?: "\(type(of: policy))"
      case .program, nil: nil
      }
    var reason = PolicyProblem.words(of: error)
    if let fault = try fault(error, action) {
      // An error of a policy's method, called by an expression, is the policy's error.
      guard name != nil, fault.expression.contains("$entityPolicy") else { return .expression(fault) }
      reason = "\(fault.place), “\(fault.expression)”: \(fault.reason)"
    }
    manager.policyError = error
    return .policy(
      pass: manager.mappingModel.name, mapping: mapping.name, policy: name, method: action.word,
      object: object.map { "\($0.objectID)" },
      reason: reason)
  }

  /// The expression that caused an error; `nil` if none is known.
  private func fault(_ error: any Error, _ action: RowAction) throws -> ExpressionFault? {
    if let fault = error as? ExpressionFault { return fault }
    guard error is SQLiteError, case .create(let number) = action, let planned = planned(number), let current
    else { return nil }
    return try ExpressionFaultSearch(plan, planned, database).fault(
      .values, after: current.key - 1, upTo: current.key)
  }
}
