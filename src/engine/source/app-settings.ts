import path from "node:path";
import { fail } from "../../diagnostics";
import { describeFileProblem, readFileSync } from "../../files";
import { parseJson } from "../../json";
import type { Environment } from "./environment";

/** The settings of cdktf.json that synthesis needs. */
export interface AppSettings {
  /** The shell command that runs the app. */
  readonly app: string;
  /** The absolute path of the output folder. */
  readonly output: string;
  /** Terraform modules with relative paths. */
  readonly relativeModules: readonly unknown[];
  readonly context: Readonly<Record<string, unknown>>;
}

const FILE = "cdktf.json";

/**
 * Reads the settings of cdktf.json in a folder. The command line takes precedence, then `STEWARD_APP`. No
 * other source may name a command to run, least of all a saved plan.
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
  return { app, output: path.resolve(folder, output), relativeModules: relativeModules(json), context };
}

/**
 * The policy modules that cdktf.json in a folder names as `policy`, in their order. They are programs, like the app.
 */
export function policyModules(folder: string): readonly string[] {
  const file = path.join(folder, FILE);
  const named = [readSettings(file)?.["policy"] ?? []].flat();
  if (!named.every((one): one is string => typeof one === "string" && one.trim() !== ""))
    return unreadable(file, '"policy" is neither the name of a module nor a list of names');
  return named;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readSettings(file: string): Readonly<Record<string, unknown>> | undefined {
  let text: string;
  try {
    text = readFileSync(file).toString("utf8");
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return unreadable(file, describeFileProblem(problem));
  }
  try {
    const json: unknown = parseJson(text);
    return isRecord(json) ? json : unreadable(file, "its root is not an object");
  } catch (problem) {
    if (problem instanceof SyntaxError) return unreadable(file, problem.message);
    throw problem;
  }
}

/** cdktf rewrites these paths relative to the stack's folder. */
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
      ? `${path.join(folder, FILE)} has no "app", the command that runs your app. Add it, for example "app": "npx tsx main.ts", or give --app or STEWARD_APP.`
      : `There is no ${FILE} in ${folder}. Run steward in the folder of your app, or give the app's command with --app or STEWARD_APP; --config uses a synthesized configuration.`,
  });
}

function unreadable(file: string, why: string): never {
  return fail({
    code: "app_unknown",
    summary: "Invalid app settings",
    detail: `${file} can't be used: ${why}.`,
  });
}
