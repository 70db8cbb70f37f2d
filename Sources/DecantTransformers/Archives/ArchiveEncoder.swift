internal import Foundation
internal import KeyedArchive

/// Collects the keys and values that one object of an app's class encodes.
final class ArchiveEncoder: NSCoder {
  private(set) var keys: [String: PropertyList] = [:]
  private let writer: ObjectWriter

  init(writer: ObjectWriter) { self.writer = writer }

  override var allowsKeyedCoding: Bool { true }

  override func encode(_ object: Any?, forKey key: String) {
    guard let object else {
      keys[key] = .uid(0)
      return
    }
    do {
      keys[key] = try writer.place(object)
    } catch {
      note(error)
    }
  }

  override func encodeConditionalObject(_ object: Any?, forKey key: String) { encode(object, forKey: key) }

  override func encode(_ value: Bool, forKey key: String) { keys[key] = .boolean(value) }
  override func encode(_ value: Int, forKey key: String) { keys[key] = .integer(Int64(value)) }
  override func encode(_ value: Int32, forKey key: String) { keys[key] = .integer(Int64(value)) }
  override func encode(_ value: Int64, forKey key: String) { keys[key] = .integer(value) }
  override func encode(_ value: Float, forKey key: String) { keys[key] = .single(value) }
  override func encode(_ value: Double, forKey key: String) { keys[key] = .real(value) }

  override func encodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeRawPointer) {
    note(.unsupportedCoding("encodeValue(ofObjCType:at:)"))
  }

  private func note(_ problem: ArchivedObjectProblem) { writer.problem = writer.problem ?? problem }
}
