// The libraries of constructs, and how a text of this repository, which is written for cdktf, reads for another of them.

/** `peers` are the supported releases of the library; for cdktf, package.json has them. */
const FAMILIES = [
  { library: "cdktf" },
  {
    library: "cdktn",
    peers: {
      // A range takes prereleases only of a release that it names: these are of the next patch and the next minor release.
      cdktn: ">=0.24.0 || >=0.24.1-0 || >=0.25.0-0",
      // The library itself decides how new `constructs` may be.
      constructs: "^10.6.0",
    },
  },
];

/**
 * The library and the names that derive from it: its command, its packages, this package. Files and folders
 * (cdktf.json, cdktf.out), marks in its output (@cdktf/error) and names in code do not change: all libraries share
 * these.
 */
const NAME = /(?<![\w@])cdktf(?![\w/]|\.(?:json|out)\b|-tokens)/g;

/** The text of a file for one family. What names both libraries stays as it is: a line of code, a paragraph of a page. */
function inFamily({ library }, file, text) {
  if (library === "cdktf") return text;
  const separator = file.endsWith(".md") ? /(\n{2,})/ : /(\n)/;
  const rewritten = (part) => (part.includes(library) ? part : part.replaceAll(NAME, library));
  return text.split(separator).map(rewritten).join("");
}

module.exports = { FAMILIES, inFamily };
