import { readFileSync } from "node:fs";
import path from "node:path";
import type { Generator } from "./generated-files";

const EXAMPLES = path.join(__dirname, "..", "..", "examples");
/** The files of every new app, each with the path of the example that contains it. */
const FILES = {
  "new-app": ["main.ts", "main.test.ts", "state.ts", "fixture.yaml", "README.md"],
  ci: ["pipeline.yml", "drift-ignore.yaml"],
};
const PLACE = "src/init/generated/example-files.ts";

/**
 * Generates a source with the texts of files that `steward init` writes. `steward init` needs these texts, because the
 * command is one file without the folder of examples.
 */
export const newAppFiles = (): Generator => ({
  place: PLACE,
  generate: async () => {
    const files = Object.entries(FILES).flatMap(([example, names]) =>
      names.map((name) => [name, readFileSync(path.join(EXAMPLES, example, name), "utf8")] as const),
    );
    const entries = files.map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
    return new Map([
      [
        PLACE,
        `// Generated from examples by \`npm run generate\`. Edit the examples.\nexport const EXAMPLE_FILES = {\n${entries.join("")}} as const;\n`,
      ],
    ]);
  },
});
