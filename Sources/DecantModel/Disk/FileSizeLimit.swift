/// The limit on the size of files; a call that would exceed it fails with EFBIG.
public enum FileSizeLimit {
  /// What to do if the limit is reached.
  public static let advice =
    "Raise the limit on file sizes (ulimit -f, LimitFSIZE= of a systemd unit, or workerFileBytes of the daemon); the work "
    + "continues where it ended."
}
