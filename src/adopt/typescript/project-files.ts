import type { AdoptedFile } from "../model/live-settings";

/**
 * The files around the code of an app.
 *
 * @param name of the package
 * @param dependencies the packages that the app depends on, with their ranges
 * @param isTested whether the app has a test and a fixture, `main.test.ts` and `fixture.yaml`
 */
export const projectFiles = (
  name: string,
  dependencies: Readonly<Record<string, string>>,
  isTested = false,
): AdoptedFile[] => [
  { path: "cdktf.json", text: jsonFile(CDKTF) },
  { path: "package.json", text: jsonFile(packageJson(name, dependencies, isTested)) },
  { path: "tsconfig.json", text: jsonFile(tsconfig(isTested)) },
  { path: ".gitignore", text: isTested ? `${GITIGNORE}${TRIAL}` : GITIGNORE },
];

const CDKTF = {
  language: "typescript",
  app: "node --import tsx main.ts",
  output: "cdktf.out",
  sendCrashReports: "false",
};

const packageJson = (name: string, dependencies: Readonly<Record<string, string>>, isTested: boolean) => ({
  // npm refuses upper case, and names that begin with another character.
  name: name.toLowerCase().replace(/^[^a-z\d]+/, ""),
  private: true,
  scripts: {
    plan: "steward plan",
    apply: "steward apply",
    drift: "steward drift --coverage",
    check: "tsc",
    ...(isTested && TEST_SCRIPTS),
  },
  dependencies: { ...dependencies, tsx: "^4.19.0" },
  devDependencies: { ...(isTested && { "@types/node": ">=20.19.0" }), typescript: ">=5.6.0" },
});

const TEST_SCRIPTS = {
  // Types first: tsx runs an app whose types are wrong.
  test: "tsc && node --import tsx --test main.test.ts",
  serve: "steward serve --fixture fixture.yaml --port 8080 --admin-token-file admin.token",
};

/** From TypeScript 6 on, types of packages count only if they are named. */
const tsconfig = (isTested: boolean) => ({
  compilerOptions: {
    target: "ES2022",
    module: "Node16",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    skipLibCheck: true,
    noEmit: true,
    ...(isTested && { types: ["node"] }),
  },
  include: ["*.ts"],
});

const GITIGNORE = `node_modules/
cdktf.out/
# E-mail addresses of people.
*.auto.tfvars.json
# States can hold more than the code; keep them where all users reach them.
*.tfstate
*.tfstate.*
`;

const TRIAL = `# The token of the service to try the app on.
admin.token
`;

/** JSON as formatters print it: an object with a property a line, a list of texts on one line. */
export const jsonFile = (content: object): string =>
  `${JSON.stringify(content, undefined, 2).replace(/\[\n\s*("[^"\n]*")\n\s*\]/g, "[$1]")}\n`;
