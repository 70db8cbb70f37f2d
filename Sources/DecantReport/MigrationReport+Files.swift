extension MigrationReport {
  /// The size and the digest of a file.
  public struct File: Sendable, Hashable, Codable {
    public var bytes: Int
    /// The SHA-256 of the content, as 64 hexadecimal digits.
    public var sha256: String

    public init(bytes: Int, sha256: String) {
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// The files of a store: of the source as it was read, or of the result.
  public struct Files: Sendable, Hashable, Codable {
    /// The size of the store file in bytes.
    public var bytes: Int
    /// The SHA-256 of the store file alone, as 64 hexadecimal digits.
    public var sha256: String
    /// The `-wal` beside the store file; `nil` if the store had none.
    public var wal: File?
    /// The `-journal` beside the store file; `nil` if the store had none.
    public var journal: File?
    /// The number of external data files.
    public var externalFiles: Int
    /// The total size of the external data files, in bytes.
    public var externalBytes: Int

    public init(
      bytes: Int, sha256: String, wal: File? = nil, journal: File? = nil, externalFiles: Int = 0,
      externalBytes: Int = 0
    ) {
      self.bytes = bytes
      self.sha256 = sha256
      self.wal = wal
      self.journal = journal
      self.externalFiles = externalFiles
      self.externalBytes = externalBytes
    }
  }
}
