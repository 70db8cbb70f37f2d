internal import DecantModel
internal import Foundation

/// The Swift type of a transformable attribute's values.
enum TransformableType {
  /// The class that the model names if every worker has it; else `Any`, which also holds objects of the app's own
  /// classes.
  static func name(of attribute: Attribute) -> String {
    guard let name = attribute.customClassName?.filter({ $0 != " " }), isKnown(Substring(name), depth: 0) else {
      return "Any"
    }
    return name.replacing(":", with: ": ").replacing(",", with: ", ")
  }

  private static let known: Set<Substring> = [
    "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSString",
    "NSMutableString", "NSNumber", "NSDecimalNumber", "NSDate", "NSData", "NSMutableData", "NSURL", "NSUUID",
    "NSNull", "NSObject", "String", "Date", "Data", "URL", "UUID", "Bool", "Int", "Int16", "Int32", "Int64",
    "Double", "Float", "Decimal", "Any", "AnyHashable",
  ]

  private static let mostDepth = 8

  private static func isKnown(_ name: Substring, depth: Int) -> Bool {
    guard depth < mostDepth else { return false }
    if known.contains(name) { return true }
    if name.hasPrefix("["), name.hasSuffix("]") {
      let inner = name.dropFirst().dropLast()
      return isKnown(inner, depth: depth + 1) || hasKnownParts(inner, ":", depth)
    }
    guard name.hasSuffix(">"), let start = name.firstIndex(of: "<") else { return false }
    let inner = name[name.index(after: start)...].dropLast()
    switch name[..<start] {
    case "Array": return isKnown(inner, depth: depth + 1)
    case "Set": return known.contains(inner) && inner != "Any"
    case "Dictionary": return hasKnownParts(inner, ",", depth)
    default: return false
    }
  }

  private static func hasKnownParts(_ text: Substring, _ mark: Character, _ depth: Int) -> Bool {
    guard let place = text.firstIndex(of: mark) else { return false }
    return known.contains(text[..<place]) && text[..<place] != "Any"
      && isKnown(text[text.index(after: place)...], depth: depth + 1)
  }
}
