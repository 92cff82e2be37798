import type { AdoptedFile } from "../model/live-settings";

/**
 * The files around the code of an app.
 *
 * @param name of the package
 * @param dependencies the packages that the app depends on, with their ranges
 */
export const projectFiles = (name: string, dependencies: Readonly<Record<string, string>>): AdoptedFile[] => [
  { path: "cdktf.json", text: jsonFile(CDKTF) },
  { path: "package.json", text: jsonFile(packageJson(name, dependencies)) },
  { path: "tsconfig.json", text: jsonFile(TSCONFIG) },
  { path: ".gitignore", text: GITIGNORE },
];

const CDKTF = {
  language: "typescript",
  app: "node --import tsx main.ts",
  output: "cdktf.out",
  sendCrashReports: "false",
};

const packageJson = (name: string, dependencies: Readonly<Record<string, string>>) => ({
  // npm refuses upper case, and names that begin with another character.
  name: name.toLowerCase().replace(/^[^a-z\d]+/, ""),
  private: true,
  scripts: { plan: "steward plan", apply: "steward apply", drift: "steward drift --coverage", check: "tsc" },
  dependencies: { ...dependencies, tsx: "^4.19.0" },
  devDependencies: { typescript: ">=5.6.0" },
});

const TSCONFIG = {
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
  },
  include: ["*.ts"],
};

const GITIGNORE = `node_modules/
cdktf.out/
# E-mail addresses of people.
*.auto.tfvars.json
# States can hold more than the code; keep them where all users reach them.
*.tfstate
*.tfstate.*
`;

/** JSON as formatters print it: an object with a property a line, a list of texts on one line. */
export const jsonFile = (content: object): string =>
  `${JSON.stringify(content, undefined, 2).replace(/\[\n\s*("[^"\n]*")\n\s*\]/g, "[$1]")}\n`;
