import type { ConfiguredProvider } from "../../framework";
import type { ValueObject } from "../../schema";
import { addProviders } from "../declarations/declarations";
import { walk } from "../declarations/walk";
import type { RunContext } from "../stack-run/context";
import { type Visitor, visitNode, withRun } from "../stack-run/stack-run";

/**
 * Returns the services of a configuration's providers, by provider configuration key. Sends no request. A provider whose
 * configuration depends on a resource or data source is left out, because its service is not known yet.
 *
 * @param more keys of provider configurations that only objects in the state use
 */
export async function servicesOf(
  context: RunContext,
  more: Iterable<string> = [],
): Promise<Readonly<Record<string, string>>> {
  const services: Record<string, string> = {};
  await eachService(
    context,
    async (key, { service }) => {
      services[key] = service!;
    },
    more,
  );
  return services;
}

/** An object on a service, named by its import ID. */
export interface ObjectOfService {
  readonly service: string;
  readonly type: string;
  /** The import ID of the object. */
  readonly id: string;
}

/**
 * Returns the objects that a service still has or may have, including objects that can't be read. Sends requests for each object.
 *
 * @param isGone whether the live values show that the object is deleted; some settings always exist, and have default values
 * after a delete
 */
export async function stillLive<One extends ObjectOfService>(
  context: RunContext,
  objects: readonly One[],
  isGone: (one: One, live: ValueObject) => boolean,
): Promise<readonly One[]> {
  if (objects.length === 0) return [];
  const gone = new Set<One>();
  await eachService(context, async (_key, provider) => {
    for (const one of objects) {
      if (one.service !== provider.service || gone.has(one)) continue;
      const { state, diagnostics } = await provider.importResource({ type: one.type, id: one.id });
      const isLive =
        state === undefined
          ? diagnostics.some(({ code }) => code !== "import_not_found")
          : !isGone(one, state.attributes);
      if (!isLive) gone.add(one);
    }
  });
  return objects.filter((one) => !gone.has(one));
}

/** A service, and the user that the token belongs to. */
export interface ServiceUser {
  readonly service: string;
  /** The user that the token belongs to; undefined if the service does not return the user. */
  readonly user: string | undefined;
}

/** Returns each service of a configuration once, with the user of the token. Sends a request to each service. */
export async function serviceUsersOf(context: RunContext): Promise<readonly ServiceUser[]> {
  const found = new Map<string, ServiceUser>();
  await eachService(context, async (_key, provider) => {
    const service = provider.service!;
    const user = await provider.currentUser?.();
    found.set(`${service} ${user}`, { service, user });
  });
  return [...found.values()];
}

type VisitService = (key: string, provider: ConfiguredProvider) => Promise<void>;

const eachService = (context: RunContext, visit: VisitService, more: Iterable<string> = []): Promise<void> =>
  withRun(context, async (run) => {
    addProviders(run.graph, more);
    const nodes = run.graph.ids.filter((id) => {
      const closure = [...run.graph.closure([id])].map((one) => run.graph.value(one)?.kind);
      return run.graph.value(id)?.kind === "provider" && !closure.includes("resource");
    });
    const graph = run.graph.subgraph(run.graph.closure(nodes));
    const visitor: Visitor = {
      async provider({ key, declaration }) {
        const outcome = run.visitProvider({ key, declaration });
        const provider = outcome === "done" ? run.configured(key) : undefined;
        if (provider?.service !== undefined) await visit(key, provider);
        return outcome;
      },
    };
    await walk(graph, (id, node) => visitNode(run, visitor, id, node), { concurrency: 1 });
  });
