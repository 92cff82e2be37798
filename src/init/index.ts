// The files that `steward init` adds to an app: test, pipeline, fixture and README. The code of the app itself comes
// from `adopt`.

import { EXAMPLE_FILES } from "./generated/example-files";

/** A file of a new app: its name in the app's folder, and its content. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

type Name = keyof typeof EXAMPLE_FILES;

const AROUND = ["README.md", "pipeline.yml", "drift-ignore.yaml"] as const satisfies readonly Name[];

const SAMPLE = ["main.ts", "main.test.ts", "fixture.yaml"] as const satisfies readonly Name[];

const example = (path: Name): NewFile => ({ path, text: EXAMPLE_FILES[path] });

/**
 * Returns the file `state.ts`, which says where an app keeps its states.
 *
 * @param project the project on the platform that keeps the states; undefined for files next to the app
 */
export const stateFile = (project: string | undefined): NewFile => {
  const { path, text } = example("state.ts");
  if (project === undefined) return { path, text };
  return { path, text: replaced(text, [["= undefined;", `= ${JSON.stringify(project)};`]]) };
};

/** Returns the files of a first app. The fixture of this app describes a small company. */
export const sampleApp = (stateProject: string | undefined): NewFile[] => [
  ...[...SAMPLE, ...AROUND].map(example),
  stateFile(stateProject),
];

/** Facts about an adoption for the files next to the code. */
export interface AdoptedScope {
  /** The names that the code uses for the e-mail addresses of invitations. */
  readonly emails: readonly string[];
  /**
   * The options with which a drift run searches the adopted groups, such as `--group acme`; empty if there are no adopted
   * groups.
   */
  readonly groupOptions: string;
  /** Waivers, as lines of YAML, for lists that the service did not let the token of the adoption read. */
  readonly waivers: readonly string[];
}

/**
 * Returns the files next to an adopted app, including its test and its pipeline. The fixture is a snapshot of the adopted
 * projects.
 */
export const besideAdoptedApp = (scope: AdoptedScope): NewFile[] => [
  { path: "main.test.ts", text: adoptedTest(scope.emails) },
  ...AROUND.map(example)
    .map((file) => withScope(file, scope))
    .map((file) => (scope.emails.length > 0 ? withEmails(file) : file)),
];

/**
 * Returns the file with additions. The pipeline gets the adopted groups in its hourly job, and `drift-ignore.yaml` gets the
 * waivers.
 */
function withScope({ path, text }: NewFile, { groupOptions, waivers }: AdoptedScope): NewFile {
  if (path === "pipeline.yml" && groupOptions !== "")
    return { path, text: replaced(text, [["drift --coverage ", `drift --coverage ${groupOptions} `]]) };
  if (path === "drift-ignore.yaml" && waivers.length > 0)
    return { path, text: `${text.trimEnd()}\n\n${REFUSED}${waivers.join("\n")}\n` };
  return { path, text };
}

const REFUSED = `# The token of the adoption was refused these lists. With a token of the role that may read them, delete these entries.
`;

/**
 * Returns the address in the fixture for a name in the code. Code and fixture can both be committed, because this address is
 * invented.
 */
export const standInAddress = (name: string): string => `${name}@example.net`;

/**
 * Adds an explanation to the pipeline and the README. The explanation says how users provide the e-mail addresses, because git
 * ignores the file with these addresses.
 */
function withEmails({ path, text }: NewFile): NewFile {
  if (path === "pipeline.yml") return { path, text: EMAILS_SECRET + text };
  return { path, text: path === "README.md" ? `${text.trimEnd()}\n${EMAILS_NOTE}` : text };
}

const EMAILS_NOTE = `- The code names e-mail addresses of invitations, and \`emails.auto.tfvars.json\` contains them. Git ignores this file, so a clone and the
  pipeline need the CI/CD variable \`TF_VAR_emails\`: the object \`emails\` of the file, as JSON. \`npm test\` needs neither: \`fixture.yaml\` and the test use invented addresses.
`;

const EMAILS_SECRET = `# This app needs a further CI/CD variable, masked, for all jobs except "synth":
#   TF_VAR_emails          the object "emails" of emails.auto.tfvars.json, as JSON; git ignores the file
#
`;

/**
 * Returns the test of an adopted app. Unlike the test of the sample app, this test checks that an apply writes nothing, because
 * the adopted settings are already live.
 */
function adoptedTest(emails: readonly string[]): string {
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
  if (emails.length === 0) return own;
  const addresses = Object.fromEntries(emails.map((name) => [name, standInAddress(name)]));
  return replaced(own, [
    ["{ service });\n  await", "{ service, variables: EMAILS });\n  await"],
    [
      "let service: Service;\n",
      `/** The invented addresses of fixture.yaml, by their names in the code. */\nconst EMAILS = ${printed({ emails: addresses })};\n\nlet service: Service;\n`,
    ],
  ]);
}

const printed = (value: object): string =>
  JSON.stringify(value, undefined, 2).replace(/([^,{\n])\n/g, "$1,\n");

/** Returns a text with replacements. Throws if the text does not contain one of the texts that it should replace. */
function replaced(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The example lacks ${JSON.stringify(from)}.`);
    return result.replace(from, () => to);
  }, text);
}
