internal import DecantMapping
internal import DecantModel
internal import FileNames
internal import Foundation

extension FamilyConfiguration {
  /// The keys of the file.
  static let keys = [
    "target", "path", "renames", "inference", "dataLoss", "cloudKit", "validation", "order", "worker",
    "requireExternalData", "chunkSize", "keepAssociations", "unknownVersions", "configuration",
    "acceptStaleHashes", "acceptedLosses", "strayRows",
  ]

  /// Reads a `family.json5`.
  ///
  /// - Throws: `FamilyError.configuration` with the key and its possible values.
  static func read(at url: URL) throws(FamilyError) -> FamilyConfiguration {
    let (configuration, faults) = survey(at: url)
    if let first = faults.first { throw first }
    return configuration
  }

  /// Reads the readable part of a `family.json5`.
  ///
  /// Faulty keys keep their defaults.
  static func survey(at url: URL) -> (configuration: FamilyConfiguration, faults: [FamilyError]) {
    var configuration = FamilyConfiguration()
    let data: Data
    do throws(FileProblem) {
      data = try DiskRead.contents(of: url.path, limit: JSON5Value.sizeLimit)
    } catch {
      if case .system = error { return (configuration, [.unreadable(path: url.path)]) }
      return (configuration, [.configuration(path: url.path, problem: "it can't be read: \(error)")])
    }
    let value: JSON5Value
    do throws(JSON5Problem) {
      value = try JSON5Value.parse(data)
    } catch {
      return (configuration, [.configuration(path: url.path, problem: "the file is not JSON5: \(error)")])
    }
    guard let object = value.object else {
      return (
        configuration, [.configuration(path: url.path, problem: "the file must hold one object { … }")]
      )
    }
    var faults: [FamilyError] = []
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      do {
        try configuration.set(key, to: value)
      } catch {
        faults.append(.configuration(path: url.path, problem: error.problem, key: key))
      }
    }
    return (configuration, faults)
  }

  /// The advice for an unknown key.
  private static func hint(_ key: String, _ keys: [String]) -> String {
    NearName.of(key, among: keys).map { "perhaps “\($0)” is meant" }
      ?? "the keys are: \(keys.joined(separator: ", "))"
  }

  private struct Fault: Error {
    let problem: String

    init(_ problem: String) { self.problem = problem }

    /// A value of the wrong kind.
    init(key: String, expected: String) { problem = "“\(key)” must be \(expected)" }
  }

  private mutating func set(_ key: String, to value: JSON5Value) throws(Fault) {
    switch key {
    case "target": target = try Self.text(value, key)
    case "path": path = try Self.hops(value)
    case "renames": renames = try Self.statedRenames(value)
    case "inference": inference = try Self.word(value, key)
    case "dataLoss": dataLoss = try Self.word(value, key)
    case "acceptedLosses": acceptedLosses = try Self.acceptedLosses(value)
    case "cloudKit": cloudKit = try Self.word(value, key)
    case "strayRows": strayRows = try Self.word(value, key)
    case "unknownVersions": unknownVersions = try Self.word(value, key)
    case "configuration": self.configuration = try Self.text(value, key)
    case "validation": validation = try Self.word(value, key)
    case "order":
      guard let names = value.strings else {
        throw Fault(key: key, expected: "a list of mapping models' names")
      }
      var seen: Set<FileName> = []
      if let twice = names.first(where: { !seen.insert(FileName($0)).inserted }) {
        throw Fault("“order” names the mapping model “\(twice)” twice; leave it where its pass belongs")
      }
      order = names
    case "acceptStaleHashes":
      if let flag = value.boolean {
        acceptStaleHashes = flag ? .accept : .refuse
      } else if let names = value.strings {
        acceptStaleHashes = .acceptIn(names)
      } else {
        throw Fault(key: key, expected: "true, false or a list of mapping models' names")
      }
    case "worker":
      let path = try Self.text(value, key)
      guard path.hasPrefix("/") else { throw Fault(key: key, expected: "an absolute path of an executable") }
      worker = path
    case "requireExternalData":
      guard let flag = value.boolean else { throw Fault(key: key, expected: "true or false") }
      requireExternalData = flag
    case "keepAssociations":
      guard let flag = value.boolean else { throw Fault(key: key, expected: "true or false") }
      keepAssociations = flag
    case "chunkSize":
      let range = MappingLimits.chunkRows
      guard let size = value.integer, range.contains(size) else {
        throw Fault(key: key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      chunkSize = size
    default:
      throw Fault("there is no key “\(key)”; \(Self.hint(key, Self.keys))")
    }
  }

  private static func text(_ value: JSON5Value, _ key: String) throws(Fault) -> String {
    guard let text = value.string, !text.isEmpty else { throw Fault(key: key, expected: "a text in quotes") }
    return text
  }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ value: JSON5Value, _ key: String
  ) throws(Fault) -> Word where Word.RawValue == String {
    guard let word = value.string.flatMap(Word.init(rawValue:)) else {
      throw Fault(
        key: key, expected: "one of: " + Word.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", "))
    }
    return word
  }

  private static func hops(_ value: JSON5Value) throws(Fault) -> [Hop] {
    let hops: [Hop]
    if let names = value.strings, names.count > 1 {
      hops = zip(names, names.dropFirst()).map { Hop(source: $0, destination: $1) }
    } else if let pairs = value.array?.map({ $0.strings ?? [] }), !pairs.isEmpty,
      pairs.allSatisfy({ $0.count == 2 })
    {
      hops = pairs.map { Hop(source: $0[0], destination: $0[1]) }
    } else {
      throw Fault(key: "path", expected: "a list of two or more versions, or a list of pairs of versions")
    }
    var sources: Set<FileName> = []
    for hop in hops where !sources.insert(FileName(hop.source)).inserted {
      throw Fault("“path” leads from “\(hop.source)” to more than one version; leave one")
    }
    return hops
  }

  private static func acceptedLosses(_ value: JSON5Value) throws(Fault) -> AcceptedLosses {
    guard let texts = value.strings else {
      throw Fault(key: "acceptedLosses", expected: "a list of \"Entity\" and \"Entity.property\"")
    }
    var losses = AcceptedLosses()
    for text in texts {
      guard let name = AcceptedLosses.Name(text) else {
        throw Fault("“acceptedLosses” has “\(text)”; write \"Entity\" or \"Entity.property\"")
      }
      losses.names.append(name)
    }
    return losses
  }

  private static func statedRenames(_ value: JSON5Value) throws(Fault) -> [StatedRenames] {
    var stated: [StatedRenames] = []
    for element in value.array ?? [value] {
      guard let object = element.object else {
        throw Fault(
          key: "renames", expected: "an object { entities: { … }, properties: { … } }, or a list of them")
      }
      stated.append(try statedRenames(in: object))
    }
    return stated
  }

  private static func statedRenames(in object: [String: JSON5Value]) throws(Fault) -> StatedRenames {
    var stated = StatedRenames(destinations: [], renames: .none)
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      switch key {
      case "to":
        guard let names = value.strings ?? value.string.map({ [$0] }) else {
          throw Fault(key: "renames.to", expected: "a version or a list of versions")
        }
        stated.destinations = names
      case "entities":
        for (old, new) in try names(value, "renames.entities") { stated.renames.entities[old] = new }
      case "properties":
        for (old, new) in try names(value, "renames.properties") {
          let parts = old.split(separator: ".", maxSplits: 1).map(String.init)
          guard parts.count == 2 else {
            throw Fault("“renames.properties” has the key “\(old)”; write \"Entity.property\"")
          }
          stated.renames.properties[Renames.Property(entity: parts[0], name: parts[1])] = new
        }
      default:
        throw Fault("there is no key “renames.\(key)”; \(hint(key, ["entities", "properties", "to"]))")
      }
    }
    return stated
  }

  private static func names(_ value: JSON5Value, _ key: String) throws(Fault) -> [(String, String)] {
    guard let object = value.object else { throw Fault(key: key, expected: "an object { old: \"new\", … }") }
    var names: [(String, String)] = []
    for (old, value) in object { names.append((old, try text(value, "\(key).\(old)"))) }
    return names
  }
}
