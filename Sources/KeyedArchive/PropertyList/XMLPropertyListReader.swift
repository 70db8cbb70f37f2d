internal import Foundation

/// Reads the XML form through Foundation, and converts the objects into values.
enum XMLPropertyListReader {
  static func read(_ data: Data, limits: PropertyListLimits) throws(PropertyListError) -> PropertyList {
    let object: Any
    do {
      var format = PropertyListSerialization.PropertyListFormat.xml
      object = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
      guard format == .xml else { throw PropertyListError.notAPropertyList }
    } catch let error as PropertyListError {
      throw error
    } catch {
      throw .notAPropertyList
    }
    var left = limits.maximumValues
    return try value(object, depth: 0, limits: limits, left: &left)
  }

  private static func value(
    _ object: Any, depth: Int, limits: PropertyListLimits, left: inout Int
  ) throws(PropertyListError) -> PropertyList {
    guard depth <= limits.maximumDepth else { throw .tooDeep(limit: limits.maximumDepth) }
    left -= 1
    guard left >= 0 else { throw .tooManyObjects(limit: limits.maximumValues) }
    switch object {
    case let text as String: return .string(text)
    case let data as Data: return .data(data)
    case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
    case let elements as [Any]:
      var list: [PropertyList] = []
      for element in elements { list.append(try value(element, depth: depth + 1, limits: limits, left: &left)) }
      return .array(list)
    case let entries as [String: Any]:
      var list: [String: PropertyList] = [:]
      for (key, entry) in entries {
        list[key] = try value(entry, depth: depth + 1, limits: limits, left: &left)
      }
      return .dictionary(list)
    case let number as NSNumber: return Self.number(number)
    default: throw .malformedXML("a value of kind \(type(of: object))")
    }
  }

  private static func number(_ number: NSNumber) -> PropertyList {
    switch String(cString: number.objCType) {
    case "c", "B": .boolean(number.boolValue)
    case "d": .real(number.doubleValue)
    case "f": .single(number.floatValue)
    case "Q":
      number.uint64Value > UInt64(Int64.max) ? .unsigned(number.uint64Value) : .integer(number.int64Value)
    default: .integer(number.int64Value)
    }
  }
}
