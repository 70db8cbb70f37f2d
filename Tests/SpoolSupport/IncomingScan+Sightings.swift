package import DecantSpool

extension IncomingScan {
  /// What a look at each name gives, in order.
  package var sightings: [Sighting] {
    names.compactMap { if case .sighting(let sighting) = look(at: $0) { sighting } else { nil } }
  }
}
