import Foundation
import os

// Writes log lines as an app does. With the argument “many” it writes more than a pipe can hold, and one more line after
// the end of standard input.
let logger = Logger(subsystem: "org.example.notas", category: "migration")
if CommandLine.arguments.dropFirst().first == "many" {
  for number in 0..<20_000 {
    logger.info("Line \(number) \(String(repeating: "x", count: 40), privacy: .public)")
  }
} else {
  let url = URL(fileURLWithPath: "/stores/Notas.sqlite")
  logger.info("Migrating \(url.path, privacy: .public) took \(0.123, format: .fixed(precision: 2))")
  logger.debug("Only on request")
  logger.error("Secret: \(url.path)")
  os_log("Step %{public}@ of %d", log: OSLog(subsystem: "a", category: "b"), type: .fault, "one\ntwo", 3)
  os_log("Never", log: .disabled)
}
print("done")
if CommandLine.arguments.dropFirst().first == "many" {
  fflush(nil)
  while readLine() != nil {}
  logger.info("Last line")
}
