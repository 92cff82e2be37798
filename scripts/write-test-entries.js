// Writes the entry that adds the matchers to Vitest, which has no global `expect`. The compiler would need Vitest for it, and this
// project has no other use for Vitest.
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
  // Vitest refuses to be required.
  "vitest.js": `throw new Error(
  "Vitest is an ES module. Import cdktf-provider-steward/testing/vitest, or name it in \`setupFiles\` of Vitest.",
);
`,
  "vitest.d.ts": VITEST_TYPES,
};

for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(FOLDER, name), text);
