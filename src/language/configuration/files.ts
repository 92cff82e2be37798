import { readdirSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { describeFileProblem, explainFailedOpen, readFileSync, readUserFile } from "../../files";
import { parseHandwrittenJson } from "../../json";
import { type Program, runInstead } from "../syntax/errors";
import { repetitionInConfiguration } from "./repeated-blocks";
import { unsupportedFeature } from "./unsupported";

/** A parsed configuration file. */
export interface ConfigurationFile {
  readonly file: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Returns a folder with its parsed `*.tf.json` files, such as `cdk.tf.json`. If `location` is a file, only this file is parsed.
 */
export function readConfigurationFiles(location: string): { folder: string; files: ConfigurationFile[] } {
  const absolute = path.resolve(location);
  const isFolder = statOrFail(absolute).isDirectory();
  const folder = isFolder ? absolute : path.dirname(absolute);
  const names = isFolder ? readdirSync(folder).filter(isRead).sort() : [path.basename(absolute)];
  const override = names.find((name) => /(?:^|_)override\.tf(?:\.json)?$/.test(name));
  if (isFolder && override !== undefined)
    notRead(
      `${path.join(folder, override)} overrides blocks of other files. The embedded engine does not merge such files.`,
    );
  const ofOpenTofu = names.find((name) => /\.tofu(?:\.json)?$/.test(name));
  if (ofOpenTofu !== undefined)
    notRead(
      `Only OpenTofu reads the file ${path.join(folder, ofOpenTofu)}. The embedded engine reads *.tf.json files.`,
      "tofu plan",
    );
  const hcl = names.filter((name) => name.endsWith(".tf"));
  if (hcl.length > 0)
    notRead(`${path.join(folder, hcl[0]!)} is written in HCL. The embedded engine reads *.tf.json files.`);
  const programFor = (name: string) => OTHER_FILES.find(([ending]) => ending.test(name))?.[1];
  const declares = names.filter((name) => programFor(name) === undefined);
  const program = declares.length === 0 && names[0] !== undefined ? programFor(names[0]) : undefined;
  if (program !== undefined) unsupportedFeature(`The file ${path.join(folder, names[0]!)}`, { program });
  const files = declares
    .filter((name) => !isFolder || name.endsWith(".tf.json"))
    .map((name) => readConfigurationFile(path.join(folder, name), isFolder ? readFileSync : readUserFile));
  if (files.length === 0)
    notFound(`*.tf.json file in ${folder}. Synthesize the app, and pass the folder of a stack`);
  return { folder, files };
}

/** The endings of files that `terraform plan` ignores, each with a Terraform command that reads such files. */
const OTHER_FILES: readonly (readonly [ending: RegExp, Program])[] = [
  [/\.tfquery\.(?:hcl|json)$/, "terraform query"],
  [/\.tf(?:test|mock)\.(?:hcl|json)$/, "terraform test"],
];

/**
 * Returns whether a file belongs to the configuration. As in Terraform, temporary files of editors do not belong to the
 * configuration.
 */
const isRead = (name: string): boolean =>
  !(name.startsWith(".") || name.endsWith("~") || /^#.*#$/.test(name));

function statOrFail(file: string): Stats {
  let found: Stats | undefined;
  try {
    found = statSync(file, { throwIfNoEntry: false });
  } catch (problem) {
    return invalid(
      file,
      `it can't be read (${describeFileProblem(explainFailedOpen(file, problem))})`,
      "Check the path and its permissions.",
    );
  }
  const advice = "Name one with --config, or omit the option to synthesize the app";
  return found ?? notFound(`file or folder ${file}. ${advice}`);
}

const notFound = (what: string): never =>
  fail({ code: "configuration_not_found", summary: "No configuration", detail: `There is no ${what}.` });

function readConfigurationFile(file: string, read: (file: string) => Buffer): ConfigurationFile {
  let json: unknown;
  try {
    json = parseHandwrittenJson(read(file), repetitionInConfiguration);
  } catch (problem) {
    return invalid(file, (problem as Error).message);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return invalid(file, "its root is not an object");
  return { file, json: json as Record<string, unknown> };
}

const invalid = (file: string, why: string, remedy = "Correct the file."): never =>
  fail({
    code: "configuration_invalid",
    summary: "Invalid configuration",
    detail: `${file} is not a Terraform JSON configuration: ${why}. ${remedy}`,
  });

const notRead = (why: string, program?: Program): never =>
  fail({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    ...runInstead(why, program),
  });
