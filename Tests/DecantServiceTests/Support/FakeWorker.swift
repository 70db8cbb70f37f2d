import DecantTestSupport
import Foundation

/// A worker that is a shell script.
///
/// It speaks the protocol, and the first word of the store tells it what to do.
enum FakeWorker {
  /// - Parameters:
  ///   - team: Whether it is the worker of a family.
  ///   - version: The version of Decant that it reports.
  static func write(
    to folder: TemporaryFolder, named name: String = "worker.sh", team: Bool = false, version: String = "fake"
  ) throws {
    let text = script.replacingOccurrences(of: "TEAM", with: team ? "1" : "0")
      .replacingOccurrences(of: "VERSION", with: version)
    try folder.write(text, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(name))
  }

  static let script = #"""
    #!/bin/sh
    stop=0
    trap 'stop=1' TERM
    echo '{"hello":{"protocol":1,"version":"VERSION"}}'
    field() { printf '%s' "$line" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
    progress() {
      echo "{\"job\":\"$id\",\"progress\":{\"step\":1,\"steps\":1,\"sourceVersion\":\"Notas\",\"destinationVersion\":\"Notas 2\",\"pass\":1,\"passes\":1,\"passName\":\"inferred\",\"stage\":\"$1\",\"entityMapping\":\"Nota\",\"chunk\":$2,\"chunks\":4,\"rowsDone\":${2}00,\"rowsTotal\":400,\"passRowsDone\":${2}00,\"passRowsTotal\":400,\"family\":\"Notas\"}}"
    }
    report() {
      echo "{\"job\":\"$id\",\"report\":{\"result\":\"$1\",\"store\":\"x\",\"storeType\":\"SQLite\",\"family\":\"Notas\",\"sourceVersion\":\"Notas\",\"targetVersion\":\"Notas 2\",\"steps\":[],\"losses\":[$losses],\"warnings\":[],\"seconds\":0.5,\"decantVersion\":\"fake\"}}"
    }
    failure() {
      echo "{\"job\":\"$id\",\"failure\":{\"disposition\":\"$1\",\"reason\":\"$2\",\"message\":\"It is $2.\",\"advice\":\"Drop another.\",\"family\":\"Notas\"}}"
    }
    while read -r line; do
      losses=""
      id=$(field id); source=$(field source); output=$(field output); catalogue=$(field catalogue)
      read -r what < "$source"
      case $what in team-*) if [ TEAM = 1 ]; then what=${what#team-}; else what=team; fi ;; esac
      case $what in
        team) failure retry other-worker ;;
        migrate) progress create 1; progress create 2; progress finish 4
          { echo migrated; cat "$source"; } > "$output"; report migrated ;;
        lossy) : > "$output"
          losses='{"kind":"attribute","cause":"noPlace","entity":"Nota","property":"texto","values":7,"accepted":false},'
          losses=$losses'{"kind":"entity","cause":"filters","version":"Notas 2","entity":"Una","values":2,"accepted":true},'
          losses=$losses'{"kind":"entity","cause":"noPlace","entity":"Nada","values":0,"accepted":false}'
          report migrated ;;
        kept) if [ -e "$output" ]; then report migrated; else failure refuse no-output; fi ;;
        current) report alreadyCurrent ;;
        claims-only) report migrated ;;
        die) echo "Fatal error: boom" >&2; kill -SEGV $$ ;;
        die-once) if [ -e "$catalogue/died" ]; then report alreadyCurrent
          else : > "$catalogue/died"; kill -KILL $$; fi ;;
        garbage) echo "hello there" ;;
        other-job) id=other; report migrated ;;
        hang) progress create 1
          while [ $stop = 0 ]; do sleep 0.02; done
          failure stopped stopped; exit 0 ;;
        deaf) progress create 1; trap '' TERM; while :; do sleep 0.02; done ;;
        retry) if [ -e "$catalogue/mended" ]; then report alreadyCurrent; else failure retry disk-full; fi ;;
        no-room) if [ -e "$catalogue/mended" ]; then report alreadyCurrent
          else progress create 1; failure retry no-room; fi ;;
        no-room-later) progress create 1; progress create 2; failure retry no-room ;;
        file-limit) failure retry file-limit ;;
        catalogue) if [ -e "$catalogue/mended" ]; then report alreadyCurrent
          else failure catalogue broken-catalogue; fi ;;
        fault) failure fault our-fault ;;
        append) echo more >> "$source.by-someone"; report alreadyCurrent ;;
        *) failure refuse not-sqlite ;;
      esac
    done

    """#
}
