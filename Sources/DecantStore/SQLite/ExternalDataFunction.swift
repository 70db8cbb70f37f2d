internal import CSQLite
internal import Foundation

/// SQL functions that add and take away the marker byte of external binary storage (core-data-sqlite.md 7).
public enum ExternalDataFunction {
  /// Name of the function that gives a marked value's bytes, read from its file where it names one.
  public static let inline = "decant_external_inline"
  /// Name of the function that puts the inline marker before a value.
  public static let marked = "decant_external_marked"

  /// Registers both for a connection.
  ///
  /// - Parameter folder: The store's `_EXTERNAL_DATA` folder. A file that isn't there gives NULL.
  public static func register(in database: SQLiteDatabase, folder: String) {
    let box = Unmanaged.passRetained(ExternalDataFolder(path: folder))
    sqlite3_create_function_v2(
      database.handle, inline, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(),
      { context, _, values in
        guard let value = values?[0], let data = blob(value), let marker = data.first else {
          sqlite3_result_null(context)
          return
        }
        switch marker {
        case 1: result(Data(data.dropFirst()), in: context)
        case 2:
          guard let pointer = sqlite3_user_data(context),
            let content = Unmanaged<ExternalDataFolder>.fromOpaque(pointer).takeUnretainedValue().content(
              of: data)
          else {
            sqlite3_result_null(context)
            return
          }
          result(content, in: context)
        default: result(data, in: context)
        }
      }, nil, nil,
      { pointer in
        if let pointer { Unmanaged<ExternalDataFolder>.fromOpaque(pointer).release() }
      })
    sqlite3_create_function_v2(
      database.handle, marked, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let value = values?[0], let data = blob(value) else {
          sqlite3_result_null(context)
          return
        }
        result(Data([1]) + data, in: context)
      }, nil, nil, nil)
  }
}

private func blob(_ value: OpaquePointer) -> Data? {
  guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
  guard let bytes = sqlite3_value_blob(value) else { return Data() }
  return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
}

private func result(_ data: Data, in context: OpaquePointer?) {
  data.withUnsafeBytes { bytes in
    if bytes.isEmpty {
      sqlite3_result_zeroblob(context, 0)
    } else {
      decant_sqlite3_result_blob_copy(context, bytes.baseAddress, Int32(clamping: bytes.count))
    }
  }
}

/// The folder that the values' file names are looked up in.
private final class ExternalDataFolder: Sendable {
  let path: String

  init(path: String) {
    self.path = path
  }

  /// The bytes of the file that a marked value names; `nil` where the name is no UUID or the file is missing.
  func content(of value: Data) -> Data? {
    let text = String(decoding: value.dropFirst().prefix(36), as: UTF8.self)
    guard value.count >= 37, UUID(uuidString: text) != nil else { return nil }
    let descriptor = open("\(path)/\(text)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 30 else {
      close(descriptor)
      return nil
    }
    return try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd()
  }
}
