internal import Glibc

/// The stores' lines of a ledger, one after another; lines that can't be read are left out.
package final class LedgerLines {
  private let path: String
  private let descriptor: Int32
  private var reader: RecordReader
  /// The offset of the last returned line, in bytes.
  package private(set) var place = 0

  package init(_ path: String) throws(ShardError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .file(path: path, action: "read", code: errno) }
    reader = RecordReader(descriptor, separator: 0x0A, limit: LedgerRecord.limit)
  }

  deinit { close(descriptor) }

  /// The next store's line; `nil` at the end.
  package func next() throws(ShardError) -> LedgerLine? {
    while true {
      let record: RecordReader.Record?
      place = reader.place
      do throws(RecordReader.Fault) {
        record = try reader.next()
      } catch {
        if ZeroTail.length(descriptor, from: place) != nil { return nil }
        if try reader.skipLong(error, of: path) { continue }
        return nil
      }
      guard let record else { return nil }
      if record.isEnded, case .store(let line)? = LedgerRecord(record.bytes) { return line }
    }
  }
}
