package import DecantModel

/// The first line that a policy program reads: it describes the task.
package struct PolicyProgramHello: Sendable {
  struct Side: Sendable {
    let entity: String
    /// The type of each stored attribute, including inherited attributes.
    let attributes: [String: AttributeType]
    let relationships: [String: (entity: String, isToMany: Bool)]

    init?(_ entity: String, in model: ManagedObjectModel) {
      guard model.entity(named: entity) != nil else { return nil }
      self.entity = entity
      attributes = Dictionary(
        model.attributes(of: entity).filter { !$0.isTransient }.map { ($0.name, $0.type) }
      ) { first, _ in first }
      relationships = Dictionary(
        model.relationships(of: entity).filter { !$0.isTransient }.map {
          ($0.name, ($0.destinationEntityName, $0.isToMany))
        }
      ) { first, _ in first }
    }
  }

  let pass: String
  let entityMapping: String
  let source: Side?
  let destination: Side?
  /// The destination model; answers are read with it, because a program may make objects of any entity of the model.
  let model: ManagedObjectModel

  /// - Parameters:
  ///   - source: The entity of the batches, with its model; `nil` if there is none.
  ///   - destination: The mapping's destination entity; `nil` if there is none.
  ///   - model: The destination model.
  package init(
    pass: String, entityMapping: String, source: (entity: String, model: ManagedObjectModel)?,
    destination: String?,
    model: ManagedObjectModel
  ) {
    self.pass = pass
    self.entityMapping = entityMapping
    self.source = source.flatMap { Side($0.entity, in: $0.model) }
    self.destination = destination.flatMap { Side($0, in: model) }
    self.model = model
  }

  var line: [UInt8] {
    let line = ProgramLine()
    line.object { line in
      line.key("hello").object { hello in
        hello.key("protocol").integer(Int64(PolicyProgram.protocolNumber))
        hello.key("pass").string(pass)
        hello.key("entityMapping").string(entityMapping)
        Self.write(source, as: "source", to: hello)
        Self.write(destination, as: "destination", to: hello)
      }
    }
    return line.finished
  }

  private static func write(_ side: Side?, as key: String, to line: ProgramLine) {
    guard let side else { return line.key(key).null() }
    line.key(key).object { line in
      line.key("entity").string(side.entity)
      line.key("attributes").object { line in
        for name in side.attributes.keys.sorted(by: NameOrder.codePoints) {
          line.key(name).string(side.attributes[name]?.name ?? "")
        }
      }
      line.key("relationships").object { line in
        for name in side.relationships.keys.sorted(by: NameOrder.codePoints) {
          guard let relationship = side.relationships[name] else { continue }
          line.key(name).object { line in
            line.key("entity").string(relationship.entity)
            line.key("toMany").boolean(relationship.isToMany)
          }
        }
      }
    }
  }
}
