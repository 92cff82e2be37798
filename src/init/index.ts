// The files that `steward init` adds to an app: test, pipeline, fixture and README. The code of the app itself comes
// from `adopt`.

import { EXAMPLE_FILES } from "./generated/example-files";

/** A file of a new app, by its name in the folder. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

type Name = keyof typeof EXAMPLE_FILES;

const AROUND = ["README.md", "pipeline.yml", "drift-ignore.yaml"] as const satisfies readonly Name[];

const SAMPLE = ["main.ts", "main.test.ts", "fixture.yaml"] as const satisfies readonly Name[];

const example = (path: Name): NewFile => ({ path, text: EXAMPLE_FILES[path] });

/**
 * `state.ts`, which says where an app keeps its states.
 *
 * @param project the project on the platform that keeps them; undefined for files beside the app
 */
export const stateFile = (project: string | undefined): NewFile => {
  const { path, text } = example("state.ts");
  if (project === undefined) return { path, text };
  return { path, text: replaced(text, [["= undefined;", `= ${JSON.stringify(project)};`]]) };
};

/** A first app, with a small company as the fixture to try it on. */
export const sampleApp = (stateProject: string | undefined): NewFile[] => [
  ...[...SAMPLE, ...AROUND].map(example),
  stateFile(stateProject),
];

/**
 * What stands beside the code of an adopted app: its test and a pipeline. The fixture is a
 * snapshot of the adopted projects.
 *
 * @param emailsFile the file with the e-mail addresses that the code names; undefined if there is none
 */
export const besideAdoptedApp = (emailsFile: string | undefined): NewFile[] => [
  { path: "main.test.ts", text: adoptedTest(emailsFile) },
  ...AROUND.map(example),
];

/** The test of the sample, and that nothing is written: what is adopted is live already. */
function adoptedTest(emailsFile: string | undefined): string {
  const own = replaced(EXAMPLE_FILES["main.test.ts"], [
    [
      'test("an apply leaves nothing to change"',
      'test("the app declares what fixture.yaml has: an apply imports, and writes nothing"',
    ],
    [
      "  assert.equal(hasChanges, false, text);\n",
      "  assert.equal(hasChanges, false, text);\n" +
        '  const writes = service.requests.all.filter(({ method }) => method !== "GET");\n' +
        "  assert.deepEqual(writes, []);\n",
    ],
  ]);
  if (emailsFile === undefined) return own;
  return replaced(own, [
    [
      'import path from "node:path";\n',
      'import { readFileSync } from "node:fs";\nimport path from "node:path";\n',
    ],
    ["{ service });\n  await", "{ service, variables: EMAILS });\n  await"],
    [
      "let service: Service;\n",
      `/** The addresses that the code names; git ignores the file. */\nconst EMAILS = JSON.parse(readFileSync(path.join(__dirname, ${JSON.stringify(emailsFile)}), "utf8"));\n\nlet service: Service;\n`,
    ],
  ]);
}

/** Replaces texts that must be there. */
function replaced(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The example lacks ${JSON.stringify(from)}.`);
    return result.replace(from, () => to);
  }, text);
}
