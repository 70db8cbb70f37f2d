// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies
public import Foundation

extension ModelDescription {
  @available(*, unavailable, message: "write the NSFetchRequest in code")
  public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? { nil }

  @available(*, unavailable, message: "write the NSFetchRequest in code")
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? { nil }

  @available(*, unavailable, message: "write the NSFetchRequest in code")
  public func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {}

  @available(*, unavailable, message: "write the NSFetchRequest in code")
  public var fetchRequestTemplatesByName: [String: Any] { [:] }

  @available(*, unavailable, message: "it has no effect here; take it out")
  public var localizationDictionary: [String: String]? {
    get { nil }
    set {}
  }

  @available(*, unavailable, message: "ask versionChecksum of each version's model")
  public class func checksumsForVersionedModel(at url: URL) throws -> [String: String] { [:] }
}

extension PropertyDescription {
  @available(*, unavailable, message: "it has no effect here; take it out")
  public var validationWarnings: [Any] { [] }
}

@available(*, unavailable, message: "it isn't stored; fetch its objects with NSFetchRequest")
public class NSFetchedPropertyDescription {
  public init() {}
}
