import path from "node:path";
import * as z from "zod/mini";
import {
  type Diagnostic,
  DiagnosticError,
  didYouMean,
  error,
  fail,
  formatPath,
  type PathStep,
  warning,
} from "../../diagnostics";
import { decodeText, describeFileProblem, readFileSync, systemCode } from "../../files";
import { parseHandwrittenJson } from "../../json";
import { namesUpTo, statedLines, wildcard } from "../../text";
import { Graph } from "../declarations/graph";
import type { Environment } from "../stack-run/context";

/** The settings of cdktf.json that synthesis needs. */
export interface AppSettings {
  /** The shell command that runs the app. */
  readonly app: string;
  /** The absolute path of the output folder. */
  readonly output: string;
  /** Terraform modules with relative paths. */
  readonly relativeModules: readonly unknown[];
  readonly context: Readonly<Record<string, unknown>>;
  /** Names of environment variables that this app gets, although Steward withholds them from apps by default. */
  readonly appEnvironment: readonly string[];
}

const FILE = "cdktf.json";

/**
 * Reads the settings of an app from cdktf.json in a folder. The command line takes precedence, then `STEWARD_APP`. No other
 * source, such as a saved plan, may name a command to run.
 */
export function readAppSettings(
  { folder, env }: Environment,
  given: { readonly app?: string | undefined; readonly output?: string | undefined },
): AppSettings {
  const json = readSettings(path.join(folder, FILE));
  const app = given.app ?? (env["STEWARD_APP"] || undefined) ?? json?.["app"];
  if (typeof app !== "string" || app.trim() === "") noApp(folder, json !== undefined);
  const output = given.output ?? json?.["output"] ?? "cdktf.out";
  if (typeof output !== "string") unreadable(path.join(folder, FILE), '"output" is not a string');
  const context = json?.["context"] ?? {};
  if (!isRecord(context)) unreadable(path.join(folder, FILE), '"context" is not an object');
  const appEnvironment = json?.["appEnvironment"] ?? [];
  if (!isListOfStrings(appEnvironment))
    unreadable(path.join(folder, FILE), '"appEnvironment" is not a list of names of environment variables');
  return {
    app,
    output: path.resolve(folder, output),
    relativeModules: relativeModules(json),
    context,
    appEnvironment,
  };
}

/**
 * Returns the policy modules from `policy` in a folder's cdktf.json, in the order of that list. Steward runs these modules, so
 * only this file may name them.
 */
export function policyModules(folder: string): readonly string[] {
  const file = path.join(folder, FILE);
  const named = [readSettings(file)?.["policy"] ?? []].flat();
  if (!named.every((one): one is string => typeof one === "string" && one.trim() !== ""))
    return unreadable(file, '"policy" is neither the name of a module nor a list of names');
  return named;
}

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readSettings(file: string): Readonly<Record<string, unknown>> | undefined {
  let text: string;
  try {
    text = decodeText(readFileSync(file));
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return unreadable(
      file,
      describeFileProblem(problem),
      "Make sure that the path is a regular file that this user can read.",
    );
  }
  try {
    const json: unknown = parseHandwrittenJson(text);
    return isRecord(json) ? json : unreadable(file, "its root is not an object");
  } catch (problem) {
    if (problem instanceof SyntaxError) return unreadable(file, problem.message);
    throw problem;
  }
}

/**
 * Returns the Terraform modules with relative paths. cdktf needs this list, because cdktf rewrites these paths to start in the
 * stack's folder.
 */
function relativeModules(json: Readonly<Record<string, unknown>> | undefined): unknown[] {
  const modules = json?.["terraformModules"];
  if (!Array.isArray(modules)) return [];
  const sourceOf = (module: unknown) => (isRecord(module) ? module["source"] : module);
  return modules.filter((module) => /^\.\.?\//.test(String(sourceOf(module))));
}

function noApp(folder: string, isThere: boolean): never {
  return fail({
    code: "app_unknown",
    summary: "No app to synthesize",
    detail: isThere
      ? `${path.join(folder, FILE)} has no "app", the command that runs your app. Add it, for example "app": "npx tsx main.ts", or set it with --app or STEWARD_APP.`
      : `There is no ${FILE} in ${folder}. Run Steward in the folder of your app, or set the app's command with --app or STEWARD_APP. For a synthesized configuration, use --config.`,
  });
}

function unreadable(file: string, why: string, remedy = "Correct the file."): never {
  return fail({
    code: "app_unknown",
    summary: "Invalid app settings",
    detail: `${file} can't be used: ${why}. ${remedy}`,
  });
}

/** One stack of an app. */
export interface StackEntry {
  readonly name: string;
  /** The folder that contains the stack's `cdk.tf.json`. */
  readonly folder: string;
  readonly constructPath: string;
  /** Construct paths of the stacks that must come before this stack. */
  readonly dependencies: readonly string[];
  readonly annotations: readonly Annotation[];
}

const annotation = z.object({ constructPath: z.string(), level: z.string(), message: z.string() });
type Annotation = z.output<typeof annotation>;

const manifest = z.object({
  stacks: z.record(
    z.string(),
    z.object({
      // The name becomes a part of the state file's name, so it must not contain a slash.
      name: z
        .string()
        .check(z.regex(/^[^/\\\0]+$/, "not a valid stack name: it is empty, or contains a slash or a NUL")),
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
  if (entries.length === 0) nothingSynthesized("The app succeeded, but created no stack.");
  return sortByDependencies(entries);
}

function readJson(file: string): z.output<typeof manifest> {
  const refuse = (what: string): never =>
    nothingSynthesized(`The app succeeded, but its manifest ${file} ${what}.`);
  let json: unknown;
  try {
    json = parseHandwrittenJson(readFileSync(file));
  } catch (problem) {
    if (systemCode(problem) === "ENOENT") {
      return nothingSynthesized(`The app succeeded, but wrote no ${file}.`);
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
    summary: "App created no stack",
    detail: `${what} An app must create a TerraformStack, write to the folder that CDKTF_OUTDIR names (\`new App()\` does), and end with \`app.synth()\`.`,
  });
}

/** Sorts stacks so that each stack comes after its dependencies. Otherwise, the stacks stay in the given order. */
function sortByDependencies(entries: readonly StackEntry[]): StackEntry[] {
  const graph = new Graph<StackEntry>();
  // The list is reversed, because the graph orders the last dependency of a node first.
  for (const entry of entries) graph.add(entry.constructPath, entry, [...entry.dependencies].reverse());
  const onCycle = (cycle: readonly string[]) => failOnCycle(cycle.map((path) => graph.value(path)!));
  return graph.topologicalOrder(onCycle).map(({ value }) => value);
}

function failOnCycle(cycle: readonly StackEntry[]): never {
  return fail({
    code: "stack_cycle",
    summary: "Stacks depend on each other",
    detail: `These stacks depend on each other: ${cycle.map(({ name }) => name).join(" needs ")}. Remove one of the dependencies.`,
  });
}

/** Returns the sentence for an unknown stack: a suggestion with a similar name, or a list of all stacks. */
const suggestedStacks = (input: string, known: readonly string[]): string =>
  didYouMean(input, known, `Its stacks are: ${namesUpTo(MAX_STACKS, known)}.`);

const MAX_STACKS = 20;

/**
 * Returns the stacks with these names, in the order of the app. Without names, returns all stacks. `*` in a name matches any
 * text.
 *
 * @throws DiagnosticError for names without a stack
 */
export function selectStacks(entries: readonly StackEntry[], names: readonly string[]): StackEntry[] {
  const { selected, unknown } = knownStacks(entries, names);
  if (unknown.length > 0) throw new DiagnosticError(unknown);
  return selected;
}

/** Returns the same stacks as `selectStacks`. The errors for names without a stack are in `unknown`. */
export function knownStacks(
  entries: readonly StackEntry[],
  names: readonly string[],
): { readonly selected: StackEntry[]; readonly unknown: readonly Diagnostic[] } {
  const patterns = names.map((name) => wildcard(name));
  const known = entries.map(({ name }) => name);
  const unknown = names.filter((_, at) => !known.some((name) => patterns[at]!.test(name)));
  const selected = entries.filter(
    ({ name }) => names.length === 0 || patterns.some((pattern) => pattern.test(name)),
  );
  return { selected, unknown: [...new Set(unknown)].map((name) => unknownStack(name, known)) };
}

const unknownStack = (name: string, known: readonly string[]): Diagnostic =>
  error({
    code: "unknown_stack",
    summary: "Unknown stack",
    detail: `The app has no stack "${name}". ${suggestedStacks(name, known)}`,
    cause: `stack ${name}`,
  });

/** Converts the annotations of constructs to diagnostics, without informational annotations. */
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
