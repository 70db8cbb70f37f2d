import CoreData

/// Migrates contacts of two old versions to the third.
///
/// The user info of each mapping model says which version the mapping model reads.
final class ContactPolicy: NSEntityMigrationPolicy {
  enum Problem: Error, CustomStringConvertible {
    case unknownVersion(String?)

    var description: String {
      switch self {
      case .unknownVersion(let version):
        "The mapping model's user info has the sourceVersion \(version ?? "nil"); “1” and “2” are known."
      }
    }
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let name: (first: String?, last: String?)
    let version = mapping.userInfo?["sourceVersion"] as? String
    switch version {
    case "1": name = Self.names(ofFull: sInstance.value(forKey: "fullName") as? String)
    case "2": name = Self.names(ofSorted: sInstance.value(forKey: "sortName") as? String)
    default: throw Problem.unknownVersion(version)
    }
    let contact = NSEntityDescription.insertNewObject(
      forEntityName: "Contact", into: manager.destinationContext)
    contact.setValue(name.first, forKey: "firstName")
    contact.setValue(name.last, forKey: "lastName")
    let identifier = sInstance.value(forKey: "identifier") as? NSNumber
    contact.setValue(identifier?.stringValue ?? "", forKey: "identifier")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: contact, for: mapping)
  }

  /// The first word, and the last word if there are several.
  static func names(ofFull text: String?) -> (first: String?, last: String?) {
    let words = text?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    return (words.first, words.count > 1 ? words.last : nil)
  }

  /// “last, first”, or a single name.
  static func names(ofSorted text: String?) -> (first: String?, last: String?) {
    guard let text else { return (nil, nil) }
    let parts = text.components(separatedBy: ",")
    guard parts.count > 1 else { return (names(ofFull: text).first, nil) }
    return (names(ofFull: parts[1]).first, parts[0].trimmingCharacters(in: .whitespaces))
  }
}
