internal import DecantConsole
internal import DecantReport

extension HealthClient {
  /// Sends an order to the daemon; the effect shows later in the daemon's status.
  ///
  /// - Parameters:
  ///   - target: The path of the order, such as `/pause`.
  ///   - words: The words after “can't” in messages, such as “pause the daemon”.
  func order(_ target: String, _ words: String) throws(CommandFailure) {
    switch try ask(target, method: "POST").code {
    case 202: return
    case 403:
      throw CommandFailure(
        .permission, "Only root and the daemon's user may \(words).", advice: "Run this as one of them.")
    case 404:
      throw CommandFailure(
        .badAnswer, "The daemon on “\(path)” is too old: it can't \(words).",
        advice: "“decant status” shows its version.")
    case 503:
      throw CommandFailure(
        .stopped, "The daemon is starting or stopping.", advice: "Try again when it runs.")
    default: throw Self.nonsense(path)
    }
  }
}
