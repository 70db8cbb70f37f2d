import CoreData

/// A class with a method that a mapping model calls.
///
/// It stands for: `FUNCTION(CAST("AgeFunctions", "Class"), "words:", …)`, which calls a class method on a Mac.
final class AgeFunctions: NSObject, MigrationFunctions {
  class func words(_ edad: NSNumber?) -> String { (edad?.intValue ?? 0) > 30 ? "older" : "younger" }

  static func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
    switch selector {
    case "words:": return words(arguments.first as? NSNumber)
    default: throw CocoaError(.migration)
    }
  }
}
