import { readFileSync } from "node:fs";
import path from "node:path";
import { UNSUPPORTED } from "../../../src/language/configuration/unsupported";
import { UNSUPPORTED_FUNCTIONS } from "../../../src/language/syntax/function-registry";

const page = readFileSync(path.join(__dirname, "..", "..", "..", "docs", "language.md"), "utf8");
const refused = page.slice(page.indexOf("## Unsupported features"));

describe("docs/language.md", () => {
  test.each([
    ...Object.values(UNSUPPORTED).flatMap((names) => [...names.keys()]),
    ...UNSUPPORTED_FUNCTIONS.keys(),
  ])("docs/language.md lists %s among the unsupported features", (name) => {
    expect(refused).toContain(`\`${name}\``);
  });
});
