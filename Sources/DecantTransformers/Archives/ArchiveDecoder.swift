internal import Foundation
internal import KeyedArchive

/// Reads the keys of one archived object for a class of the app.
///
/// Only the methods with keys are supported. The reader keeps the first problem. A value of another type than the asked
/// one is no problem: it gives nil, 0 or false.
final class ArchiveDecoder: NSCoder {
  private let node: ArchiveNode
  private let reader: ObjectReader

  init(_ node: ArchiveNode, reader: ObjectReader) {
    self.node = node
    self.reader = reader
  }

  override var allowsKeyedCoding: Bool { true }
  override var requiresSecureCoding: Bool { true }
  override var allowedClasses: [AnyClass]? { nil }
  override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
  /// Called by an app's class that refuses its archived object.
  override func failWithError(_ error: any Error) { note(.failed("\(error)")) }
  override func containsValue(forKey key: String) -> Bool { node.has(key) }

  override func decodeObject(forKey key: String) -> Any? {
    do {
      return try node.member(key).map(reader.object)
    } catch let error as ArchiveError {
      note(.archive(error))
    } catch let error as ArchivedObjectProblem {
      note(error)
    } catch {}
    return nil
  }

  override func decodeObject<Kind: NSObject & NSCoding>(of type: Kind.Type, forKey key: String) -> Kind? {
    decodeObject(forKey: key) as? Kind
  }

  override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
    guard let object = decodeObject(forKey: key) as? NSObject else { return nil }
    guard let classes, !classes.contains(where: { object.isKind(of: $0) }) else { return object }
    return nil
  }

  override func decodePropertyList(forKey key: String) -> Any? { decodeObject(forKey: key) }

  private func number(_ key: String) -> NSNumber {
    decodeObject(forKey: key) as? NSNumber ?? NSNumber(value: 0)
  }

  override func decodeBool(forKey key: String) -> Bool { number(key).boolValue }
  override func decodeInteger(forKey key: String) -> Int { number(key).intValue }
  override func decodeInt32(forKey key: String) -> Int32 { number(key).int32Value }
  override func decodeInt64(forKey key: String) -> Int64 { number(key).int64Value }
  override func decodeCInt(forKey key: String) -> CInt { number(key).int32Value }
  override func decodeFloat(forKey key: String) -> Float { number(key).floatValue }
  override func decodeDouble(forKey key: String) -> Double { number(key).doubleValue }

  override func decodeValue(ofObjCType type: UnsafePointer<CChar>, at data: UnsafeMutableRawPointer) {
    note(.unsupportedCoding("decodeValue(ofObjCType:at:)"))
  }

  private func note(_ problem: ArchivedObjectProblem) { reader.problem = reader.problem ?? problem }
}
