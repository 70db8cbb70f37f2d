/// Short realistic texts in several languages, scripts and normal forms, with characters that are often handled
/// wrongly.
enum SampleText {
  static let phrases: [String] = [
    "Comprar pan y leche", "Llamar a Begoña mañana", "¿Cuándo es la reunión?", "El niño comió piña en Logroño",
    "Reunión con el equipo", "Regar las plantas", "Lista de la compra", "Übergrößenträger", "Grüße aus Köln",
    "Straße gesperrt – Umleitung folgen", "Ça va être l’été à Noël", "œuvre complète, tome I", "Déjà vu",
    "Rock & roll", "L'Hospitalet de l'Èbre", "col·legi públic", "São João da Madeira", "Não há água",
    "Zażółć gęślą jaźń", "Příliš žluťoučký kůň", "İstanbul’da ışık", "Đường phố Hà Nội", "Ætt og óðal",
    "Съешь ещё этих мягких булок", "Їжак і ґудзик", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
    "朝ごはんを食べる", "会議は午後三時から", "ｶﾀｶﾅ と ひらがな", "明天去北京", "漢字與漢字", "안녕하세요 세계",
    "שלום עולם", "רשימת קניות (3)", "مرحبا بالعالم", "قائمة المهام ١٢٣", "नमस्ते दुनिया", "สวัสดีชาวโลก",
    // Texts with separate scalars for accents and jamo.
    "manzana y limo\u{301}n", "Nin\u{303}o en Logron\u{303}o", "Cafe\u{301} cre\u{300}me",
    "Mu\u{308}nchen, Ko\u{308}ln",
    "Tie\u{302}\u{301}ng Vie\u{323}\u{302}t", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}",
    // Symbols outside Unicode's basic plane, also joined ones and ones with a skin colour.
    "Fiesta 🎉🎂", "Familia 👨‍👩‍👧‍👦 feliz", "👍🏽 de acuerdo", "🇪🇸 ↔ 🇯🇵", "𝒜 mathematical 𝟜",
    // Quotes, breaks and other special characters.
    "O'Brien said “no”", "\"quoted\" and 'quoted'", "'); DROP TABLE ZNOTA; --", "100 % _sure_ \\ maybe",
    "tab\tand\nline break", "  spaces around  ", "NULL", "nil", "0", "-1", "1e3", "true", "<b>not bold</b>",
    "a\u{200b}b zero width", "\u{202e}right to left\u{202c}", "e\u{301}\u{301}\u{301} stacked", "ﬁne ﬂow",
    "K Å Ω",
  ]

  static let words = ["nota", "tarea", "año", "größe", "été", "книга", "本", "ספר", "🌱", "item", "lista", "día"]
}
