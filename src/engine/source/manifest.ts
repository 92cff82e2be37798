import path from "node:path";
import * as z from "zod/mini";
import { type Diagnostic, error, fail, formatPath, type PathStep, warning } from "../../diagnostics";
import { describeFileProblem, readFileSync, systemCode } from "../../files";
import { parseJson } from "../../json";
import { statedLines } from "../../text";

/** One stack of an app. */
export interface StackEntry {
  readonly name: string;
  /** The folder that holds its `cdk.tf.json`. */
  readonly folder: string;
  readonly constructPath: string;
  /** Construct paths of the stacks that must come before it. */
  readonly dependencies: readonly string[];
  readonly annotations: readonly Annotation[];
}

const annotation = z.object({ constructPath: z.string(), level: z.string(), message: z.string() });
type Annotation = z.output<typeof annotation>;

const manifest = z.object({
  stacks: z.record(
    z.string(),
    z.object({
      // The name is a part of the state file's name.
      name: z
        .string()
        .check(z.regex(/^[^/\\\0]+$/, "no name of a stack: it is empty, or holds a slash or a NUL")),
      constructPath: z.string(),
      workingDirectory: z.string(),
      dependencies: z.array(z.string()),
      annotations: z.array(annotation),
    }),
  ),
});

/** Reads the stacks in an app's output folder, in the order of dependencies. */
export function readManifest(output: string): StackEntry[] {
  const { stacks } = readJson(path.join(output, "manifest.json"));
  const entries = Object.values(stacks).map(
    ({ name, constructPath, workingDirectory, dependencies, annotations }): StackEntry => ({
      name,
      constructPath,
      folder: path.join(output, workingDirectory),
      dependencies,
      annotations,
    }),
  );
  if (entries.length === 0) nothingSynthesized("The app ended well, and made no stack.");
  return sortByDependencies(entries);
}

function readJson(file: string): z.output<typeof manifest> {
  const refuse = (what: string): never =>
    nothingSynthesized(`The app ended well, and its manifest ${file} ${what}.`);
  let json: unknown;
  try {
    json = parseJson(readFileSync(file).toString("utf8"));
  } catch (problem) {
    if (systemCode(problem) === "ENOENT") {
      return nothingSynthesized(`The app ended well, and left no ${file}.`);
    }
    return refuse(`can't be read: ${describeFileProblem(problem)}`);
  }
  const parsed = manifest.safeParse(json, { error: z.locales.en().localeError });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return refuse(`can't be used: ${formatPath(issue!.path as PathStep[]) || "the whole"}: ${issue!.message}`);
}

function nothingSynthesized(what: string): never {
  return fail({
    code: "nothing_synthesized",
    summary: "Nothing synthesized",
    detail:
      `${what} An app creates at least one TerraformStack, takes its output folder from CDKTF_OUTDIR ` +
      "(`new App()` does), and ends with `app.synth()`.",
  });
}

/** Sorts stacks after their dependencies; otherwise keeps the order. */
function sortByDependencies(entries: readonly StackEntry[]): StackEntry[] {
  const ordered = new Set<StackEntry>();
  const underWay = new Set<StackEntry>();
  const byPath = new Map(entries.map((entry) => [entry.constructPath, entry]));
  const visit = (entry: StackEntry): void => {
    if (ordered.has(entry)) return;
    if (underWay.has(entry)) failOnCycle([...[...underWay].slice([...underWay].indexOf(entry)), entry]);
    underWay.add(entry);
    for (const dependency of entry.dependencies) {
      const found = byPath.get(dependency);
      if (found !== undefined) visit(found);
    }
    underWay.delete(entry);
    ordered.add(entry);
  };
  for (const entry of entries) visit(entry);
  return [...ordered];
}

function failOnCycle(cycle: readonly StackEntry[]): never {
  return fail({
    code: "stack_cycle",
    summary: "Stacks depend on each other",
    detail: `These stacks form a cycle: ${cycle.map(({ name }) => name).join(" needs ")}. Remove one of the dependencies.`,
  });
}

/** Selects stacks by name, in their order; all if no name is given. */
export function selectStacks(entries: readonly StackEntry[], names: readonly string[]): StackEntry[] {
  const unknown = names.find((name) => !entries.some((entry) => entry.name === name));
  if (unknown !== undefined) {
    fail({
      code: "unknown_stack",
      summary: "Unknown stack",
      detail: `The app has no stack "${unknown}". It has: ${entries.map(({ name }) => name).join(", ")}.`,
    });
  }
  return entries.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** The annotations of constructs as diagnostics, without those that are informational. */
export const annotationDiagnostics = (entries: readonly StackEntry[]): Diagnostic[] =>
  entries.flatMap(({ annotations }) =>
    annotations.flatMap(({ level, message, constructPath }) => {
      const text = {
        code: "app_annotation",
        detail: statedLines(message),
        construct: constructPath,
      } as const;
      if (level === "@cdktf/error") return [error({ ...text, summary: "Error from a construct" })];
      if (level === "@cdktf/warn") return [warning({ ...text, summary: "Warning from a construct" })];
      return [];
    }),
  );
