import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { FixtureInput, Service } from "../../../src/service";
import { ROOT } from "./own-project";

const SAMPLE = parse(
  readFileSync(path.join(ROOT, "examples", "quickstart", "fixture.yaml"), "utf8"),
) as FixtureInput;
const PEOPLE = { commenter: "reporter", author: "developer", approver: "developer" } as const;
/**
 * The users of a merge request. The approver is a Maintainer of the changed projects. The user who writes comments can see
 * the members of the changed projects.
 */
const REVIEWERS = [
  { user: "approver", role: "maintainer" as const },
  { user: "commenter", role: "guest" as const },
];
/**
 * The sample company with project 8. The repository of this project contains the settings as code, and the project stores
 * the states. The token of `author` is `author-token`.
 */
export const COMPANY: FixtureInput = {
  ...SAMPLE,
  users: [
    ...(SAMPLE.users ?? []),
    ...Object.keys(PEOPLE).map((username) => ({ username, token: `${username}-token` })),
  ],
  groups: (SAMPLE.groups ?? []).map((group) =>
    group.path === "acme" ? { ...group, members: [...(group.members ?? []), ...REVIEWERS] } : group,
  ),
  projects: [
    ...(SAMPLE.projects ?? []),
    {
      path: "acme/settings",
      members: Object.entries(PEOPLE).map(([user, role]) => ({ user, role })),
    },
  ],
};
/** The CI variables of project 8. */
export const TOKENS = {
  STEWARD_TOKEN: "quickstart-maintainer-token",
  STEWARD_READ_TOKEN: "quickstart-readonly-token",
  STEWARD_COMMENT_TOKEN: "commenter-token",
  CI_JOB_TOKEN: "quickstart-maintainer-token",
};

/** Sends a request outside of the pipeline. */
export const sendTo = (
  { url }: Service,
  method: string,
  place: string,
  { body, token = TOKENS.STEWARD_TOKEN }: { readonly body?: object; readonly token?: string } = {},
): Promise<Response> =>
  fetch(`${url}${place}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

interface Job {
  readonly stage: string;
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
  readonly environment?: { readonly name: string };
  readonly needs?: readonly string[];
  readonly script: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly parallel?: number;
  readonly allow_failure?: { readonly exit_codes: readonly number[] };
  readonly artifacts?: {
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string>>;
  };
}

type Variables = Readonly<Record<string, string>>;

/** The result of a job on the platform. */
export interface EndedJob {
  readonly code: number;
  readonly result: "success" | "warning" | "failed";
  readonly output: string;
  /** All variables of the job. */
  readonly env: Variables;
  /** Missing files that the job declares as artifacts. */
  readonly missing: readonly string[];
}

const NO_JOBS = new Set(["stages", "variables", "default"]);

/**
 * Runs the jobs of a pipeline file as the platform's runner does. All lines of a job run in one shell. The shell stops at
 * the first error.
 */
export class Pipeline {
  readonly #folders: readonly string[];
  readonly #file: Readonly<Record<string, unknown>>;

  /** Each folder is a separate clone. If a job runs several times in parallel, each run gets one folder. */
  constructor(
    folders: readonly string[],
    name: string,
    inputs: Variables = {},
    private readonly scopes: Readonly<Record<string, RegExp>> = {},
  ) {
    this.#folders = folders;
    this.#file = parse(withInputs(readFileSync(path.join(folders[0]!, name), "utf8"), inputs)) as Record<
      string,
      unknown
    >;
  }

  get jobs(): readonly string[] {
    return Object.keys(this.#file).filter((name) => !NO_JOBS.has(name));
  }

  get stages(): readonly string[] {
    return this.#file["stages"] as readonly string[];
  }

  job(name: string): Job {
    return this.#file[name] as Job;
  }

  /** Runs one job, including all parallel jobs, with the variables of the project, the pipeline and the job. */
  async run(name: string, project: Variables): Promise<readonly EndedJob[]> {
    const { parallel } = this.job(name);
    if (parallel === undefined) return [await this.#runOne(name, this.#folders[0]!, project)];
    const shards = Array.from({ length: parallel }, (_, index) => ({
      CI_NODE_INDEX: String(index + 1),
      CI_NODE_TOTAL: String(parallel),
    }));
    return Promise.all(
      shards.map((shard, index) => this.#runOne(name, this.#folders[index]!, { ...project, ...shard })),
    );
  }

  /** Returns the project variables that a job can see. A variable may be limited to environments. */
  #visibleTo(name: string, project: Variables): Variables {
    const own = this.job(name).environment?.name;
    const isVisible = ([variable]: [string, string]) => {
      const scope = this.scopes[variable];
      return scope === undefined || (own !== undefined && scope.test(own));
    };
    return Object.fromEntries(Object.entries(project).filter(isVisible));
  }

  /** Runs one job in this folder. */
  runIn(name: string, folder: string, project: Variables): Promise<EndedJob> {
    return this.#runOne(name, folder, project);
  }

  async #runOne(name: string, folder: string, project: Variables): Promise<EndedJob> {
    const { script, variables, allow_failure, artifacts } = this.job(name);
    const known = { ...this.#visibleTo(name, project), CI_JOB_NAME: name };
    const env = {
      ...known,
      ...expandAll({ ...(this.#file["variables"] as Variables), ...variables }, known),
    };
    const { code, output } = await shell(script, folder, env);
    const promised = [...(artifacts?.paths ?? []), ...Object.values(artifacts?.reports ?? {})];
    const failure = allow_failure?.exit_codes.includes(code) ? "warning" : "failed";
    const result = code === 0 ? "success" : failure;
    const missing = promised
      .map((file) => expand(file, env))
      .filter((file) => !existsSync(path.join(folder, file)));
    return { code, result, output, missing, env };
  }
}

/** Returns the jobs of a component with these inputs or their defaults. A file without inputs stays unchanged. */
function withInputs(text: string, given: Variables): string {
  const [head, jobs] = text.split("\n---\n");
  if (jobs === undefined) return text;
  const { inputs } = (parse(head!) as { spec: { inputs: Record<string, { default: unknown }> } }).spec;
  return jobs.replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
    const input = inputs[name];
    if (input === undefined) throw new Error(`The component has no input ${name}`);
    return given[name] ?? String(input.default);
  });
}

const expand = (text: string, known: Variables): string =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => known[name] ?? "");

const expandAll = (variables: Variables, known: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, expand(text, known)]));

function shell(lines: readonly string[], folder: string, env: Variables) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const { HOME = "" } = process.env;
    const PATH = [path.join(folder, "bin"), process.env["PATH"] ?? ""].join(path.delimiter);
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", lines.join("\n")], {
      cwd: folder,
      // npm must not fetch packages that are not installed.
      env: { PATH, HOME, npm_config_offline: "true", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
