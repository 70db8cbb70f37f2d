// Opens a delivered store with Apple's Core Data, on a Mac, and says whether everything is there.
//
//   swift verify-on-mac.swift STORE MODEL… [--version NAME] [--configuration NAME] [--keep]
//
// STORE is a store that Decant has delivered. MODEL is the compiled model of the version that it should have: a .momd
// (its current version, or the one that --version names) or a .mom. For a store of merged models, give several models.
// The script first copies the store, with its -wal and its external data (the hidden folder .NAME_SUPPORT beside it),
// and opens only the copy, without any migration. It reads every object, changes one object of each entity, saves,
// changes it back, saves again, and opens the copy again. --keep leaves the copy.
// Exit code 0: all passed, 1: something failed, 64: wrong usage.
//
// Needs macOS 11 or later and Xcode's command line tools; nothing else.

import Foundation

/// The command line.
struct Arguments {
  var store = ""
  var models: [String] = []
  var version: String?
  var configuration: String?
  var keepsCopy = false

  static let usage =
    "usage: swift verify-on-mac.swift STORE MODEL… [--version NAME] [--configuration NAME] [--keep]"

  /// `nil` if the words aren't a valid command line.
  init?(_ words: [String]) {
    var paths: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--version", "--configuration":
        guard let value = rest.popFirst() else { return nil }
        if word == "--version" { version = value } else { configuration = value }
      case "--keep": keepsCopy = true
      default:
        guard !word.hasPrefix("--") else { return nil }
        paths.append(word)
      }
    }
    guard paths.count >= 2 else { return nil }
    store = paths[0]
    models = Array(paths.dropFirst())
  }
}

/// An error whose text says what went wrong.
struct Failure: Error {
  let text: String
}

/// Throws `Failure` for a file that isn't SQLite, with a clearer message than Core Data's.
func checkFormat(of store: URL) throws {
  guard let file = try? FileHandle(forReadingFrom: store) else {
    throw Failure(text: "\(store.path) can't be read.")
  }
  defer { try? file.close() }
  let start = file.readData(ofLength: 16)
  if start == Data("SQLite format 3\0".utf8) { return }
  if start.starts(with: Data("<?xml".utf8)) {
    throw Failure(
      text:
        "\(store.path) is an XML store, which Decant hands on as it was where it had the target version already. Only "
        + "SQLite stores are checked here; “decant migrate --rewrite” makes one of it.")
  }
  throw Failure(text: "\(store.path) isn't an SQLite store.")
}

/// What the checks found, for the table and the verdict.
struct Findings {
  var rows: [[String]] = []
  private(set) var failures: [String] = []
  private(set) var notes: [String: Int] = [:]
  /// The number of references to missing objects.
  ///
  /// Decant keeps such references if the original has them.
  var dangling = 0
  /// The number of attributes whose values couldn't be counted in SQLite.
  var uncounted = 0

  mutating func fail(_ text: String) { failures.append(text) }
  /// Adds a fact that isn't a failure; equal notes are counted.
  mutating func note(_ text: String) { notes[text, default: 0] += 1 }

  /// Prints the table and the verdict; gives the exit code.
  mutating func report() -> Int32 {
    let head = ["Entity", "Objects", "In SQLite", "Values", "References", "External bytes"]
    let table = [head] + rows
    let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    for row in table {
      let cells = row.indices.map { column -> String in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 0 ? row[column] + space : space + row[column]
      }
      print(cells.joined(separator: "  "))
    }
    if dangling > 0 {
      note("\(dangling) references lead to objects that aren't there: compare with the warnings in report.txt.")
    }
    if uncounted > 0 { note("\(uncounted) attributes aren't counted against SQLite.") }
    if !notes.isEmpty { print("\nNotes") }
    for (text, count) in notes.sorted(by: { $0.key < $1.key }).prefix(40) {
      print("  " + text + (count > 1 ? " (\(count) times)" : ""))
    }
    if !failures.isEmpty { print("\nFailures") }
    for text in failures.prefix(40) { print("  " + text) }
    if failures.count > 40 { print("  … and \(failures.count - 40) more") }
    print(failures.isEmpty ? "\nPASS" : "\nFAIL")
    return failures.isEmpty ? 0 : 1
  }
}

/// A private copy of a store, so that the delivered store doesn't change.
struct StoreCopy {
  let folder: URL
  let store: URL

  init(of original: URL) throws {
    let files = FileManager.default
    guard files.fileExists(atPath: original.path) else {
      throw Failure(text: "There is no file \(original.path).")
    }
    folder = files.temporaryDirectory.appendingPathComponent("verify-on-mac-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    store = folder.appendingPathComponent(original.lastPathComponent)
    let name = original.lastPathComponent
    let support = ".\(original.deletingPathExtension().lastPathComponent)_SUPPORT"
    let parent = original.deletingLastPathComponent()
    for item in [name, name + "-wal", support] {
      let source = parent.appendingPathComponent(item)
      guard files.fileExists(atPath: source.path) else { continue }
      try files.copyItem(at: source, to: folder.appendingPathComponent(item))
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// Counts that SQLite itself gives, through the command `sqlite3` of macOS.
struct SQLiteCounts {
  private static let command = URL(fileURLWithPath: "/usr/bin/sqlite3")
  let store: URL

  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: command.path) }

  /// The rows of a query; `nil` if it can't be run.
  func rows(_ query: String) -> [[String]]? {
    guard Self.isThere else { return nil }
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.command
    process.arguments = ["-batch", "-separator", "\t", store.path, query]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Whether the store keeps persistent history; then history must stay on.
  var hasHistory: Bool {
    rows("SELECT count(*) FROM sqlite_master WHERE name = 'ATRANSACTION'")?.first?.first == "1"
  }

  /// The number of objects of an entity without its subentities, and the number of values by attribute.
  ///
  /// - Parameter root: The root entity of the hierarchy, which gives the table its name.
  func counts(entity: String, root: String, attributes: [String]) -> (objects: Int, values: [String: Int])? {
    let name = entity.replacingOccurrences(of: "'", with: "''")
    let columns = attributes.map { ", count([Z\($0.uppercased())])" }.joined()
    let query =
      "SELECT count(*)\(columns) FROM \"Z\(root.uppercased())\" "
      + "WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)')"
    guard let row = rows(query)?.first, row.count == attributes.count + 1, let objects = Int(row[0]) else {
      return attributes.isEmpty ? nil : counts(entity: entity, root: root, attributes: [])
    }
    var values: [String: Int] = [:]
    for (attribute, text) in zip(attributes, row.dropFirst()) { values[attribute] = Int(text) }
    return (objects, values)
  }
}

#if canImport(CoreData)
  import CoreData

  /// Leaves data unchanged, so that reading a transformable value needs no class of the application.
  @objc(DecantOpaqueData) final class OpaqueData: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { value }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value }
    static var transformerName: NSValueTransformerName { NSValueTransformerName("DecantOpaqueData") }
  }

  /// The description of an error, with the reasons that Core Data gives.
  func describe(_ error: Error) -> String {
    let error = error as NSError
    let reasons = error.userInfo.filter { $0.key != NSDetailedErrorsKey }.map { "\($0.key): \($0.value)" }
    return "\(error.localizedDescription) (\(error.domain) \(error.code)) "
      + reasons.sorted().joined(separator: "; ")
  }

  func ancestors(of entity: NSEntityDescription) -> Int {
    entity.superentity.map { ancestors(of: $0) + 1 } ?? 0
  }

  /// Reads one compiled model.
  ///
  /// - Parameters:
  ///   - version: The name of a version in a .momd.
  ///   - isOnlyOne: If false, a model without that version gives its current version.
  func readModel(at path: String, version: String?, isOnlyOne: Bool) throws -> NSManagedObjectModel {
    var url = URL(fileURLWithPath: path)
    let output = url.deletingPathExtension().lastPathComponent
    switch url.pathExtension {
    case "momd":
      if let version = version {
        let file = url.appendingPathComponent(version + ".mom")
        if isOnlyOne || FileManager.default.fileExists(atPath: file.path) { url = file }
      }
    case "mom": break
    case "xcdatamodeld":
      throw Failure(
        text: "Compile the model first: xcrun momc '\(url.path)' '\(NSTemporaryDirectory())\(output).momd'")
    case "xcdatamodel":
      throw Failure(
        text: "Compile the model first: xcrun momc '\(url.path)' '\(NSTemporaryDirectory())\(output).mom'")
    default: throw Failure(text: "\(url.path) isn't a compiled model (.momd or .mom).")
    }
    guard let model = NSManagedObjectModel(contentsOf: url) else {
      throw Failure(text: "\(url.path) can't be read as a compiled model.")
    }
    return model
  }

  /// Merges models.
  ///
  /// Core Data itself would raise an exception if they define an entity differently.
  func merged(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
    var hashes: [String: Data] = [:]
    for (name, hash) in models.flatMap({ $0.entityVersionHashesByName.map { ($0.key, $0.value) } }) {
      if let other = hashes[name], other != hash {
        throw Failure(text: "Two of the models define the entity “\(name)” differently; they can't be merged.")
      }
      hashes[name] = hash
    }
    guard let model = NSManagedObjectModel(byMerging: models) else {
      throw Failure(text: "The models can't be merged.")
    }
    return model
  }

  /// Reads the model of the wanted version, or merges several models.
  func readModel(_ arguments: Arguments) throws -> NSManagedObjectModel {
    let models = try arguments.models.map {
      try readModel(at: $0, version: arguments.version, isOnlyOne: arguments.models.count == 1)
    }
    let model = models.count == 1 ? models[0] : try merged(models)
    // The application's classes and transformers are missing here. A version's hashes don't depend on them.
    ValueTransformer.setValueTransformer(OpaqueData(), forName: OpaqueData.transformerName)
    let name = OpaqueData.transformerName.rawValue
    for entity in model.entities { entity.managedObjectClassName = NSStringFromClass(NSManagedObject.self) }
    // Parents first: an inherited attribute may be the parent's own.
    for entity in model.entities.sorted(by: { ancestors(of: $0) < ancestors(of: $1) }) {
      for attribute in entity.attributesByName.values
      where attribute.attributeType == .transformableAttributeType && attribute.valueTransformerName != name {
        attribute.valueTransformerName = name
      }
    }
    return model
  }

  /// A store opened without any migration.
  final class OpenStore {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(_ url: URL, model: NSManagedObjectModel, configuration: String?, hasHistory: Bool) throws {
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      var options: [String: Any] = [
        NSMigratePersistentStoresAutomaticallyOption: false, NSInferMappingModelAutomaticallyOption: false,
      ]
      if hasHistory { options[NSPersistentHistoryTrackingKey] = true }
      _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: configuration, at: url, options: options)
      context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      context.undoManager = nil
    }

    func close() throws {
      context.reset()
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    func count(_ entity: String) throws -> Int {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.includesSubentities = false
      return try context.count(for: request)
    }

    func identifiers(_ entity: String) throws -> [NSManagedObjectID] {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
      request.includesSubentities = false
      request.resultType = .managedObjectIDResultType
      return try context.fetch(request)
    }
  }

  /// The counts from reading all objects of one entity.
  struct EntityReading {
    var objects = 0
    var values: [String: Int] = [:]
    var externalBytes = 0
    /// Pairs by relationship.
    var pairs: [String: Int] = [:]
  }

  /// Goes through a store entity by entity.
  struct Verification {
    let model: NSManagedObjectModel
    let entities: [NSEntityDescription]
    let sqlite: SQLiteCounts
    private static let batch = 200

    /// The topmost entity that has the property, from which the others inherit it.
    private static func owner(of property: String, in entity: NSEntityDescription) -> NSEntityDescription {
      var owner = entity
      while let parent = owner.superentity, parent.propertiesByName[property] != nil { owner = parent }
      return owner
    }

    private static func root(of entity: NSEntityDescription) -> NSEntityDescription {
      var root = entity
      while let parent = root.superentity { root = parent }
      return root
    }

    /// Reads every object; gives the counts of objects.
    func readAll(_ open: OpenStore, _ findings: inout Findings) throws -> [String: Int] {
      var counts: [String: Int] = [:]
      var pairs: [String: Int] = [:]
      for entity in entities {
        let name = entity.name ?? ""
        let reading = try read(entity, name, open, &findings)
        counts[name] = reading.objects
        for (relationship, count) in reading.pairs {
          pairs["\(Self.owner(of: relationship, in: entity).name ?? "").\(relationship)", default: 0] += count
        }
        let inSQLite = compare(reading, entity, name, &findings)
        findings.rows.append([
          name, String(reading.objects), inSQLite, String(reading.values.values.reduce(0, +)),
          String(reading.pairs.values.reduce(0, +)),
          reading.externalBytes > 0 ? String(reading.externalBytes) : "",
        ])
      }
      comparePairs(pairs, &findings)
      return counts
    }

    private func read(
      _ entity: NSEntityDescription, _ name: String, _ open: OpenStore, _ findings: inout Findings
    ) throws -> EntityReading {
      var reading = EntityReading()
      let identifiers = try open.identifiers(name)
      if try open.count(name) != identifiers.count { findings.fail("\(name): a count differs from a fetch.") }
      for start in stride(from: 0, to: identifiers.count, by: Self.batch) {
        let part = Array(identifiers[start..<min(start + Self.batch, identifiers.count)])
        try autoreleasepool {
          let request = NSFetchRequest<NSManagedObject>(entityName: name)
          request.includesSubentities = false
          request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [part])
          request.returnsObjectsAsFaults = false
          let objects = try open.context.fetch(request)
          if objects.count != part.count {
            findings.fail("\(name): \(part.count - objects.count) objects can't be fetched.")
          }
          for object in objects { read(object, entity, name, open.context, &reading, &findings) }
          open.context.reset()
        }
      }
      return reading
    }

    private func read(
      _ object: NSManagedObject, _ entity: NSEntityDescription, _ name: String,
      _ context: NSManagedObjectContext,
      _ reading: inout EntityReading, _ findings: inout Findings
    ) {
      reading.objects += 1
      for (key, attribute) in entity.attributesByName where !attribute.isTransient {
        guard let value = object.value(forKey: key) else { continue }
        reading.values[key, default: 0] += 1
        if attribute.allowsExternalBinaryDataStorage, let data = value as? Data {
          reading.externalBytes += data.count
        }
      }
      for (key, relationship) in entity.relationshipsByName where !relationship.isTransient {
        let targets = Self.targets(of: key, object)
        let inverse = relationship.inverseRelationship
        for target in targets {
          guard (try? context.existingObject(with: target.objectID)) != nil else {
            findings.dangling += 1
            findings.note("\(name).\(key) leads to an object that isn't there.")
            continue
          }
          reading.pairs[key, default: 0] += 1
          guard let inverse = inverse, !inverse.isTransient, !inverse.isToMany else { continue }
          let back = target.value(forKey: inverse.name) as? NSManagedObject
          if back?.objectID != object.objectID {
            findings.fail(
              "\(name).\(key) of \(object.objectID.uriRepresentation()): “\(inverse.name)” doesn't lead back.")
          }
        }
      }
      do { try object.validateForUpdate() } catch {
        findings.note("\(name): an object doesn't pass its own validation, code \((error as NSError).code).")
      }
    }

    private static func targets(of key: String, _ object: NSManagedObject) -> [NSManagedObject] {
      switch object.value(forKey: key) {
      case let target as NSManagedObject: return [target]
      case let set as NSSet: return set.allObjects.compactMap { $0 as? NSManagedObject }
      case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObject }
      default: return []
      }
    }

    /// Compares the counts with SQLite's own; columns whose names aren't certain are skipped.
    ///
    /// - Returns: The number of objects in SQLite as text; “?” if they can't be counted.
    private func compare(
      _ reading: EntityReading, _ entity: NSEntityDescription, _ name: String, _ findings: inout Findings
    ) -> String {
      let root = Self.root(of: entity)
      var uses: [String: Set<String>] = [:]
      for member in model.entities where Self.root(of: member) == root {
        for key in member.propertiesByName.keys {
          uses[key.uppercased(), default: []].insert("\(Self.owner(of: key, in: member).name ?? "").\(key)")
        }
      }
      let attributes = entity.attributesByName.filter { key, attribute in
        !attribute.isTransient && uses[key.uppercased()]?.count == 1
      }.keys.sorted()
      let stored = entity.attributesByName.filter { !$0.value.isTransient }.keys.sorted()
      guard let counts = sqlite.counts(entity: name, root: root.name ?? "", attributes: attributes) else {
        if SQLiteCounts.isThere { findings.note("\(name): its table can't be counted in SQLite.") }
        findings.uncounted += stored.count
        return "?"
      }
      let left = stored.filter { counts.values[$0] == nil }
      if !left.isEmpty {
        findings.uncounted += left.count
        findings.note(
          "\(name): not counted in SQLite, as the columns can't be told: \(left.joined(separator: ", ")).")
      }
      if counts.objects != reading.objects {
        findings.fail("\(name): Core Data gives \(reading.objects) objects, the table has \(counts.objects).")
      }
      for (key, count) in counts.values.sorted(by: { $0.key < $1.key })
      where count != reading.values[key, default: 0] {
        findings.fail(
          "\(name).\(key): Core Data gives \(reading.values[key, default: 0]) values, the column has \(count).")
      }
      return String(counts.objects)
    }

    /// Checks that a relationship and its inverse have the same number of pairs.
    private func comparePairs(_ pairs: [String: Int], _ findings: inout Findings) {
      for entity in model.entities {
        for (key, relationship) in entity.relationshipsByName where Self.owner(of: key, in: entity) == entity {
          guard let inverse = relationship.inverseRelationship, !relationship.isTransient, !inverse.isTransient
          else {
            continue
          }
          let one = "\(entity.name ?? "").\(key)"
          let other = "\(Self.owner(of: inverse.name, in: inverse.entity).name ?? "").\(inverse.name)"
          let (first, second) = (pairs[one, default: 0], pairs[other, default: 0])
          if first != second, one < other {
            findings.fail("\(one) has \(first) pairs, \(other) has \(second).")
          }
        }
      }
    }

    /// Changes one object of each entity, saves, changes it back, and saves again.
    func touch(_ open: OpenStore, _ findings: inout Findings) throws {
      for entity in entities {
        let name = entity.name ?? ""
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        request.fetchLimit = 1
        guard let object = try open.context.fetch(request).first else { continue }
        guard let (key, changed) = change(of: object, entity) else {
          findings.note("\(name): no attribute that could be changed and changed back.")
          continue
        }
        let before = object.value(forKey: key)
        let steps: [Any?] = [changed, before]
        for value in steps {
          object.setValue(value, forKey: key)
          do { try open.context.save() } catch {
            open.context.rollback()
            let code = (error as NSError).code
            // NSValidationErrorMinimum to NSValidationErrorMaximum: rules of the model, which old objects may break.
            if (1550...1999).contains(code) || code == NSValidationMultipleErrorsError {
              findings.note("\(name): can't be saved because of its own validation, code \(code).")
            } else {
              findings.fail("\(name): a change can't be saved: \(describe(error))")
            }
            break
          }
        }
      }
      open.context.reset()
    }

    /// An attribute of the object, and another value that the attribute can have.
    private func change(of object: NSManagedObject, _ entity: NSEntityDescription) -> (String, Any)? {
      let unique = Set(entity.uniquenessConstraints.joined().compactMap { $0 as? String })
      var best: (rank: Int, key: String, value: Any)?
      for (key, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) {
        guard !attribute.isTransient, !unique.contains(key), !(attribute is NSDerivedAttributeDescription)
        else {
          continue
        }
        let value = object.value(forKey: key)
        let candidate: (rank: Int, value: Any)?
        switch attribute.attributeType {
        case .booleanAttributeType: candidate = (0, !((value as? Bool) ?? false))
        case .dateAttributeType: candidate = (1, ((value as? Date) ?? Date()).addingTimeInterval(1))
        case .doubleAttributeType: candidate = (2, ((value as? Double) ?? 0) + 1)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
          let number = (value as? Int) ?? 0
          candidate = (3, number > 0 ? number - 1 : number + 1)
        case .stringAttributeType: candidate = (4, ((value as? String) ?? "") + "x")
        default: candidate = nil
        }
        if let candidate = candidate, candidate.rank < best?.rank ?? Int.max {
          best = (candidate.rank, key, candidate.value)
        }
      }
      return best.map { ($0.key, $0.value) }
    }
  }

  /// Names what differs between a store and a model.
  func incompatibility(_ metadata: [String: Any], _ model: NSManagedObjectModel, _ arguments: Arguments)
    -> String
  {
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let own = model.entityVersionHashesByName
    let names = Set(stored.keys).union(own.keys).filter { stored[$0] != own[$0] }.sorted()
    var text = "The store is not of this model version; entities that differ: \(names.joined(separator: ", "))."
    // If there is only one model, the store's version is looked for in it.
    let folder = URL(fileURLWithPath: arguments.models.first ?? "")
    if arguments.models.count == 1, folder.pathExtension == "momd",
      let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    {
      for file in files where file.pathExtension == "mom" {
        guard let other = NSManagedObjectModel(contentsOf: file), other.entityVersionHashesByName == stored
        else {
          continue
        }
        text += " It is of “\(file.deletingPathExtension().lastPathComponent)” (give that with --version)."
      }
    }
    return text
  }

  func verify(_ arguments: Arguments) throws -> Int32 {
    try checkFormat(of: URL(fileURLWithPath: arguments.store))
    let model = try readModel(arguments)
    if let configuration = arguments.configuration, !model.configurations.contains(configuration) {
      throw Failure(text: "The model has no configuration “\(configuration)”.")
    }
    let copy = try StoreCopy(of: URL(fileURLWithPath: arguments.store))
    defer { if !arguments.keepsCopy { copy.remove() } }
    if arguments.keepsCopy { print("The copy stays in \(copy.folder.path).") }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: copy.store, options: nil)
    guard model.isConfiguration(withName: arguments.configuration, compatibleWithStoreMetadata: metadata) else {
      throw Failure(text: incompatibility(metadata, model, arguments))
    }
    let sqlite = SQLiteCounts(store: copy.store)
    let hasHistory = sqlite.hasHistory
    let members = arguments.configuration.flatMap { model.entities(forConfigurationName: $0) } ?? model.entities
    let verification = Verification(
      model: model, entities: members.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") },
      sqlite: sqlite)
    func open() throws -> OpenStore {
      try OpenStore(
        copy.store, model: model, configuration: arguments.configuration, hasHistory: hasHistory)
    }
    var findings = Findings()
    if !SQLiteCounts.isThere { findings.note("/usr/bin/sqlite3 is not here: its counts are not compared.") }
    if hasHistory { findings.note("The store keeps persistent history, which was left on.") }
    let first = try open()
    let counts = try verification.readAll(first, &findings)
    try verification.touch(first, &findings)
    try first.close()
    let second = try open()
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      let now = try second.count(name)
      if now != count { findings.fail("\(name): \(count) objects before saving, \(now) after opening again.") }
    }
    try second.close()
    return findings.report()
  }
#else
  func describe(_ error: Error) -> String { "\(error)" }

  func verify(_ arguments: Arguments) throws -> Int32 {
    throw Failure(text: "Core Data is not here: this has to run on a Mac.")
  }
#endif

func run() -> Int32 {
  guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
    print(Arguments.usage)
    return 64
  }
  do {
    return try verify(arguments)
  } catch let failure as Failure {
    print("FAIL: \(failure.text)")
  } catch {
    print("FAIL: \(describe(error))")
  }
  return 1
}

exit(run())
