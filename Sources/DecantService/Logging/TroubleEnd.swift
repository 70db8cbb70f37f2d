enum TroubleEnd {
  /// The sentences, by the problem's name, which is also the event's name.
  static let sentences = [
    "catalogue": "The catalogue can be read again.",
    "claim": "Drops can be taken again.",
    "departure": "Finished jobs leave work/ again.",
    "families": "All families can be used again.",
    "folders": "The spool's folders can be opened again.",
    "incoming": "incoming/ can be read again.",
    "models": "The catalogue's models can be read again.",
    "newer": "work/ holds no job of a newer version any more.",
    "pause": "The pause can be saved and ended again.",
    "place": "The spool is in its place again.",
    "priority": "Workers run with the configured priority again.",
    "probe": "The spool can be written again.",
    "program": "Programs of onDone and onFailed can be noted again.",
    "progress log": "The progress log can be written again.",
    "record": "The records of jobs can be written again.",
    "wait": "The daemon can wait for events again.",
    "work": "work/ can be read and cleaned up again.",
    "workers": "The trouble with starting workers is over.",
  ]

  static func sentence(about name: String) -> String { sentences[name] ?? "The problem “\(name)” is over." }
}
