// The libraries of constructs for which packages are made. The texts of this repository are written for cdktf, and are
// changed for other libraries.

/** `peers` are the supported releases of the library. For cdktf, the supported releases are in package.json. */
const FAMILIES = [
  { library: "cdktf" },
  {
    library: "cdktn",
    peers: {
      // A range includes prereleases only of the releases that are written in it. This range has the prereleases of the
      // next patch and the next minor release.
      cdktn: ">=0.24.0 || >=0.24.1-0 || >=0.25.0-0",
      // The library itself limits the versions of `constructs`.
      constructs: "^10.6.0",
    },
  },
];

/**
 * Matches the library's name, and names that contain it: its command, its packages and this package. The pattern does
 * not match names that all libraries share: files and folders (cdktf.json, cdktf.out), marks in output (@cdktf/error),
 * and names in code.
 */
const NAME = /(?<![\w@])cdktf(?![\w/]|\.(?:json|out)\b|-tokens)/g;

/**
 * Returns the text of a file for one library. A line of code or a paragraph that already names this library stays as it
 * is.
 */
function inFamily({ library }, file, text) {
  if (library === "cdktf") return text;
  const separator = file.endsWith(".md") ? /(\n{2,})/ : /(\n)/;
  const rewritten = (part) => (part.includes(library) ? part : part.replaceAll(NAME, library));
  return text.split(separator).map(rewritten).join("");
}

module.exports = { FAMILIES, inFamily };
