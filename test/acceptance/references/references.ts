import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { validateConfiguration } from "../../../src/engine/validate/validate-configuration";
import { configurationFrom } from "../../../src/language";
import { createProvider, PROVIDER_SOURCE } from "../../../src/provider";

export type Verdict = "wrong" | "right";

/** A reference, the place of the reference, and the verdict of `terraform validate` 1.11. */
export interface Case {
  readonly is: Verdict;
  /** The embedded engine's verdict, if it differs. */
  readonly here?: Verdict;
  /**
   * The place of the reference: the value of an output (`output`), the `project` of a resource (`resource`), or somewhere in
   * `more` (`file`).
   */
  readonly at: "output" | "resource" | "file";
  readonly ref: string;
  /** For `resource`, the other arguments of the resource. For `output` and `file`, the other blocks of the file. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export const CASES = parse(readFileSync(path.join(__dirname, "table.yaml"), "utf8")) as readonly Case[];

const SCOPE = { project: "acme/shop", inbound_enabled: true };

/** The declarations that the references name. */
export const DECLARED = {
  terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } } },
  provider: { steward: [{ base_url: "https://steward.example", token: "token-of-a-test" }] },
  variable: {
    obj: {
      type: "object({ a = string, list = list(object({ c = string })), opt = optional(string) })",
      default: { a: "a", list: [] },
    },
    names: { type: "list(string)", default: [] },
    map: { type: "map(string)", default: {} },
    text: { type: "string", default: "a" },
    free: { default: { anything: 1 } },
  },
  locals: {
    known: { x: 1 },
    list: [{ a: 1 }],
    of_var: "${var.obj}",
  },
  data: {
    steward_project: {
      d: { project: "acme/shop" },
      many: { for_each: { a: "acme/shop" }, project: "${each.value}" },
    },
    steward_projects: { all: { group: "acme" } },
    steward_protected_environment: { production: { project: "acme/shop", name: "production" } },
  },
  resource: {
    steward_job_token_scope: {
      one: SCOPE,
      c: { ...SCOPE, count: 2 },
      e: { ...SCOPE, for_each: { a: "a" } },
    },
    steward_protected_environment: {
      p: { project: "acme/shop", name: "production", deploy_access_levels: [{ access_level: 40 }] },
    },
  },
};

/** The resource type in which the cases put their references. */
export const TRIED = "steward_job_token_scope";

/** Returns the arguments of the resource that contains the reference of a case. */
export const argumentsOf = ({ ref, more }: Case): object => ({ ...SCOPE, project: ref, ...more });

/** Returns the configuration of one case. */
export function configurationOf(one: Case): Readonly<Record<string, unknown>> {
  const { at, ref, more } = one;
  if (at === "output") return withBlocks(DECLARED, { output: { tried: { value: ref } } });
  if (at === "resource") return withBlocks(DECLARED, { resource: { [TRIED]: { tried: argumentsOf(one) } } });
  return withBlocks(withBlocks(DECLARED, more), { output: { tried: { value: ref } } });
}

type Blocks = Readonly<Record<string, unknown>>;

/**
 * Adds blocks to a file. The keys of both objects are the types and labels of the blocks. If the value is a list, such as
 * the configurations of a provider, the block is appended.
 */
function withBlocks(blocks: Blocks, more: Blocks = {}): Blocks {
  const merged = Object.entries(more).map(([name, added]) => {
    const before = blocks[name];
    if (Array.isArray(before)) return [name, [...before, added]];
    return [name, isObject(before) && isObject(added) ? withBlocks(before, added) : added];
  });
  return { ...blocks, ...Object.fromEntries(merged) };
}

const isObject = (value: unknown): value is Blocks =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export interface Answer {
  readonly verdict: Verdict;
  readonly text: string;
}

/** Returns the verdict and the errors of the embedded engine, without a request. */
export function embeddedAnswer(one: Case): Answer {
  try {
    const found = validateConfiguration({
      configuration: configurationFrom(configurationOf(one) as Record<string, unknown>, __dirname),
      variables: {},
      providers: { [PROVIDER_SOURCE]: createProvider() },
      env: {},
    }).filter(({ severity }) => severity === "error");
    return {
      verdict: found.length > 0 ? "wrong" : "right",
      text: found.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"),
    };
  } catch (problem) {
    return { verdict: "wrong", text: String(problem) };
  }
}
