import { isObject, type Value } from "../../schema";
import type { StateBackend } from "../../state";
import type { RunContext } from "../stack-run/context";
import { withRun } from "../stack-run/stack-run";
import { servicesOf } from "./services";

/** The addresses that receive the credentials of a run over a stack. */
export interface Receivers {
  /** The addresses of the services of all provider configurations. */
  readonly services: readonly string[];
  /** The origins of states over HTTP: the state of the stack, and states whose outputs the stack reads. */
  readonly states: readonly string[];
  /** Receivers whose address is known only after a request, such as `provider steward.eu`. */
  readonly unknown: readonly string[];
}

/** Returns the addresses that receive the credentials of a run over the stack. Sends no request. */
export async function receiversOf(context: RunContext, backend: StateBackend): Promise<Receivers> {
  const remote = remoteStates(context);
  return {
    services: sorted(Object.values(await servicesOf(context))),
    states: sorted([...backend.origins, ...remote.origins]),
    unknown: [...(await undecidedProviders(context)), ...remote.unknown],
  };
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/**
 * Returns the provider configurations that depend on a resource or data source. The services of these configurations
 * are known only after requests.
 */
const undecidedProviders = (context: RunContext): Promise<string[]> =>
  withRun(context, async ({ graph }) =>
    graph.ids.flatMap((id) => {
      const node = graph.value(id);
      const kinds = [...graph.closure([id])].map((one) => graph.value(one)?.kind);
      return node?.kind === "provider" && kinds.includes("resource") ? [`provider ${node.key}`] : [];
    }),
  );

/** The settings that contain addresses of a state over HTTP. */
const ADDRESSES = ["address", "lock_address", "unlock_address", "journal_address"];

/**
 * Returns the origins of states that data sources read. These origins receive the credentials of the environment. The origin of
 * the state of this stack receives the same credentials.
 */
function remoteStates({ configuration }: RunContext) {
  const origins: string[] = [];
  const unknown: string[] = [];
  for (const { json } of configuration.files)
    for (const types of partsOf(json as Value, "data").flatMap((data) => partsOf(data, TYPE)))
      for (const name of isObject(types) ? Object.keys(types) : [])
        for (const block of partsOf(types, name)) {
          const { found, isKnown } = originsOf(block);
          origins.push(...found);
          if (!isKnown) unknown.push(`data.${TYPE}.${name}`);
        }
  return { origins, unknown };
}

const TYPE = "terraform_remote_state";

function originsOf(block: Value): { readonly found: readonly string[]; readonly isKnown: boolean } {
  const [backend] = partsOf(block, "backend");
  if (backend === "local") return { found: [], isKnown: true };
  const configs = partsOf(block, "config");
  const given = configs.flatMap((config) => ADDRESSES.flatMap((name) => partsOf(config, name)));
  const urls = given.filter(isAddress).map((text) => new URL(text).origin);
  const hasAddress = configs.some((config) => partsOf(config, "address").length > 0);
  return { found: urls, isKnown: backend === "http" && hasAddress && urls.length === given.length };
}

/** Returns whether a value is an address without an expression. */
const isAddress = (value: Value): value is string =>
  typeof value === "string" && URL.canParse(value) && !/[$%]\{/.test(value);

/** Returns the values that a block has under a name. Both the block and its values can be in a list. */
const partsOf = (value: Value, name: string): Value[] =>
  [value].flat().flatMap((one) => {
    const found = one !== null && isObject(one) && Object.hasOwn(one, name) ? one[name] : undefined;
    return found === undefined || found === null ? [] : ([found].flat() as Value[]);
  });
