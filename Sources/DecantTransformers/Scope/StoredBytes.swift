internal import Foundation

/// Stored bytes that can't be read, as a policy gets them.
///
/// Set to a transformable attribute, this very object is stored as it is. A cast to `Data` makes a value that any other
/// `Data` may be equal to. So the first look at the bytes is noted.
final class StoredBytes: NSData {
  /// The bytes, for the code that stores them.
  let data: Data
  private let content: NSData
  /// Called for the first look at the bytes.
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
