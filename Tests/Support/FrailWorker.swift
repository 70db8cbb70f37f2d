import Foundation

/// A script that runs as a worker, and dies on stores whose names contain “killer”.
public enum FrailWorker {
  /// Writes the script.
  ///
  /// - Parameters:
  ///   - folder: Where it is written; its file `deaths` gets a line for each death.
  ///   - decant: The program that does the work.
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
