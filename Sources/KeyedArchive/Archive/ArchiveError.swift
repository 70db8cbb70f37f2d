/// Why bytes aren't a valid keyed archive, or aren't the expected archive.
public enum ArchiveError: Error, Hashable, CustomStringConvertible {
  case notBinary
  case propertyList(PropertyListError)
  case notAnArchive(reason: String)
  case tooManyBytes(limit: Int)
  case tooManyObjects(limit: Int)
  /// A walk has read more members of collections than allowed.
  case tooManyMembers(limit: Int)
  case badReference(object: Int, count: Int)
  case wrongKind(className: String, key: String, found: String, expected: String)
  case missing(className: String, key: String)
  case unequalCounts(className: String, keys: Int, values: Int)
  case repeatedKey(String)
  case unknownClass(String, expected: String)
  case tooDeep(limit: Int)

  public var description: String {
    switch self {
    case .notBinary: "not a keyed archive in binary form; it is damaged or of another kind"
    case .propertyList(let error): error.description
    case .notAnArchive(let reason): "not a keyed archive: \(reason)"
    case .tooManyBytes(let limit): "the archive is larger than \(limit) bytes"
    case .tooManyObjects(let limit): "the archive's table has more than \(limit) objects"
    case .tooManyMembers(let limit): "the archive's collections lead to more than \(limit) members"
    case .badReference(let object, let count):
      "the archive refers to object \(object), and the number of objects in its table is \(count)"
    case .wrongKind(let className, let key, let found, let expected):
      "“\(key)” of an archived \(className) is \(found), where \(expected) is expected"
    case .missing(let className, let key): "an archived \(className) lacks “\(key)”"
    case .unequalCounts(let className, let keys, let values):
      "an archived \(className) has \(keys) key\(keys == 1 ? "" : "s") and \(values) value\(values == 1 ? "" : "s")"
    case .repeatedKey(let key): "an archived dictionary has the key “\(key)” twice"
    case .unknownClass(let name, let expected):
      "an object of class “\(name)” stands where \(expected) is expected"
    case .tooDeep(let limit): "the archive's objects are nested more than \(limit) levels deep"
    }
  }
}
