import path from "node:path";
import { type Difference, differences, type Generator, update } from "./generate/generated-files";
import { MissingSample } from "./generate/missing-sample";
import { apiAreas, apiAreaTypes, providerRegistry } from "./generate/registries";

const HELP = `Writes everything that is generated: the lists of resources, data sources and areas of the API, constructs, reference pages, examples, the page of operations, the rows
of the specification, the OpenAPI document, the schemas of fixtures and reports, the messages of the plugin protocol.

  tsx scripts/generate.ts           writes what changed, and removes what is generated no longer
  tsx scripts/generate.ts --check   writes nothing; fails and names the files when one is not up to date
`;

const ROOT = path.join(__dirname, "..");

async function main(options: readonly string[]): Promise<number> {
  const check = options.length === 1 && options[0] === "--check";
  if (options.length > 0 && !check) {
    process.stderr.write(HELP);
    return 1;
  }
  const write = (generators: readonly Generator[]) => (check ? differences : update)(ROOT, generators);
  // All other generators load the provider, and the provider needs the lists from these generators.
  const registries = await write([providerRegistry(), apiAreas(), apiAreaTypes()]);
  const isCurrent = !check || registries.length === 0;
  const found = [
    ...registries,
    ...(isCurrent ? await write((await import("./generate/generators.js")).generators()) : []),
  ];
  const listed = (words: Words) =>
    found.map(({ kind, path }) => `  ${words[kind].padEnd(8)}${path}\n`).join("");
  if (check && found.length > 0) {
    process.stderr.write(
      `Generated files are not up to date. Run tsx scripts/generate.ts and commit:\n${listed(FOUND)}`,
    );
    return 1;
  }
  const { uncoveredText } = await import("./generate/specification-page.js");
  process.stdout.write(found.length === 0 ? "Generated files are up to date.\n" : listed(WRITTEN));
  process.stdout.write(uncoveredText());
  return 0;
}

type Words = Readonly<Record<Difference["kind"], string>>;
const FOUND: Words = { missing: "missing", changed: "changed", surplus: "surplus" };
const WRITTEN: Words = { missing: "added", changed: "changed", surplus: "removed" };

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (problem: unknown) => {
    console.error(problem instanceof MissingSample ? problem.message : problem);
    process.exitCode = 1;
  },
);
