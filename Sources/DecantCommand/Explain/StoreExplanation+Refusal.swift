internal import DecantCatalogue
internal import DecantMapping
internal import DecantMigration
internal import DecantReport
internal import FileNames

extension StoreExplanation {
  /// - Parameter recognition: The catalogue's facts about the store; `nil` if the store or the catalogue can't be read.
  init(_ failure: MigrationFailure, recognition: StoreVersion?, _ question: ExplainQuestion) {
    store = PathText.name(of: question.store).text
    family = failure.family ?? recognition?.known?.family.name
    version = recognition?.known?.version.name
    target = question.target
    if recognition?.known == nil {
      knownBy =
        recognition.map { $0.lines.joined(separator: "; ").asSentence }
        ?? "The store's version can't be read."
    } else {
      knownBy = "Its version hashes are those of this version."
    }
    refusal = Refusal(
      reason: failure.reason.word, sentences: [failure.message] + failure.lines,
      meaning: RefusalMeaning.sentence(failure.reason))
    next = Self.next(failure, recognition, question)
  }

  private static func next(
    _ failure: MigrationFailure, _ recognition: StoreVersion?, _ question: ExplainQuestion
  ) -> [NextStep] {
    var next = failure.advice.isEmpty ? [] : [NextStep(sentence: failure.advice)]
    switch failure.reason {
    case .notInferable:
      if let pair = notInferablePair(recognition, question) {
        next.append(
          NextStep(
            sentence:
              "Write the mapping model with this command, decide about each \(OpenChange.mark) in it, then check it:",
            line: question.newMapping(from: pair.source, to: pair.destination, in: pair.family)))
        next.append(NextStep(sentence: "Then:", line: ShellQuoting.line(["decant", "check", question.models])))
      }
    case .unknownVersion, .ambiguousFamily, .unknownFamily:
      next.append(
        NextStep(
          sentence: "Compare the store with the catalogue:",
          line: ShellQuoting.line(["decant", "inspect", question.store, "--models", question.models])))
    default:
      if failure.reason.disposition == .catalogue {
        next.append(
          NextStep(
            sentence: "See everything that is wrong with the catalogue:",
            line: ShellQuoting.line(["decant", "check", question.models])))
      } else if failure.reason.evidence == .store {
        next.append(
          NextStep(
            sentence: "See what the store has:", line: ShellQuoting.line(["decant", "inspect", question.store]))
        )
      }
    }
    next.append(NextStep(sentence: "Then ask again:", line: question.command("explain")))
    return next
  }

  /// The two versions between which a mapping model is needed, and their family.
  private static func notInferablePair(
    _ recognition: StoreVersion?, _ question: ExplainQuestion
  ) -> (source: FamilyVersion, destination: FamilyVersion, family: Family)? {
    guard let (family, version) = recognition?.known,
      let target = try? question.target.flatMap({ family.version(named: $0) }) ?? family.target(for: version)
    else { return nil }
    do {
      _ = try PathPlan.make(from: version, to: target, in: family)
      return nil
    } catch {
      guard case .notInferable(let source, let destination, _, _) = error,
        let one = family.version(named: source), let other = family.version(named: destination)
      else { return nil }
      return (one, other, family)
    }
  }
}

extension String {
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
