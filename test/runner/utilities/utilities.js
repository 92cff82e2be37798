// This program implements the POSIX utilities that apps of tests call, for machines whose PATH has only a shell. Each utility
// supports only the flags that tests use.
const fs = require("node:fs");
const path = require("node:path");

const operands = (words) => words.filter((word) => !word.startsWith("-"));
const hasFlag = (words, letter) => words.some((word) => /^-\w/.test(word) && word.includes(letter));
const isFolder = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

/** Returns the path of a copied file: if the target is a folder, a path in it; otherwise, the target itself. */
const inside = (file, target) =>
  isFolder(target) && !file.endsWith("/.") ? path.join(target, path.basename(file)) : target;

const UTILITIES = {
  cat(words) {
    const files = operands(words);
    for (const file of files.length === 0 ? [0] : files) fs.writeSync(1, fs.readFileSync(file));
  },
  chmod([mode, ...files]) {
    for (const file of files) fs.chmodSync(file, Number.parseInt(mode, 8));
  },
  cp(words) {
    const files = operands(words);
    const target = files.pop();
    for (const file of files)
      fs.cpSync(file, inside(file, target), { recursive: hasFlag(words, "R") || hasFlag(words, "r") });
  },
  dirname([file]) {
    fs.writeSync(1, `${path.dirname(file)}\n`);
  },
  mkdir(words) {
    for (const folder of operands(words)) fs.mkdirSync(folder, { recursive: hasFlag(words, "p") });
  },
  mv(words) {
    const files = operands(words);
    const target = files.pop();
    for (const file of files) fs.renameSync(file, inside(file, target));
  },
  rm(words) {
    for (const file of operands(words))
      fs.rmSync(file, { recursive: hasFlag(words, "r"), force: hasFlag(words, "f") });
  },
  sleep([seconds]) {
    setTimeout(() => {}, 1000 * Number(seconds));
  },
  touch(words) {
    for (const file of operands(words)) fs.closeSync(fs.openSync(file, "a"));
  },
};

/** Runs the utility with this name. Prints an error as a utility does. */
function runUtility(name) {
  try {
    UTILITIES[name](process.argv.slice(2));
  } catch (problem) {
    process.stderr.write(`${name}: ${problem.message}\n`);
    process.exitCode = 1;
  }
}

module.exports = { names: Object.keys(UTILITIES), runUtility };
