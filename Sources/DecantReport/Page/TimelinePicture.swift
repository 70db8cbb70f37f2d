/// The timeline of a step as a picture: a lane for each pass, coloured by stage, and the rows read per second below.
struct TimelinePicture {
  private let timeline: MigrationReport.Timeline
  private let passes: [String]
  private let end: Double

  private static let (width, laneHeight, gap, rateHeight, axis) = (720.0, 22.0, 6.0, 98.0, 24.0)

  init?(_ step: MigrationReport.Step) {
    guard let timeline = step.timeline, let end = timeline.parts.last?.end, end.isFinite, end > 0 else {
      return nil
    }
    self.timeline = timeline
    self.end = end
    passes = step.passes.isEmpty ? ["inferred"] : step.passes
  }

  var lanes: String {
    let height = Double(passes.count) * (Self.laneHeight + Self.gap) + Self.axis
    var shapes = ""
    for part in timeline.parts where part.begin.isFinite && part.end > part.begin {
      let lane = Double(max(0, min(passes.count - 1, part.pass - 1)))
      let (x, width) = (x(part.begin), max(0.75, x(part.end) - x(part.begin)))
      shapes +=
        "<rect class=\"\(part.stage.rawValue)\" x=\"\(PageText.decimal(x))\" "
        + "y=\"\(PageText.decimal(lane * (Self.laneHeight + Self.gap)))\" width=\"\(Self.hundredths(width))\" "
        + "height=\"\(PageText.decimal(Self.laneHeight))\" rx=\"1\"><title>\(words(part))</title></rect>"
    }
    return picture(height, "Timeline of the passes", shapes + marks(at: height - Self.axis))
  }

  /// The rows read per second over time, as SVG; `nil` if too little was measured.
  var rates: String? {
    let rates = self.rates(of: timeline.points)
    guard rates.count > 1, let most = rates.map(\.rate).max(), most > 0 else { return nil }
    let height = Self.rateHeight + Self.axis
    let line = rates.map { "\(PageText.decimal(x($0.seconds))),\(PageText.decimal(y($0.rate / most)))" }
    return picture(
      height, "Rows read per second over time, at most \(PageText.number(most))",
      "<polyline class=\"rate\" points=\"\(line.joined(separator: " "))\"/>"
        // On a narrow screen the letters are 22 units high, so the text's base line is at 20.
        + "<text x=\"2\" y=\"20\">\(PageText.number(most)) rows read/s</text>" + marks(at: Self.rateHeight))
  }

  /// The stages that occur, in order.
  var stages: [MigrationProgress.Stage] {
    [.open, .create, .relate, .validate, .finish].filter { stage in
      timeline.parts.contains { $0.stage == stage }
    }
  }

  private func rates(of points: [MigrationReport.Timeline.Point]) -> [(seconds: Double, rate: Double)] {
    // The rate is measured over the width of a few pixels, so that a single chunk makes no spike.
    let span = max(end / 60, 0.2)
    var rates: [(seconds: Double, rate: Double)] = []
    var first = 0
    for (index, point) in points.enumerated() where point.seconds.isFinite {
      while first < index, point.seconds - points[first].seconds > span { first += 1 }
      let before = points[max(0, first - 1)]
      let seconds = point.seconds - before.seconds
      guard seconds > 0 else { continue }
      rates.append((point.seconds, max(0, Double(point.rows) - Double(before.rows)) / seconds))
    }
    return rates
  }

  private func words(_ part: MigrationReport.Timeline.Part) -> String {
    let name = passes.indices.contains(part.pass - 1) ? passes[part.pass - 1] : ""
    return [
      passes.count > 1 ? PageText.of(name) : nil, part.stage.words, part.entityMapping.map(PageText.of),
      DurationText.of(part.end - part.begin), part.rows > 0 ? PageText.count(part.rows, "row") : nil,
      part.chunks > 0 ? PageText.count(part.chunks, "chunk") : nil,
    ].compactMap { $0 }.joined(separator: ", ")
  }

  private func picture(_ height: Double, _ title: String, _ shapes: String) -> String {
    "<svg viewBox=\"0 0 \(Int(Self.width)) \(Int(height))\" role=\"img\" aria-label=\"\(title)\">\(shapes)</svg>"
  }

  private func marks(at y: Double) -> String {
    let places = [(0.0, "start"), (0.5, "middle"), (1.0, "end")]
    return "<line class=\"axis\" x1=\"0\" x2=\"\(Int(Self.width))\" y1=\"\(PageText.decimal(y))\" "
      + "y2=\"\(PageText.decimal(y))\"/>"
      + places.map { part, anchor in
        "<text x=\"\(Int(part * Self.width))\" y=\"\(PageText.decimal(y + 19))\" text-anchor=\"\(anchor)\">"
          + "\(part == 0 ? "0 s" : DurationText.of(part * end))</text>"
      }.joined()
  }

  private func x(_ seconds: Double) -> Double { max(0, min(1, seconds / end)) * Self.width }

  private func y(_ part: Double) -> Double {
    Self.rateHeight - 4 - max(0, min(1, part)) * (Self.rateHeight - 32)
  }

  private static func hundredths(_ value: Double) -> String {
    let number = Int((value * 100).rounded())
    return "\(number / 100).\(number % 100 < 10 ? "0" : "")\(number % 100)"
  }
}

extension MigrationProgress.Stage {
  /// The stage in words, for the key below the picture.
  var words: String {
    switch self {
    case .open: "reading"
    case .create: "creating objects"
    case .relate: "setting relationships"
    case .validate: "checking objects"
    case .finish: "indexes, checks, writing"
    }
  }
}
