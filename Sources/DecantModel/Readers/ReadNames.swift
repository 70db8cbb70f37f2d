/// Names that the forms of a model write in several ways.
enum ReadNames {
  /// A class name; `nil` for an empty name and for `NSManagedObject`, the default class of entities.
  static func managedObjectClass(_ name: String?) -> String? {
    name.flatMap { $0.isEmpty || $0 == "NSManagedObject" ? nil : $0 }
  }

  /// A renaming identifier; `nil` if it is empty, or equals the present name.
  ///
  /// Compiled models write the present name by default.
  static func renamingIdentifier(_ identifier: String?, of name: String) -> String? {
    identifier.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
  }
}
