/**
 * Text as the XML writer takes it. The writer leaves `&name;` as it is, because it might be an entity: `R&D;` would make
 * the report ill-formed, and `&lt;` would be read as `<`. So each ampersand is written as an entity here, which the writer
 * then keeps. A carriage return is one too: XML parsers read it as a line feed otherwise.
 */
export const xmlText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("\r", "&#13;");

/** The same for the value of an attribute, in which parsers turn line feeds and tabs into spaces (XML 1.0, 3.3.3). */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
