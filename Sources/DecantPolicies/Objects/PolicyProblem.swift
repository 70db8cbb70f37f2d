internal import DecantMapping
internal import DecantSQLite
internal import Foundation

/// A wrong use of the API by a policy or a program; also the end of a migration that was cancelled.
public enum PolicyProblem: Error, CustomStringConvertible {
  /// `side` is “source”, “destination”, or nil if the message names no side; `known` are the entity's properties.
  case unknownKey(entity: String, side: String?, key: String, known: [String])
  case sourceIsReadOnly(object: String, property: String)
  case sourceKeepsObjects(object: String)
  /// A change of a store that a program has opened; `what` says what the program tried to do.
  case storeIsReadOnly(store: String, what: String)
  /// A key path that sets a key of a value.
  case valueInPlace(entity: String, path: String, key: String, found: String)
  case noSuchKey(String, found: String)
  case notAnObject(entity: String, property: String, found: String)
  case notACollection(entity: String, property: String, found: String)
  case wrongEntity(entity: String, property: String, found: String, wanted: String)
  /// An object of a store that the call doesn't accept, or of no store; `what` completes the sentence “OBJECT is …”.
  case foreignObject(object: String, what: String)
  case notRunning(String)
  /// A context that a program has made, and that has no stores.
  case noCoordinator
  /// A list of objects that a migration doesn't keep.
  case unlisted(String)
  case notAValue(entity: String, property: String, found: String)
  case unknownEntity(String)
  case abstractEntity(String)
  case unknownMapping(String)
  case deletedObject(String)
  case notStored(entity: String, property: String)
  case derived(entity: String, property: String)
  case unknownSelector(String, target: String)
  case unknownClass(String)
  /// A format that doesn't parse, or has an argument that can't be used.
  case unusableExpression(String, problem: String)
  /// A value of a type that predicates and expressions don't have.
  case unusableArgument(String)
  /// An item that was made in code and has no name.
  case unnamed(String)
  case stoppedByProgress
  case cancelled(any Error)

  public var description: String {
    switch self {
    case .unknownKey(let entity, let side, let key, let known):
      (side.map { "the \($0) " } ?? "") + "entity “\(entity)” has no property “\(key)”"
        + (NearName.of(key, among: known).map { "; perhaps “\($0)” is meant" } ?? "")
        + (known.isEmpty ? "" : ". Its properties are: \(NearName.list(known))")
    case .sourceIsReadOnly(let object, let property):
      "“\(property)” of the source object \(object) can't be set; the source stays as it is"
    case .sourceKeepsObjects(let object):
      "the source object \(object) can't be deleted, because the source stays as it is; remove the call"
    case .storeIsReadOnly(let store, let what):
      "\(what), but \(store) is opened for reading only; only a migration changes objects"
    case .valueInPlace(let entity, let path, let key, let found):
      "“\(key)” of “\(entity).\(path)” can't be set, because \(found) is a value; set a new value for “\(path)”"
    case .noSuchKey(let key, let found): "a value of type \(found) has no key “\(key)”"
    case .notAnObject(let entity, let property, let found):
      "“\(entity).\(property)” leads to objects; it was given \(found)"
    case .notACollection(let entity, let property, let found):
      "“\(entity).\(property)” is to-many and takes a set or an array of objects; it was given \(found)"
    case .wrongEntity(let entity, let property, let found, let wanted):
      "“\(entity).\(property)” leads to objects of “\(wanted)”; it was given \(found)"
    case .foreignObject(let object, let what): "\(object) is \(what)"
    case .notAValue(let entity, let property, let found):
      "“\(entity).\(property)” was given \(found), which no attribute holds; give a string, number, date, data, UUID or URL"
    case .unlisted(let name):
      "“\(name)” can't be listed, because a migration writes objects in chunks; keep the objects that you need in the policy, or fetch them"
    case .notRunning(let what): "\(what) belongs to no running migration"
    case .noCoordinator:
      "the context has no persistentStoreCoordinator; set this property, or use the viewContext of a container"
    case .unknownEntity(let name): "the model has no entity “\(name)”"
    case .abstractEntity(let name): "entity “\(name)” is abstract; make objects of one of its subentities"
    case .unknownMapping(let name): "no mapping model of this step has an entity mapping “\(name)”"
    case .deletedObject(let object): "\(object) has been deleted"
    case .notStored(let entity, let property):
      "“\(entity).\(property)” is stored in an unknown way; it can't be read or set"
    case .derived(let entity, let property):
      "“\(entity).\(property)” is derived; it is computed when the store is complete"
    case .unknownSelector(let selector, let target):
      "\(target) has no method “\(selector)”; add it to invoke(_:with:), which answers the messages of mapping models"
    case .unknownClass(let name):
      "the class “\(name)” isn't registered; register in the worker a policy of that name, or a type of that name that conforms to MigrationFunctions"
    case .unusableExpression(let text, let problem): "the expression “\(text)” can't be used: \(problem)"
    case .unusableArgument(let type): "an argument is of type \(type), which can't be used in an expression"
    case .unnamed(let what): "\(what) has no name"
    case .stoppedByProgress: "the migration was cancelled through its progress"
    case .cancelled(let error): "the policy cancelled the migration: \(Self.words(of: error))"
    }
  }

  /// The text of an error that a policy threw; for an NSError, it has the error's own text, domain and code.
  package static func words(of error: any Error) -> String {
    // The statement and the path of the file don't help a person who corrects the mapping model or the policy.
    if let error = error as? SQLiteError, error.isFunctionError { return error.message }
    guard type(of: error) == NSError.self else { return "\(error)" }
    let own = error as NSError
    return "\(own.localizedDescription) (\(own.domain) \(own.code))"
  }
}
