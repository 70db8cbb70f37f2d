/// Why a property list can't be read.
public enum PropertyListError: Error, Hashable, CustomStringConvertible {
  case notAPropertyList
  case truncated(offset: Int)
  case badTrailer
  case badObject(offset: Int, marker: UInt8)
  case badReference(object: Int, count: Int)
  case cycle(object: Int)
  case tooDeep(limit: Int)
  case tooManyObjects(limit: Int)
  case tooManyBytes(limit: Int)
  case keyIsNotAString(object: Int)
  case duplicateKey(String)
  case badText(offset: Int)
  case malformedXML(String)

  public var description: String {
    switch self {
    case .notAPropertyList: "neither a binary nor an XML property list"
    case .truncated(let offset): "the property list ends inside the object at byte \(offset)"
    case .badTrailer: "the property list's trailer is invalid"
    case .badObject(let offset, let marker):
      "the property list has an object of unknown kind 0x\(String(marker, radix: 16)) at byte \(offset)"
    case .badReference(let object, let count):
      "the property list refers to object \(object), and the number of its objects is \(count)"
    case .cycle(let object): "object \(object) of the property list contains itself"
    case .tooDeep(let limit): "the property list is nested more than \(limit) levels deep"
    case .tooManyObjects(let limit): "the property list holds more than \(limit) values"
    case .tooManyBytes(let limit): "the property list expands to more than \(limit) bytes"
    case .duplicateKey(let key): "a dictionary of the property list has the key “\(key)” twice"
    case .keyIsNotAString(let object):
      "a dictionary of the property list has a key (object \(object)) that isn't a string"
    case .badText(let offset): "the property list has text of an invalid encoding at byte \(offset)"
    case .malformedXML(let reason): "the XML property list can't be read: \(reason)"
    }
  }
}
