/// What the forms of a model write in several ways for one thing.
enum ReadNames {
  /// A class name, `nil` where it is the class that every entity has without one.
  static func managedObjectClass(_ name: String?) -> String? {
    name.flatMap { $0.isEmpty || $0 == "NSManagedObject" ? nil : $0 }
  }

  /// A renaming identifier, `nil` where it is the own name, which compiled models write when there is no other.
  static func renamingIdentifier(_ identifier: String?, of name: String) -> String? {
    identifier.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
  }
}
