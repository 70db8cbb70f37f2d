internal import KeyedArchive

extension ArchivedFormatWriter {
  mutating func add(_ expression: Expression) throws(ArchivingError) -> PropertyList {
    switch expression {
    case .constant(.className(let name)):
      return try function("castObject:toType:", [.constant(.string(name)), .constant(.string("Class"))])
    case .constant(let value): return try constant(value)
    case .aggregate:
      guard let value = ConstantCast.constant(expression) else {
        throw .unknownForm("a list with members that aren't constants")
      }
      return try constant(value)
    case .selfObject: return object(["NSSelfExpression", "NSExpression"], ["NSExpressionType": .integer(1)])
    case .variable(let name):
      let text = place(.string(name))
      return object(
        ["NSVariableExpression", "NSExpression"], ["NSExpressionType": .integer(2), "NSVariable": text])
    case .keyPath(let path): return try keyPath(path)
    case .function(let name, let arguments): return try function(name, arguments)
    case .message(let target, let selector, let arguments):
      return try call(selector, on: try add(target), arguments)
    case .cast(let value, let type):
      return try function("castObject:toType:", [value, .constant(.string(type))])
    case .fetch(let request, let context, let countOnly):
      let (request, context) = (try add(request), try add(context))
      return object(
        ["NSFetchRequestExpression", "NSExpression"],
        [
          "NSExpressionType": .integer(50), "NSFRExpression": request, "NSMOCExpression": context,
          "NSCountOnlyFlag": .boolean(countOnly),
        ])
    case .ternary: throw .unknownForm("TERNARY")
    case .subquery: throw .unknownForm("SUBQUERY")
    case .set(let operation, _, _): throw .unknownForm(operation.rawValue)
    case .assignment: throw .unknownForm("an assignment")
    case .anyKey: throw .unknownForm("ANYKEY")
    }
  }

  /// A path; a count that ends a longer path becomes the function `count:`, as in the framework's parser.
  ///
  /// The count stays in the path if an operator before it gives one value (`@max`).
  private mutating func keyPath(_ path: KeyPath) throws(ArchivingError) -> PropertyList {
    if path.steps.count > 1, path.steps.last == .collection(.count) {
      let rest = KeyPath(operand: path.operand, steps: Array(path.steps.dropLast()))
      if !rest.givesOne { return try function("count:", [.keyPath(rest)]) }
    } else if path.steps == [.collection(.count)], path.operand != .selfObject {
      throw .unknownForm("a count of something that isn't a key path")
    }
    guard let text = KeyPathText.text(of: path.steps) else {
      throw .unknownForm("a path with an index, or with a key that contains a point or begins with “@”,")
    }
    let isOfSelf = path.operand == .selfObject
    let operand = try add(path.operand)
    let keys = place(.string(text))
    let specifier = object(
      ["NSKeyPathSpecifierExpression", "NSExpression"], ["NSExpressionType": .integer(10), "NSKeyPath": keys])
    let arguments = array([specifier])
    let selector = place(.string(isOfSelf ? "valueForKey:" : "valueForKeyPath:"))
    return object(
      ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
      [
        "NSExpressionType": .integer(isOfSelf ? 3 : 4), "NSOperand": operand, "NSSelectorName": selector,
        "NSArguments": arguments,
      ])
  }

  private mutating func function(_ name: String, _ arguments: [Expression]) throws(ArchivingError)
    -> PropertyList
  {
    // The framework doesn't have Decant's functions: evaluating the archive would end the application.
    if let own = Library.function(name) { throw .unknownForm("“\(own.name)”, a function of Decant's own,") }
    let functions = place(.string(ArchivedFormat.functions))
    let target = object(
      ["NSConstantValueExpression", "NSExpression"],
      ["NSExpressionType": .integer(0), "NSConstantValueClassName": functions])
    return try call(name, on: target, arguments)
  }

  private mutating func call(
    _ selector: String, on target: PropertyList, _ arguments: [Expression]
  ) throws(ArchivingError) -> PropertyList {
    var members: [PropertyList] = []
    for argument in arguments { members.append(try add(argument)) }
    let list = array(members)
    let name = place(.string(selector))
    return object(
      ["NSFunctionExpression", "NSExpression"],
      ["NSExpressionType": .integer(4), "NSOperand": target, "NSSelectorName": name, "NSArguments": list])
  }
}
