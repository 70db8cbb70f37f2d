import Foundation

@testable import DecantCommand

/// The status of a busy daemon, with keys that this version doesn't know.
enum SampleStatus {
  static let json = #"""
    {
      "blocked": [{"command": "chmod g+r /s/incoming/p.sqlite", "drop": "p.sqlite",
        "message": "“p.sqlite” can't be read."}],
      "checks": [{"message": "“/s” is writable", "name": "spool", "ok": true, "warning": false},
        {"message": "1 drop can't be taken; others are taken", "name": "incoming", "ok": true, "warning": true}],
      "families": [{"family": "Bad", "message": "family.json5 has no “inferense”.", "waiting": 0}],
      "freeBytes": 25125558681, "future": {"a": [1, 2.5, null]},
      "jobs": {"blocked": 1, "done": 20, "failed": 2, "queued": 1200, "running": 2, "waiting": 1},
      "process": 12, "queue": {"bytes": 35651584, "etaSeconds": 125},
      "queued": [{"arrival": 9, "bytes": 1536, "drop": "Una", "job": "J-9", "priority": 5, "store": "Una.sqlite"}],
      "results": [
        {"advice": "Drop another.", "bytes": 4, "drop": "Letter", "ended": "2026-11-26T03:47:52.123Z",
         "folder": "/s/failed/J-2", "job": "J-2", "message": "The file isn't an SQLite database.", "place": "failed",
         "reason": "not-sqlite", "store": "Letter.sqlite"},
        {"bytes": 9, "drop": "Old", "ended": "2026-11-26T03:40:00.000Z", "folder": "/s/done/Old", "from": "Notas",
         "job": "J-1", "losses": 1, "lostValues": 7, "place": "done", "result": "migrated", "rows": 400000,
         "seconds": 3.25, "store": "Old.sqlite", "to": "Notas 2", "warnings": 0}],
      "running": [
        {"attempt": 2, "bytes": 73400320, "drop": "Notas", "etaSeconds": 12.4, "job": "J-7",
         "memoryBytes": 64000000, "passEtaSeconds": 5.2, "peakMemoryBytes": 97517568,
         "progress": {"chunk": 3, "chunks": 12, "destinationVersion": "Notas 2",
           "entityMapping": "NotaToCategoria", "family": "Notas", "filter": "categoria != nil", "pass": 2,
           "passName": "StepTwo", "objectsDone": 168000, "objectsTotal": 400000, "passRowsDone": 30000, "passRowsTotal": 100000, "passes": 3, "rowsDone": 336000,
           "rowsTotal": 800000, "sourceVersion": "Notas", "stage": "create", "step": 1, "steps": 1},
         "rowsPerSecond": 31000.4, "seconds": 10.04, "store": "Notas.sqlite", "worker": 77},
        {"attempt": 1, "bytes": 100, "drop": "Otra", "job": "J-8", "progress": {"stage": "a new stage"},
         "seconds": 0.1, "store": "Otra.sqlite", "worker": 78}],
      "spool": "/s", "state": "running", "uptimeSeconds": 7800.5, "version": "9.9.9",
      "waiting": [{"cause": "retry", "drop": "Slow", "job": "J-3", "message": "The disk is full.",
        "store": "Slow.sqlite", "until": "2026-11-26T03:50:00.000Z"}],
      "workers": {"alive": 2, "busy": 2, "configured": 2}
    }
    """#

  static func values(_ change: (inout DaemonStatus) -> Void = { _ in }) throws -> DaemonStatus {
    var status = try JSONDecoder().decode(DaemonStatus.self, from: Data(json.utf8))
    change(&status)
    return status
  }
}
