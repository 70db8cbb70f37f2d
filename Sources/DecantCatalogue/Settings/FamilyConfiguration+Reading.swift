internal import DecantMapping
internal import DecantModel
internal import FileNames
internal import Foundation

extension FamilyConfiguration {
  /// Reads a `family.json5`.
  ///
  /// - Throws: The first fault.
  static func read(at url: URL) throws(FamilyError) -> FamilyConfiguration {
    let (configuration, faults) = survey(at: url)
    if let first = faults.first { throw first }
    return configuration
  }

  /// Reads the readable part of a `family.json5`.
  ///
  /// The setting of a faulty key keeps its default.
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
      do throws(Fault) {
        guard let known = Key.all.first(where: { $0.name == key }) else {
          throw Fault("there is no key “\(key)”; \(hint(key, Key.all.map(\.name)))")
        }
        try known.read(value, &configuration)
      } catch {
        faults.append(.configuration(path: url.path, problem: error.problem, key: key))
      }
    }
    return (configuration, faults)
  }

  private static func hint(_ key: String, _ keys: [String]) -> String {
    NearName.of(key, among: keys).map { "perhaps “\($0)” is meant" }
      ?? "the keys are: \(keys.joined(separator: ", "))"
  }

  static func order(_ value: JSON5Value) throws(Fault) -> [String]? {
    var seen: Set<FileName> = []
    if let twice = value.strings?.first(where: { !seen.insert(FileName($0)).inserted }) {
      throw Fault("“order” names the mapping model “\(twice)” twice; remove one of the two")
    }
    return value.strings
  }

  static func hops(_ value: JSON5Value) throws(Fault) -> [Hop]? {
    let hops: [Hop]
    if let names = value.strings, names.count > 1 {
      hops = zip(names, names.dropFirst()).map { Hop(source: $0, destination: $1) }
    } else if let pairs = value.array?.map({ $0.strings ?? [] }), !pairs.isEmpty,
      pairs.allSatisfy({ $0.count == 2 })
    {
      hops = pairs.map { Hop(source: $0[0], destination: $0[1]) }
    } else {
      return nil
    }
    var sources: Set<FileName> = []
    for hop in hops where !sources.insert(FileName(hop.source)).inserted {
      throw Fault("“path” leads from “\(hop.source)” to more than one version; keep one")
    }
    return hops
  }

  static func losses(_ value: JSON5Value) throws(Fault) -> AcceptedLosses? {
    guard let texts = value.strings else { return nil }
    var losses = AcceptedLosses()
    for text in texts {
      guard let name = AcceptedLosses.Name(text) else {
        throw Fault("“acceptedLosses” has “\(text)”; write \"Entity\" or \"Entity.property\"")
      }
      losses.names.append(name)
    }
    return losses
  }

  static func statedRenames(_ value: JSON5Value) throws(Fault) -> [StatedRenames]? {
    var stated: [StatedRenames] = []
    for element in value.array ?? [value] {
      guard let object = element.object else { return nil }
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
    for (old, value) in object {
      guard let text = try Kind<String>.text.read(value) else {
        throw Fault(key: "\(key).\(old)", expected: Kind<String>.text.words)
      }
      names.append((old, text))
    }
    return names
  }
}
