internal import DecantModel
internal import PredicateFormat

extension KindCheck {
  private static let fitting = "Write an expression whose parts fit each other"

  // MARK: Functions

  mutating func call(
    _ name: String, _ arguments: [ExpressionKind], _ expression: FormatExpression
  ) -> ExpressionKind {
    if FunctionName.isKnown(name) { return evaluate(name, arguments, expression) }
    guard let function = Library.function(name) else {
      let bare = String(name.prefix { $0 != ":" })
      return misname(
        "there is no function “\(name)”",
        hint(
          bare, Library.all.map(\.name) + FunctionName.bareNames,
          otherwise: "The functions are those of the language and of docs/functions.md"), focus: bare)
    }
    if let problem = function.problem(withCount: arguments.count) {
      return misname(problem, "Write \(function.signature)", focus: function.name)
    }
    // The result is nil if an argument is nil, unless the parameter takes nil.
    for (place, argument) in arguments.enumerated() where argument == .null {
      if function.parameter(at: place)?.takesNil != true { return .null }
    }
    return fits(arguments, function) ? result(of: function, arguments) : .unknown
  }

  private mutating func evaluate(
    _ name: String, _ arguments: [ExpressionKind], _ expression: FormatExpression
  ) -> ExpressionKind {
    if name == "castObject:toType:", arguments.count == 2, case .constant(.string(let type)) = arguments[1] {
      return cast(arguments[0], to: type, expression)
    }
    if name == "castObject:toType:", arguments.count == 2, arguments[1] == .value(.string) { return .unknown }
    let results = trials(arguments, of: expression, advice: { _, _ in Self.fitting }) {
      .function(name, $0.map(\.constant))
    }
    guard let first = results.first else { return .unknown }
    if name == "noindex:" { return arguments.first ?? .unknown }
    let isDrawn = ["random", "random:", "now"].contains(name)
    if !isDrawn, arguments.allSatisfy({ $0.known != nil }) { return ExpressionKind(first) }
    if arguments.contains(.null), first.isNull { return .null }
    switch name {
    case "min:", "max:":
      let leaf = ExpressionKind.either(arguments.first?.members ?? [.unknown])
      return leaf.family?.sort.map(ExpressionKind.value) ?? .unknown
    case "mode:": return .collection(of: .value(.number), isOrdered: true)
    case "castObject:toType:": return .unknown
    case "now": return .value(.date)
    case "uppercase:", "lowercase:": return .value(.string)
    // All other functions give numbers.
    default: return .value(.number)
    }
  }

  // MARK: Casts

  mutating func cast(_ kind: ExpressionKind, to type: String, _ expression: FormatExpression) -> ExpressionKind
  {
    let results = trials([kind], of: expression, advice: { kinds, _ in Self.advice(onCast: type, kinds[0]) }) {
      $0[0] == .value(.string)
        ? .cast(.constant(.string(Self.texts[type] ?? "1")), type: type) : .cast($0[0].constant, type: type)
    }
    guard let first = results.first else { return .unknown }
    return kind.known != nil ? ExpressionKind(first) : Self.result(ofCast: type, kind)
  }

  /// For each of these types, a string that can be cast to the type.
  ///
  /// Whether another string can be cast depends on its characters.
  private static let texts = ["NSUUID": "3F2504E0-4F89-11D3-9A0C-0305E82C3301", "NSData": ""]

  private static func advice(onCast type: String, _ kind: ExpressionKind) -> String {
    if type == "NSDate", kind.family == .sort(.string) {
      return
        "Write parseDate(…, 'yyyy-MM-dd') with the pattern of the text, or CAST(CAST(…, 'NSNumber'), 'NSDate') for "
        + "seconds since 2001"
    }
    if type == "NSString", kind.family == .sort(.date) { return "Write formatDate(…, 'yyyy-MM-dd')" }
    return kind.family == .object ? "Go on to an attribute of the object" : fitting
  }

  private static func result(ofCast type: String, _ kind: ExpressionKind) -> ExpressionKind {
    if kind == .null { return .null }
    switch type {
    case "NSArray", "NSSet":
      return kind.members.map { .collection(of: .either($0), isOrdered: type == "NSArray") } ?? .unknown
    case "Class": return .constant(.className(""))
    default: return ValueSort(castTo: type).map(ExpressionKind.value) ?? .unknown
    }
  }

  // MARK: Calls

  mutating func send(
    _ selector: String, to target: FormatExpression, _ arguments: [FormatExpression],
    _ expression: FormatExpression
  ) -> ExpressionKind {
    let owner = kind(of: target)
    let kinds = arguments.map { kind(of: $0) }
    // Code of the application may read every property of the objects that it gets.
    if DestinationLookup(expression) == nil { for kind in [owner] + kinds { show(kind) } }
    if selector == "valueForKey:" || selector == "valueForKeyPath:", kinds.count == 1 {
      switch kinds[0] {
      case .constant(.string(let text)):
        let steps =
          selector == "valueForKey:" ? [PredicateFormat.KeyPath.Step.key(text)] : KeyPathText.steps(of: text)
        guard let steps else {
          return refuse(expression, "“\(text)” isn't a key path", "Correct the path", focus: text)
        }
        return follow(steps[...], from: owner, in: PredicateFormat.KeyPath(operand: target, steps: steps))
      case .value(.string), .unknown, .oneOf: return .unknown
      default: break
      }
    }
    if let call = ClassCall(expression), scope.answersCalls {
      note(
        Problem(
          severity: .warning,
          problem: "“\(call.selector)” is a method of the application's class “\(call.className)”",
          advice: "Supply a function of that name in the team's worker, or write the value as an expression",
          isName: true, subject: .function))
      return .unknown
    }
    switch owner {
    case .unknown, .oneOf: return .unknown
    case .constant(.className) where scope.answersCalls: return .unknown
    case .service(.manager): return ask(selector, kinds, expression)
    case .service(.entityPolicy): return askPolicy(selector, expression)
    default: break
    }
    return refuse(
      expression, "\(owner == .null ? "nil" : owner.words) doesn't answer “\(selector)”",
      arguments.isEmpty && !selector.contains(":")
        ? "Write the key as a path, as in \(target).\(selector)"
        : "Write the value as an expression, or with a policy",
      focus: selector)
  }

  private mutating func ask(
    _ selector: String, _ arguments: [ExpressionKind], _ expression: FormatExpression
  ) -> ExpressionKind {
    let lookups = [DestinationLookup.byMapping, DestinationLookup.byRelationship]
    guard lookups.contains(selector) else {
      return misname(
        "the migration manager answers no call “\(selector)”",
        hint(
          selector, lookups,
          otherwise:
            "The manager answers only “\(lookups[0])” and “\(lookups[1])”, with a name and source objects as "
            + "arguments"),
        focus: selector)
    }
    guard arguments.count == 2 else {
      return refuse(
        expression, "“\(selector)” takes a name and source objects", "Write both arguments", focus: selector)
    }
    guard case .constant(.string(let name)) = arguments[0] else {
      if [.unknown, .value(.string)].contains(arguments[0]) { return .unknown }
      return refuse(
        expression, "the first argument of “\(selector)” must be a name, and is \(arguments[0].words)",
        "Write the name in quotes", focus: selector)
    }
    if case .object(_, .destination, _) = arguments[1].one {
      return refuse(
        expression, "“\(selector)” is given destination objects, where source objects are wanted",
        "Write a path from $source",
        focus: "$destination")
    }
    var maker: String?
    if selector == DestinationLookup.byMapping {
      guard let known = scope.check.byName[name] else {
        guard scope.check.knowsMappings else { return .collection(of: .unknown, isOrdered: true) }
        let all = scope.check.byName.keys.sorted(by: NameOrder.codePoints)
        return misname(
          "there is no entity mapping “\(name)”", hint(name, all, otherwise: "Correct the name"), focus: name)
      }
      // A policy may make objects of other entities.
      maker = known.policy == nil ? known.destinationEntityName : nil
    }
    let member = maker.map { ExpressionKind.object(entity: $0, side: .destination, isExact: true) }
    return .collection(of: member ?? .unknown, isOrdered: true)
  }

  private mutating func askPolicy(_ selector: String, _ expression: FormatExpression) -> ExpressionKind {
    switch scope.entity.policy {
    case .className?: break
    case nil:
      misname(
        "“\(selector)” is a method of the policy, and the entity mapping has no policy",
        "Name the policy's class",
        focus: selector)
    case .program?:
      refuse(
        expression, "a policy program answers no calls", "Write the value as an expression", focus: selector)
    }
    return .unknown
  }
}
