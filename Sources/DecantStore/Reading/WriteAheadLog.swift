internal import DecantModel
internal import FileNames
internal import Foundation

/// Checks a `-wal` before SQLite reads it.
///
/// SQLite skips frames with a wrong checksum and reports no error, so changes of the application would be lost
/// (sqlite.org, “The WAL File Format”).
struct WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// The number of lost frames: the first one with a wrong checksum, and all frames after it.
  private(set) var lostFrames = 0
  /// The number of frames before the first one with a wrong checksum.
  private(set) var soundFrames = 0
  /// The number of frames of committed transactions, which SQLite will read.
  private(set) var committedFrames = 0

  /// Checks the header and all frames.
  ///
  /// - Parameter path: The store, for messages.
  /// - Throws: `StoreError.foreignLog` if the file isn't the log of a store with that page size; `unreadable` or `disk`
  ///   if it can't be read to its end.
  init(_ log: String, path: String, pageSize: Int) throws(StoreError) {
    func foreign(_ reason: String) -> StoreError { .foreignLog(path: path, log: log, reason: reason) }
    let file = try FileParts(log)
    let header = try file.read(Self.headerSize)
    guard header.count == Self.headerSize else {
      throw foreign("it isn't a write-ahead log (\(counted(header.count, "byte")))")
    }
    let magic = Self.number(header, 0)
    guard magic == 0x377f_0682 || magic == 0x377f_0683 else { throw foreign("it isn't a write-ahead log") }
    let ownSize = Self.number(header, 8)
    guard Int(ownSize) == pageSize else {
      throw foreign("its pages have \(ownSize) bytes, the store's \(pageSize)")
    }
    var sum = Checksum(isBigEndian: magic == 0x377f_0683)
    sum.add(header[0..<24])
    guard sum == (Self.number(header, 24), Self.number(header, 28)) else {
      throw foreign("its header is damaged")
    }
    try walk(file, pageSize: pageSize, salts: Array(header[16..<24]), sum: sum)
  }

  private mutating func walk(
    _ file: FileParts, pageSize: Int, salts: [UInt8], sum: Checksum
  ) throws(StoreError) {
    var sum = sum
    var isBroken = false
    while true {
      let frame = try file.read(Self.frameHeaderSize + pageSize)
      // An old log is overwritten from its start: later frames have other salts and don't count.
      guard frame.count == Self.frameHeaderSize + pageSize, Array(frame[8..<16]) == salts else { return }
      if !isBroken {
        sum.add(frame[0..<8])
        sum.add(frame[Self.frameHeaderSize...])
        isBroken = sum != (Self.number(frame, 16), Self.number(frame, 20))
      }
      if isBroken { lostFrames += 1 } else { soundFrames += 1 }
      // The last frame of a transaction has the size of the database.
      if !isBroken, Self.number(frame, 4) > 0 { committedFrames = soundFrames }
    }
  }

  /// Refuses a log beside a store whose header states that the store uses a rollback journal (byte 18).
  ///
  /// Such a log belongs to another store, and SQLite would fold it in without an error. If a store uses a log, its
  /// header says so before the log exists.
  func checkMode(of header: StoreFileHeader, log: String, path: String) throws(StoreError) {
    guard !header.usesWriteAheadLog else { return }
    throw .foreignLog(
      path: path, log: log, reason: "the store's header says that it keeps a rollback journal and no log")
  }

  /// A sentence for the report about the effect of the log; `nil` for a log without a whole transaction.
  ///
  /// It names the log without its folder, because the daemon moves the store before the report is read.
  func sentence(log: String) -> String? {
    guard committedFrames > 0 else { return nil }
    return "\(PathText.name(of: log)) was applied: \(counted(committedFrames, "page")) of changes."
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The running checksum over pairs of 32-bit words.
  private struct Checksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) {
      self.isBigEndian = isBigEndian
    }

    /// Adds bytes; their number is a multiple of 8.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      let isBigEndian = isBigEndian
      var (one, two) = (first, second)
      bytes.withUnsafeBytes { buffer in
        for place in stride(from: 0, to: buffer.count - 7, by: 8) {
          let words = (
            buffer.loadUnaligned(fromByteOffset: place, as: UInt32.self),
            buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
          )
          one = one &+ (isBigEndian ? UInt32(bigEndian: words.0) : UInt32(littleEndian: words.0)) &+ two
          two = two &+ (isBigEndian ? UInt32(bigEndian: words.1) : UInt32(littleEndian: words.1)) &+ one
        }
      }
      (first, second) = (one, two)
    }

    static func == (left: Self, right: (UInt32, UInt32)) -> Bool {
      left.first == right.0 && left.second == right.1
    }
    static func != (left: Self, right: (UInt32, UInt32)) -> Bool { !(left == right) }
  }
}
