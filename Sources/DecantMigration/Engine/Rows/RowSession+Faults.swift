internal import DecantMapping
internal import DecantSQLite
internal import PredicateFormat

/// What is told of expressions that fail on a row.
extension RowSession {
  /// Does what an expression is needed for, and says of which one it is where that fails.
  ///
  /// - Parameters:
  ///   - object: The source object, as `Note/p3`.
  ///   - work: What SQLite says of its file passes as it is.
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

  /// What ends the migration where a call of a policy failed.
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
      // What the expression asks the policy is the policy's matter.
      guard name != nil, fault.expression.contains("$entityPolicy") else { return .expression(fault) }
      reason = "\(fault.place), “\(fault.expression)”: \(fault.reason)"
    }
    return .policy(
      pass: manager.mappingModel.name, mapping: mapping.name, policy: name, method: action.word,
      object: object.map { "\($0.objectID)" },
      reason: reason)
  }

  /// The expression that an error is about; one that is SQL has to be looked for.
  private func fault(_ error: any Error, _ action: RowAction) throws -> ExpressionFault? {
    if let fault = error as? ExpressionFault { return fault }
    guard error is SQLiteError, case .create(let number) = action, let planned = planned(number), let current
    else { return nil }
    return try ExpressionFaultSearch(plan, planned, database).fault(
      .values, after: current.key - 1, upTo: current.key)
  }
}

extension EvaluationError {
  /// What SQLite said of its file while a value was read: no matter of the expression.
  var storeError: SQLiteError? {
    guard case .failed(let cause) = reason, let error = cause as? SQLiteError, !error.isFunctionError else {
      return nil
    }
    return error
  }
}
