import DecantModel
import DecantTestSupport

/// Makes random texts of predicates and expressions, whose operands mostly fit together.
struct PredicateGenerator {
  /// The intended kind of an expression.
  enum Kind: CaseIterable { case number, string, date, boolean, uuid, link, data, object }

  /// An object whose keys an expression can use: `SELF`, or a variable of a subquery.
  struct Scope {
    let prefix: String
    let entity: String
  }

  let model: ManagedObjectModel
  var dice: Dice
  var scopes: [Scope]
  private var variables = 0

  init(model: ManagedObjectModel, entity: String, seed: UInt64) {
    self.model = model
    dice = Dice(seed)
    scopes = [Scope(prefix: "", entity: entity)]
  }

  mutating func name() -> String {
    variables += 1
    return "x\(variables)"
  }

  // MARK: Paths

  static func kind(of type: AttributeType) -> Kind? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: .number
    case .string: .string
    case .date: .date
    case .boolean: .boolean
    case .uuid: .uuid
    case .uri: .link
    case .binary: .data
    default: nil
    }
  }

  private func properties(_ entity: String) -> [String] {
    // An expression may use keys of subentities, too. Rows of other entities lack these keys.
    model.family(of: entity).map(\.name)
  }

  /// A path through to-one relationships with a point at its end, or an empty path, and the entity that it leads to.
  mutating func way() -> (prefix: String, entity: String) {
    let scope = dice.chance(70) ? scopes[scopes.count - 1] : dice.pick(scopes)
    var prefix = scope.prefix
    var entity = scope.entity
    while dice.chance(30) {
      let toOnes = model.relationships(of: entity).filter { !$0.isToMany }
      guard !toOnes.isEmpty else { break }
      let step = dice.pick(toOnes)
      prefix += step.name + "."
      entity = step.destinationEntityName
    }
    return (prefix, entity)
  }

  mutating func attribute(_ kind: Kind) -> String? {
    for _ in 0..<6 {
      let way = way()
      let entity = dice.chance(8) ? dice.pick(properties(way.entity)) : way.entity
      let names = model.attributes(of: entity).filter { Self.kind(of: $0.type) == kind && !$0.isTransient }
      if !names.isEmpty { return way.prefix + dice.pick(names).name }
    }
    return nil
  }

  /// A path with a to-many relationship, and the entity of its members; nil if none was found.
  mutating func toMany() -> (path: String, entity: String)? {
    for _ in 0..<6 {
      let way = way()
      var (path, entity) = way
      let many = model.relationships(of: entity).filter(\.isToMany)
      guard !many.isEmpty else { continue }
      let first = dice.pick(many)
      path += first.name
      entity = first.destinationEntityName
      while dice.chance(25) {
        let more = model.relationships(of: entity)
        guard !more.isEmpty else { break }
        let step = dice.pick(more)
        path += "." + step.name
        entity = step.destinationEntityName
      }
      return (path, entity)
    }
    return nil
  }

  // MARK: Constants

  mutating func constant(_ kind: Kind) -> String {
    switch kind {
    case .number:
      switch dice.below(10) {
      case 0...5:
        return dice.pick(["0", "1", "2", "3", "5", "-1", "7", "100", "9007199254740993", "9223372036854775807"])
      case 6...8: return dice.pick(["0.5", "2.5", "-2.5", "0.1", "1e300", "1.0", "3.0", "1e-7"])
      default: return "CAST('\(dice.pick(["10.11", "5", "0.1", "-3.25"]))', 'NSDecimalNumber')"
      }
    case .string: return Self.quoted(dice.pick(SampleValues.strings))
    case .date: return "CAST(\(dice.pick(["0", "1", "0.5", "602395200.25", "-1e9"])), 'NSDate')"
    case .boolean: return dice.pick(["YES", "NO", "TRUE"])
    case .uuid: return "CAST('\(dice.pick(SampleValues.uuids).uuidString)', 'NSUUID')"
    case .link: return "CAST('\(dice.pick(SampleValues.links))', 'NSURL')"
    case .data: return dice.pick(["CAST('AQID', 'NSData')", "CAST('', 'NSData')", "CAST('YWJj', 'NSData')"])
    case .object: return dice.pick(["SELF", "$source"])
    }
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\n": quoted += "\\n"
      case "\u{0}": quoted += "\\x00"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
