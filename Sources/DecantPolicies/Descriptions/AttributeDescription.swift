public import DecantModel
public import Foundation

/// An attribute of an entity, for policies and programs (Core Data's NSAttributeDescription).
open class AttributeDescription: PropertyDescription {
  /// The attribute's facts, except those that other properties of this class and its superclass hold.
  private final var facts: Attribute
  public final var attributeType: AttributeType { didSet { changed() } }
  /// The default value, in the form of `ManagedObject.value(forKey:)`.
  public final var defaultValue: Any? {
    didSet {
      hasOwnDefault = true
      changed()
    }
  }
  private final var hasOwnDefault = false

  /// Makes an optional attribute without a name and without a type.
  public convenience init() { self.init(Attribute(name: "", type: .undefined, isOptional: true)) }

  init(_ attribute: Attribute) {
    facts = attribute
    attributeType = attribute.type
    defaultValue = ValueBridge.any(of: attribute.defaultValue)
    super.init(
      name: attribute.name, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
      isIndexed: attribute.isIndexed, renamingIdentifier: attribute.renamingIdentifier,
      versionHashModifier: attribute.versionHashModifier, userInfo: attribute.userInfo,
      rules: attribute.validationPredicates)
  }

  init(copying other: AttributeDescription) {
    facts = other.facts
    attributeType = other.attributeType
    defaultValue = other.defaultValue
    hasOwnDefault = other.hasOwnDefault
    super.init(copying: other)
  }

  override func duplicate() -> PropertyDescription { AttributeDescription(copying: self) }

  // MARK: Settings

  /// The same as `attributeType`, under its newer name.
  public final var type: AttributeType {
    get { attributeType }
    set { attributeType = newValue }
  }

  public final var valueTransformerName: String? {
    get { facts.valueTransformerName }
    set { set(\.valueTransformerName, newValue) }
  }

  public final var allowsExternalBinaryDataStorage: Bool {
    get { facts.allowsExternalBinaryDataStorage }
    set { set(\.allowsExternalBinaryDataStorage, newValue) }
  }

  public final var preservesValueInHistoryOnDeletion: Bool {
    get { facts.preservesValueAfterDeletion }
    set { set(\.preservesValueAfterDeletion, newValue) }
  }

  /// Limits of the value; setting validation predicates clears them.
  package final var limits: Attribute.Limits {
    get { facts.limits }
    set { set(\.limits, newValue) }
  }

  final var derivation: String? {
    get { facts.derivationExpression }
    set { set(\.derivationExpression, newValue) }
  }

  final var parts: [Attribute] {
    get { facts.elements }
    set { set(\.elements, newValue) }
  }

  private func set<Value>(_ path: WritableKeyPath<Attribute, Value>, _ value: Value) {
    facts[keyPath: path] = value
    changed()
  }

  // MARK: The whole attribute

  /// The attribute with everything that the program has set; a default value that doesn't fit the type is left out.
  public final var attribute: Attribute {
    var value = facts
    value.name = name
    value.type = attributeType
    value.isOptional = isOptional
    value.isTransient = isTransient
    value.isIndexed = isIndexed
    value.renamingIdentifier = renamingIdentifier
    value.versionHashModifier = versionHashModifier
    value.userInfo = Self.texts(of: userInfo)
    value.validationPredicates = rules
    if hasOwnDefault { value.defaultValue = DefaultValue.of(defaultValue, as: attributeType) }
    return value
  }

  /// The attribute with everything that the program has set.
  ///
  /// - Throws: `ModelError` for a missing name and for a default value that doesn't fit the type.
  final func value() throws(ModelError) -> Attribute {
    let value = attribute
    let place = "entity “\(entity?.entity.name ?? "")”, attribute “\(name)”"
    guard !name.isEmpty else {
      throw .badValue(element: place, attribute: "name", value: "", expected: "a name")
    }
    if hasOwnDefault, let defaultValue, value.defaultValue == nil, !(defaultValue is NSNull) {
      throw .badValue(
        element: place, attribute: "defaultValue", value: "\(defaultValue)",
        expected: "a value of type \(attributeType.name)")
    }
    return value
  }

  open override var versionHash: Data { attribute.versionHash.data }
}

/// A derived attribute (Core Data's NSDerivedAttributeDescription).
public final class DerivedAttributeDescription: AttributeDescription {
  override func duplicate() -> PropertyDescription { DerivedAttributeDescription(copying: self) }

  /// The text of the attribute's expression.
  package var derivationText: String? {
    get { derivation }
    set { derivation = newValue }
  }
}

/// A composite attribute (Core Data's NSCompositeAttributeDescription).
public final class CompositeAttributeDescription: AttributeDescription {
  public convenience init() { self.init(Attribute(name: "", type: .composite, isOptional: true)) }

  override func duplicate() -> PropertyDescription { CompositeAttributeDescription(copying: self) }

  /// The elements of the attribute.
  ///
  /// The setter copies them, so later changes of a description have no effect.
  public var elements: [AttributeDescription] {
    get { parts.map { AttributeDescription($0) } }
    set { parts = newValue.map(\.attribute) }
  }
}
