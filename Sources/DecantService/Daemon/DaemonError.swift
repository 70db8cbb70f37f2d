package import DecantSpool

package enum DaemonError: Error, Sendable, Hashable, CustomStringConvertible {
  case spool(SpoolError)
  case socket(HealthSocketError)
  case server(socket: String)

  package var description: String {
    switch self {
    case .spool(let error): error.description
    case .socket(let error): error.description
    case .server(let socket): "The health endpoint on “\(socket)” can't be started."
    }
  }

  /// The exit code from sysexits.h.
  package var exitCode: Int32 {
    switch self {
    case .spool(let error): error.exitCode
    case .socket(let error): error.exitCode
    case .server: 71
    }
  }
}
