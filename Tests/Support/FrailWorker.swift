import Foundation

/// A script that runs as a worker.
///
/// It kills itself at a job whose store has “killer” in its name.
public enum FrailWorker {
  /// Writes the script.
  ///
  /// - Parameters:
  ///   - folder: The script's folder. A file `deaths` there gets a line each time when the script kills itself.
  ///   - decant: The path of the program that does the work.
  /// - Returns: The script's path.
  public static func write(in folder: TemporaryFolder, decant: String) throws -> String {
    let script = """
      #!/bin/bash
      shift
      coproc inner { exec "\(decant)" --worker "$@"; }
      read -r line <&"${inner[0]}"; echo "$line"
      while read -r job; do
        case $job in *killer*) echo x >> "\(folder.path("deaths"))"; kill -9 $$ ;; esac
        echo "$job" >&"${inner[1]}"
        while read -r line <&"${inner[0]}"; do
          echo "$line"
          case $line in *'"report":'* | *'"failure":'*) break ;; esac
        done
      done
      """
    let file = try folder.write(script, to: "frail.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    return file.path
  }
}
