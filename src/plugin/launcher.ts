/** The script beside the launcher. */
export const PROGRAM = "provider.js";
/** Has the launcher write down, at its end, what V8 compiled. */
export const WRITE_CODE_CACHE = "--write-code-cache";

/**
 * What Terraform starts: it runs the script with what V8 compiled of it when the mirror was made, which halves the work
 * until the first answer. Another release of Node does not take that and compiles anew, as it does where there is none.
 */
export const LAUNCHER = `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { Script } = require("node:vm");
const filename = \`\${__dirname}/${PROGRAM}\`;
const cache = \`\${filename}.cache\`;
const source = \`(function (exports, require, module, __filename, __dirname) {\${readFileSync(filename, "utf8")}
})\`;
const script = new Script(source, { filename, ...(existsSync(cache) && { cachedData: readFileSync(cache) }) });
if (process.argv[2] === "${WRITE_CODE_CACHE}") {
  process.on("exit", () => writeFileSync(cache, script.createCachedData()));
}
script.runInThisContext()(exports, require, module, filename, __dirname);
`;
