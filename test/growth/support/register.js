// This module lets a process load TypeScript, and makes the files below src count their work. The environment variable
// STEWARD_GROWTH contains JSON. Its field `planted` is a fault: in `file`, the text `from` is replaced by `to`.
const { readFileSync } = require("node:fs");
const { Module } = require("node:module");
const path = require("node:path");
const { transformSync } = require("@swc/core");
const { instrumented } = require("./instrument");

const root = path.join(__dirname, "..", "..", "..");
const sources = path.join(root, "src") + path.sep;
const { planted } = JSON.parse(process.env["STEWARD_GROWTH"]);

Module._extensions[".ts"] = (module, filename) => {
  const file = path.relative(root, filename);
  const text = plant(readFileSync(filename, "utf8"), file);
  const { code } = transformSync(filename.startsWith(sources) ? instrumented(text, file) : text, {
    filename,
    swcrc: false,
    configFile: false,
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  module._compile(code, filename);
};

function plant(text, file) {
  if (planted?.file !== file) return text;
  const parts = text.split(planted.from);
  if (parts.length !== 2) throw new Error(`"${planted.from}" is there ${parts.length - 1} times in ${file}`);
  return parts.join(planted.to);
}
