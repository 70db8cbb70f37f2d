internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
package import DecantPasses
package import DecantPolicies
internal import DecantSQLite
internal import PredicateFormat

/// The base policy's create stage: one object for a source object, with the values of the attribute mappings.
extension RowSession {
  package func createByMapping(_ sInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws {
    let compiled = try compiled(mapping.number)
    let key = try sourceContents(sInstance, of: mapping).key
    if let unique = compiled.unique {
      let own = try faulting(.uniqueBy, unique, compiled.mapping, "\(sInstance.objectID)") {
        try uniqueValue(unique, sInstance)
      }
      guard let value = own else {
        current?.lacksUniqueValue = true
        return
      }
      if let known = try destination.statements.first(
        "SELECT destination FROM main.\(Associations.values) WHERE mapping = ? AND value = ?",
        [.integer(Int64(mapping.number)), value])?.integer
      {
        let place = RowKey(root: compiled.mapping.destinationTable.rootEntity, key: known)
        // A policy may have deleted the object.
        if try destination.object(place, in: manager.destinationContext) != nil {
          try destination.book.associate(key, place, mapping: mapping.number, isNew: false)
          return
        }
      }
      let object = try make(sInstance, key, as: keptKey(sInstance, compiled.mapping), compiled)
      try destination.statements.run(
        "INSERT OR REPLACE INTO main.\(Associations.values) (mapping, value, destination) VALUES (?, ?, ?)",
        [.integer(Int64(mapping.number)), value, .integer(object.key)])
      return
    }
    _ = try make(sInstance, key, as: keptKey(sInstance, compiled.mapping), compiled)
  }

  /// Makes an object for a source object and associates both.
  ///
  /// - Parameters:
  ///   - own: The new object's key; `nil` for the next free key.
  ///   - failing: Called for each value that can't be computed; the value is then nil. Without `failing`, the error is
  ///     thrown.
  @discardableResult package func make(
    _ sInstance: ManagedObject, _ key: Int64, as own: Int64?, _ compiled: RowMapping,
    failing: ((ExpressionFault) -> Void)? = nil
  ) throws -> DestinationContents {
    destination.keptKey = own
    let object = manager.destinationContext.insertObject(ofEntity: compiled.mapping.destination)
    destination.keptKey = nil
    try manager.destinationContext.raise()
    guard let contents = object.contents as? DestinationContents else {
      throw PolicyProblem.unknownEntity(compiled.mapping.destination)
    }
    if let selection = compiled.selection {
      let values = try source.statements.rows(selection, [.integer(key)]).first ?? []
      for (column, value) in zip(compiled.columns, values) { contents.set(value, column: column) }
    }
    for item in compiled.evaluated {
      do {
        try faulting(
          .attribute(item.attribute.name), item.expression, compiled.mapping, "\(sInstance.objectID)"
        ) {
          let value = try item.transformed.expression.value(
            in: evaluation(sInstance, objects: item.transformed))
          if let result = MethodResult.within(value) {
            guard item.attribute.type == .transformable else { throw result.problem }
            try contents.setValue(result.value, forKey: item.attribute.name)
          } else {
            let fit = AttributeFit(item.attribute, entity: compiled.mapping.destination)
            contents.set(try fit.stored(value), column: item.column)
          }
        }
      } catch let fault as ExpressionFault {
        guard let failing else { throw fault }
        contents.set(.null, column: item.column)
        failing(fault)
      }
    }
    try destination.book.associate(key, contents.place, mapping: compiled.number, isNew: true)
    return contents
  }

  /// The value of `uniqueBy` in the form of the table `Associations.values`; `nil` if the expression gives nil.
  private func uniqueValue(_ expression: FormatExpression, _ sInstance: ManagedObject) throws -> SQLiteValue? {
    let value = try expression.value(in: evaluation(sInstance))
    switch value {
    case .null: return nil
    case .string(let text), .url(let text): return .text(text)
    case .integer(let number): return .integer(number)
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .double(let number), .date(let number): return .real(number)
    case .decimal(let number): return .text("\(number)")
    case .data(let data): return .blob(data)
    case .uuid(let uuid): return .text(uuid.uuidString)
    default:
      throw RowProblem(reason: "it gives \(value.kind), where a plain value is wanted")
    }
  }
}
