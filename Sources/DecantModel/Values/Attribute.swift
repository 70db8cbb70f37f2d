/// An attribute of an entity, or an element of a composite attribute.
public struct Attribute: Sendable, Hashable {
  /// Limits on the value of a number or date, or on the length of a string (docs/formats/model-files.md 2.4).
  public struct Limits: Sendable, Hashable {
    public var minimum: AttributeValue?
    public var maximum: AttributeValue?
    /// A regular expression that a string must match as a whole.
    public var regularExpression: String?
    /// The model's warning for a value below the minimum; `nil` for none, and for Core Data's own error code.
    public var minimumWarning: ValidationWarning?
    /// The model's warning for a value above the maximum; `nil` for none, and for Core Data's own error code.
    public var maximumWarning: ValidationWarning?
    /// The model's warning for a string that doesn't match; `nil` for none, and for Core Data's own error code.
    public var patternWarning: ValidationWarning?

    public init(
      minimum: AttributeValue? = nil, maximum: AttributeValue? = nil, regularExpression: String? = nil
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.regularExpression = regularExpression
    }
  }

  public var name: String
  public var type: AttributeType
  public var isOptional: Bool
  public var isTransient: Bool
  /// The single-column index flag of older models.
  public var isIndexed: Bool
  /// The name in an earlier version; `nil` if the model states none.
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var defaultValue: AttributeValue?
  public var limits: Limits
  /// Validation predicates other than limits.
  public var validationPredicates: [ValidationPredicate]
  public var allowsExternalBinaryDataStorage: Bool
  public var preservesValueAfterDeletion: Bool
  public var valueTransformerName: String?
  /// The class that Xcode writes for a transformable attribute; only source models have it.
  @Uncompared public var customClassName: String? = nil
  /// The format string of a derived attribute's expression.
  public var derivationExpression: String?
  /// The elements of a composite attribute.
  public var elements: [Attribute]
  /// The place in a composite attribute; `nil` for an attribute that isn't an element.
  public internal(set) var element: CompositeElement?
  public var userInfo: [String: String]

  public init(
    name: String, type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    isIndexed: Bool = false, renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    defaultValue: AttributeValue? = nil, limits: Limits = Limits(),
    allowsExternalBinaryDataStorage: Bool = false, preservesValueAfterDeletion: Bool = false,
    valueTransformerName: String? = nil, derivationExpression: String? = nil,
    elements: [Attribute] = [], validationPredicates: [ValidationPredicate] = [],
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isIndexed = isIndexed
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.defaultValue = defaultValue
    self.limits = limits
    self.validationPredicates = validationPredicates
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueAfterDeletion = preservesValueAfterDeletion
    self.valueTransformerName = valueTransformerName
    self.derivationExpression = derivationExpression
    self.elements = elements
    self.userInfo = userInfo
  }

  /// Whether the framework computes the value when saving.
  public var isDerived: Bool { derivationExpression != nil }
}
