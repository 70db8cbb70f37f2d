// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Data's.

public import DecantMapping
public import DecantModel

extension AttributeType {
  public static var undefinedAttributeType: Self { .undefined }
  public static var integer16AttributeType: Self { .integer16 }
  public static var integer32AttributeType: Self { .integer32 }
  public static var integer64AttributeType: Self { .integer64 }
  public static var decimalAttributeType: Self { .decimal }
  public static var doubleAttributeType: Self { .double }
  public static var floatAttributeType: Self { .float }
  public static var stringAttributeType: Self { .string }
  public static var booleanAttributeType: Self { .boolean }
  public static var dateAttributeType: Self { .date }
  public static var binaryDataAttributeType: Self { .binary }
  public static var binaryData: Self { .binary }
  public static var UUIDAttributeType: Self { .uuid }
  public static var URIAttributeType: Self { .uri }
  public static var transformableAttributeType: Self { .transformable }
  public static var objectIDAttributeType: Self { .objectID }
  public static var compositeAttributeType: Self { .composite }
}

extension DeleteRule {
  public static var noActionDeleteRule: Self { .noAction }
  public static var nullifyDeleteRule: Self { .nullify }
  public static var cascadeDeleteRule: Self { .cascade }
  public static var denyDeleteRule: Self { .deny }
}

extension EntityMappingType {
  public static var undefinedEntityMappingType: Self { .undefined }
  public static var customEntityMappingType: Self { .custom }
  public static var addEntityMappingType: Self { .add }
  public static var removeEntityMappingType: Self { .remove }
  public static var copyEntityMappingType: Self { .copy }
  public static var transformEntityMappingType: Self { .transform }
}
