package import DecantSpool

extension IncomingScan {
  /// The sightings of all names that have one, in the order of the names.
  package var sightings: [Sighting] {
    names.compactMap { if case .sighting(let sighting) = look(at: $0) { sighting } else { nil } }
  }
}
