internal import Foundation

/// Stored bytes that can't be read, as a policy gets them.
///
/// If a policy sets this object to a transformable attribute, the bytes are stored unchanged. A cast to `Data` loses
/// the object's identity, and another `Data` may equal the result. So the first read of the bytes or of their number is
/// noted.
final class StoredBytes: NSData {
  /// The bytes, for the code that stores them.
  let data: Data
  private let content: NSData
  /// Called at the first read of the bytes or of their number.
  private var note: (() -> Void)?

  init(_ data: Data, note: @escaping () -> Void) {
    self.data = data
    self.note = note
    content = NSData(data: data)
    super.init()
  }

  required init?(coder: NSCoder) { nil }

  override var length: Int {
    noteLook()
    return content.length
  }

  override var bytes: UnsafeRawPointer {
    noteLook()
    return content.bytes
  }

  private func noteLook() { note.take()?() }
}
