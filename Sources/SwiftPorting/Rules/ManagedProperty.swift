/// The computed property that replaces a managed property.
struct ManagedProperty {
  let name: String
  let type: String
  /// The raw types of the app's enumerations, by name.
  let rawTypes: [String: String]

  private static let numbers: [String: (member: String, none: String)] = [
    "Int16": ("int16Value", "0"), "Int32": ("int32Value", "0"), "Int64": ("int64Value", "0"),
    "Int": ("intValue", "0"), "Double": ("doubleValue", "0"), "Float": ("floatValue", "0"),
    "TimeInterval": ("doubleValue", "0"), "Bool": ("boolValue", "false"),
  ]
  /// The code of a non-optional property's value if the object has no value, by type.
  private static let empty = [
    "String": "\"\"", "Data": "Data()", "Date": "Date(timeIntervalSinceReferenceDate: 0)", "NSSet": "NSSet()",
    "NSOrderedSet": "NSOrderedSet()", "NSNumber": "0", "NSDecimalNumber": "NSDecimalNumber.zero",
  ]

  /// The name of the entity's property: the property “primitiveNombre” of a class stands for “nombre”.
  private var key: String {
    let rest = name.dropFirst("primitive".count)
    guard name.hasPrefix("primitive"), let first = rest.first, first.isUppercase else { return name }
    return first.lowercased() + rest.dropFirst()
  }

  var body: MemberBody {
    let isOptional = type.hasSuffix("?") || type.hasSuffix("!")
    let plain = isOptional ? String(type.dropLast()) : type
    let key = "forKey: \"\(key)\""
    let number = "(value(\(key)) as? NSNumber)?"
    if let (member, none) = Self.numbers[plain] {
      return made(
        get: isOptional ? "\(number).\(member)" : "\(number).\(member) ?? \(none)",
        set: isOptional ? "newValue.map { NSNumber(value: $0) }" : "NSNumber(value: newValue)")
    }
    if let element = Self.element(of: plain, "Set") {
      let members = "(value(\(key)) as? NSSet)"
      return made(
        get: isOptional
          ? "\(members).map { Set($0.allObjects as? [\(element)] ?? []) }"
          : "Set(\(members)?.allObjects as? [\(element)] ?? [])",
        set: isOptional ? "newValue.map { NSSet(array: Array($0)) }" : "NSSet(array: Array(newValue))")
    }
    if let raw = rawTypes[plain], let body = enumeration(plain, raw, isOptional) { return body }
    if isOptional {
      return made(get: plain == "Any" ? "value(\(key))" : "value(\(key)) as? \(plain)", set: "newValue")
    }
    if let none = Self.empty[plain] {
      return made(get: "value(\(key)) as? \(plain) ?? \(none)", set: "newValue")
    }
    return made(
      get: "value(\(key)) as! \(plain)",  // The cast is in the app's code; the remark warns of it.
      set: "newValue",
      remarks: [
        "the program ends if the value of “\(name)” is missing, or of another class than \(plain); "
          + "if old stores may have such values, make the type optional"
      ])
  }

  private func enumeration(_ plain: String, _ raw: String, _ isOptional: Bool) -> MemberBody? {
    let key = "forKey: \"\(key)\""
    let value: String
    let stored: (String) -> String
    if let (member, _) = Self.numbers[raw] {
      value = "(value(\(key)) as? NSNumber)?.\(member)"
      stored = { "NSNumber(value: \($0).rawValue)" }
    } else if raw == "String" {
      value = "(value(\(key)) as? String)"
      stored = { "\($0).rawValue" }
    } else {
      return nil
    }
    if isOptional {
      return made(get: "\(value).flatMap(\(plain).init(rawValue:))", set: "newValue.map { \(stored("$0")) }")
    }
    let none = Self.numbers[raw]?.none ?? "\"\""
    return made(
      get: "\(plain)(rawValue: \(value) ?? \(none))!", set: stored("newValue"),
      remarks: ["“\(name)” ends the program if an object's value isn't a case of \(plain)"])
  }

  private func made(get: String, set: String, remarks: [String] = []) -> MemberBody {
    MemberBody(
      lines: ["get { \(get) }", "set { setValue(\(set), forKey: \"\(key)\") }"],
      change: "writes @NSManaged “\(name)” as a computed property", remarks: remarks)
  }

  /// The code of `T` in `Set<T>`; nil for another type, and for `AnyHashable`.
  private static func element(of type: String, _ collection: String) -> String? {
    guard type.hasPrefix(collection + "<"), type.hasSuffix(">") else { return nil }
    let element = type.dropFirst(collection.count + 1).dropLast().filter { $0 != " " }
    return element == "AnyHashable" || element.isEmpty ? nil : element
  }
}
