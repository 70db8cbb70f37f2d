/// Keys of entity mappings for the store of `VerdictBench`, grouped by their results.
///
/// Each line is a case of its own.
enum VerdictTable {
  /// Every store that has values in the properties used is refused.
  static let fails = lines(
    #"""
    filter: "SUBQUERY(autor, $m, $m.edad > 3).@count > 0"
    filter: "SUBQUERY(marcas, $m, $x.peso > 1).@count > 0"
    filter: "momento.year > 1"
    filter: "ANY marcas.palabra.lenght > 1"
    filter: "datos.foo > 1"
    filter: "texto.length.foo > 1"
    filter: "foo == 1"
    filter: "texto.@sum.length > 0"
    filter: "marcas.@avg.desde > 0"
    filter: "marcas.@min.desde > 0"
    filter: "marcas.@max.self == nil"
    filter: "marcas.@max.palabra.lenght > 0"
    filter: "marcas.palabra.@sum > 0"
    filter: "lista[LAST].foo == 'a'"
    filter: "autor[SIZE] > 0"
    filter: "CAST(id,'NSNumber') == 1"
    filter: "CAST(autor,'NSNumber') == 1"
    filter: "CAST(nil,'Foo') == 1"
    filter: "CAST('abc','NSUUID') == id"
    filter: "$destination.texto == 'a'"
    filter: "$entityMapping.foo == 'N'"
    filter: "$propertyMapping.name == 'x'"
    filter: "$foo == 1"
    filter: "ANYKEY == 1"
    filter: "FUNCTION(texto,'valueForKey:','lenght') > 1"
    filter: "FUNCTION($source,'valueForKey:',5) == 'Ana'"
    filter: "FUNCTION($source,'foo') == 1"
    filter: "FUNCTION($entityPolicy,'foo') == 1"
    filter: "FUNCTION(autor,'nombre') == 'Ana'"
    filter: "FETCH(FUNCTION($manager,'fetchRequestForSourceEntityNamed:predicateString:','Nota','TRUEPREDICATE'),$manager.sourceContext,NO).@count > 0"
    filter: "parseNumber(autor) > 1"
    filter: "parseNumber(momento) > 1"
    filter: "trim(autor) == 'a'"
    filter: "trim(cosa) == 'a'"
    filter: "prefix(texto, 2.5) == 'a'"
    filter: "join(', ', marcas.peso) == 'a'"
    filter: "ifEmpty(autor, 'a') == 'a'"
    filter: "sha256(grado) == 'a'"
    filter: "hash64(marcas) == 1"
    filter: "uuid(marcas) == id"
    filter: "parseUUID(autor) == id"
    filter: "formatDate(momento, 'yyyy', 'xx_nolocale') == '2001'"
    filter: "formatNumber(texto, 2) == '1'"
    filter: "extract(autor, 'a') == 'a'"
    filter: "fold(autor) == 'a'"
    filter: "word(texto) == 'a'"
    filter: "uppercase(autor) == 'A'"
    filter: "texto + 1 > 1"
    filter: "sqrt(texto) > 1"
    filter: "abs(marcas) > 1"
    filter: "sum(marcas.palabra) > 1"
    filter: "max(marcas) == nil"
    filter: "count(texto) > 1"
    filter: "modulus:by:(texto, 2) == 1"
    filter: "random(texto) > 0"
    filter: "lowercase(marcas) == 'a'"
    filter: "castObject:toType:(texto, 'NSDate') == momento"
    filter: "texto > momento"
    filter: "ANY marcas.palabra > 3"
    filter: "ALL autor == nil"
    filter: "texto BEGINSWITH grado"
    filter: "texto IN grado"
    filter: "grado BETWEEN {'a', 'b'}"
    filter: "TERNARY(texto > momento, 1, 2) == 1"
    filter: "NOT (texto.lenght > 1)"
    filter: "(marcas INTERSECT lista).foo == nil"
    filter: "{texto, grado}.length == nil"
    filter: "id < id"
    filter: "'a' > 5"
    filter: "grado.@max == 1"
    filter: "momento.description == 'a'"
    filter: "CAST({'a', 1}, 'NSDictionary')[0] == 1"
    attributes: { texto: "$source.momento" }
    attributes: { texto: "$source.autor" }
    attributes: { texto: "$source.marcas" }
    attributes: { texto: "$source.marcas.@max.peso" }
    attributes: { texto: "$source.id" }
    attributes: { texto: "$source.cosa" }
    attributes: { texto: "$source" }
    attributes: { texto: "$destination" }
    attributes: { texto: "$manager" }
    attributes: { texto: "$manager.foo" }
    attributes: { texto: "$entityMapping.foo" }
    attributes: { texto: "$propertyMapping" }
    attributes: { texto: "$propertyMapping.name" }
    attributes: { texto: "ANYKEY" }
    attributes: { texto: "{1,2}[0]" }
    attributes: { texto: "FUNCTION($source.texto,'length')" }
    attributes: { texto: "FUNCTION($source,'valueForKey:','foo')" }
    attributes: { texto: "FUNCTION($entityPolicy,'foo:',$source)" }
    attributes: { texto: "FUNCTION($manager,'foo:',$source)" }
    attributes: { texto: "FUNCTION($manager,'destinationInstancesForEntityMappingNamed:sourceInstances:','PersonaToPersona',$source.autor)" }
    attributes: { texto: "parseNumber($source.autor)" }
    attributes: { texto: "CAST($source.texto,'NSUUID')" }
    attributes: { texto: "TERNARY($source.flag == YES, $source.autor, nil)" }
    attributes: { texto: "SUBQUERY($source.marcas, $m, $m.color > 1)[0].palabra" }
    attributes: { texto: "SUBQUERY($source.marcas, $m, $m.palabra > 1)[0].palabra" }
    attributes: { texto: "$source.lista[0]" }
    attributes: { texto: "$source.forma.radio" }
    attributes: { texto: "mode($source.marcas.peso)" }
    attributes: { texto: "now()" }
    attributes: { texto: "$source.texto + 'a'" }
    attributes: { texto: "FETCH($source,$source,NO)" }
    attributes: { texto: "formatDate($source.texto,'yyyy')" }
    attributes: { grado: "40000" }
    attributes: { grado: "$source.marcas.@max.palabra" }
    attributes: { grado: "$source.marcas.@max.desde" }
    attributes: { grado: "$source.autor.@count" }
    attributes: { momento: "$source.texto" }
    attributes: { momento: "$source.momento.timeIntervalSince1970" }
    attributes: { datos: "'a'" }
    attributes: { cosa: "$source.id" }
    attributes: { flag: "'YES'" }
    attributes: { id: "$source.datos" }
    uniqueBy: "$source.autor.foo"
    uniqueBy: "$source.marcas"
    uniqueBy: "$source.lista[0]"
    uniqueBy: "foo"
    uniqueBy: "$manager"
    uniqueBy: "ANYKEY"
    uniqueBy: "coalesce(nil, $source.autor)"
    uniqueBy: "FUNCTION($source,'valueForKey:','autor')"
    uniqueBy: "FUNCTION($source.texto,'length')"
    uniqueBy: "{1,2}"
    uniqueBy: "SUBQUERY($source.marcas,$m,$m.peso>1)"
    uniqueBy: "$source.texto + 1"
    chunks: ["texto > momento", "NOT (texto > momento)"]
    chunks: ["foo == 1", "NOT (foo == 1)"]
    chunks: ["texto.lenght > 1", "NOT (texto.lenght > 1)"]
    chunks: ["SUBQUERY(marcas, $m, $m.color == 1).@count > 0", "NOT (SUBQUERY(marcas, $m, $m.color == 1).@count > 0)"]
    chunks: ["$manager != nil", "NOT ($manager != nil)"]
    chunks: ["$entityMapping.name == 'N'", "NOT ($entityMapping.name == 'N')"]
    chunks: ["$entityMapping.name == 'x'", "NOT ($entityMapping.name == 'x')"]
    chunks: ["$destination.texto == 'a'", "NOT ($destination.texto == 'a')"]
    chunks: ["FUNCTION($source,'foo') == 'uno'", "NOT (FUNCTION($source,'foo') == 'uno')"]
    chunks: ["trim(autor) == 'a'", "NOT (trim(autor) == 'a')"]
    chunks: ["cosa > 5", "NOT (cosa > 5)"]
    chunks: ["ANYKEY == 1", "NOT (ANYKEY == 1)"]
    relationships: { autor: { path: "$source.marcas.foo" } }
    relationships: { autor: { path: "$destination.autor" } }
    relationships: { autor: { path: "SUBQUERY($source.marcas, $m, $m.palabra > 1).notas.autor" } }
    relationships: { autor: { path: "$source.autor.@count" } }
    relationships: { autor: { path: "ANYKEY" } }
    relationships: { autor: "$source.autor" }
    relationships: { autor: "$destination" }
    relationships: { autor: "$destination.texto" }
    relationships: { autor: "'a'" }
    relationships: { autor: "$source" }
    relationships: { autor: "$manager" }
    relationships: { autor: "$foo" }
    relationships: { autor: "{1,2}" }
    relationships: { autor: "TERNARY($source.flag == YES, $source.autor, nil)" }
    relationships: { autor: "FUNCTION($source, 'valueForKey:', 'autor')" }
    relationships: { autor: "FUNCTION($manager, 'foo:', $source)" }
    relationships: { autor: "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'PersonaToPersona')" }
    relationships: { autor: "$source.texto.lenght" }
    relationships: { marcas: "$destination.autor" }
    relationships: { marcas: "SUBQUERY($source.marcas, $m, $m.peso > 2)" }
    """#)

  /// The rows are migrated.
  static let works = lines(
    #"""
    filter: "SUBQUERY(marcas.palabra, $m, $m > 'a').@count > 0"
    filter: "momento.timeIntervalSince1970 > 1"
    filter: "web.absoluteString == 'a'"
    filter: "cosa != nil"
    filter: "texto.uppercaseString == 'A'"
    filter: "marcas.@max.palabra > 'a'"
    filter: "marcas.@max.palabra.length > 0"
    filter: "marcas.peso.@sum > 0"
    filter: "lista[FIRST].palabra == 'a'"
    filter: "forma.medida > 3"
    filter: "CAST(id,'NSUUID') == id"
    filter: "CAST(lista,'NSSet').@count > 0"
    filter: "CAST(texto,'Class') == nil"
    filter: "$entityMapping.userInfo.x == nil"
    filter: "parseNumber(texto) > 1"
    filter: "prefix(texto, grado) == 'a'"
    filter: "coalesce(texto, momento) == 'a'"
    filter: "sha256(datos) == 'a'"
    filter: "parseUUID(texto) == id"
    filter: "extract(texto, 'a') == 'a'"
    filter: "grado + doble > 1"
    filter: "abs(grado) > 1"
    filter: "max(marcas.palabra) > 'a'"
    filter: "count(marcas) > 1"
    filter: "random() > 0"
    filter: "texto == grado"
    filter: "autor IN marcas"
    filter: "ANY marcas.palabra == 'rojo'"
    filter: "texto MATCHES otro"
    filter: "texto IN marcas.palabra"
    filter: "grado BETWEEN {1, 5}"
    filter: "TERNARY(TRUEPREDICATE, 1, texto.lenght) == 1"
    filter: "marcas UNION lista == nil"
    filter: "{texto, otro} == nil"
    filter: "SELF.texto == 'a'"
    filter: "flag == YES"
    filter: "grado.integerValue.stringValue == '1'"
    filter: "CAST({'a', 1}, 'NSDictionary').a == 1"
    attributes: { texto: "$source.marcas.@max.palabra" }
    attributes: { texto: "$entityMapping.name" }
    attributes: { texto: "{'a','b'}[0]" }
    attributes: { texto: "CAST($source.grado,'NSString')" }
    attributes: { texto: "coalesce(nil,'a')" }
    attributes: { texto: "TERNARY($source.flag == YES, 'a', 'b')" }
    attributes: { texto: "SUBQUERY($source.marcas, $m, $m.peso > 1)[0].palabra" }
    attributes: { texto: "noindex($source.texto)" }
    attributes: { grado: "$source.grande" }
    attributes: { grado: "$source.precio" }
    attributes: { grado: "$source.marcas.@sum.peso" }
    attributes: { grado: "$source.texto.length" }
    attributes: { grado: "parseNumber($source.numeral)" }
    attributes: { momento: "$source.momento" }
    attributes: { momento: "$source.marcas.@max.desde" }
    attributes: { datos: "$source.datos" }
    attributes: { cosa: "$source.datos" }
    attributes: { cosa: "nil" }
    attributes: { flag: "YES" }
    attributes: { precio: "$source.doble" }
    attributes: { id: "uuid()" }
    attributes: { web: "$source.web" }
    uniqueBy: "$source.grado"
    uniqueBy: "$source.id"
    uniqueBy: "$source.datos"
    uniqueBy: "$source.precio"
    uniqueBy: "$source.fugaz"
    uniqueBy: "$source.marcas.@count"
    uniqueBy: "nil"
    uniqueBy: "$entityMapping.name"
    uniqueBy: "random()"
    uniqueBy: "TERNARY($source.flag == YES, $source.texto, nil)"
    uniqueBy: "coalesce($source.texto, $source.grado)"
    uniqueBy: "FUNCTION($source,'valueForKey:','texto')"
    chunks: ["texto == 'uno'", "NOT (texto == 'uno')"]
    chunks: ["$source.texto == 'uno'", "NOT ($source.texto == 'uno')"]
    chunks: ["trim(texto) == 'uno'", "NOT (trim(texto) == 'uno')"]
    chunks: ["SUBQUERY(marcas, $m, $m.peso > 2).@count > 1", "NOT (SUBQUERY(marcas, $m, $m.peso > 2).@count > 1)"]
    chunks: ["FUNCTION($source,'valueForKey:','texto') == 'uno'", "NOT (FUNCTION($source,'valueForKey:','texto') == 'uno')"]
    chunks: ["FUNCTION(texto,'valueForKey:','length') == 4", "NOT (FUNCTION(texto,'valueForKey:','length') == 4)"]
    chunks: ["trim(FUNCTION($source,'valueForKey:','texto')) == 'uno'", "NOT (trim(FUNCTION($source,'valueForKey:','texto')) == 'uno')"]
    chunks: ["uuid() == id", "NOT (uuid() == id)"]
    chunks: ["cosa == nil", "NOT (cosa == nil)"]
    relationships: { autor: { path: "$source.autor", mapping: "PersonaToPersona" } }
    relationships: { autor: { path: "$source.autor", mapping: "MarcaToMarca" } }
    relationships: { autor: { path: "$source.marcas.notas.autor" } }
    relationships: { autor: { path: "$source" } }
    relationships: { autor: { path: "'a'" } }
    relationships: { autor: { path: "{1,2}" } }
    relationships: { autor: { path: "TERNARY($source.flag == YES, $source.autor, nil)" } }
    relationships: { autor: { path: "$source.lista[0].notas.autor" } }
    relationships: { autor: { path: "$manager" } }
    relationships: { autor: "nil" }
    relationships: { autor: "TERNARY($source.flag == YES, $destination.autor, nil)" }
    relationships: { autor: "TERNARY($source.flag == YES, FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'PersonaToPersona', $source.autor), nil)" }
    relationships: { autor: "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'PersonaToPersona', $source.autor)[0]" }
    relationships: { marcas: { path: "$source.autor" } }
    relationships: { marcas: { path: "SUBQUERY($source.marcas, $m, $m.peso > 2)" } }
    relationships: { marcas: "nil" }
    """#)

  /// The values of these rows are refused.
  ///
  /// Other values could be migrated.
  static let depends = lines(
    #"""
    filter: "forma.medida.length > 1"
    filter: "CAST(texto,'NSNumber') > 1"
    filter: "CAST(texto,'NSUUID') == id"
    filter: "CAST(texto,'NSData') == datos"
    filter: "prefix(texto, doble) == 'a'"
    filter: "bitwiseAnd:with:(doble, 1) == 1"
    filter: "castObject:toType:(texto, otro) == momento"
    filter: "TERNARY(texto != nil, texto, grado) > 3"
    attributes: { texto: "CAST(CAST($source.texto,'NSUUID'),'NSString')" }
    attributes: { texto: "coalesce($source.grado,'a')" }
    attributes: { texto: "coalesce($source.autor,'a')" }
    attributes: { texto: "ifEmpty('', 5)" }
    attributes: { texto: "TERNARY($source.flag == YES, 'a', 5)" }
    attributes: { grado: "CAST($source.texto,'NSNumber')" }
    attributes: { grado: "TERNARY($source.flag == YES, 1, 40000)" }
    attributes: { datos: "CAST($source.texto,'NSData')" }
    attributes: { id: "CAST($source.texto,'NSUUID')" }
    uniqueBy: "coalesce($source.autor, $source.texto)"
    relationships: { autor: "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', $source.texto, $source.autor)" }
    """#)

  /// The check reports errors, because these are certainly mistakes: look-ups without a result, and keys of no object.
  ///
  /// The rows would be migrated.
  static let mistaken = lines(
    #"""
    attributes: { texto: "texto" }
    attributes: { texto: "autor.nombre" }
    attributes: { texto: "SELF.texto" }
    attributes: { texto: "parseNumber($source.texto)" }
    uniqueBy: "texto"
    relationships: { autor: { path: "$source.autor", mapping: "Nope" } }
    relationships: { autor: { path: "$source.texto" } }
    relationships: { autor: { path: "autor" } }
    relationships: { autor: { path: "SELF.autor" } }
    relationships: { autor: { path: "$source.autor.nombre" } }
    relationships: { autor: "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'Nope', $source.autor)" }
    """#)

  private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
