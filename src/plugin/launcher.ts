import { createHash } from "node:crypto";

/** The script beside the launcher. */
export const SCRIPT = "provider.js";
/** Has the launcher write down, at its end, what V8 compiled. */
export const WRITE_CODE_CACHE = "--write-code-cache";
/** Where that is kept, below the mirror. */
export const CODE_CACHES = ".cache";

/**
 * What Terraform starts: it runs the script with what V8 compiled of it when the mirror was made, which halves the work
 * until the first answer. Another release of Node compiles anew, as it does where the folder was copied elsewhere.
 *
 * What was compiled stands outside of the provider's own folder, and goes by the script's content: a folder that
 * differs from machine to machine would never meet the checksum in a lock file.
 */
export const launcherOf = (script: Buffer): string => `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
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
`;

const digest = (content: Buffer): string => createHash("sha256").update(content).digest("hex").slice(0, 16);
