import { createHash } from "node:crypto";

/** The script beside the launcher. */
export const SCRIPT = "provider.js";
/** The argument that makes the launcher write V8's code cache at exit. */
export const WRITE_CODE_CACHE = "--write-code-cache";
/** The folder of the code caches, below the mirror. */
export const CODE_CACHES = ".cache";

/**
 * The file that Terraform starts: it runs the script with the code cache that was written with the mirror,
 * which halves the time to the first response. Another release of Node compiles anew, as does a copied
 * mirror. V8 optimizes functions later than by default, as in the command, from the moment at which all is
 * loaded: code caches, also Node's of its own modules, are valid only with the flags under which they were written.
 *
 * The code cache is outside of the provider's own folder and named by the script's content: a folder that
 * differs between machines would never match the checksum in a lock file.
 */
export const launcherFor = (script: Buffer): string => `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");
const filename = \`\${__dirname}/${SCRIPT}\`;
const cache = \`\${__dirname}/../../../../../${CODE_CACHES}/${digest(script)}-\${process.version}-\${process.arch}\`;
const source = \`(function (exports, require, module, __filename, __dirname) {\${readFileSync(filename, "utf8")}
})\`;
const script = new Script(source, { filename, ...(existsSync(cache) && { cachedData: readFileSync(cache) }) });
if (process.argv[2] === "${WRITE_CODE_CACHE}") {
  process.on("exit", () => writeFileSync(cache, script.createCachedData()));
}
script.runInThisContext()(exports, require, module, filename, __dirname);
if (process.argv[2] === undefined) void module.exports.loaded?.then(() => setFlagsFromString("--interrupt-budget=300000 --wasm-tiering-budget=1000000000"));
`;

const digest = (content: Buffer): string => createHash("sha256").update(content).digest("hex").slice(0, 16);
