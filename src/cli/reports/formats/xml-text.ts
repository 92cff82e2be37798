/**
 * Escapes text for the XML writer. The writer itself leaves `&name;` unchanged, because this text can be an entity. The text
 * `R&D;` would then make the report ill-formed, and parsers would read the text `&lt;` as `<`. This function therefore replaces
 * each ampersand by an entity. The function also replaces carriage returns, because XML parsers would read a carriage return as
 * a line feed.
 */
export const xmlText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("\r", "&#13;");

/**
 * Escapes the value of an attribute. Also replaces line feeds and tabs, because parsers would turn line feeds and tabs into
 * spaces (XML 1.0, 3.3.3).
 */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
