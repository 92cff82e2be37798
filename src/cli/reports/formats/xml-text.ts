/**
 * Escapes text for the XML writer. The writer keeps `&name;`, because it might be an entity. So `R&D;` would make the
 * report ill-formed, and parsers would read `&lt;` as `<`. Each ampersand becomes an entity here, which the writer keeps.
 * A carriage return becomes one too: XML parsers would read it as a line feed.
 */
export const xmlText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("\r", "&#13;");

/** Escapes the value of an attribute, in which parsers turn line feeds and tabs into spaces (XML 1.0, 3.3.3). */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
