package import KeyedArchive

/// Why an archive can't become an object, or an object can't become an archive.
package enum ArchivedObjectProblem: Error, CustomStringConvertible {
  case archive(ArchiveError)
  /// An object of a class that the program doesn't have.
  case missingClass(String)
  /// An object of a class that a secure transformer doesn't allow.
  case notAllowed(String, allowed: [String])
  /// An archived object of Foundation that can't be made, such as a list with nil as a member.
  case unusable(className: String)
  /// An object that contains itself.
  case circle(className: String)
  /// The app's class returned nil.
  case refused(className: String)
  /// The app's class refused with an error.
  case failed(String)
  /// A class of Foundation whose archived form isn't known.
  case foundationClass(String)
  /// A type that no archive can hold.
  case notArchivable(type: String)
  /// An app's class whose name in the app isn't known.
  case unnamedClass(type: String)
  case tooLarge(limit: Int)
  case tooDeep(limit: Int)
  /// A value to archive that contains itself.
  case containsItself(type: String)
  /// An archived set or dictionary with a member or key that can't be compared here, such as a very large one.
  case unusableMember(className: String, member: String)
  /// An archived object whose list of classes doesn't begin with the name of the object's class.
  case falseClasses(className: String)
  /// Data that may be stored bytes: policies got so many values that Decant no longer knows all of them.
  case forgottenData(limit: Int)
  /// Data that equal the stored bytes of an object that was migrated earlier.
  case earlierData
  /// Too many members of sets, or dictionary keys, that need an archive of their own to be ordered.
  case tooManyOrders(limit: Int)
  /// Too many levels of sets in sets.
  case tooManySets(limit: Int)
  /// A call of `NSCoder` without a key, or in another form that isn't supported.
  case unsupportedCoding(String)

  package var description: String {
    switch self {
    case .archive(let error): "the archive can't be read: \(error)"
    case .missingClass(let name): "the archive has an object of class \(name), which this program doesn't have"
    case .notAllowed(let name, let allowed):
      "the archive has an object of class \(name), and its transformer allows only \(allowed.joined(separator: ", "))"
    case .unusable(let name): "the archive has a \(name) that can't be read here"
    case .circle(let name): "the archive has an object of class \(name) that contains itself"
    case .refused(let name): "the class \(name) made no object from its archive: init(coder:) returned nil"
    case .failed(let error): "an object's class refused its archive: \(error)"
    case .foundationClass(let name):
      "Decant can't read or write an object of Foundation's class \(name); keep the stored bytes, or give a class of your own for "
        + "the name with NSKeyedUnarchiver.setClass(_:forClassName:)"
    case .notArchivable(let type):
      "a value of type \(type) can't be archived; give a text, number, date, data, UUID or URL, an array, dictionary or "
        + "set of them, or an object with NSCoding"
    case .unnamedClass(let type):
      "the name of the class \(type) in the app isn't known; set it with "
        + "NSSecureUnarchiveFromDataTransformer.setClassName(\"Module.Class\", for: \(type).self)"
    case .tooLarge(let limit):
      "the value has more than \(limit) objects; an object at several places counts each time"
    case .tooDeep(let limit): "the value is nested more than \(limit) levels deep"
    case .containsItself(let type): "the value has an object of type \(type) that contains itself"
    case .unusableMember(let name, let member):
      "the archive has a \(name) with \(member) as a member or key, which can't be compared here"
    case .falseClasses(let name):
      "the archive has an object of class \(name), and the list of its classes begins with another name"
    case .forgottenData(let limit):
      "the policies got more than \(limit) values of the store as Data, so Decant no longer knows whether these Data "
        + "are stored bytes. Set the bytes of an object while that object is migrated"
    case .earlierData:
      "these Data equal the stored bytes of another object's unreadable value, so Decant can't know whether to store "
        + "them or to archive them. To store them unchanged, pass the value on without a cast to Data. To archive them, "
        + "set an archive of them"
    case .tooManyOrders(let limit):
      "the value's sets and dictionary keys have more than \(limit) members that are collections or the app's objects"
    case .tooManySets(let limit):
      "the value's sets and dictionary keys are nested more than \(limit) levels deep"
    case .unsupportedCoding(let call): "\(call) isn't supported; use the methods with keys"
    }
  }
}
