/** What `steward init` writes, sorted. */
export const NEW_APP_FILES = [
  ".gitignore",
  "README.md",
  "cdktf.json",
  "drift-ignore.yaml",
  "fixture.yaml",
  "main.test.ts",
  "main.ts",
  "package.json",
  "pipeline.yml",
  "state.ts",
  "tsconfig.json",
];
