/// A fault of a model, or of its file.
public indirect enum ModelError: Error, Hashable, CustomStringConvertible {
  case inFile(path: String, ModelError)
  case noSuchFile
  case unreadable(reason: String)
  case notAModel(what: String)
  case unsupported(format: String, advice: String)
  case malformed(line: Int, reason: String)
  /// An invalid keyed archive; `place` is a part of the model, such as an entity or a property, or empty.
  case archive(place: String, reason: String)
  case badModelCache(reason: String)
  case onlyOptimised([String])
  case missingAttribute(element: String, attribute: String, line: Int)
  case badValue(element: String, attribute: String, value: String, expected: String)
  case duplicateEntity(String)
  case duplicateProperty(entity: String, property: String)
  case unknownSuperentity(entity: String, superentity: String)
  case inheritanceCycle(entity: String)
  case inheritanceTooDeep(entity: String, limit: Int)
  case tooManyProperties(entity: String?, limit: Int)
  case unknownDestination(entity: String, relationship: String, destination: String?)
  case unknownInverse(entity: String, relationship: String, destination: String, inverse: String)
  case unknownComposite(entity: String, attribute: String, composite: String)
  case compositeCycle(entity: String, attribute: String, composite: String)
  case compositeTooDeep(entity: String, attribute: String, limit: Int)
  case compositeTooLarge(entity: String, attribute: String, limit: Int)
  case unknownEntity(String, whereNamed: String)
  /// Two models to be merged define an entity differently.
  case conflictingEntity(String)
  case noVersions
  case severalVersions([String])
  case noSuchVersion(String, existing: [String])

  public var description: String {
    switch self {
    case .inFile(let path, let error): "\(path): \(error)"
    case .noSuchFile: "no such file or folder"
    case .unreadable(let reason): "can't be read: \(reason)"
    case .notAModel(let what): "not a Core Data model: \(what)"
    case .unsupported(let format, let advice):
      "the model is in the form “\(format)”, which isn't read: \(advice)"
    case .malformed(let line, let reason): "line \(line): \(reason)"
    case .archive(let place, let reason): place.isEmpty ? reason : "\(place): \(reason)"
    case .badModelCache(let reason):
      "the store's model cache (Z_MODELCACHE) can't be used: \(reason); give the store's model in a catalogue"
    case .onlyOptimised(let files):
      "the folder holds optimised models only (\(files.joined(separator: ", "))), which Decant never reads; "
        + "copy the .mom of the same name beside them"
    case .missingAttribute(let element, let attribute, let line):
      "line \(line): element “\(element)” lacks its attribute “\(attribute)”"
    case .badValue(let element, let attribute, let value, let expected):
      "\(element): “\(attribute)” is “\(value)”, where \(expected) is expected"
    case .duplicateEntity(let name): "entity “\(name)” is there twice; rename or remove one in the model editor"
    case .duplicateProperty(let entity, let property):
      "entity “\(entity)”: property “\(property)” is there twice; rename or remove one in the model editor"
    case .unknownSuperentity(let entity, let superentity):
      "entity “\(entity)” has the parent “\(superentity)”, which the model doesn't have; add it or clear the parent"
    case .inheritanceCycle(let entity): "entity “\(entity)” is its own ancestor; correct the parent entities"
    case .inheritanceTooDeep(let entity, let limit):
      "entity “\(entity)” has more than \(limit) ancestors; correct the parent entities"
    case .tooManyProperties(let entity?, let limit):
      "entity “\(entity)” has more than \(limit) properties, own and inherited, which no genuine model has"
    case .tooManyProperties(nil, let limit):
      "the model's entities have more than \(limit) properties in all, own and inherited, which no genuine model has"
    case .unknownDestination(let entity, let relationship, let destination?):
      "entity “\(entity)”: relationship “\(relationship)” leads to entity “\(destination)”, which the model doesn't "
        + "have; correct its destination in the model editor"
    case .unknownDestination(let entity, let relationship, nil):
      "entity “\(entity)”: relationship “\(relationship)” has no destination; set it in the model editor"
    case .unknownInverse(let entity, let relationship, let destination, let inverse):
      "entity “\(entity)”: relationship “\(relationship)” names the inverse “\(inverse)”, which entity "
        + "“\(destination)” doesn't have; correct the inverse in the model editor"
    case .unknownComposite(let entity, let attribute, let composite):
      "entity “\(entity)”: attribute “\(attribute)” is of the composite “\(composite)”, which the model doesn't have"
    case .compositeCycle(let entity, let attribute, let composite):
      "entity “\(entity)”: attribute “\(attribute)” is of the composite “\(composite)”, which contains itself"
    case .compositeTooDeep(let entity, let attribute, let limit):
      "entity “\(entity)”: composite attribute “\(attribute)” is nested more than \(limit) levels deep"
    case .compositeTooLarge(let entity, let attribute, let limit):
      "entity “\(entity)”: composite attribute “\(attribute)” has more than \(limit) elements"
    case .unknownEntity(let name, let place): "\(place) names entity “\(name)”, which the model doesn't have"
    case .conflictingEntity(let name):
      "entity “\(name)” is defined differently by two models that are to be merged"
    case .noVersions:
      "the folder holds no model version (*.xcdatamodel or *.mom); copy the whole .xcdatamodeld or .momd"
    case .severalVersions(let names):
      "the folder holds \(names.count) versions and doesn't say which one is current; name one "
        + "as BUNDLE#VERSION: \(names.joined(separator: ", "))"
    case .noSuchVersion(let name, let existing):
      "there is no version “\(name)”; there are: \(existing.joined(separator: ", "))"
    }
  }
}
