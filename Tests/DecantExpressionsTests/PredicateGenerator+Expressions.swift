import DecantModel

extension PredicateGenerator {
  mutating func kind() -> Kind {
    dice.pick([
      .number, .number, .number, .string, .string, .string, .date, .date, .boolean, .uuid, .link, .data,
      .object,
    ])
  }

  /// An expression with one value of a kind.
  mutating func expression(_ kind: Kind, depth: Int) -> String {
    if dice.chance(3) { return "nil" }
    guard depth > 0, dice.chance(60) else {
      if dice.chance(70), let path = kind == .object ? object() : attribute(kind) { return path }
      return constant(kind)
    }
    if dice.chance(10) {
      let condition = predicate(depth: depth - 1)
      let other = dice.chance(90) ? kind : self.kind()
      return
        "TERNARY(\(condition), \(expression(kind, depth: depth - 1)), \(expression(other, depth: depth - 1)))"
    }
    switch kind {
    case .number: return number(depth: depth - 1)
    case .string: return string(depth: depth - 1)
    case .date: return date(depth: depth - 1)
    case .uuid: return identifier(depth: depth - 1)
    case .object: return object() ?? "SELF"
    default: return attribute(kind) ?? constant(kind)
    }
  }

  mutating func object() -> String? {
    if dice.chance(15), let (path, _) = ordered() {
      return "\(path)[\(dice.pick(["FIRST", "LAST", "0", "1", "7"]))]"
    }
    let way = way()
    guard way.prefix.hasSuffix(".") else { return way.prefix.isEmpty ? nil : way.prefix }
    return String(way.prefix.dropLast())
  }

  /// A path to an ordered relationship, or sometimes to an unordered one, with the entity of its members.
  mutating func ordered() -> (path: String, entity: String)? {
    for _ in 0..<5 {
      let way = way()
      let lists = model.relationships(of: way.entity).filter {
        $0.isToMany && ($0.isOrdered || dice.chance(10))
      }
      guard !lists.isEmpty else { continue }
      let list = dice.pick(lists)
      return (way.prefix + list.name, list.destinationEntityName)
    }
    return nil
  }

  private mutating func number(depth: Int) -> String {
    switch dice.below(14) {
    case 12, 13: return numberOfLibrary(depth: depth)
    case 0...2:
      let sign = dice.pick(["+", "-", "*", "/", "+", "**"])
      return "(\(expression(.number, depth: depth)) \(sign) \(expression(.number, depth: depth)))"
    case 3:
      let name = dice.pick([
        "abs:", "floor:", "ceiling:", "trunc:", "sqrt:", "ln:", "log:", "exp:", "noindex:", "onesComplement:",
      ])
      return "\(name)(\(expression(.number, depth: depth)))"
    case 4:
      let name = dice.pick([
        "modulus:by:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:",
        "rightshift:by:",
      ])
      return "\(name)(\(expression(.number, depth: depth)), \(expression(.number, depth: depth)))"
    case 5: return "\(expression(.string, depth: 0)).\(dice.pick(["length", "integerValue", "doubleValue"]))"
    case 6: return "CAST(\(expression(dice.pick([.number, .date, .string]), depth: depth)), 'NSNumber')"
    case 7, 8: return count(depth: depth)
    case 9, 10: return statistic(depth: depth)
    default:
      guard let (path, entity) = toMany(), let leaf = leaf(.number, entity) else { return constant(.number) }
      let name = dice.pick(["average", "sum", "min", "max", "median", "stddev", "count"])
      return "\(name)(\(path).\(leaf))"
    }
  }

  private mutating func count(depth: Int) -> String {
    let suffix = dice.pick([".@count", ".@count", "[SIZE]"])
    return collection(depth: depth).map { "(\($0.text))\(suffix)" } ?? constant(.number)
  }

  private mutating func statistic(depth: Int) -> String {
    guard let (path, entity) = toMany() else { return constant(.number) }
    let name = dice.pick(["sum", "avg", "min", "max"])
    if dice.chance(15) { return "\(path).@\(name).\(manyLeaf(entity)).@count" }
    guard let leaf = leaf(.number, entity) else { return constant(.number) }
    return "\(path).@\(name).\(leaf)"
  }

  private mutating func manyLeaf(_ entity: String) -> String {
    let many = model.relationships(of: entity).filter(\.isToMany)
    return many.isEmpty ? "text" : dice.pick(many).name
  }

  /// An attribute of an entity, or a path to one through to-one relationships; nil if no attribute is of the kind.
  mutating func leaf(_ kind: Kind, _ entity: String) -> String? {
    if dice.chance(20) {
      let toOnes = model.relationships(of: entity).filter { !$0.isToMany }
      if !toOnes.isEmpty {
        let step = dice.pick(toOnes)
        return leaf(kind, step.destinationEntityName).map { "\(step.name).\($0)" }
      }
    }
    let names = model.attributes(of: entity).filter { Self.kind(of: $0.type) == kind && !$0.isTransient }
    return names.isEmpty ? nil : dice.pick(names).name
  }

  private mutating func string(depth: Int) -> String {
    switch dice.below(14) {
    case 6...13: return textOfLibrary(depth: depth)
    case 0, 1: return "\(dice.pick(["uppercase:", "lowercase:"]))(\(expression(.string, depth: depth)))"
    case 2: return "CAST(\(expression(dice.pick([.number, .uuid, .link, .string]), depth: depth)), 'NSString')"
    case 3:
      guard let (path, entity) = ordered(), let leaf = leaf(.string, entity) else { return constant(.string) }
      return dice.chance(50)
        ? "\(path)[\(dice.pick(["FIRST", "LAST", "1"]))].\(leaf)" : "\(path).\(leaf)[FIRST]"
    case 4:
      guard let (path, entity) = toMany(), let leaf = leaf(.string, entity) else { return constant(.string) }
      return "\(path).@\(dice.pick(["min", "max"])).\(leaf)"
    default: return "\(attribute(.number) ?? "3").stringValue"
    }
  }

  private mutating func date(depth: Int) -> String {
    switch dice.below(6) {
    case 4: return "coalesce(\(expression(.date, depth: depth)), \(expression(.date, depth: 0)))"
    case 5: return "parseDate(\(textOfLibrary(depth: depth)), '\(dice.pick(LibraryWords.datePatterns))')"
    case 0: return "now()"
    case 1, 2: return "CAST(\(expression(.number, depth: depth)), 'NSDate')"
    default:
      guard let (path, entity) = toMany(), let leaf = leaf(.date, entity) else { return constant(.date) }
      return "\(path).@\(dice.pick(["min", "max"])).\(leaf)"
    }
  }

  /// An expression with many values, and the kind of these values if it is known.
  mutating func collection(depth: Int) -> (text: String, kind: Kind?)? {
    if depth > 0, dice.chance(20) {
      guard let left = collection(depth: depth - 1), let right = collection(depth: depth - 1) else {
        return nil
      }
      return ("(\(left.text)) \(dice.pick(["UNION", "INTERSECT", "MINUS"])) (\(right.text))", left.kind)
    }
    if dice.chance(8) {
      let kind = self.kind()
      return ("{\(expression(kind, depth: 0)), \(expression(kind, depth: 0)), \(constant(kind))}", kind)
    }
    guard let (path, entity) = toMany() else { return nil }
    if depth > 0, dice.chance(30) {
      let name = name()
      scopes.append(Scope(prefix: "$\(name).", entity: entity))
      let condition = predicate(depth: depth - 1)
      scopes.removeLast()
      let text = "SUBQUERY(\(path), $\(name), \(condition))"
      guard dice.chance(40), let kind = leafKind(), let leaf = leaf(kind, entity) else {
        return (text, .object)
      }
      return ("\(text).\(leaf)", kind)
    }
    guard dice.chance(70), let kind = leafKind(), let leaf = leaf(kind, entity) else { return (path, .object) }
    if dice.chance(15) {
      return ("\(path).@\(dice.pick(["unionOfObjects", "distinctUnionOfObjects"])).\(leaf)", kind)
    }
    return ("\(path).\(leaf)", kind)
  }

  private mutating func leafKind() -> Kind? { dice.pick([.number, .number, .string, .string, .date, nil]) }
}
