// Writes the entry that adds the matchers to Vitest, which has no global `expect`. The compiler could compile this
// entry only if Vitest were installed, and nothing else here needs Vitest.
const { writeFileSync } = require("node:fs");
const path = require("node:path");

const FOLDER = path.join(__dirname, "..", "dist", "testing");

const VITEST_TYPES = `import type {} from "vitest";
import type { StewardMatchers } from "./expectations.js";

declare module "vitest" {
  interface Assertion<T = any> extends StewardMatchers {}
}
`;

const FILES = {
  "vitest.mjs": `import { expect } from "vitest";
import { matchers } from "./expectations.js";

expect.extend(matchers);
`,
  "vitest.d.mts": VITEST_TYPES,
  // Vitest is an ES module, which `require` does not load.
  "vitest.js": `throw new Error(
  "Vitest is an ES module. Import cdktf-provider-steward/testing/vitest, or name it in \`setupFiles\` of Vitest.",
);
`,
  "vitest.d.ts": VITEST_TYPES,
};

for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(FOLDER, name), text);
