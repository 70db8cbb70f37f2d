package import DecantModel

/// A value that a destination attribute can't hold.
package struct ValueMisfit: Error, Hashable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The value's kind doesn't convert into the attribute's.
    case otherKind
    /// The number is outside the attribute's range.
    case noRoom
    /// The storage of the attribute's type is unknown.
    case noStorage
  }

  package let entity: String
  package let attribute: String
  package let type: AttributeType
  /// The kind of the value as text, such as “a string”.
  package let found: String
  package let reason: Reason

  package var description: String {
    let place = "“\(entity).\(attribute)” is of type \(type.name)"
    switch reason {
    case .otherKind: return "\(place) and can't take \(found); \(advice)"
    case .noRoom:
      return "\(place) and has no room for \(found) of that size; widen its type or change the expression"
    case .noStorage: return "\(place), whose storage isn't known; leave it out of the mapping"
    }
  }

  private var advice: String {
    switch type.content {
    case .integer, .boolean, .real: "convert it, as in CAST(value, \"NSNumber\")"
    case .decimal: "convert it, as in CAST(value, \"NSDecimalNumber\")"
    case .string: "convert it, as in CAST(value, \"NSString\")"
    case .date: "convert it, as in CAST(seconds, \"NSDate\")"
    case .uuid: "convert it, as in CAST(text, \"NSUUID\")"
    case .url: "convert it, as in CAST(text, \"NSURL\")"
    case .data(isTransformed: false): "convert it, as in CAST(base64, \"NSData\")"
    case .data, nil: "a policy has to make the value"
    }
  }
}
